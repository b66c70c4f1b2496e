package verify

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"oxbase/game"
	"oxbase/query"
)

// load reads positions and strip_sg into memory. A column that can't be what it should is wrong
// here; whether the values are right is for later.
func (v *verifier) load(ctx context.Context) (err error) {
	v.rows, err = query.Load(ctx, v.row.positions, rowReader{v})
	return err
}

// rowReader reads the rows of a file for [query.Load].
type rowReader struct{ *verifier }

var _ query.Rows = rowReader{}

// batchRows is the number of rows that are handed on, or checked, at a time.
const batchRows = 4096

// Rows reads the table positions.
func (r rowReader) Rows(ctx context.Context, yield func([]game.Row) error) error {
	batch := make([]game.Row, 0, batchRows)
	done := int64(0)
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := yield(batch)
		done += int64(len(batch))
		batch = batch[:0]
		r.options.Progress(Progress{"reading", done, r.row.positions})
		return err
	}
	err := r.db.Query(ctx, "SELECT key, outcome, score, distance, reachable FROM positions ORDER BY key", func(columns []any) error {
		row, ok := parseRow(columns)
		if !ok || row.Key < 0 || row.Key >= r.game.Keys() {
			return r.badRow(columns)
		}
		if batch = append(batch, row); len(batch) == batchRows {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// parseRow takes the columns of a row of positions, if they are small numbers.
func parseRow(columns []any) (row game.Row, ok bool) {
	key, ok := columns[0].(int64)
	if !ok {
		return row, false
	}
	var numbers [4]int8
	for i, column := range columns[1:] {
		n, ok := column.(int64)
		if !ok || n < math.MinInt8 || n > math.MaxInt8 {
			return row, false
		}
		numbers[i] = int8(n)
	}
	if numbers[3] != 0 && numbers[3] != 1 {
		return row, false
	}
	row.Key = game.Key(key)
	row.Value = game.Value{Outcome: numbers[0], Score: numbers[1], Distance: numbers[2], Reachable: numbers[3] == 1}
	return row, true
}

// badRow notes a row that no position can have.
func (r rowReader) badRow(columns []any) error {
	c := Check{Name: "columns of positions", Expected: "small numbers, reachable 0 or 1", Source: "the schema"}
	key, _ := columns[0].(int64)
	p, err := r.game.Position(game.Key(key))
	if err != nil {
		c.Expected, c.Got = fmt.Sprintf("keys from 0 to %d", r.game.Keys()-1), fmt.Sprint(key)
		return r.compare(c, err.Error())
	}
	c.Got = fmt.Sprintf("outcome %v, score %v, distance %v, reachable %v", columns[1:]...)
	return r.compare(c, fmt.Sprintf("%s: %s: want %s", describe(r.game, p), c.Got, c.Expected))
}

// Gaps reads the table strip_sg. Each gap up to the strip length has to come once.
func (r rowReader) Gaps(ctx context.Context, yield func([]game.GapRow) error) error {
	want := 9 * (r.row.stripLength + 1)
	next := int64(0)
	wrong := func(expected, got string) error {
		return r.compare(Check{Name: "rows of strip_sg", Expected: expected, Got: got, Source: "game.strip_length"},
			fmt.Sprintf("strip_sg: got %s, want %s", got, expected))
	}
	batch := make([]game.GapRow, 1)
	err := r.db.Query(ctx, "SELECT length, left, right, sg FROM strip_sg ORDER BY length, left, right", func(columns []any) error {
		expected := "no more rows"
		if next < want {
			batch[0].Gap = gapNumber(next)
			expected = "a " + batch[0].Gap.String()
		}
		length, isLength := columns[0].(int64)
		if gap := batch[0].Gap; next >= want || !isLength || length != int64(gap.Length) ||
			columns[1] != string(rune(gap.Left)) || columns[2] != string(rune(gap.Right)) {
			return wrong(expected, fmt.Sprintf("a gap of %v between %v and %v", columns[:3]...))
		}
		sg, isNumber := columns[3].(int64)
		if !isNumber || sg < 0 || sg > math.MaxInt32 {
			return wrong(expected+" with an SG value of at least 0", fmt.Sprint(columns[3]))
		}
		batch[0].SG = int(sg)
		r.sg = append(r.sg, int32(sg))
		next++
		return yield(batch)
	})
	if err != nil {
		return err
	}
	if next < want {
		return wrong("a "+gapNumber(next).String(), "no more rows")
	}
	r.pass("rows of strip_sg", strconv.FormatInt(want, 10), "game.strip_length")
	return nil
}

// gapNumber returns the gaps one after the other, ordered by length, left and right end.
func gapNumber(n int64) game.Gap {
	ends := game.Ends()
	return game.Gap{Length: int(n / 9), Left: ends[n/3%3], Right: ends[n%3]}
}
