package judge

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"

	"oxbase/game"
)

// stripDomain is the domain of a format about strips.
type stripDomain struct{}

// list returns all strips up to a length: for each length those without equal neighbours first,
// which play can reach, each in the order of their characters.
func (stripDomain) list(s Scope, t Tablebase) ([]Case, error) {
	// Also where only random ones are asked for: a tablebase of shorter strips can't answer them.
	if _, err := t.Strip(bytes.Repeat([]byte{byte(game.Edge)}, max(s.Listed, s.Longest))); err != nil {
		return nil, err
	}
	var cases []Case
	longer := []string{""}
	for range s.Listed {
		shorter := longer
		longer = make([]string, 0, 3*len(shorter))
		for _, strip := range shorter {
			for _, cell := range game.Ends() {
				longer = append(longer, strip+string(rune(cell)))
			}
		}
		var unplayed []Case
		for _, strip := range longer {
			if equalNeighbours(strip) {
				unplayed = append(unplayed, Case{Strip: strip})
			} else {
				cases = append(cases, Case{Strip: strip})
			}
		}
		cases = append(cases, unplayed...)
	}
	return cases, nil
}

// equalNeighbours reports whether equal pieces stand side by side, which no move does.
func equalNeighbours(strip string) bool {
	return strings.Contains(strip, "OO") || strings.Contains(strip, "XX")
}

// random returns a strip that play can reach. How densely it is filled is random too.
func (stripDomain) random(r *rand.Rand, s Scope) (Case, bool) {
	strip := make([]byte, s.Shortest+r.IntN(s.Longest-s.Shortest+1))
	density := r.Float64()
	last := game.Edge
	for i := range strip {
		cell := game.Edge
		if r.Float64() < density {
			cell = [2]game.End{game.EndO, game.EndX}[r.IntN(2)]
			if cell == last {
				cell = game.EndO + game.EndX - last
			}
		}
		strip[i], last = byte(cell), cell
	}
	return Case{Strip: string(strip)}, true
}

// canonical returns the first of a strip, its mirror image, and both with O and X exchanged.
func (stripDomain) canonical(c Case) Case {
	mirrored := []byte(c.Strip)
	slices.Reverse(mirrored)
	exchange := strings.NewReplacer("O", "X", "X", "O")
	first := min(c.Strip, string(mirrored), exchange.Replace(c.Strip), exchange.Replace(string(mirrored)))
	return Case{Strip: first}
}

// smaller returns each part of a strip, shortest first, and then the strip with one piece less.
func (stripDomain) smaller(c Case) []Case {
	var cases []Case
	seen := map[string]bool{c.Strip: true}
	add := func(strip string) {
		if !seen[strip] {
			seen[strip] = true
			cases = append(cases, Case{Strip: strip})
		}
	}
	for length := 1; length < len(c.Strip); length++ {
		for from := range len(c.Strip) - length + 1 {
			add(c.Strip[from : from+length])
		}
	}
	for i := range len(c.Strip) {
		add(c.Strip[:i] + "." + c.Strip[i+1:])
	}
	return cases
}

func (stripDomain) outcomes() []string { return []string{"yes", "no"} }

func (stripDomain) facts(c Case, t Tablebase) (facts, error) {
	known := facts{stones: pieces([]byte(c.Strip)), outcome: "no"}
	sum, err := t.Strip([]byte(c.Strip))
	if err != nil {
		return facts{}, err
	}
	if moverWins, playersTurn := sum != 0, known.stones%2 == 0; moverWins == playersTurn {
		known.outcome = "yes"
	}
	for i, cell := range []byte(c.Strip) {
		for _, piece := range "OX" {
			after := c.Strip[:i] + string(piece) + c.Strip[i+1:]
			if cell != byte(game.Edge) || i > 0 && c.Strip[i-1] == byte(piece) || i+1 < len(c.Strip) && c.Strip[i+1] == byte(piece) {
				continue
			}
			left, err := t.Strip([]byte(after))
			if err != nil {
				return facts{}, err
			}
			if sum == 0 || left == 0 {
				known.keeping++
			}
		}
	}
	return known, nil
}

// pieces returns the number of pieces of a strip.
func pieces(strip []byte) int { return len(strip) - bytes.Count(strip, []byte{byte(game.Edge)}) }

func (stripDomain) traps(longest int) []Trap {
	length := func(least, most int) func(Scope) Scope {
		return func(s Scope) Scope {
			s.Shortest, s.Longest = least, most
			return s
		}
	}
	const short = 20 // strips that a person can still check
	return []Trap{
		{
			Name:    "gaps with equal ends",
			Why:     "A gap between two equal pieces has SG value 1. The answer here changes if such gaps count 0.",
			catches: misjudged(func(g game.Gap, sg int) int { return choose(g.Left == g.Right && g.Left != game.Edge, 0, sg) }),
			scope:   length(3, short),
		},
		{
			Name: "gaps with different ends",
			Why:  "A gap between two different pieces has SG value 0. The answer here changes if such gaps count 1.",
			catches: misjudged(func(g game.Gap, sg int) int {
				return choose(g.Left != g.Right && g.Left != game.Edge && g.Right != game.Edge, 1, sg)
			}),
			scope: length(3, short),
		},
		{
			Name:    "odd number of pieces",
			Why:     "The player started, so with an odd number of pieces the computer is to move: the answer is about the player, not about the side to move.",
			catches: func(c Case, _ Tablebase) (bool, error) { return pieces([]byte(c.Strip))%2 == 1, nil },
			scope:   length(1, short),
		},
		{
			Name:    "even number of pieces",
			Why:     "With an even number of pieces the player is to move, also where nobody can move any more.",
			catches: func(c Case, _ Tablebase) (bool, error) { return pieces([]byte(c.Strip))%2 == 0, nil },
			scope:   length(1, short),
		},
		{
			Name:    "longest strips",
			Why:     "The longest strips that the judge gives: too long for trying every move, and for arrays that are one cell short.",
			catches: func(Case, Tablebase) (bool, error) { return true, nil },
			scope:   length(longest, longest),
		},
	}
}

// misjudged picks the strips whose answer changes with a mistake about gaps.
func misjudged(mistake func(game.Gap, int) int) func(Case, Tablebase) (bool, error) {
	return func(c Case, t Tablebase) (bool, error) {
		right, wrong := 0, 0
		for _, gap := range game.Gaps(c.Strip) {
			sg, err := t.Gap(gap)
			if err != nil {
				return false, err
			}
			right ^= sg
			wrong ^= mistake(gap, sg)
		}
		return (right == 0) != (wrong == 0), nil
	}
}

func choose(condition bool, yes, no int) int {
	if condition {
		return yes
	}
	return no
}
