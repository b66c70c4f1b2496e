package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"oxbase/game"
	"oxbase/migrations"
)

// Meta is what a new file says of itself, beside what follows from its rows.
type Meta struct {
	Game        game.Spec
	Turns       game.Turns
	Symmetry    game.Symmetry
	StripLength int    // longest gap with an SG value, in cells
	BuiltBy     string // program and version
	Jobs        int    // connections that check a large file at the same time
}

// Writer builds a file: [Create], then Rows and Gaps in any order, then Commit. It is not safe
// for concurrent use. Memory: some megabytes, and what Gaps gets.
type Writer struct {
	meta  Meta
	game  *game.Game
	file  *pending
	conn  *conn // in a transaction while rows come
	pages *pageBatch
	table *tableWriter

	stones  *stoneCounter
	records valueTable[record]
	hash    *hasher
	count   int64
	last    game.Key
	gaps    []game.GapRow
	err     error // of the first call that failed
}

// Create begins a file that is to stand under a path, or where a link there leads. Nothing there
// changes before Commit. It is an error if the path is a folder or something else that isn't a
// file, if there is a file that isn't ours ([ErrForeign]) or one that another program is changing,
// if its folder isn't there or can't be written, or if another process builds the same file. What
// a process that died while it built the file has left is removed.
func Create(ctx context.Context, path string, meta Meta) (_ *Writer, err error) {
	g, err := game.New(meta.Game)
	if err != nil {
		return nil, err
	}
	if meta.StripLength < 0 || meta.StripLength > math.MaxInt32 {
		return nil, fmt.Errorf("strip length %d: want 0 to %d", meta.StripLength, math.MaxInt32)
	}
	w := &Writer{meta: meta, game: g, last: -1}
	if w.file, err = createPending(path); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("creating %s: %w", path, err)
			err = errors.Join(err, w.Abort())
		}
	}()
	dsn, err := w.file.dataSource()
	if err != nil {
		return nil, err
	}
	all, err := migrations.All()
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, dsn, all); err != nil {
		return nil, err
	}
	if w.conn, err = openConn(dsn); err != nil {
		return nil, err
	}
	if err := w.conn.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	root, err := w.rootPage(ctx, "positions")
	if err != nil {
		return nil, err
	}
	pages, err := w.conn.number(ctx, "PRAGMA page_count")
	if err != nil {
		return nil, err
	}
	if w.pages, err = newPageBatch(w.conn.Conn); err != nil {
		return nil, err
	}
	w.table = newTableWriter(w.pages, root, uint32(pages))
	w.stones = newStoneCounter()
	w.records = newValueTable(g.Cells(), encodeRecord)
	w.hash = newHasher(g.Cells())
	return w, nil
}

// Rows adds positions. The keys must ascend over all calls, fit the game's board and come once
// each. It doesn't keep the slice.
func (w *Writer) Rows(rows []game.Row) error {
	if w.err == nil {
		w.err = w.addRows(rows)
	}
	return w.err
}

func (w *Writer) addRows(rows []game.Row) error {
	cells, keys := w.game.Cells(), w.game.Keys()
	for _, row := range rows {
		if row.Key <= w.last || row.Key >= keys {
			return w.badKey(row.Key)
		}
		if err := checkValue(row.Value, cells-w.stones.stones(row.Key)); err != nil {
			return fmt.Errorf("key %d: %w", row.Key, err)
		}
		record := w.records.at(row.Value)
		if err := w.table.add(int64(row.Key), record.bytes[:record.length]); err != nil {
			return fmt.Errorf("writing %s: %w", w.file.path, err)
		}
		w.last = row.Key
	}
	w.count += int64(len(rows))
	w.hash.rows(rows)
	return nil
}

func (w *Writer) badKey(key game.Key) error {
	if key < 0 || key >= w.game.Keys() {
		return fmt.Errorf("key %d is not of %s: want 0 to %d", key, w.game, w.game.Keys()-1)
	}
	return fmt.Errorf("key %d comes after key %d: keys must ascend", key, w.last)
}

// Gaps adds SG values of gaps. Over all calls each gap up to the strip length comes once, in any
// order. It doesn't keep the slice.
func (w *Writer) Gaps(rows []game.GapRow) error {
	if w.err != nil {
		return w.err
	}
	for _, row := range rows {
		if err := w.checkGap(row); err != nil {
			w.err = err
			return err
		}
	}
	w.gaps = append(w.gaps, rows...)
	return nil
}

func (w *Writer) checkGap(row game.GapRow) error {
	ends := game.Ends()
	switch {
	case row.Length < 0 || row.Length > w.meta.StripLength:
		return fmt.Errorf("%s: want a length from 0 to %d", row.Gap, w.meta.StripLength)
	case !slices.Contains(ends[:], row.Left) || !slices.Contains(ends[:], row.Right):
		return fmt.Errorf("%s: the ends are not '.', 'O' or 'X'", row.Gap)
	case row.SG < 0 || row.SG > math.MaxInt32:
		return fmt.Errorf("%s: SG value %d is not between 0 and %d", row.Gap, row.SG, math.MaxInt32)
	}
	return nil
}

// Commit completes the file, lets SQLite check it, and moves it to its path, where it replaces
// an older one in one step. Whatever goes wrong before that, including the end of ctx, leaves
// the old file as it was and the new one for Abort to remove.
func (w *Writer) Commit(ctx context.Context) (Info, error) {
	info, err := w.commit(ctx)
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return Info{}, err
	}
	w.err = errors.New("the file is already complete")
	return info, nil
}

