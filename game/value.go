package game

import "fmt"

// Value is what a tablebase says of a position. All of it is under best play by score: x
// maximises and o minimises it, so that the winner hurries and the loser delays.
type Value struct {
	Outcome   int8 // who wins, from x's point of view: +1 x, 0 tie, -1 o
	Score     int8 // +(empty cells at the end + 1) when x wins, minus that when o wins, 0 for a tie
	Distance  int8 // plies to the end of the game; 0 at a terminal position
	Reachable bool // play from the empty board, x first, can arise here
}

// ValueOf returns the value of a position from its score and its number of empty cells. A
// decided game ends with |score|-1 empty cells and a tie ends with none, so the distance
// follows from the two.
func ValueOf(score int8, empty int, reachable bool) Value {
	v := Value{Score: score, Distance: int8(empty), Reachable: reachable}
	switch {
	case score > 0:
		v.Outcome, v.Distance = 1, int8(empty)-score+1
	case score < 0:
		v.Outcome, v.Distance = -1, int8(empty)+score+1
	}
	return v
}

// BothLinesError says that both sides have a line on a board, which no game can lead to, so
// that no position with this board has a value.
type BothLinesError struct{ Text string }

func (e *BothLinesError) Error() string {
	return fmt.Sprintf("board %q: both sides have a line, which can't arise", e.Text)
}

// Terminal reports whether the game is over, and with which score, whoever is said to move: a
// side has a line, or the board is full. On a board where both sides have a line the score
// means nothing; see [Game.BothLines].
func (g *Game) Terminal(b Board) (score int8, over bool) {
	empty := int8(g.cells - b.Stones())
	switch {
	case g.HasLine(b.X):
		score = empty + 1
	case g.HasLine(b.O):
		score = -empty - 1
	default:
		return 0, empty == 0
	}
	if g.Misere {
		score = -score
	}
	return score, true
}

// BothLines reports whether both sides have a line.
func (g *Game) BothLines(b Board) bool { return g.HasLine(b.X) && g.HasLine(b.O) }
