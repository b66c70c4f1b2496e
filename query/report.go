package query

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"oxbase/game"
)

// Report is what a person wants to know of a position. Its fields are named in JSON as the
// columns of the tablebase file and its views are.
//
// Outcome and Score are always from x's point of view. One metric orders everything: the score
// under best play, as the side to move prefers it, and among moves with the same score the
// reading order of their cells.
type Report struct {
	Key          game.Key `json:"key"`           // of this position itself, whichever one the file stores
	CanonicalKey game.Key `json:"canonical_key"` // the smallest key of the symmetry class
	Board        string   `json:"board"`         // as [game.Game.Text] writes it
	ToMove       string   `json:"to_move"`       // x or o
	Stones       int      `json:"stones"`        // pieces on the board
	Terminal     bool     `json:"terminal"`      // the game is over
	Result       string   `json:"result"`        // the outcome in words: x wins, tie or o wins
	Outcome      int8     `json:"outcome"`       // 1 x wins, 0 tie, -1 o wins
	Score        int8     `json:"score"`         // 0 for a tie, else empty cells at the end + 1, negative if o wins
	Distance     int8     `json:"distance"`      // plies to the end of the game, 0 if it is over
	Reachable    bool     `json:"reachable"`     // play from the empty board, x first, can arise here
	Sentence     string   `json:"sentence"`      // such as "x wins in 3 plies, score +3"
	Moves        []Move   `json:"moves"`         // every legal move, best first; none if the game is over
	BestLine     []Step   `json:"best_line"`     // the first of Moves, and so on to the end of the game
}

// Move is a legal move and the position to which it leads.
type Move struct {
	Move     string   `json:"move"`     // the cell's name
	ToKey    game.Key `json:"to_key"`   // the position after the move, and so are the following
	ToBoard  string   `json:"to_board"` //
	Outcome  int8     `json:"outcome"`
	Score    int8     `json:"score"`
	Distance int8     `json:"distance"`
	Best     bool     `json:"best"`   // no other move has a better score for the side to move
	Effect   Effect   `json:"effect"` // what becomes of the position's outcome
	Remark   string   `json:"remark"` // the effect in words, such as "only winning move"
}

// Effect is what a move does to the outcome of the position in which it is played.
type Effect string

// The three effects. A best move keeps the outcome or is the only one that does.
const (
	Keeps  Effect = "keeps"  // keeps it, as some other move does too
	Only   Effect = "only"   // is the only move that keeps it
	Throws Effect = "throws" // throws it away
)

// Step is one move of a line of play.
type Step struct {
	ToMove  string   `json:"to_move"`  // the side that plays it
	Move    string   `json:"move"`     // the cell's name
	ToKey   game.Key `json:"to_key"`   // the position after the move
	ToBoard string   `json:"to_board"` // its board
}

// Final returns the board on which the best line ends.
func (r *Report) Final() string {
	if n := len(r.BestLine); n > 0 {
		return r.BestLine[n-1].ToBoard
	}
	return r.Board
}

// Report describes a position. The errors are those of [Tablebase.Value], and [ErrDamaged] if
// what the tablebase says of the position and of those after it doesn't fit together.
func (t *Tablebase) Report(p game.Position) (Report, error) {
	v, err := t.Value(p)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Key:          t.Game.Key(p),
		CanonicalKey: t.Game.Canonical(p),
		Board:        t.Game.Text(p.Board),
		ToMove:       p.ToMove.String(),
		Stones:       p.Stones(),
		Result:       Result(v.Outcome),
		Outcome:      v.Outcome,
		Score:        v.Score,
		Distance:     v.Distance,
		Reachable:    v.Reachable,
		Moves:        []Move{},
		BestLine:     []Step{},
	}
	if r.Terminal, err = t.over(p, v); err != nil {
		return Report{}, err
	}
	r.Sentence = t.sentence(p, v, r.Terminal)
	if r.Terminal {
		return r, nil
	}
	children, err := t.children(p)
	if err != nil {
		return Report{}, err
	}
	if best := children[0]; !follows(v, best.Value) {
		return Report{}, t.contradiction(p, v)
	}
	r.Moves = t.moves(p, v, children)
	if r.BestLine, err = t.bestLine(p, v, children[0]); err != nil {
		return Report{}, err
	}
	return r, nil
}

// child is a legal move with the position after it and its value.
type child struct {
	cell int
	game.Position
	game.Value
}

// children returns all legal moves of a position that isn't terminal, best first.
func (t *Tablebase) children(p game.Position) ([]child, error) {
	cells := t.Game.Moves(p.Board)
	children := make([]child, 0, bits.OnesCount64(cells))
	for ; cells != 0; cells &= cells - 1 {
		c, err := t.child(p, bits.TrailingZeros64(cells))
		if err != nil {
			return nil, err
		}
		children = append(children, c)
	}
	slices.SortStableFunc(children, func(a, b child) int {
		if p.ToMove == game.O {
			a, b = b, a
		}
		return cmp.Compare(b.Score, a.Score)
	})
	return children, nil
}

