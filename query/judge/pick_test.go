package judge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxbase/game"
)

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// keeping counts the moves after which the search still has the same winner.
func (o oracle) keeping(q question) int {
	s, count := o.boards[q], 0
	for i := range q.board {
		if s.over || q.board[i] != '.' {
			continue
		}
		next := q.board
		next[i] = q.mover
		if sign(o.boards[question{next, other(q.mover)}].score) == sign(s.score) {
			count++
		}
	}
	return count
}

// TestFilterBoards filters every position by each thing there is, and compares with the search.
func TestFilterBoards(t *testing.T) {
	tb, f := search(), find(t, "hrbust")
	cases := listed(t, f, false, tb)
	words := map[int]string{1: "x", 0: "tie", -1: "o"}
	tests := []struct {
		name   string
		wanted Filter
		ok     func(q question, s *solved) bool
	}{
		{"nothing", Filter{}, func(question, *solved) bool { return true }},
		{"outcome", Filter{Outcomes: []string{"tie", "o"}}, func(_ question, s *solved) bool { return words[sign(s.score)] != "x" }},
		{"score", Filter{Scores: []int{-2, 5}}, func(_ question, s *solved) bool { return s.score == -2 || s.score == 5 }},
		{"distance", Filter{Distances: []int{0, 3}}, func(_ question, s *solved) bool { return s.plies == 0 || s.plies == 3 }},
		{"stones", Filter{Stones: []int{2}}, func(q question, _ *solved) bool { return q.board.count('.') == 7 }},
		{"only move", Filter{OnlyMove: true}, func(q question, _ *solved) bool { return tb.keeping(q) == 1 }},
		{"canonical", Filter{Canonical: true}, func(q question, _ *solved) bool { return at(f.Canonical(Case{Position: position(q)}).Position) == q }},
		{"two at once", Filter{Outcomes: []string{"x"}, Stones: []int{4, 5}}, func(q question, s *solved) bool {
			return s.score > 0 && (q.board.count('.') == 5 || q.board.count('.') == 4)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []Case
			for _, c := range cases {
				if q := at(c.Position); test.ok(q, tb.boards[q]) {
					want = append(want, c)
				}
			}
			got, err := f.Filter(cases, test.wanted, tb)
			if err != nil || !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%d cases (%v), want %d and at least one", len(got), err, len(want))
			}
		})
	}
}

// position returns the position of the oracle's board.
func position(q question) game.Position {
	p := game.Position{ToMove: game.X}
	if q.mover == 'o' {
		p.ToMove = game.O
	}
	for i, c := range q.board {
		switch c {
		case 'x':
			p.X |= 1 << i
		case 'o':
			p.O |= 1 << i
		}
	}
	return p
}

// TestFilterStrips compares with playing the strips out.
func TestFilterStrips(t *testing.T) {
	tb, f, played := search(), find(t, "lightoj"), strips{}
	cases := listed(t, f, false, tb)
	count := func(strip string) int { return len(strip) - strings.Count(strip, ".") }
	playerWins := func(strip string) bool { return played.moverWins(strip) == (count(strip)%2 == 0) }
	keeping := func(strip string) int {
		kept := 0
		for i := range len(strip) {
			for _, piece := range []string{"O", "X"} {
				if strip[i] != '.' || strings.HasSuffix(strip[:i], piece) || strings.HasPrefix(strip[i+1:], piece) {
					continue
				}
				if after := strip[:i] + piece + strip[i+1:]; played.moverWins(strip) != played.moverWins(after) {
					kept++
				}
			}
		}
		return kept
	}
	for name, test := range map[string]struct {
		wanted Filter
		ok     func(strip string) bool
	}{
		"yes":       {Filter{Outcomes: []string{"yes"}}, playerWins},
		"no":        {Filter{Outcomes: []string{"no"}}, func(strip string) bool { return !playerWins(strip) }},
		"stones":    {Filter{Stones: []int{0, 3}}, func(strip string) bool { return count(strip) == 0 || count(strip) == 3 }},
		"only move": {Filter{OnlyMove: true}, func(strip string) bool { return keeping(strip) == 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			var want []Case
			for _, c := range cases {
				if test.ok(c.Strip) {
					want = append(want, c)
				}
			}
			got, err := f.Filter(cases, test.wanted, tb)
			if err != nil || !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%d cases (%v), want %d and at least one", len(got), err, len(want))
			}
		})
	}
}

