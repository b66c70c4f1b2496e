package verify

import (
	"context"

	"oxbase/game"
	"oxbase/query"
)

// walk goes through all boards that a table of turns any holds, in the order of their keys, beside
// the rows. Cells are filled in reading order, the first choice being to leave one empty, which
// is the order of keys. Time: linear in the boards on which no stone floats. Memory: constant.
type walk struct {
	game      *game.Game
	rows      *query.Loaded
	all       *symmetries
	canonical bool
	options   Options
	ctx       context.Context

	board     game.Board
	next      int    // the row that comes next
	boards    int64  // seen so far
	bothLines int64  // of these, boards on which both sides have a line
	wrong     string // where the rows first differ from the boards
}

func newWalk(v *verifier) *walk {
	return &walk{
		game: v.game, rows: v.rows, all: newSymmetries(v.game), canonical: v.row.symmetry == game.Canonical,
		options: v.options,
	}
}

// run walks to the end, or to the first difference. The error is the context's.
func (w *walk) run(ctx context.Context) error {
	w.ctx = ctx
	if w.from(0) && w.next < w.rows.Len() {
		w.wrong = w.extra()
	}
	return ctx.Err()
}

// from fills the cells from a number on in all ways. It returns false when the walk has to end.
func (w *walk) from(cell int) bool {
	if cell == w.game.Cells() {
		return w.visit()
	}
	before, bit := w.board, uint64(1)<<cell
	above := bit >> w.game.Width
	if !w.game.Drop || (before.X|before.O)&above == 0 {
		if !w.from(cell + 1) {
			return false
		}
	}
	for _, side := range []game.Side{game.X, game.O} {
		w.board = before.With(side, cell)
		if !w.from(cell + 1) {
			return false
		}
	}
	w.board = before
	return true
}

// visit compares a full set of cells, with either side to move, with the rows that come next.
func (w *walk) visit() bool {
	if w.boards++; w.boards%batchRows == 0 {
		if w.ctx.Err() != nil {
			return false
		}
		w.options.Progress(Progress{"counting boards", int64(w.next), int64(w.rows.Len())})
	}
	if w.game.BothLines(w.board) {
		w.bothLines++
		return true
	}
	images := w.all.images(w.board)
	if w.canonical && images.least() != images.keys[0] {
		return true
	}
	for _, side := range []game.Side{game.X, game.O} {
		key := images.keys[0] + game.Key(side-game.X)
		switch {
		case w.next == w.rows.Len() || w.rows.At(w.next).Key > key:
			w.wrong = describe(w.game, game.Position{Board: w.board, ToMove: side}) + " is missing"
			return false
		case w.rows.At(w.next).Key < key:
			w.wrong = w.extra()
			return false
		}
		w.next++
	}
	return true
}

// extra says that the next row is one too many.
func (w *walk) extra() string {
	p, _ := w.game.Position(w.rows.At(w.next).Key)
	return describe(w.game, p) + " should not be there"
}
