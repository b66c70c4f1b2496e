package judge

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"oxbase/game"
)

// Case is one question of an input: about a position, or about a strip where the format has no
// game.
type Case struct {
	Position game.Position
	Strip    string
}

// Size returns the number of stones on the board, or of cells of the strip.
func (c Case) Size() int {
	if c.Strip != "" {
		return len(c.Strip)
	}
	return c.Position.Stones()
}

// layout reads, answers and writes the inputs of a format.
type layout interface {
	run(io.Reader, io.Writer, Tablebase) error
	parse(io.Reader) ([]Case, error)
	answers(io.Reader, Tablebase) ([]string, error)
	input([]Case) string
}

// domain knows the legal inputs of a format. One symmetry class has the cases that must have the
// same answer since they are images of each other.
type domain interface {
	// list returns the legal inputs, smallest first.
	list(Scope, Tablebase) ([]Case, error)
	// random returns a legal input at random, or false if list has them all.
	random(*rand.Rand, Scope) (Case, bool)
	// canonical returns the first case of a symmetry class, in the order of list.
	canonical(Case) Case
	// smaller returns cases that may show the same mistake as one that list doesn't have does.
	smaller(Case) []Case
	// facts returns what filters ask for.
	facts(Case, Tablebase) (facts, error)
	// outcomes returns the words for who wins that facts uses.
	outcomes() []string
}

// Scope says which of the legal inputs are meant.
type Scope struct {
	// All is every input that has an answer, not only those that the judge gives.
	All bool
	// Strips up to this many cells are listed.
	Listed int
	// Random strips have from Shortest to Longest cells.
	Shortest, Longest int
}

// Parse reads one whole input and returns its cases. The error is an [*InputError] if it can't be
// read.
func (f Format) Parse(in io.Reader) ([]Case, error) { return f.layout.parse(in) }

// Input returns an input with the cases. It must be one case if the format is [Format.Single].
func (f Format) Input(cases ...Case) string { return f.layout.input(cases) }

// Answers returns what [Format.Run] prints for an input with the cases, case by case.
func (f Format) Answers(cases []Case, t Tablebase) ([]string, error) {
	return f.layout.answers(strings.NewReader(f.Input(cases...)), t)
}

// Cases returns the legal inputs, smallest first: by the number of stones and then the key, or by
// the length of the strip, those without equal neighbours first. The error is the tablebase's.
func (f Format) Cases(s Scope, t Tablebase) ([]Case, error) { return f.domain.list(s, t) }

// Random returns a legal input at random, or false if the format has so few that [Format.Cases]
// returns all of them.
func (f Format) Random(r *rand.Rand, s Scope) (Case, bool) { return f.domain.random(r, s) }

// Canonical returns the case that stands for the symmetry class of another: the one that comes
// first in the order of [Format.Cases].
func (f Format) Canonical(c Case) Case { return f.domain.canonical(c) }

// Smaller returns cases that may show what a case of [Format.Random] shows, smallest first.
func (f Format) Smaller(c Case) []Case { return f.domain.smaller(c) }

// Single says that an input is one case, without their number before it.
func (f Format) Single() bool { return f.Most == 1 }

// parse returns the cases of a whole input.
func (p problem[C]) parse(in io.Reader) ([]Case, error) {
	var cases []Case
	err := p.each(newReader(in), func(_, _ int, c *C) error {
		cases = append(cases, p.asked(c))
		return nil
	})
	return cases, err
}

// answers returns the answers to a whole input.
func (p problem[C]) answers(in io.Reader, t Tablebase) ([]string, error) {
	var answers []string
	err := p.each(newReader(in), func(number, line int, c *C) error {
		text, err := p.answer(nil, number, c, t)
		if err != nil {
			return placed(err, number, line)
		}
		answers = append(answers, string(text))
		return nil
	})
	return answers, err
}

// input writes cases, and their number before them unless an input is one case.
func (p problem[C]) input(cases []Case) string {
	var dst []byte
	if p.single && len(cases) != 1 {
		panic(fmt.Sprintf("%d cases in an input of one", len(cases)))
	}
	if !p.single {
		dst = append(strconv.AppendInt(dst, int64(len(cases)), 10), '\n')
	}
	for _, c := range cases {
		dst = p.write(dst, c)
	}
	return string(dst)
}