func TestWrongFilters(t *testing.T) {
	for _, test := range []struct {
		alias  string
		wanted Filter
		want   string
	}{
		{"csp", Filter{Outcomes: []string{"x", "win"}}, `outcome "win": csp-201803-4 has x, tie, o`},
		{"lightoj", Filter{Outcomes: []string{"tie"}}, `outcome "tie": lightoj-1401 has yes, no`},
		{"lightoj", Filter{Scores: []int{1}}, "the strips of lightoj-1401 have neither score nor distance"},
		{"lightoj", Filter{Distances: []int{0}}, "the strips of lightoj-1401 have neither score nor distance"},
	} {
		if err := find(t, test.alias).Check(test.wanted); err == nil || err.Error() != test.want {
			t.Errorf("%s: the error is %v, want %s", test.alias, err, test.want)
		}
	}
}

func TestDraw(t *testing.T) {
	tb := search()
	for _, f := range Formats() {
		t.Run(f.Alias, func(t *testing.T) {
			draw := func(seed uint64) []Case {
				cases, err := f.Draw(seeded(seed), 50, scopeOf(false), Filter{}, tb)
				if err != nil {
					t.Fatal(err)
				}
				return cases
			}
			cases := draw(1)
			seen := map[Case]bool{}
			for _, c := range cases {
				seen[c] = true
				if c.Size() > 100 || equalNeighbours(c.Strip) {
					t.Errorf("%v isn't what the judge gives", c)
				}
			}
			if len(seen) != 50 {
				t.Errorf("%d of %d cases are different, want 50", len(seen), len(cases))
			}
			if !slices.Equal(draw(1), cases) || slices.Equal(draw(2), cases) {
				t.Error("want the same cases from the same seed and others from another")
			}
		})
	}
	few, err := find(t, "luogu").Draw(seeded(1), 100, scopeOf(false), Filter{}, tb)
	if err != nil || len(few) != 65 {
		t.Errorf("%d of 100 cases (%v), want the 65 that there are", len(few), err)
	}
}

// mistake solves a position or a strip as a program that makes a mistake does.
type mistake func(o oracle, c Case) string

// TestTraps draws from each trap and makes sure that the mistake that it is for gives each case
// another answer than the search does.
func TestTraps(t *testing.T) {
	tb := search()
	outcome := func(o oracle, c Case) string { return fmt.Sprint(sign(o.boards[at(c.Position)].score)) }
	score := func(o oracle, c Case) string { return fmt.Sprint(o.boards[at(c.Position)].score) }
	player := func(o oracle, c Case) string { return fmt.Sprint(o.playerWins(c.Strip, o.sum(c.Strip))) }
	inverted := func(o oracle, c Case) string { return fmt.Sprint(sign(o.boards[at(c.Position)].score) + 9) }
	plays := func(m wrongSearch) mistake {
		return func(_ oracle, c Case) string { return fmt.Sprint(m.score(at(c.Position))) }
	}
	otherMover := func(o oracle, c Case) string {
		q := at(c.Position)
		return fmt.Sprint(sign(o.boards[question{q.board, other(q.mover)}].score))
	}
	tests := map[string]struct{ right, wrong mistake }{
		"line on the last free cell":               {score, plays(wrongSearch{fullFirst: true})},
		"two lines at once":                        {outcome, nil},
		"finished board":                           {outcome, nil},
		"full board without a line":                {outcome, inverted},
		"the second side wins":                     {outcome, func(o oracle, c Case) string { return fmt.Sprint(max(0, sign(o.boards[at(c.Position)].score))) }},
		"the loser must delay":                     {score, plays(wrongSearch{loserHurries: true})},
		"the winner must hurry":                    {score, plays(wrongSearch{winnerDelays: true})},
		"the number of stones says who is to move": {outcome, otherMover},
		"the mover isn't who the counts suggest":   {outcome, otherMover},
		"gaps with equal ends": {player, func(o oracle, c Case) string {
			return fmt.Sprint(o.playerWins(c.Strip, o.sumWith(c.Strip, func(left, right byte, sg int) int {
				if left == right && left != '.' {
					return 0
				}
				return sg
			})))
		}},
		"gaps with different ends": {player, func(o oracle, c Case) string {
			return fmt.Sprint(o.playerWins(c.Strip, o.sumWith(c.Strip, func(left, right byte, sg int) int {
				if left != right && left != '.' && right != '.' {
					return 1
				}
				return sg
			})))
		}},
		"odd number of pieces":  {player, func(o oracle, c Case) string { return fmt.Sprint(o.sum(c.Strip) != 0) }},
		"even number of pieces": {player, func(o oracle, c Case) string { return fmt.Sprint(o.sum(c.Strip) == 0) }},
		"longest strips":        {player, nil},
	}
	// What a picked case has, where no single mistake gets all of them wrong.
	has := map[string]func(c Case) bool{
		"two lines at once": func(c Case) bool {
			q := at(c.Position)
			if q.board.lines('x') > 1 || q.board.lines('o') > 1 {
				return true
			}
			for i := range q.board {
				next := q.board
				if next[i] == '.' {
					if next[i] = q.mover; next.lines(q.mover) > 1 {
						return true
					}
				}
			}
			return false
		},
		"finished board": func(c Case) bool {
			q := at(c.Position)
			return q.board.count('.') > 0 && (q.board.won('x') || q.board.won('o'))
		},
		"longest strips": func(c Case) bool { return len(c.Strip) == 100 },
	}
	for _, f := range Formats() {
		drawn := 0
		for _, trap := range f.Traps() {
			t.Run(f.Alias+"/"+trap.Name, func(t *testing.T) {
				test, ok := tests[trap.Name]
				if !ok {
					t.Fatal("there is no test for the trap")
				}
				cases, err := f.DrawTrap(seeded(1), trap, 40, scopeOf(true), Filter{}, tb)
				if err != nil {
					t.Fatal(err)
				}
				drawn += len(cases)
				classes := map[Case]bool{}
				for _, c := range cases {
					classes[f.Canonical(c)] = true
					if test.wrong != nil && test.right(tb, c) == test.wrong(tb, c) {
						t.Errorf("the mistake gives %q the right answer %s", f.Input(c), test.right(tb, c))
					}
					if ok := has[trap.Name]; ok != nil && !ok(c) {
						t.Errorf("%q isn't a case of it", f.Input(c))
					}
				}
				if len(classes) != len(cases) {
					t.Errorf("%d cases are of %d symmetry classes", len(cases), len(classes))
				}
				// Boards that are full have o to move, which csp never has.
				if len(cases) == 0 && (f.Alias != "csp" || trap.Name != "full board without a line") {
					t.Error("there are no cases")
				}
			})
		}
		if drawn == 0 {
			t.Errorf("%s has no traps", f.Name)
		}
	}
}

