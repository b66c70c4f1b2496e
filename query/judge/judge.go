// Package judge answers the problems of five online judges from a tablebase, in each judge's own
// input and output format, byte for byte.
//
// A format is one file: how a case is read, answered and written, which cases there can be, and
// the [Format] that names it. Nothing is solved here. Inputs are streamed, so memory doesn't grow
// with the number of cases.
package judge

import (
	"fmt"
	"io"
	"strings"

	"oxbase/game"
)

// Tablebase is where the answers come from. What it doesn't have is an error that is
// [query.ErrMissing]; any other error means that it couldn't be read.
type Tablebase interface {
	// Value returns what is known of a position, with an outcome of -1, 0 or 1. A board on which
	// both sides have a line has no value and is missing.
	Value(game.Position) (game.Value, error)
	// Gap returns the SG value of a gap. A tablebase has every gap up to some length.
	Gap(game.Gap) (sg int, err error)
	// Strip returns the SG value of a strip, written with the characters of [game.Ends]. Strips
	// that are longer than the longest gap are missing.
	Strip(cells []byte) (sg int, err error)
}

// Format is a judge's problem with its input and output format.
type Format struct {
	Name    string // the judge and its number of the problem, such as "hrbust-2320"
	Alias   string // the short name, such as "hrbust"
	Title   string // the problem's title at the judge
	Judge   string // the judge's name
	Summary string // what is asked, in one line
	Example string // a small input

	Samples []string // the inputs that the judge publishes, or one like it
	Most    int      // how many cases an input of the judge has at most; 1 says that their number isn't in it
	Legend  string   // how to read a position or a strip in the words of the input; empty if they are the same

	// Game is the game whose positions give the answers, and Turns says which of them must be
	// there. Game is nil and Turns empty where the answers come from gaps of strips.
	Game  *game.Spec
	Turns game.Turns

	layout layout
	domain domain
	traps  []Trap
}

// Formats returns every format there is.
func Formats() []Format {
	return []Format{hrbust(), lightoj(), csp(), luogu(), algospot()}
}

// Find returns the format with a name or an alias. The error lists those that there are.
func Find(name string) (Format, error) {
	var known []string
	for _, f := range Formats() {
		if name == f.Name || name == f.Alias {
			return f, nil
		}
		known = append(known, fmt.Sprintf("%s (%s)", f.Name, f.Alias))
	}
	return Format{}, fmt.Errorf("%q is not a problem: want one of %s", name, strings.Join(known, ", "))
}

// Run reads one whole input in the judge's format and writes the judge's output. The error is
// an [*InputError] if the input is wrong; the answers to the cases before it are written then,
// and nothing for its case or after it. An error of the tablebase is wrapped and names the case
// too.
func (f Format) Run(in io.Reader, out io.Writer, t Tablebase) error {
	return f.layout.run(in, out, t)
}

// InputError says what is wrong with an input, and where.
type InputError struct {
	Case int // the number of the case, from 1; 0 if no single case is at fault
	Line int // the number of the line in the input, from 1
	Err  error
}

// Error returns one line such as `case 2, line 6: "z" is not a cell: want o, x or .`.
func (e *InputError) Error() string {
	if e.Case == 0 {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("case %d, line %d: %v", e.Case, e.Line, e.Err)
}

// Unwrap returns what is wrong, without the place.
func (e *InputError) Unwrap() error { return e.Err }

// wrongCase says that a case was read but can't be asked. Whoever knows its place adds it.
func wrongCase(format string, args ...any) error {
	return &InputError{Err: fmt.Errorf(format, args...)}
}
