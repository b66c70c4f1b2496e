package game

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Side is one of the two players. Its value is the digit that its stones have in a key.
type Side uint8

// The two sides. In play from the empty board x moves first.
const (
	X Side = 1
	O Side = 2
)

// Other returns the opponent.
func (s Side) Other() Side { return 3 - s }

// String returns "x" or "o".
func (s Side) String() string {
	switch s {
	case X:
		return "x"
	case O:
		return "o"
	}
	return fmt.Sprintf("Side(%d)", uint8(s))
}

// ParseSide reads "x" or "o" in either case.
func ParseSide(text string) (Side, error) {
	switch text {
	case "x", "X":
		return X, nil
	case "o", "O":
		return O, nil
	}
	return 0, fmt.Errorf("%q is not a side: want x or o", text)
}

// Board says what stands in the cells: bit i of X or O is set when a stone of that side
// stands in cell i. No cell is in both.
type Board struct{ X, O uint64 }

// Stones returns the number of pieces on the board.
func (b Board) Stones() int { return bits.OnesCount64(b.X | b.O) }

// Of returns the cells that a side holds.
func (b Board) Of(s Side) uint64 {
	if s == X {
		return b.X
	}
	return b.O
}

// With returns the board after a stone of side s was put on a free cell.
func (b Board) With(s Side, cell int) Board {
	if s == X {
		b.X |= 1 << cell
	} else {
		b.O |= 1 << cell
	}
	return b
}

// ToMove returns the side whose turn it is if x moved first and the sides alternated: x when
// both have as many stones, o when x has one more. It is false when neither holds.
func (b Board) ToMove() (Side, bool) {
	switch bits.OnesCount64(b.X) - bits.OnesCount64(b.O) {
	case 0:
		return X, true
	case 1:
		return O, true
	}
	return 0, false
}

// Position is a board and the side to move.
type Position struct {
	Board
	ToMove Side
}

// Play returns the position after the side to move put a stone on a free cell.
func (p Position) Play(cell int) Position {
	return Position{p.With(p.ToMove, cell), p.ToMove.Other()}
}

// Start returns the empty board with x to move, from which every game begins.
func Start() Position { return Position{ToMove: X} }

// Key identifies a position within its game:
//
//	2 · (base-3 number of the cells in reading order, the first the most significant digit)
//	  + (0 if x is to move, 1 if o)
//
// with digits 0 for an empty cell, 1 for x and 2 for o. Keys sort as board texts do, since
// '.' < 'x' < 'o' there.
type Key int64

// Key returns the key of a position.
func (g *Game) Key(p Position) Key {
	key := Key(p.ToMove - X)
	for x, o, eight := p.X, p.O, 0; eight < len(g.sums); x, o, eight = x>>8, o>>8, eight+1 {
		sums := &g.sums[eight]
		key += sums[byte(x)] + 2*sums[byte(o)]
	}
	return key
}

// Keys returns the number of keys that the game's board size has: every key is at least 0 and
// below it.
func (g *Game) Keys() Key { return 3 * g.weights[0] }

// Position returns the position of a key. It is an error if the key is not of this board size.
func (g *Game) Position(k Key) (Position, error) {
	if k < 0 || k >= g.Keys() {
		return Position{}, fmt.Errorf("key %d is not of %s: want 0 to %d", k, g, g.Keys()-1)
	}
	p := Position{ToMove: X + Side(k%2)}
	for number, cell := k/2, g.cells-1; number != 0; number, cell = number/3, cell-1 {
		switch number % 3 {
		case 1:
			p.X |= 1 << cell
		case 2:
			p.O |= 1 << cell
		}
	}
	return p, nil
}

// Text returns the board as people write it: the cells in reading order, "x", "o" or ".", with
// "/" between the rows.
func (g *Game) Text(b Board) string {
	var text strings.Builder
	for cell := range g.cells {
		if cell > 0 && cell%g.Width == 0 {
			text.WriteByte('/')
		}
		switch bit := uint64(1) << cell; {
		case b.X&bit != 0:
			text.WriteByte('x')
		case b.O&bit != 0:
			text.WriteByte('o')
		default:
			text.WriteByte('.')
		}
	}
	return text.String()
}

// SizeError says that a board text has another number of cells, or rows of another length,
// than the game that was asked to read it.
type SizeError struct {
	Text string
	Game Spec
	Got  string // the size found, such as "16 cells" or "4 rows"
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("board %q has %s: %s has %s of %s", e.Text, e.Got, e.Game,
		count(e.Game.Height, "row"), count(e.Game.Width, "cell"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ParseBoard reads a board: the cells in reading order, "x" and "o" in either case, "." "-" or
// "_" for an empty one, rows separated by "/" or not at all. It is an error if the text has an
// unknown character, a board of another size (then a [*SizeError]), or, with -drop, a stone
// above an empty cell.
func (g *Game) ParseBoard(text string) (Board, error) {
	var b Board
	cells, separated := 0, strings.Contains(text, "/")
	rows := strings.Split(text, "/")
	for _, row := range rows {
		for i, c := range row {
			switch c {
			case 'x', 'X':
				b.X |= 1 << cells
			case 'o', 'O':
				b.O |= 1 << cells
			case '.', '-', '_':
			default:
				_, size := utf8.DecodeRuneInString(row[i:])
				return Board{}, fmt.Errorf("board %q: %q is not a cell: want %s", text, row[i:i+size], "x, o or .")
			}
			cells++
		}
	}
	if cells != g.cells {
		return Board{}, &SizeError{text, g.Spec, count(cells, "cell")}
	}
	if separated {
		if len(rows) != g.Height {
			return Board{}, &SizeError{text, g.Spec, count(len(rows), "row")}
		}
		for i, row := range rows {
			if len(row) != g.Width {
				return Board{}, &SizeError{text, g.Spec, fmt.Sprintf("%s in row %d", count(len(row), "cell"), i+1)}
			}
		}
	}
	if floating := g.floating(b); floating != 0 {
		return Board{}, fmt.Errorf("board %q: the stone on %s floats: in %s a stone falls to the lowest free cell of its column",
			text, g.CellName(bits.TrailingZeros64(floating)), g)
	}
	return b, nil
}

// floating returns the stones that stand above an empty cell in a game with -drop.
func (g *Game) floating(b Board) uint64 {
	if !g.Drop {
		return 0
	}
	stones := b.X | b.O
	supported := stones>>g.Width | g.full&^(g.full>>g.Width)
	return stones &^ supported
}