// lines counts the lines of a side.
func (c cells) lines(side byte) int {
	count := 0
	for _, l := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if c[l[0]] == side && c[l[1]] == side && c[l[2]] == side {
			count++
		}
	}
	return count
}

// wrongSearch plays a game out with a mistake.
type wrongSearch struct{ fullFirst, loserHurries, winnerDelays bool }

// score returns the wrong score.
func (w wrongSearch) score(q question) int {
	empty := q.board.count('.')
	switch {
	case w.fullFirst && empty == 0:
		return 0
	case q.board.won('x'):
		return empty + 1
	case q.board.won('o'):
		return -empty - 1
	case empty == 0:
		return 0
	}
	mover := 1
	if q.mover == 'o' {
		mover = -1
	}
	best, worth := 0, -1000
	for i := range q.board {
		if q.board[i] != '.' {
			continue
		}
		next := q.board
		next[i] = q.mover
		score := w.score(question{next, other(q.mover)})
		// For the mover: wins above ties above losses, and within them what the mistake prefers.
		forMover := mover * score
		value := 100*sign(forMover) + forMover
		if w.loserHurries && forMover < 0 || w.winnerDelays && forMover > 0 {
			value = 100*sign(forMover) - forMover
		}
		if value > worth {
			best, worth = score, value
		}
	}
	return best
}

// sum returns the SG value of a strip.
func (o oracle) sum(strip string) int {
	return o.sumWith(strip, func(_, _ byte, sg int) int { return sg })
}

// sumWith returns what the SG value of a strip would be with another value for gaps.
func (o oracle) sumWith(strip string, value func(left, right byte, sg int) int) int {
	sum, left, length := 0, byte('.'), 0
	for _, c := range []byte(strip + "|") {
		if c == '.' {
			length++
			continue
		}
		right := c
		if c == '|' {
			right = '.'
		}
		if length > 0 {
			sum ^= value(left, right, o.gaps[game.Gap{Length: length, Left: game.End(left), Right: game.End(right)}])
		}
		left, length = c, 0
	}
	return sum
}

func (oracle) playerWins(strip string, sum int) bool {
	pieces := strings.Count(strip, "O") + strings.Count(strip, "X")
	return (sum != 0) == (pieces%2 == 0)
}
