package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manName is the name of a command's manual page, such as oxbase-query-board.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writeMan writes the manual page of a command in the macros of man(7). It holds what the help
// holds, and neither a date nor anything else that differs between two runs.
func writeMan(out io.Writer, cmd *cobra.Command) error {
	cmd.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" %q \"oxbase manual\"\n", strings.ToUpper(manName(cmd)), builtBy)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	b.WriteString(".SH SYNOPSIS\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\\fB%s\\fR \\fICOMMAND\\fR\n", roff(cmd.CommandPath()))
	} else {
		fmt.Fprintf(&b, "\\fB%s\\fR%s\n", roff(cmd.CommandPath()), roff(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())))
	}
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, cmd.Long)
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(&b, ".PP\nOther names: %s.\n", roff(strings.Join(cmd.Aliases, ", ")))
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, c := range documented(cmd) {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(c.Name()), roff(c.Short))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) { manFlag(&b, f) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { manFlag(&b, f) })
	if statuses := cmd.Annotations["exit"]; statuses != "" {
		b.WriteString(".SH EXIT STATUS\n")
		for line := range strings.Lines(statuses) {
			status, meaning, _ := strings.Cut(strings.TrimSpace(line), "  ")
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", status, roff(meaning))
		}
	}
	if cmd.InheritedFlags().Lookup("db") != nil {
		b.WriteString(".SH ENVIRONMENT\n.TP\n\\fBOXBASE_DB\\fR\nthe tablebase file where \\fB\\-\\-db\\fR names none\n")
	}
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		manVerbatim(&b, strings.Split(cmd.Example, "\n"))
	}
	if related := manRelated(cmd); len(related) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(related, ",\n"))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// manText writes text: paragraphs, which are filled, and lines that begin with white space or
// hold a table, which stand as they are.
func manText(b *strings.Builder, text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		lines := strings.Split(paragraph, "\n")
		for len(lines) > 0 {
			n := 1
			for n < len(lines) && isVerbatim(lines[n]) == isVerbatim(lines[0]) {
				n++
			}
			if isVerbatim(lines[0]) {
				manVerbatim(b, lines[:n])
			} else {
				b.WriteString(roff(strings.Join(lines[:n], "\n")) + "\n")
			}
			lines = lines[n:]
		}
	}
}

func isVerbatim(line string) bool {
	return strings.HasPrefix(line, "\t") || strings.Contains(line, "  ")
}

// manVerbatim writes lines that aren't filled.
func manVerbatim(b *strings.Builder, lines []string) {
	text := strings.ReplaceAll(strings.Join(lines, "\n"), "\t", "  ")
	fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(strings.Trim(text, "\n")))
}

// manFlag writes what the help says of a flag.
func manFlag(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, meaning := pflag.UnquoteUsage(f)
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		fmt.Fprintf(b, "\\fB\\-%s\\fR, ", f.Shorthand)
	}
	fmt.Fprintf(b, "\\fB\\-\\-%s\\fR", roff(f.Name))
	if value != "" {
		fmt.Fprintf(b, " \\fI%s\\fR", roff(value))
	}
	fmt.Fprintf(b, "\n%s", roff(meaning))
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		fmt.Fprintf(b, " (default %s)", roff(f.DefValue))
	}
	b.WriteString("\n")
}

// manRelated names the pages of the commands above and below a command.
func manRelated(cmd *cobra.Command) (names []string) {
	commands := documented(cmd)
	if cmd.HasParent() {
		commands = append([]*cobra.Command{cmd.Parent()}, commands...)
	}
	for _, c := range commands {
		names = append(names, fmt.Sprintf("\\fB%s\\fR(1)", roff(manName(c))))
	}
	return names
}

// documented returns the commands of a command that have a page.
func documented(cmd *cobra.Command) (commands []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			commands = append(commands, c)
		}
	}
	return commands
}

// roff makes text stand for itself.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
