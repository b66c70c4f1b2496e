package judge

import (
	"errors"
	"fmt"
	"strings"

	"oxbase/game"
	"oxbase/query"
)

// notation is how a format writes the boards of its game.
type notation struct {
	*game.Game
	x, o, empty byte
	want        string      // the three, as an error lists them
	marks       [256]uint64 // what each character stands for; 0 if it is not a cell
}

// What a character can stand for, as three sets of cells one above the other, so that marks of
// several cells can be put together: those of x, those of o, and all.
const (
	shiftO    = 16
	shiftAll  = 32
	markEmpty = 1 << shiftAll
	markX     = markEmpty | 1
	markO     = markEmpty | 1<<shiftO
)

// ticTacToe returns the game that the judges play.
func ticTacToe() game.Spec { return game.Spec{Width: 3, Height: 3, InRow: 3} }

// newNotation returns the way to write tic-tac-toe boards with the given characters.
func newNotation(x, o, empty byte, want string) *notation {
	g, err := game.New(ticTacToe())
	if err != nil {
		panic(fmt.Sprintf("the judges' game: %v", err))
	}
	n := &notation{Game: g, x: x, o: o, empty: empty, want: want}
	n.marks[x], n.marks[o], n.marks[empty] = markX, markO, markEmpty
	return n
}

// put sets an empty cell to what a character stands for and reports whether it is one of the
// three.
func (n *notation) put(b *game.Board, cell int, c byte) bool {
	mark := n.marks[c]
	b.X |= mark & 1 << cell
	b.O |= mark >> shiftO & 1 << cell
	return mark != 0
}

// notCell says that something else stands where a cell was wanted.
func (n *notation) notCell(r *reader, found string) error {
	return r.wrong("%q is not a cell: want %s", found, n.want)
}

// rows reads a board whose rows stand on lines of their own. Its cells are words if spaced,
// otherwise they follow each other without blanks.
func (n *notation) rows(r *reader, spaced bool) (game.Board, error) {
	var b game.Board
	for cell := range n.Cells() {
		column := cell % n.Width
		if column == 0 && r.skipWhite() == end {
			return b, r.wrong("the input ends after %d rows: want %d", cell/n.Width, n.Height)
		}
		c := r.peek()
		if isWhite(c) {
			if next := r.skipBlanks(); next == '\n' || next == end {
				return b, r.wrong("the row has %d cells: want %d", column, n.Width)
			}
			if !spaced {
				return b, n.notCell(r, string(rune(c)))
			}
			c = r.peek()
		}
		switch known := n.put(&b, cell, byte(c)); {
		case !known && spaced:
			return b, n.notCell(r, r.word())
		case !known:
			return b, n.notCell(r, r.char())
		}
		r.next++
		if spaced && !isWhite(r.peek()) {
			return b, n.notCell(r, string(rune(c))+r.word())
		}
		if column == n.Width-1 {
			if err := r.lineEnd("the last cell of the row"); err != nil {
				return b, err
			}
		}
	}
	return b, nil
}

// text returns a board as the format writes it, in one line with "/" between the rows.
func (n *notation) text(b game.Board) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case 'x':
			return rune(n.x)
		case 'o':
			return rune(n.o)
		case '.':
			return rune(n.empty)
		}
		return c
	}, n.Text(b))
}

// value looks a position up. That both sides have a line is the input's fault.
func (n *notation) value(t Tablebase, p game.Position) (game.Value, error) {
	v, err := t.Value(p)
	if err != nil && n.BothLines(p.Board) {
		return v, &InputError{Err: &game.BothLinesError{Text: n.text(p.Board)}}
	}
	return v, err
}

// reached looks up a board that play, x first, has led to, and says whose turn it is. Any other
// board is the input's fault.
func (n *notation) reached(t Tablebase, b game.Board) (game.Value, game.Side, error) {
	toMove, ok := b.ToMove()
	if !ok {
		return game.Value{}, 0, wrongCase("board %q: %c moves first, so it must have as many %c as %c or one more %c",
			n.text(b), n.x, n.x, n.o, n.x)
	}
	v, err := n.value(t, game.Position{Board: b, ToMove: toMove})
	if errors.Is(err, query.ErrMissing) || err == nil && !v.Reachable {
		return v, toMove, wrongCase("board %q: play can't reach it: it stops at the first line", n.text(b))
	}
	return v, toMove, err
}
