package query

import (
	"fmt"
	"math/bits"

	"oxbase/game"
)

// TurnError says that the stones of a board don't tell whose turn it is.
type TurnError struct{ X, O int } // how many stones each side has

func (e *TurnError) Error() string {
	return fmt.Sprintf("the counts, %d x and %d o, don't say who is to move: x moves first, so there are as many x as o or one more",
		e.X, e.O)
}

// ParsePosition reads a position: a board as [game.Game.ParseBoard] does, and the side to move,
// "x", "o", or "" to go by the number of stones. It is an error if one of them can't be read,
// or a [*TurnError] if the number of stones doesn't tell.
func ParsePosition(g *game.Game, board, toMove string) (game.Position, error) {
	b, err := g.ParseBoard(board)
	if err != nil {
		return game.Position{}, err
	}
	p := game.Position{Board: b}
	if toMove != "" {
		p.ToMove, err = game.ParseSide(toMove)
		return p, err
	}
	side, ok := b.ToMove()
	if !ok {
		return game.Position{}, &TurnError{bits.OnesCount64(b.X), bits.OnesCount64(b.O)}
	}
	p.ToMove = side
	return p, nil
}
