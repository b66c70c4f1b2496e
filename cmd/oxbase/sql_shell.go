package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"oxbase/store"
)

// maxScript is the longest statement that the shell reads, in bytes.
const maxScript = 1 << 20

// lineSource is where the shell's lines come from.
type lineSource interface {
	// line returns the next line, or io.EOF after the last one, or errAborted if the user gave
	// it up.
	line(prompt string) (string, error)
	// remember keeps a line for the history.
	remember(line string)
}

// sqlShell runs SQL statements and commands that begin with a point.
type sqlShell struct {
	session     *store.Session
	lines       lineSource
	out, err    io.Writer
	mode        string
	interactive bool                                         // go on after an error
	begin       func() (context.Context, context.CancelFunc) // the context of a statement

	pending    splitter
	started    int // the line on which the pending statement starts, from 1
	statements int // how many were run
	results    int // how many of them had a result
}

// errQuit is the command .quit.
var errQuit = errors.New("quit")

// run reads and runs lines until there are no more. In a script the first error ends it.
func (s *sqlShell) run() error {
	for number := 1; ; number++ {
		prompt := "oxbase> "
		if s.pending.pending() {
			prompt = "   ...> "
		}
		line, err := s.lines.line(prompt)
		switch {
		case errors.Is(err, errAborted):
			s.pending = splitter{}
			continue
		case err == io.EOF && s.interactive:
			fmt.Fprintln(s.out)
			return nil
		case err == io.EOF:
			return s.statement(s.pending.cut())
		case err != nil:
			return err
		}
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if text := strings.TrimSpace(line); text != "" {
			s.lines.remember(strings.TrimRight(line, "\r\n"))
		}
		switch err := s.take(line, number); {
		case errors.Is(err, errQuit):
			return nil
		case err == nil:
		case !s.interactive:
			return err
		default:
			s.pending = splitter{}
			fmt.Fprintln(s.err, "error:", describe(err))
		}
	}
}

// take runs the command or the statements that a line completes.
func (s *sqlShell) take(line string, number int) error {
	if !s.pending.pending() && strings.HasPrefix(strings.TrimSpace(line), ".") {
		s.started = number
		return s.command(strings.Fields(line))
	}
	for {
		begun := s.pending.pending()
		statement, rest, ok := s.pending.next(line)
		if !begun {
			s.started = number
		}
		if !ok {
			break
		}
		if err := s.statement(statement); err != nil {
			return err
		}
		line = rest
	}
	if s.pending.size() > maxScript {
		return usagef("the statement from line %d on is longer than %d bytes", s.started, maxScript)
	}
	return nil
}

// statement runs one SQL statement, if there is one. An error that is the statement's fault is a
// usageError that says where it stands.
func (s *sqlShell) statement(text string) error {
	if text == "" {
		return nil
	}
	s.statements++
	ctx, end := s.begin()
	defer end()
	result := &countedResult{resultWriter: newResultWriter(s.mode, s.out)}
	if s.mode == "table" && !s.interactive && s.results > 0 {
		result.before = s.out
	}
	err := s.session.Query(ctx, text, result)
	if finishing := result.finish(err == nil); err == nil {
		err = finishing
	}
	s.results += result.results
	var wrong *store.StatementError
	if !errors.As(err, &wrong) {
		return err
	}
	if s.interactive || s.statements == 1 && s.started == 1 {
		return &usageError{wrong}
	}
	return usagef("statement %d, line %d: %w", s.statements, s.started, wrong)
}

// countedResult notes whether there was a result, and puts an empty line before it.
type countedResult struct {
	resultWriter
	before  io.Writer // where the empty line goes, or nil
	results int
}

func (r *countedResult) Columns(names []string) error {
	r.results++
	if r.before != nil {
		if _, err := fmt.Fprintln(r.before); err != nil {
			return err
		}
	}
	return r.resultWriter.Columns(names)
}

// sqlCommand is a command of the shell.
type sqlCommand struct {
	name, argument, summary string
	run                     func(s *sqlShell, argument string) error
}

