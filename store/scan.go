package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"oxbase/game"
)

// scanRows is the number of rows that Rows and Gaps hand on at a time, at least.
const scanRows = 4096

// Rows hands on all positions in the order of their keys, some thousand at a time. yield may not
// keep the slice; it may look things up. It returns yield's first error, the context's, or
// [ErrDamaged] if the table can't be read whole or holds what can't be right.
//
// It reads the table's pages itself, as [tableWriter] draws them, which takes a fraction of the
// time that SQLite's rows take. Time: linear. Memory: one page a level of the
// B-tree, and some ahead.
func (d *DB) Rows(ctx context.Context, yield func([]game.Row) error) error {
	s := &scan{
		db: d, ctx: ctx, yield: yield,
		keys: d.game.Keys(), cells: d.game.Cells(), stones: newStoneCounter(),
		rows: make([]game.Row, 0, scanRows+pageSize), last: -1,
	}
	if err := s.tree(d.root, 0); err != nil {
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

	lastLeaf uint32
	buffer   []byte
	ahead    []byte // pages in the buffer, from the one with the number first
	first    uint32
}

// tree hands on the rows below a page. Keys ascend strictly and only a root may be without any, so
// that no page is read twice.
func (s *scan) tree(number uint32, depth int) error {
	if depth >= maxDepth {
		return s.db.badPage(number, errTooDeep)
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	page, err := s.page(number)
	if err != nil {
		return s.db.failed(err)
	}
	p, err := parseTreePage(page)
	if err != nil {
		return s.db.badPage(number, err)
	}
	if p.leaf {
		s.lastLeaf = number
		if err := s.leaf(p, depth); err != nil {
			return s.db.badPage(number, err)
		}
		if len(s.rows) < scanRows {
			return nil
		}
		return s.flush()
	}
	for i := range p.cells {
		child, _, err := p.child(i)
		if err != nil {
			return s.db.badPage(number, err)
		}
		if err := s.tree(child, depth+1); err != nil {
			return err
		}
	}
	return s.tree(p.lastChild(), depth+1)
}

// page returns a page. The next call overwrites a leaf; an interior page stays. Where leaves follow
// each other, as mostly they do with only an interior page between some, it reads ahead.
func (s *scan) page(number uint32) ([]byte, error) {
	const pagesAhead = 64
	size := s.db.pages.size
	ahead := func() bool { return number >= s.first && int64(number-s.first) < int64(len(s.ahead))/size }
	if !ahead() {
		if number-s.lastLeaf > 2 {
			return s.db.pages.page(number)
		}
		if s.buffer == nil {
			s.buffer = make([]byte, pagesAhead*size)
		}
		var err error
		if s.ahead, err = s.db.pages.read(number, s.buffer); err != nil {
			return nil, err
		}
		s.first = number
	}
	page := s.ahead[int64(number-s.first)*size:][:size]
	if page[0] != leafType {
		page = slices.Clone(page)
	}
	return page, nil
}

// leaf collects the rows of a leaf.
func (s *scan) leaf(p treePage, depth int) error {
	if p.cells == 0 && (depth > 0 || s.db.info.Positions > 0) {
		return errEmptyLeaf
	}
	for i := range p.cells {
		row, err := p.row(i)
		if err != nil {
			return err
		}
		if row.Key <= s.last {
			return fmt.Errorf("key %d comes after key %d", row.Key, s.last)
		}
		if row.Key >= s.keys {
			return fmt.Errorf("key %d is not of %s", row.Key, s.db.game)
		}
		if err := checkValue(row.Value, s.cells-s.stones.stones(row.Key)); err != nil {
			return fmt.Errorf("key %d: %w", row.Key, err)
		}
		s.last = row.Key
		s.rows = append(s.rows, row)
	}
	return nil
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
		return d.failed(sql.ErrConnDone)
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