func (w *Writer) commit(ctx context.Context) (Info, error) {
	if w.err != nil {
		return Info{}, w.err
	}
	steps := []struct {
		what string
		run  func(context.Context) error
	}{
		{"completing positions and strip_sg", w.finishPages},
		{"writing cells and game", w.writeCellsAndGame},
		{"checking the new file", w.check},
		{"closing the new file", func(context.Context) error { return w.closeConn() }},
		{"putting the new file in its place", w.file.publish},
	}
	for _, step := range steps {
		err := ctx.Err()
		if err == nil {
			err = step.run(ctx)
		}
		if err != nil {
			return Info{}, fmt.Errorf("%s: %s: %w", w.file.path, step.what, err)
		}
	}
	info := w.info()
	info.Size = w.file.size
	return info, nil
}

// finishPages completes the tables positions and strip_sg, and opens the file anew for the others.
func (w *Writer) finishPages(ctx context.Context) error {
	if err := w.sortGaps(); err != nil {
		return err
	}
	w.hash.gaps(w.gaps)
	root, err := w.rootPage(ctx, "strip_sg")
	if err != nil {
		return err
	}
	pages, err := w.table.finish()
	if err != nil {
		return err
	}
	if pages, err = writeGapTable(w.pages, root, pages, w.gaps); err != nil {
		return err
	}
	if err := w.pages.finish(ctx, w.conn, pages); err != nil {
		return err
	}
	if err := w.conn.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	if err := w.closeConn(); err != nil {
		return err
	}
	dsn, err := w.file.dataSource()
	if err != nil {
		return err
	}
	w.conn, err = openConn(dsn)
	return err
}

// rootPage returns the number of a table's root page.
func (w *Writer) rootPage(ctx context.Context, table string) (uint32, error) {
	root, err := w.conn.number(ctx, "SELECT rootpage FROM sqlite_schema WHERE name = ?", table)
	return uint32(root), err
}

// sortGaps puts the gaps in the order of their table, and returns an error unless all are there.
func (w *Writer) sortGaps() error {
	if want := 9 * (w.meta.StripLength + 1); len(w.gaps) != want {
		return fmt.Errorf("%d gaps were given: want %d, all from length 0 to %d", len(w.gaps), want, w.meta.StripLength)
	}
	slices.SortFunc(w.gaps, func(a, b game.GapRow) int {
		return cmp.Or(cmp.Compare(a.Length, b.Length), cmp.Compare(a.Left, b.Left), cmp.Compare(a.Right, b.Right))
	})
	ends := game.Ends()
	for i, gap := range w.gaps {
		if i > 0 && gap.Gap == w.gaps[i-1].Gap {
			return fmt.Errorf("%s was given twice", gap.Gap)
		}
		if want := (game.Gap{Length: i / 9, Left: ends[i/3%3], Right: ends[i%3]}); gap.Gap != want {
			return fmt.Errorf("%s is missing", want)
		}
	}
	return nil
}

// writeCellsAndGame writes the tables cells and game. The row of game comes last, in a transaction
// of its own: without it [Open] refuses a file, so that none is opened before it is whole.
func (w *Writer) writeCellsAndGame(ctx context.Context) error {
	if err := w.conn.exec(ctx, "BEGIN"); err != nil {
		return err
	}
	for cell := range w.game.Cells() {
		columns := []any{}
		for _, column := range cellColumns(w.game, cell) {
			columns = append(columns, column)
		}
		err := w.conn.exec(ctx, `INSERT INTO cells(cell, name, row, "column", weight) VALUES (?, ?, ?, ?, ?)`, columns...)
		if err != nil {
			return err
		}
	}
	if err := w.conn.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	info := w.info()
	return w.conn.exec(ctx, "INSERT INTO game VALUES "+placeholders(13, 1), append(info.columns(), info.rowHash())...)
}

// info describes the file, once all its rows are hashed, but for its size.
func (w *Writer) info() Info {
	return Info{
		Name: w.game.String(), Width: w.game.Width, Height: w.game.Height, InRow: w.game.InRow,
		Drop: w.game.Drop, Misere: w.game.Misere,
		Turns: w.meta.Turns, Symmetry: w.meta.Symmetry, StripLength: w.meta.StripLength,
		Positions: w.count, ContentHash: w.hash.hex(), BuiltBy: w.meta.BuiltBy, SchemaVersion: migrations.Version,
	}
}

// check lets SQLite judge the file: the structure of each page, the order of keys, and that each
// column holds what its type says. Then it has to count as many rows as were given.
func (w *Writer) check(ctx context.Context) error {
	w.file.startSync()
	root, err := w.rootPage(ctx, "positions")
	if err != nil {
		return err
	}
	count, parted, err := checkInParts(ctx, w.file.temp, root, w.meta.Jobs)
	tables := []string{""}
	if parted {
		tables = []string{"sqlite_schema", "strip_sg", "game", "cells"}
	}
	for _, table := range tables {
		if err == nil {
			err = integrityCheck(ctx, w.conn, table)
		}
	}
	if err == nil && !parted {
		count, err = w.conn.number(ctx, "SELECT count(*) FROM positions")
	}
	if err == nil && count != w.count {
		err = fmt.Errorf("the file holds %d positions: want %d", count, w.count)
	}
	return err
}

func (w *Writer) closeConn() error {
	if w.conn == nil {
		return nil
	}
	err := w.conn.Close()
	w.conn = nil
	return err
}

// Abort ends the writing and removes what it left beside the path. After a Commit that
// succeeded it does nothing.
func (w *Writer) Abort() error {
	var err error
	if w.hash != nil {
		w.hash.hex()
	}
	if w.pages != nil {
		err = w.pages.close()
	}
	if w.err == nil {
		w.err = errors.New("the writing was aborted")
	}
	return errors.Join(err, w.closeConn(), w.file.remove())
}
