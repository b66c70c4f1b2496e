package store

import (
	"fmt"

	"oxbase/game"
)

// checkValue returns an error unless a value can be one of a position on a board with so many
// cells. It doesn't know the position: see [checkRow] for what the number of its empty cells
// adds.
func checkValue(v game.Value, cells int) error {
	sign := int8(0)
	switch {
	case v.Score > 0:
		sign = 1
	case v.Score < 0:
		sign = -1
	}
	switch {
	case v.Outcome != sign:
		return fmt.Errorf("outcome %d doesn't fit score %d", v.Outcome, v.Score)
	case int(v.Score) > cells+1 || int(v.Score) < -cells-1:
		return fmt.Errorf("score %d is beyond %d cells", v.Score, cells)
	case v.Distance < 0 || int(v.Distance) > cells:
		return fmt.Errorf("distance %d is not between 0 and %d cells", v.Distance, cells)
	}
	return nil
}

// checkRow returns an error unless a value can be that of a position: score and distance
// together say how many cells are empty.
func checkRow(g *game.Game, row game.Row) error {
	position, err := g.Position(row.Key)
	if err != nil {
		return err
	}
	empty := g.Cells() - position.Stones()
	if want := game.ValueOf(row.Score, empty, row.Reachable); row.Value != want || want.Distance < 0 {
		return fmt.Errorf("outcome %d, score %d and distance %d don't fit a board with %d empty cells",
			row.Outcome, row.Score, row.Distance, empty)
	}
	return nil
}

// valueTable holds something for each value that positions on a board can have. There are few
// of them beside the rows of a table, so that what depends on the value alone is worked out once.
type valueTable[T any] struct {
	cells   int
	entries []T
}

// newValueTable fills a table for a board with so many cells.
func newValueTable[T any](cells int, entry func(game.Value) T) valueTable[T] {
	t := valueTable[T]{cells: cells, entries: make([]T, (2*cells+3)*(cells+1)*2)}
	for score := -cells - 1; score <= cells+1; score++ {
		for distance := range cells + 1 {
			for _, reachable := range []bool{false, true} {
				v := game.ValueOf(int8(score), 0, reachable)
				v.Distance = int8(distance)
				*t.at(v) = entry(v)
			}
		}
	}
	return t
}

// at returns the entry of a value that passes [checkValue].
func (t *valueTable[T]) at(v game.Value) *T {
	return &t.entries[((int(v.Score)+t.cells+1)*(t.cells+1)+int(v.Distance))*2+digit(v.Reachable)]
}

// record is a row of positions as SQLite stores it, without its key.
type record struct {
	bytes  [9]byte
	length int
}

// encodeRecord writes a record: its header, which is the header's length and the type of each
// column, then the columns. The key is NULL there (type 0), since it is the cell's; a 0 and a 1
// are types of their own (8 and 9) without bytes; the rest is one signed byte (type 1).
func encodeRecord(v game.Value) (r record) {
	columns := [4]int8{v.Outcome, v.Score, v.Distance, int8(digit(v.Reachable))}
	header := r.bytes[:0]
	body := r.bytes[6:6]
	header = append(header, 6, 0)
	for _, n := range columns {
		switch n {
		case 0, 1:
			header = append(header, 8+byte(n))
		default:
			header = append(header, 1)
			body = append(body, byte(n))
		}
	}
	r.length = len(header) + len(body)
	return r
}