// child looks up where a legal move leads.
func (t *Tablebase) child(p game.Position, cell int) (child, error) {
	v, err := t.After(p, cell)
	return child{cell, p.Play(cell), v}, err
}

// moves describes all legal moves, which come best first.
func (t *Tablebase) moves(p game.Position, v game.Value, children []child) []Move {
	kept := 0
	for kept < len(children) && children[kept].Outcome == v.Outcome {
		kept++
	}
	keep := Keeps
	if kept == 1 {
		keep = Only
	}
	moves := make([]Move, len(children))
	for i, c := range children {
		effect := keep
		if i >= kept {
			effect = Throws
		}
		moves[i] = Move{
			Move:     t.Game.CellName(c.cell),
			ToKey:    t.Game.Key(c.Position),
			ToBoard:  t.Game.Text(c.Board),
			Outcome:  c.Outcome,
			Score:    c.Score,
			Distance: c.Distance,
			Best:     c.Score == v.Score,
			Effect:   effect,
			Remark:   remark(effect, forMover(v.Outcome, p.ToMove), len(children)),
		}
	}
	return moves
}

// bestLine returns the line of play that begins with the best move of a position and goes on
// with the best move each time.
func (t *Tablebase) bestLine(p game.Position, v game.Value, best child) ([]Step, error) {
	line := make([]Step, 0, v.Distance)
	for {
		line = append(line, Step{
			ToMove:  p.ToMove.String(),
			Move:    t.Game.CellName(best.cell),
			ToKey:   t.Game.Key(best.Position),
			ToBoard: t.Game.Text(best.Board),
		})
		p, v = best.Position, best.Value
		over, err := t.over(p, v)
		if over || err != nil {
			return line, err
		}
		if best, err = t.bestMove(p, v); err != nil {
			return nil, err
		}
	}
}

// bestMove returns the first of the best moves of a position that isn't terminal. It is the first
// in reading order that keeps the score, so that the others needn't be looked up.
func (t *Tablebase) bestMove(p game.Position, v game.Value) (child, error) {
	for cells := t.Game.Moves(p.Board); cells != 0; cells &= cells - 1 {
		c, err := t.child(p, bits.TrailingZeros64(cells))
		if err != nil || follows(v, c.Value) {
			return c, err
		}
	}
	return child{}, t.contradiction(p, v)
}

// follows reports whether a position with a value can have a best move that leads to another.
func follows(v, after game.Value) bool {
	return after.Outcome == v.Outcome && after.Score == v.Score && after.Distance == v.Distance-1
}

// over reports whether a position is terminal, and whether its value says so too.
func (t *Tablebase) over(p game.Position, v game.Value) (bool, error) {
	score, over := t.Game.Terminal(p.Board)
	if over != (v.Distance == 0) || over && score != v.Score {
		return over, t.contradiction(p, v)
	}
	return over, nil
}

func (t *Tablebase) contradiction(p game.Position, v game.Value) error {
	return fmt.Errorf("%w: %s has score %d and distance %d, but the rules or the positions after it say otherwise",
		ErrDamaged, t.describe(p), v.Score, v.Distance)
}

// describe names a position in an error.
func (t *Tablebase) describe(p game.Position) string {
	return fmt.Sprintf("board %s with %s to move", t.Game.Text(p.Board), p.ToMove)
}

// sentence says in words what a position is worth.
func (t *Tablebase) sentence(p game.Position, v game.Value, over bool) string {
	result := fmt.Sprintf("%s, score %s", Result(v.Outcome), SignedScore(v.Score))
	switch {
	case over && t.Game.HasLine(p.X):
		return "x has a line: " + result
	case over && t.Game.HasLine(p.O):
		return "o has a line: " + result
	case over:
		return "the board is full: " + result
	case v.Distance == 1:
		return fmt.Sprintf("%s in 1 ply, score %s", Result(v.Outcome), SignedScore(v.Score))
	}
	return fmt.Sprintf("%s in %d plies, score %s", Result(v.Outcome), v.Distance, SignedScore(v.Score))
}

// Result returns an outcome in words: "x wins", "tie" or "o wins".
func Result(outcome int8) string {
	switch {
	case outcome > 0:
		return "x wins"
	case outcome < 0:
		return "o wins"
	}
	return "tie"
}

// SignedScore returns a score with its sign: "+3", "0" or "-2".
func SignedScore(score int8) string {
	if score == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", score)
}

// forMover returns an outcome from the point of view of a side: 1 if it wins, -1 if it loses.
func forMover(outcome int8, side game.Side) int8 {
	if side == game.O {
		return -outcome
	}
	return outcome
}

// remark says in words what a move does to an outcome, which is from the mover's point of view.
func remark(effect Effect, outcome int8, legal int) string {
	switch {
	case legal == 1:
		return "only legal move"
	case effect == Throws && outcome > 0:
		return "throws away a win"
	case effect == Throws:
		return "throws away a tie"
	case effect == Only && outcome > 0:
		return "only winning move"
	case effect == Only:
		return "only tying move"
	case outcome > 0:
		return "keeps the win"
	case outcome == 0:
		return "keeps the tie"
	}
	return "loses anyway"
}
