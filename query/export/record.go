// Package export writes the positions of a tablebase for other programs: as CSV, JSON Lines or
// Parquet, all of them or those that a filter lets through.
package export

import (
	"context"
	"math/bits"
	"runtime"

	"oxbase/game"
	"oxbase/query"
)

// Record is one position as it is written; [Columns] says what the fields mean. Their names in
// JSON and Parquet are those of the columns.
type Record struct {
	Key       game.Key `json:"key" parquet:"key"`
	Board     string   `json:"board" parquet:"board"`
	ToMove    string   `json:"to_move" parquet:"to_move,dict"`
	Stones    int32    `json:"stones" parquet:"stones"`
	Terminal  bool     `json:"terminal" parquet:"terminal"`
	Outcome   int32    `json:"outcome" parquet:"outcome"`
	Score     int32    `json:"score" parquet:"score"`
	Distance  int32    `json:"distance" parquet:"distance"`
	Reachable bool     `json:"reachable" parquet:"reachable"`
	BestMoves []string `json:"best_moves" parquet:"best_moves,list"` // never nil
}

// Column is an entry of the dictionary of columns.
type Column struct {
	Name    string
	Type    string
	Meaning string // with unit and point of view
}

// Columns describes the fields of a [Record] in their order.
func Columns() []Column {
	return []Column{
		{"key", "integer", "2 * (cells in reading order as base-3 digits, the first the most significant;\n" +
			"empty 0, x 1, o 2) + (x to move 0, o to move 1)"},
		{"board", "text", "x, o or . (empty) for each cell, / between the rows, the top row first"},
		{"to_move", "text", "the side to move, x or o, also when the game is over"},
		{"stones", "integer", "pieces on the board"},
		{"terminal", "boolean", "whether the game is over: a side has a line, or the board is full"},
		{"outcome", "integer", "who wins under best play, from x's point of view: 1 x, 0 tie, -1 o"},
		{"score", "integer", "empty cells at the end + 1, negative if o wins, 0 for a tie; x maximises it"},
		{"distance", "integer", "plies (single moves) to the end under best play, 0 if the game is over"},
		{"reachable", "boolean", "whether play from the empty board, x first, can arise here"},
		{"best_moves", "list", "cells (a1 is bottom left) of all moves with the best score for the side\n" +
			"to move, in reading order; none if the game is over"},
	}
}

// Filter chooses positions. Of a field that is nil everything passes.
type Filter struct {
	Reachable *bool
	Terminal  *bool
	ToMove    *game.Side
	Outcome   *int8 // from x's point of view
	Stones    *Range
}

// Range is a range of numbers, with both ends.
type Range struct{ From, To int }

// passes reports whether a position is chosen.
func (f Filter) passes(p game.Position, v game.Value) bool {
	stones := p.Stones()
	return isOrAny(f.Reachable, v.Reachable) && isOrAny(f.Terminal, v.Distance == 0) &&
		isOrAny(f.ToMove, p.ToMove) && isOrAny(f.Outcome, v.Outcome) &&
		(f.Stones == nil || f.Stones.From <= stones && stones <= f.Stones.To)
}

func isOrAny[T comparable](want *T, got T) bool { return want == nil || *want == got }

// chunk is how many rows are looked at in one go.
const chunk = 1 << 12

// Each hands on the records of the rows that a filter lets through, in the order of their keys,
// some at a time, with the number of rows looked at so far. The source of the tablebase has to
// be those rows. It returns yield's first error, the context's, or [query.ErrDamaged] if a
// move leads to a position that isn't stored. Records are prepared on all cores.
// Time: linear, a look-up for each move. Memory: some thousand records beside the rows.
func Each(ctx context.Context, t *query.Tablebase, rows *query.Loaded, f Filter, yield func(records []Record, done int64) error) error {
	type batch struct {
		records []Record
		done    int64
		err     error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := newMaker(t)
	batches := make(chan chan batch, runtime.GOMAXPROCS(0))
	go func() {
		defer close(batches)
		for from := 0; from < rows.Len(); from += chunk {
			to := min(from+chunk, rows.Len())
			ready := make(chan batch, 1)
			select {
			case batches <- ready:
			case <-ctx.Done():
				return
			}
			go func() {
				records, err := m.records(rows, from, to, f)
				ready <- batch{records, int64(to), err}
			}()
		}
	}()
	for ready := range batches {
		b := <-ready
		if b.err != nil {
			return b.err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(b.records, b.done); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// maker makes records of rows.
type maker struct {
	t     *query.Tablebase
	names []string // of the cells
}

func newMaker(t *query.Tablebase) *maker {
	m := &maker{t: t}
	for cell := range t.Game.Cells() {
		m.names = append(m.names, t.Game.CellName(cell))
	}
	return m
}

// records returns those of a range of rows that a filter lets through.
func (m *maker) records(rows *query.Loaded, from, to int, f Filter) ([]Record, error) {
	var records []Record
	for i := from; i < to; i++ {
		row := rows.At(i)
		p, err := m.t.Game.Position(row.Key)
		if err != nil {
			return nil, err
		}
		if !f.passes(p, row.Value) {
			continue
		}
		best, err := m.bestMoves(p, row.Value)
		if err != nil {
			return nil, err
		}
		records = append(records, Record{
			Key: row.Key, Board: m.t.Game.Text(p.Board), ToMove: p.ToMove.String(), Stones: int32(p.Stones()),
			Terminal: row.Distance == 0, Outcome: int32(row.Outcome), Score: int32(row.Score), Distance: int32(row.Distance),
			Reachable: row.Reachable, BestMoves: best,
		})
	}
	return records, nil
}

// bestMoves returns the names of the cells of all best moves: those that lead to a position with
// the same score.
func (m *maker) bestMoves(p game.Position, v game.Value) ([]string, error) {
	best := []string{}
	if v.Distance == 0 {
		return best, nil
	}
	for moves := m.t.Game.Moves(p.Board); moves != 0; moves &= moves - 1 {
		cell := bits.TrailingZeros64(moves)
		after, err := m.t.After(p, cell)
		if err != nil {
			return nil, err
		}
		if after.Score == v.Score {
			best = append(best, m.names[cell])
		}
	}
	return best, nil
}
