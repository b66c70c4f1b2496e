package store

import (
	"fmt"

	"oxbase/game"
)

// stoneCounter counts the stones of positions by their keys, eight cells at a time.
type stoneCounter [6561]uint8 // by three to the power of eight numbers of eight cells

// newStoneCounter fills the table.
func newStoneCounter() *stoneCounter {
	var c stoneCounter
	for n := 1; n < len(c); n++ {
		c[n] = c[n/3]
		if n%3 != 0 {
			c[n]++
		}
	}
	return &c
}

// stones returns the number of pieces on the board of a key of at least 0.
func (c *stoneCounter) stones(key game.Key) int {
	stones := 0
	for cells := uint64(key) / 2; cells > 0; cells /= uint64(len(c)) {
		stones += int(c[cells%uint64(len(c))])
	}
	return stones
}

// checkValue returns an error unless a value can be that of a position with so many empty cells:
// they and the score together say what the outcome and the distance are.
func checkValue(v game.Value, empty int) error {
	if want := game.ValueOf(v.Score, empty, v.Reachable); v != want || want.Distance < 0 {
		return fmt.Errorf("outcome %d, score %d and distance %d don't fit a board with %d empty cells",
			v.Outcome, v.Score, v.Distance, empty)
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