func sqlCommands() []sqlCommand {
	return []sqlCommand{
		{".tables", "", "list the tables and views", func(s *sqlShell, _ string) error { return s.listTables() }},
		{".schema", "[NAME]", "print tables and views as SQL, which says what columns mean", (*sqlShell).printSchema},
		{".examples", "", "list questions to start with", func(s *sqlShell, _ string) error { return s.listExamples() }},
		{".example", "N", "print a question's SQL and run it", (*sqlShell).runExample},
		{".mode", "[MODE]", "print results as " + strings.Join(sqlModes(), ", "), (*sqlShell).setMode},
		{".help", "", "print this", func(s *sqlShell, _ string) error { return s.help() }},
		{".quit", "", "leave the shell, as Ctrl-D does", func(*sqlShell, string) error { return errQuit }},
	}
}

// command runs a line that begins with a point.
func (s *sqlShell) command(words []string) error {
	name, argument := words[0], strings.TrimSuffix(strings.Join(words[1:], " "), ";")
	name = strings.TrimSuffix(name, ";")
	for _, c := range sqlCommands() {
		switch {
		case c.name != name:
		case c.argument == "" && argument != "":
			return usagef("%s takes no argument: got %q", name, argument)
		case strings.HasPrefix(c.argument, "N") && argument == "":
			return usagef("%s needs an argument: want %s %s", name, name, c.argument)
		default:
			return c.run(s, argument)
		}
	}
	return usagef("no command %q: .help lists them", name)
}

func (s *sqlShell) help() error {
	var text strings.Builder
	fmt.Fprintln(&text, "SQL statements, which end with a semicolon and may take several lines, and:")
	for _, c := range sqlCommands() {
		fmt.Fprintf(&text, "  %-15s %s\n", strings.TrimSpace(c.name+" "+c.argument), c.summary)
	}
	fmt.Fprintf(&text, "Tab completes names, Ctrl-C ends a statement, Ctrl-R searches the history.\n\n")
	fmt.Fprintf(&text, "Functions for boards of %s:\n%s", s.session.Game(), functionHelp("  "))
	_, err := io.WriteString(s.out, text.String())
	return err
}

func (s *sqlShell) setMode(mode string) error {
	switch {
	case mode == "":
		_, err := fmt.Fprintln(s.out, s.mode)
		return err
	case !slices.Contains(sqlModes(), mode):
		return usagef("no mode %q: want %s", mode, strings.Join(sqlModes(), ", "))
	}
	s.mode = mode
	return nil
}

// listTables writes the tables and views as a result.
func (s *sqlShell) listTables() error {
	return s.withCatalog(func(all catalog) error {
		result := newResultWriter(s.mode, s.out)
		if err := result.Columns([]string{"name", "kind"}); err != nil {
			return err
		}
		for _, o := range all.objects {
			if err := result.Row([]any{o.qualified(), o.kind}); err != nil {
				return err
			}
		}
		return result.finish(true)
	})
}

// printSchema prints the SQL of the tables and views of one name, or of all.
func (s *sqlShell) printSchema(name string) error {
	return s.withCatalog(func(all catalog) error {
		found := false
		for _, o := range all.objects {
			if name == "" || o.called(name) {
				if _, err := fmt.Fprintf(s.out, "%s;\n", printableLines(o.sql)); err != nil {
					return err
				}
				found = true
			}
		}
		if !found {
			return usagef("no table or view %q: .tables lists them", name)
		}
		return nil
	})
}

func (s *sqlShell) withCatalog(use func(catalog) error) error {
	ctx, end := s.begin()
	defer end()
	all, err := readCatalog(ctx, s.session)
	if err != nil {
		return err
	}
	return use(all)
}

// listExamples writes the questions with their numbers.
func (s *sqlShell) listExamples() error {
	for i, e := range sqlExamples() {
		needs := ""
		if e.attach != "" {
			needs = fmt.Sprintf("\n     (needs --attach %s)", e.attach)
		}
		if _, err := fmt.Fprintf(s.out, "%3d  %s%s\n", i+1, e.question, needs); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(s.out, "Run one with .example and its number. They are asked of 3x3x3.")
	return err
}

func (s *sqlShell) runExample(number string) error {
	examples := sqlExamples()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(examples) {
		return usagef("no example %q: want 1 to %d", number, len(examples))
	}
	e := examples[n-1]
	if _, err := fmt.Fprintf(s.out, "-- %s\n%s;\n\n", e.question, e.sql); err != nil {
		return err
	}
	err = s.statement(e.sql)
	if err != nil && e.attach != "" {
		return fmt.Errorf("%w (the example needs --attach %s)", err, e.attach)
	}
	return err
}
