package judge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Filter says which cases are wanted. An empty list wants every value.
type Filter struct {
	Outcomes  []string // who wins: words of [Format.Outcomes]
	Scores    []int    // as [game.Value] has them; of formats with a game
	Distances []int    // plies to the end, 0 if the game is over; of formats with a game
	Stones    []int    // pieces on the board or the strip
	OnlyMove  bool     // exactly one legal move keeps the outcome
	Canonical bool     // the canonical case of each symmetry class
}

// facts is what filters ask of a case.
type facts struct {
	outcome                 string
	stones, score, distance int
	keeping                 int // legal moves that keep the outcome
}

// Outcomes returns the words for who wins: x, tie and o, or yes and no where the question is
// whether the player wins.
func (f Format) Outcomes() []string { return f.domain.outcomes() }

// Check says what is wrong with a filter for this format, if anything.
func (f Format) Check(wanted Filter) error {
	for _, outcome := range wanted.Outcomes {
		if known := f.Outcomes(); !slices.Contains(known, outcome) {
			return fmt.Errorf("outcome %q: %s has %s", outcome, f.Name, strings.Join(known, ", "))
		}
	}
	if f.Game == nil && len(wanted.Scores)+len(wanted.Distances) > 0 {
		return fmt.Errorf("the strips of %s have neither score nor distance", f.Name)
	}
	return nil
}

// Filter returns those cases that are wanted. The error is the tablebase's.
func (f Format) Filter(cases []Case, wanted Filter, t Tablebase) ([]Case, error) {
	var kept []Case
	for _, c := range cases {
		ok, err := f.wants(c, wanted, t)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

func (f Format) wants(c Case, wanted Filter, t Tablebase) (bool, error) {
	if wanted.Canonical && f.Canonical(c) != c {
		return false, nil
	}
	known, err := f.domain.facts(c, t)
	return err == nil &&
		(len(wanted.Outcomes) == 0 || slices.Contains(wanted.Outcomes, known.outcome)) &&
		(len(wanted.Scores) == 0 || slices.Contains(wanted.Scores, known.score)) &&
		(len(wanted.Distances) == 0 || slices.Contains(wanted.Distances, known.distance)) &&
		(len(wanted.Stones) == 0 || slices.Contains(wanted.Stones, known.stones)) &&
		(!wanted.OnlyMove || known.keeping == 1), err
}

// Trap is a usual mistake, and picks the cases that it gets wrong.
type Trap struct {
	Name string // what the cases have, in a few words
	Why  string // what they are for, in a sentence

	catches func(Case, Tablebase) (bool, error)
	// scope narrows the random cases of which some are caught. It may be nil.
	scope func(Scope) Scope
}

// Traps returns the traps of the format.
func (f Format) Traps() []Trap { return f.traps }

// Draw returns up to a number of different wanted cases, drawn at random. It returns fewer if
// there are no more or, where cases are drawn from too many to list, no more turn up. The same
// state of the source of randomness gives the same cases. The error is the tablebase's.
func (f Format) Draw(r *rand.Rand, count int, s Scope, wanted Filter, t Tablebase) ([]Case, error) {
	seen := map[Case]bool{}
	return f.draw(r, count, s, t, func(c Case) (bool, error) {
		if seen[c] {
			return false, nil
		}
		seen[c] = true
		return f.wants(c, wanted, t)
	})
}

// DrawTrap returns up to a number of wanted cases that a trap picks, as Draw does, each of another
// symmetry class.
func (f Format) DrawTrap(r *rand.Rand, trap Trap, count int, s Scope, wanted Filter, t Tablebase) ([]Case, error) {
	if trap.scope != nil {
		s = trap.scope(s)
	}
	seen := map[Case]bool{}
	return f.draw(r, count, s, t, func(c Case) (bool, error) {
		class := f.Canonical(c)
		if seen[class] {
			return false, nil
		}
		caught, err := trap.catches(c, t)
		if err != nil || !caught {
			return false, err
		}
		ok, err := f.wants(c, wanted, t)
		seen[class] = ok
		return ok, err
	})
}

// draw returns up to a number of accepted cases, from a shuffled list or at random.
func (f Format) draw(r *rand.Rand, count int, s Scope, t Tablebase, accept func(Case) (bool, error)) ([]Case, error) {
	next, tries, err := f.source(r, count, s, t)
	if err != nil {
		return nil, err
	}
	var drawn []Case
	for range tries {
		if len(drawn) == count {
			break
		}
		c := next()
		ok, err := accept(c)
		if err != nil {
			return nil, err
		}
		if ok {
			drawn = append(drawn, c)
		}
	}
	return drawn, nil
}

// source returns where cases are drawn from, and how many to try.
func (f Format) source(r *rand.Rand, count int, s Scope, t Tablebase) (next func() Case, tries int, err error) {
	if first, ok := f.Random(r, s); ok {
		s.Listed = 0
		_, err := f.Cases(s, t) // only whether the tablebase has strips as long
		return func() Case {
			c := first
			first, _ = f.Random(r, s)
			return c
		}, 10_000 + 200*count, err
	}
	cases, err := f.Cases(s, t)
	r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	return func() Case {
		c := cases[0]
		cases = cases[1:]
		return c
	}, len(cases), err
}
