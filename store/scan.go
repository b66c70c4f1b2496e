package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"oxbase/game"
)

// scanRows is the number of rows that Rows and Gaps hand on at a time, at least.
const scanRows = 4096

// Rows hands on all positions in the order of their keys, some thousand at a time. yield may not
// keep the slice; it may look things up. It returns yield's first error, the context's, or
// [ErrDamaged] if the table can't be read whole or holds what can't be right.
//
// It reads the table's pages itself, as [tableWriter] draws them, which takes a fraction of the
// time that SQLite's rows take. Time: linear. Memory: one page a level of the B-tree.
func (d *DB) Rows(ctx context.Context, yield func([]game.Row) error) error {
	root, err := d.rootPage(ctx)
	if err != nil {
		return err
	}
	s := &scan{
		db: d, ctx: ctx, yield: yield,
		keys: d.game.Keys(), cells: d.game.Cells(), stones: newStoneCounter(),
		rows: make([]game.Row, 0, scanRows+pageSize), last: -1,
	}
	if err := s.tree(root, 0); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	if s.count != d.info.Positions {
		return d.failed(damaged("it holds %d positions: want %d", s.count, d.info.Positions))
	}
	return nil
}

// rootPage returns the number of the root page of positions.
func (d *DB) rootPage(ctx context.Context) (uint32, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return 0, d.failed(driver.ErrBadConn)
	}
	root, err := d.conn.number(ctx, "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'positions'")
	return uint32(root), d.failed(err)
}

// readPage returns a copy of a page of the file.
func (d *DB) readPage(number uint32) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return nil, d.failed(driver.ErrBadConn)
	}
	d.page.args[0].Value = int64(number)
	values, err := d.page.run()
	if err != nil {
		return nil, d.failed(err)
	}
	if values == nil {
		return nil, d.failed(damaged("there is no page %d", number))
	}
	page, _ := values[0].([]byte)
	if len(page) < 512 {
		return nil, d.failed(damaged("page %d has %d bytes", number, len(page)))
	}
	return page, nil
}

// scan is the state of one pass over the table positions.
type scan struct {
	db     *DB
	ctx    context.Context
	yield  func([]game.Row) error
	keys   game.Key // of the board size
	cells  int
	stones *stoneCounter
	rows   []game.Row // not yet handed on
	last   game.Key
	count  int64
}

// maxDepth is more levels than a table can have whose interior pages have two children.
const maxDepth = 64

