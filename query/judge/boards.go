package judge

import (
	"cmp"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"

	"oxbase/game"
	"oxbase/query"
)

// boardDomain is the domain of a format about positions.
type boardDomain struct {
	*notation
	// anyTurns says that a board can have either side to move, whatever the counts say.
	anyTurns bool
	// legal says which of the positions can be asked, and given which of those the judge gives.
	// Both may be nil: all of them.
	legal func(game.Position) bool
	given func(game.Position) bool
}

// onBoard returns a case about a board whose counts say who is to move.
func onBoard(b *game.Board) Case {
	toMove, _ := b.ToMove()
	return Case{Position: game.Position{Board: *b, ToMove: toMove}}
}

func (b boardDomain) list(s Scope, t Tablebase) ([]Case, error) {
	var cases []Case
	for key := range b.Keys() {
		p, err := b.Position(key)
		if err != nil {
			return nil, err
		}
		if toMove, ok := p.Board.ToMove(); !b.anyTurns && (!ok || toMove != p.ToMove) || b.BothLines(p.Board) {
			continue
		}
		if b.given != nil && !s.All && !b.given(p) {
			continue
		}
		v, err := t.Value(p)
		if err != nil && (b.anyTurns || !errors.Is(err, query.ErrMissing)) {
			return nil, err
		}
		if err != nil || !b.anyTurns && !v.Reachable || b.legal != nil && !b.legal(p) {
			continue
		}
		cases = append(cases, Case{Position: p})
	}
	slices.SortStableFunc(cases, func(a, b Case) int { return cmp.Compare(a.Size(), b.Size()) })
	return cases, nil
}

func (b boardDomain) random(*rand.Rand, Scope) (Case, bool) { return Case{}, false }

func (b boardDomain) canonical(c Case) Case {
	// The key of a position of the game is one of the game's.
	p, err := b.Position(b.Canonical(c.Position))
	if err != nil {
		panic(err)
	}
	return Case{Position: p}
}

func (b boardDomain) smaller(Case) []Case { return nil }

func (b boardDomain) outcomes() []string { return []string{"x", "tie", "o"} }

func (b boardDomain) facts(c Case, t Tablebase) (facts, error) {
	v, err := t.Value(c.Position)
	if err != nil {
		return facts{}, err
	}
	known := facts{
		outcome:  b.outcomes()[1-v.Outcome],
		stones:   c.Position.Stones(),
		score:    int(v.Score),
		distance: int(v.Distance),
	}
	err = b.moves(c.Position, v, t, func(_ game.Position, after game.Value) {
		if after.Outcome == v.Outcome {
			known.keeping++
		}
	})
	return known, err
}

// moves calls visit for each position to which a legal move leads, with its value.
func (b boardDomain) moves(p game.Position, v game.Value, t Tablebase, visit func(game.Position, game.Value)) error {
	if v.Distance == 0 {
		return nil
	}
	for cells := b.Moves(p.Board); cells != 0; cells &= cells - 1 {
		next := p.Play(bits.TrailingZeros64(cells))
		after, err := t.Value(next)
		if err != nil {
			return err
		}
		visit(next, after)
	}
	return nil
}

// lines returns how many lines of the game a set of cells holds.
func (b boardDomain) lines(stones uint64) int {
	count := 0
	for set := stones; set != 0; set = (set - 1) & stones {
		if bits.OnesCount64(set) == b.InRow && b.HasLine(set) {
			count++
		}
	}
	return count
}

// traps returns the traps of every format about positions.
func (b boardDomain) traps() []Trap {
	return []Trap{
		{
			Name: "line on the last free cell",
			Why:  "The game is decided by a line that its last stone completes: look for a line before looking for a full board, or this is called a tie.",
			catches: func(c Case, t Tablebase) (bool, error) {
				v, err := t.Value(c.Position)
				return v.Score == 1 || v.Score == -1, err
			},
		},
		{
			Name:    "two lines at once",
			Why:     "One stone completes two lines, on the board or by the next move: a win is counted once, and a board with two lines of one side is legal.",
			catches: b.twoLines,
		},
		{
			Name: "finished board",
			Why:  "A side has its line and there are free cells left: the game is over, whoever is said to move, and nobody plays on.",
			catches: func(c Case, t Tablebase) (bool, error) {
				v, err := t.Value(c.Position)
				return v.Distance == 0 && c.Position.Stones() < b.Cells(), err
			},
		},
		{
			Name: "full board without a line",
			Why:  "Nobody can move and nobody has a line: a tie, with no move to try.",
			catches: func(c Case, t Tablebase) (bool, error) {
				v, err := t.Value(c.Position)
				return v.Outcome == 0 && v.Distance == 0, err
			},
		},
		{
			Name: "the second side wins",
			Why:  "The side that moved second wins: a program that knows only the first side's wins and ties misses it.",
			catches: func(c Case, t Tablebase) (bool, error) {
				v, err := t.Value(c.Position)
				return v.Outcome == -1, err
			},
		},
	}
}

