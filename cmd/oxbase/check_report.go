package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"oxbase/cmd/oxbase/internal/check"
	"oxbase/cmd/oxbase/internal/program"
	"oxbase/game"
	"oxbase/query"
	"oxbase/query/judge"
)

const (
	shownLines  = 20      // of an input or output, for people
	shownOutput = 4 << 10 // bytes of the program's output in a report
	longCommand = 2 << 10 // bytes of input that a command line holds
)

// checkReport is what check prints.
type checkReport struct {
	Problem  string         `json:"problem"`
	Program  []string       `json:"program"`
	Verdict  check.Verdict  `json:"verdict"`
	Accepted bool           `json:"accepted"`
	Cases    int            `json:"cases"`      // that passed
	Runs     int            `json:"runs"`       // of the program
	Slowest  int64          `json:"slowest_ms"` // milliseconds of the slowest run that passed
	Failure  *failureReport `json:"failure"`    // null if the program is accepted
}

// failureReport is the smallest failing input.
type failureReport struct {
	Cases      int                `json:"cases"` // in the input: 1, unless each passes alone
	Input      string             `json:"input"`
	Expected   string             `json:"expected"`
	Got        string             `json:"got"`         // the beginning of standard output
	Errors     string             `json:"errors"`      // the end of standard error
	Reason     string             `json:"reason"`      // for a run that didn't end well, why
	ExitStatus *int               `json:"exit_status"` // null unless the program ended by itself
	Signal     string             `json:"signal"`      // that ended the program, or ""
	Position   *query.Report      `json:"position"`    // of a single case about a position
	Strip      *query.StripReport `json:"strip"`       // of a single case about a strip
	Legend     string             `json:"legend"`      // how to read these in the words of the input, or ""
	Rerun      string             `json:"rerun"`       // the command line that runs the input again, or "" if it is too long
	Saved      []string           `json:"saved"`       // the files with the input and the expected output
}

func newCheckReport(o checkOptions, t *query.Preloaded, result check.Report) (*checkReport, error) {
	r := &checkReport{
		Problem:  o.format.Name,
		Program:  o.program,
		Verdict:  result.Verdict,
		Accepted: result.Verdict == check.Accepted,
		Cases:    result.Cases,
		Runs:     result.Runs,
		Slowest:  result.Slowest.Milliseconds(),
	}
	if result.Failure == nil {
		return r, nil
	}
	f := result.Failure
	r.Failure = &failureReport{
		Cases:    len(f.Cases),
		Input:    f.Input,
		Expected: f.Expected,
		Got:      strings.ToValidUTF8(string(f.Result.Output[:min(len(f.Result.Output), shownOutput)]), "\ufffd"),
		Errors:   f.Result.Errors,
		Reason:   endingReason(o, f.Result),
		Signal:   f.Result.Signal,
		Legend:   o.format.Legend,
		Saved:    []string{},
	}
	if f.Result.Ending == program.Exited {
		r.Failure.ExitStatus = &f.Result.Status
	}
	if len(f.Cases) == 1 {
		if err := r.Failure.explain(o.format, t, f.Cases[0]); err != nil {
			return nil, err
		}
	}
	if o.save != "" {
		var err error
		if r.Failure.Saved, err = saveFailure(o.save, o.format, f); err != nil {
			return nil, err
		}
	}
	r.Failure.Rerun = rerun(o.program, f.Input, r.Failure.Saved)
	return r, nil
}

// endingReason says why a run didn't end well, or "".
func endingReason(o checkOptions, r program.Result) string {
	switch {
	case r.Ending == program.OutOfTime:
		return "not done after " + o.limits.Time.String()
	case r.Ending == program.OutOfMemory:
		return "more than " + byteSize(o.limits.Memory) + " of memory"
	case r.Ending == program.OutOfOutput:
		return "more than " + byteSize(uint64(o.limits.Output)) + " of output"
	case r.Ending == program.Signalled:
		return "signal: " + r.Signal
	case r.Status != 0:
		return fmt.Sprintf("exit status %d", r.Status)
	}
	return ""
}

// explain adds what the tablebase knows of a case.
func (f *failureReport) explain(format judge.Format, t *query.Preloaded, c judge.Case) error {
	if format.Game == nil {
		strip, err := query.NewStrips(&t.Tablebase).Report(c.Strip)
		f.Strip = &strip
		return err
	}
	position, err := t.Report(c.Position)
	f.Position = &position
	return err
}

// rerun returns the command line that runs a program on an input: on the file where it was saved,
// if that was done.
func rerun(args []string, input string, saved []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = shellQuote(arg)
	}
	command := strings.Join(words, " ")
	switch {
	case len(saved) > 0:
		return command + " < " + shellQuote(saved[0])
	case len(input) > longCommand:
		return ""
	}
	return fmt.Sprintf("printf -- '%s' | %s", strings.ReplaceAll(input, "\n", `\n`), command)
}

// write prints the report for people.
func (r *checkReport) write(to io.Writer, g *game.Game) error {
	out := bufio.NewWriter(to)
	if r.Failure == nil {
		fmt.Fprintf(out, "%s: accepted, %s in %s, the slowest %d ms.\n",
			r.Problem, plural(int64(r.Cases), "case"), plural(int64(r.Runs), "run"), r.Slowest)
		return out.Flush()
	}
	f := r.Failure
	fmt.Fprintf(out, "%s: %s", r.Problem, r.Verdict)
	if f.Reason != "" {
		fmt.Fprintf(out, " (%s)", f.Reason)
	}
	if f.Cases == 1 {
		fmt.Fprint(out, ". The smallest case that shows it:\n")
	} else {
		fmt.Fprintf(out, ". Each case passes alone; these %s in one input show it:\n", thousands(int64(f.Cases)))
	}
	section(out, "input", f.Input)
	section(out, "expected", f.Expected)
	section(out, "got", f.Got)
	if f.Errors != "" {
		section(out, "standard error", f.Errors)
	}
	if err := f.writeReport(out, to, g); err != nil {
		return err
	}
	for _, file := range f.Saved {
		fmt.Fprintf(out, "\nsaved: %s", file)
	}
	if f.Rerun != "" {
		fmt.Fprintf(out, "\nagain: %s\n", f.Rerun)
	} else {
		fmt.Fprint(out, "\nThe input is too long for a command line: --save keeps it in a folder.\n")
	}
	return out.Flush()
}

// writeReport prints what the tablebase knows of the case.
func (f *failureReport) writeReport(out *bufio.Writer, to io.Writer, g *game.Game) error {
	if f.Position == nil && f.Strip == nil {
		return nil
	}
	fmt.Fprintln(out)
	if f.Legend != "" {
		fmt.Fprintf(out, "Here %s.\n\n", f.Legend)
	}
	if f.Position != nil {
		return (&boardText{game: g, out: out, colour: inColour(to)}).print(*f.Position)
	}
	return printStrip(out, *f.Strip)
}

// section prints the first lines of a text under a heading.
func section(out io.Writer, heading, text string) {
	fmt.Fprintf(out, "\n%s\n", heading)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = []string{"(nothing)"}
	}
	for i, line := range lines {
		if i == shownLines {
			fmt.Fprintf(out, "  ... and %s more\n", plural(int64(len(lines)-i), "line"))
			break
		}
		fmt.Fprintf(out, "  %s\n", strings.TrimSuffix(line, "\r"))
	}
}