// tree hands on the rows below a page. Keys ascend strictly and only a root may be without any, so
// that no page is read twice.
func (s *scan) tree(number uint32, depth int) error {
	if depth > maxDepth {
		return s.damaged(number, "the tree is too deep")
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	page, err := s.db.readPage(number)
	if err != nil {
		return err
	}
	cells := int(binary.BigEndian.Uint16(page[3:]))
	switch page[0] {
	case 0x0d:
		if leafHeader+2*cells > len(page) {
			return s.damaged(number, "%d cells don't fit", cells)
		}
		return s.leaf(number, page, cells, depth)
	case 0x05:
		if cells == 0 || interiorHeader+2*cells > len(page) {
			return s.damaged(number, "an inner page with %d cells", cells)
		}
		for i := range cells {
			at := int(binary.BigEndian.Uint16(page[interiorHeader+2*i:]))
			if at+4 > len(page) {
				return s.damaged(number, "cell %d is outside the page", i)
			}
			if err := s.tree(binary.BigEndian.Uint32(page[at:]), depth+1); err != nil {
				return err
			}
		}
		return s.tree(binary.BigEndian.Uint32(page[8:]), depth+1)
	}
	return s.damaged(number, "it is of type %d", page[0])
}

// leaf collects the rows of a leaf.
func (s *scan) leaf(number uint32, page []byte, cells, depth int) error {
	if cells == 0 && (depth > 0 || s.db.info.Positions > 0) {
		return s.damaged(number, "an empty leaf")
	}
	for i := range cells {
		row, err := parseCell(page, int(binary.BigEndian.Uint16(page[leafHeader+2*i:])))
		if err != nil {
			return s.damaged(number, "cell %d: %w", i, err)
		}
		if row.Key <= s.last {
			return s.damaged(number, "key %d comes after key %d", row.Key, s.last)
		}
		if row.Key >= s.keys {
			return s.damaged(number, "key %d is not of %s", row.Key, s.db.game)
		}
		if err := checkValue(row.Value, s.cells-s.stones.stones(row.Key)); err != nil {
			return s.damaged(number, "key %d: %w", row.Key, err)
		}
		s.last = row.Key
		s.rows = append(s.rows, row)
	}
	if len(s.rows) < scanRows {
		return nil
	}
	return s.flush()
}

// flush hands on the rows collected.
func (s *scan) flush() error {
	if len(s.rows) == 0 {
		return nil
	}
	s.count += int64(len(s.rows))
	err := s.yield(s.rows)
	s.rows = s.rows[:0]
	return err
}

func (s *scan) damaged(number uint32, format string, args ...any) error {
	return s.db.failed(damaged("page %d: "+format, append([]any{number}, args...)...))
}

// parseCell reads the row whose cell begins at an offset of a leaf.
func parseCell(page []byte, at int) (row game.Row, err error) {
	const columns = 5
	if at >= len(page) {
		return row, fmt.Errorf("it is outside the page")
	}
	length, n := getVarint(page[at:])
	if n == 0 {
		return row, fmt.Errorf("its length is cut off")
	}
	at += n
	key, n := getVarint(page[at:])
	at += n
	if n == 0 || length > uint64(len(page)-at) {
		return row, fmt.Errorf("it goes beyond the page")
	}
	record := page[at : at+int(length)]
	if len(record) < 1+columns || record[0] != 1+columns || record[1] != 0 {
		return row, fmt.Errorf("it is not a row of positions")
	}
	row.Key = game.Key(key)
	body := record[1+columns:]
	var numbers [4]int8
	for i, kind := range record[2 : 1+columns] {
		switch {
		case kind == 8 || kind == 9:
			numbers[i] = int8(kind - 8)
		case kind == 1 && len(body) > 0:
			numbers[i] = int8(body[0])
			body = body[1:]
		default:
			return row, fmt.Errorf("column %d is not a small number", i+2)
		}
	}
	if numbers[3] != 0 && numbers[3] != 1 {
		return row, fmt.Errorf("reachable is %d: want 0 or 1", numbers[3])
	}
	row.Value = game.Value{Outcome: numbers[0], Score: numbers[1], Distance: numbers[2], Reachable: numbers[3] == 1}
	return row, nil
}

// getVarint reads a varint and returns its length too, 0 if it is cut off.
func getVarint(from []byte) (n uint64, length int) {
	for i, b := range from[:min(9, len(from))] {
		if i == 8 {
			return n<<8 | uint64(b), 9
		}
		n = n<<7 | uint64(b&0x7f)
		if b < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}

// Gaps hands on the SG values of all gaps, ordered by length, left and right end, some at a time.
// yield may not keep the slice; it may look things up. It returns yield's first error, the
// context's, or [ErrDamaged].
func (d *DB) Gaps(ctx context.Context, yield func([]game.GapRow) error) error {
	const lengths = 500 // at a time, nine gaps each
	var rows []game.GapRow
	for from := 0; from <= d.info.StripLength; from += lengths {
		to := min(from+lengths, d.info.StripLength+1)
		rows = rows[:0]
		if err := d.gapRows(ctx, from, to, &rows); err != nil {
			return err
		}
		if want := 9 * (to - from); len(rows) != want {
			return d.failed(damaged("strip_sg holds %d gaps of %d to %d cells: want %d", len(rows), from, to-1, want))
		}
		ends := game.Ends()
		for i, row := range rows {
			if want := (game.Gap{Length: from + i/9, Left: ends[i/3%3], Right: ends[i%3]}); row.Gap != want {
				return d.failed(damaged("strip_sg holds a %s where a %s was wanted", row.Gap, want))
			}
		}
		if err := yield(rows); err != nil {
			return err
		}
	}
	return nil
}

// gapRows collects the gaps of the lengths from one up to another.
func (d *DB) gapRows(ctx context.Context, from, to int, rows *[]game.GapRow) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return d.failed(driver.ErrBadConn)
	}
	const query = "SELECT length, left, right, sg FROM strip_sg WHERE length >= ? AND length < ? ORDER BY length, left, right"
	return d.failed(d.conn.rows(ctx, query, func(values []driver.Value) error {
		length, isLength := values[0].(int64)
		left, isLeft := values[1].(string)
		right, isRight := values[2].(string)
		sg, isSG := values[3].(int64)
		if !isLength || !isLeft || !isRight || !isSG || len(left) != 1 || len(right) != 1 || sg < 0 || sg > math.MaxInt32 {
			return damaged("a row of strip_sg is %q", fmt.Sprint(values))
		}
		if len(*rows) == 9*(to-from) {
			return damaged("strip_sg holds more than nine gaps for each length from %d to %d", from, to-1)
		}
		*rows = append(*rows, game.GapRow{
			Gap: game.Gap{Length: int(length), Left: game.End(left[0]), Right: game.End(right[0])},
			SG:  int(sg),
		})
		return nil
	}, from, to))
}