// twoLines reports whether a side has two lines, or the side to move can complete two at once.
func (b boardDomain) twoLines(c Case, t Tablebase) (bool, error) {
	v, err := t.Value(c.Position)
	if err != nil {
		return false, err
	}
	found := b.lines(c.Position.X) > 1 || b.lines(c.Position.O) > 1
	err = b.moves(c.Position, v, t, func(next game.Position, _ game.Value) {
		found = found || b.lines(next.Of(c.Position.ToMove)) > 1
	})
	return found, err
}

// delay is the trap of the formats that ask for the score.
func (b boardDomain) delay() Trap {
	return Trap{
		Name: "the loser must delay",
		Why:  "The side to move loses, sooner or later: it plays for the later end, not for the first move that comes.",
		catches: func(c Case, t Tablebase) (bool, error) {
			v, err := t.Value(c.Position)
			loses := v.Outcome == -1 && c.Position.ToMove == game.X || v.Outcome == 1 && c.Position.ToMove == game.O
			if err != nil || !loses {
				return false, err
			}
			choice := false
			err = b.moves(c.Position, v, t, func(_ game.Position, after game.Value) {
				choice = choice || after.Score != v.Score
			})
			return choice, err
		},
	}
}

// hurry is the other trap of the formats that ask for the score.
func (b boardDomain) hurry() Trap {
	return Trap{
		Name: "the winner must hurry",
		Why:  "The side to move wins, sooner or later: it plays for the earlier end, not for the first win that it finds.",
		catches: func(c Case, t Tablebase) (bool, error) {
			v, err := t.Value(c.Position)
			wins := v.Outcome == 1 && c.Position.ToMove == game.X || v.Outcome == -1 && c.Position.ToMove == game.O
			if err != nil || !wins {
				return false, err
			}
			choice := false
			err = b.moves(c.Position, v, t, func(_ game.Position, after game.Value) {
				choice = choice || after.Outcome == v.Outcome && after.Score != v.Score
			})
			return choice, err
		},
	}
}

// counted is the trap of the formats where the number of stones says who is to move. It needs a
// tablebase that has every board with either side to move, and finds nothing in another one.
func (b boardDomain) counted() Trap {
	return Trap{
		Name: "the number of stones says who is to move",
		Why:  "Who wins depends on who is to move: an even number of stones means the side that started, an odd number the other one.",
		catches: func(c Case, t Tablebase) (bool, error) {
			v, err := t.Value(c.Position)
			if err != nil {
				return false, err
			}
			other, err := t.Value(game.Position{Board: c.Position.Board, ToMove: c.Position.ToMove.Other()})
			if errors.Is(err, query.ErrMissing) {
				return false, nil
			}
			return v.Outcome != other.Outcome, err
		},
	}
}

// otherMover is the trap of the formats that say who is to move.
func (b boardDomain) otherMover() Trap {
	return Trap{
		Name: "the mover isn't who the counts suggest",
		Why:  "The side to move is given, the number of stones suggests the other one or neither, and it matters: read it, don't infer it.",
		catches: func(c Case, t Tablebase) (bool, error) {
			if toMove, ok := c.Position.Board.ToMove(); ok && toMove == c.Position.ToMove {
				return false, nil
			}
			v, err := t.Value(c.Position)
			if err != nil {
				return false, err
			}
			other, err := t.Value(game.Position{Board: c.Position.Board, ToMove: c.Position.ToMove.Other()})
			return v.Outcome != other.Outcome, err
		},
	}
}

// appendRows appends a board as the format writes it: a row a line, with a text between cells.
func (n *notation) appendRows(dst []byte, b game.Board, between string) []byte {
	for i, c := range []byte(n.text(b)) {
		switch {
		case c == '/':
			dst = append(dst, '\n')
			continue
		case i%(n.Width+1) > 0:
			dst = append(dst, between...)
		}
		dst = append(dst, c)
	}
	return append(dst, '\n')
}
