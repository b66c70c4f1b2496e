package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"oxbase/game"
)

// testValue returns the value of row i of the tables in these tests. Over i it takes each way in
// which SQLite stores a small number: 0 and 1 without bytes, others in one byte, both signs.
func testValue(i int) game.Value {
	scores := []int8{0, 1, -1, 2, -2, 40, -40}
	return game.ValueOf(scores[i%len(scores)], 39+i/7%2, i%3 == 0)
}

// testKeys are sequences of keys: row i's key.
func testKeys() map[string]func(i int) int64 {
	keys := map[string]func(i int) int64{
		"from 0":            func(i int) int64 { return int64(i) },
		"sparse":            func(i int) int64 { return int64(i)*9 + int64(i%5) },
		"up to the largest": func(i int) int64 { return math.MaxInt64 - 1_000_000 + int64(i) },
	}
	for width := 1; width <= 8; width++ {
		// The first key that needs a byte more stands in the middle of a leaf.
		keys[fmt.Sprintf("into %d bytes", width+1)] = func(i int) int64 { return 1<<(7*width) - 100 + int64(i) }
	}
	return keys
}

// boundaries returns numbers of rows around each point where the tree of a table with these keys
// grows in height, up to so many levels above the leaves.
func boundaries(t *testing.T, key func(int) int64, levels int) []int {
	w := newTableWriter(discard{}, 2, 2)
	counts := []int{0, 1, 2}
	shape := 0
	for i := 0; len(w.levels) < levels; i++ {
		record := encodeRecord(testValue(i))
		if err := w.add(key(i), record.bytes[:record.length]); err != nil {
			t.Fatal(err)
		}
		if len(w.levels) != shape {
			// Row i, counted from 0, had no room any more.
			shape = len(w.levels)
			counts = append(counts, i-1, i, i+1, i+2)
		}
	}
	return counts
}

type discard struct{}

func (discard) put(uint32, []byte) error { return nil }

// emptyFile returns a new file with the schema, opened by SQLite as usual.
func emptyFile(t testing.TB, name string) (dsn string, db *sql.DB) {
	dsn, err := dataSource(filepath.Join(t.TempDir(), name), "rwc", "page_size(4096)", "auto_vacuum(NONE)", "synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), dsn, all(t)); err != nil {
		t.Fatal(err)
	}
	return dsn, openSQL(t, dsn)
}

func openSQL(t testing.TB, dsn string) *sql.DB {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// insertRows lets SQLite insert rows, one by one.
func insertRows(t testing.TB, db *sql.DB, key func(int) int64, rows int) {
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	insert, err := tx.Prepare("INSERT INTO positions VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		v := testValue(i)
		if _, err := insert.Exec(key(i), v.Outcome, v.Score, v.Distance, v.Reachable); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// bulkFile returns the name of a file whose positions a tableWriter wrote, on the pages from a
// number on, 0 for the first free one.
func bulkFile(t testing.TB, key func(int) int64, rows int, first uint32) (dsn string) {
	return bulkPages(t, "positions", first, func(sink pageSink, root, last uint32) (uint32, error) {
		w := newTableWriter(sink, root, last)
		for i := range rows {
			record := encodeRecord(testValue(i))
			if err := w.add(key(i), record.bytes[:record.length]); err != nil {
				return 0, err
			}
		}
		return w.finish()
	})
}

// bulkPages returns the name of a file in which a function wrote the pages of a table.
func bulkPages(t testing.TB, table string, first uint32, write func(sink pageSink, root, last uint32) (uint32, error)) (dsn string) {
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dsn, db := emptyFile(t, "bulk.db")
	must(db.Close())
	c, err := openConn(dsn)
	must(err)
	root, err := c.number(ctx, "SELECT rootpage FROM sqlite_schema WHERE name = ?", table)
	must(err)
	last, err := c.number(ctx, "PRAGMA page_count")
	must(err)
	if first != 0 {
		last = int64(first) - 1
	}
	must(c.exec(ctx, "BEGIN"))
	batch, err := newPageBatch(c.Conn)
	must(err)
	pages, err := write(batch, uint32(root), uint32(last))
	must(err)
	must(batch.finish(ctx, c, pages))
	must(c.exec(ctx, "COMMIT"))
	must(c.Close())
	return dsn
}

// queryNumber returns the only column of the only row of a query.
func queryNumber(t testing.TB, db *sql.DB, query string) (n int64) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func execSQL(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// checkIntegrity reports an error unless the file and the one attached to it pass SQLite's check.
func checkIntegrity(t *testing.T, what string, db *sql.DB) {
	t.Helper()
	var text string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&text); err != nil || text != "ok" {
		t.Errorf("%s: integrity check of both files: %s, %v", what, text, err)
	}
}

// checkSame reports an error unless the file and the one attached to it as "bulk" hold the same
// rows and pass SQLite's integrity check.
func checkSame(t *testing.T, what string, db *sql.DB) {
	t.Helper()
	checkIntegrity(t, what, db)
	inserted := queryNumber(t, db, "SELECT count(*) FROM main.positions")
	bulk := queryNumber(t, db, "SELECT count(*) FROM bulk.positions")
	same := queryNumber(t, db, `SELECT count(*) FROM main.positions AS a JOIN bulk.positions AS b ON b.key = a.key
		WHERE a.outcome IS b.outcome AND a.score IS b.score AND a.distance IS b.distance AND a.reachable IS b.reachable`)
	if inserted != bulk || inserted != same {
		t.Errorf("%s: %d rows, and %d rows in the bulk table, of which %d are the same", what, inserted, bulk, same)
	}
}

func TestTableWriterAgainstSQLite(t *testing.T) {
	for name, key := range testKeys() {
		levels := 1
		if !underRace && (name == "sparse" || name == "up to the largest") {
			levels = 2
		}
		t.Run(name, func(t *testing.T) {
			for _, rows := range boundaries(t, key, levels) {
				what := fmt.Sprintf("%d rows", rows)
				_, db := emptyFile(t, "inserted.db")
				insertRows(t, db, key, rows)
				execSQL(t, db, "ATTACH ? AS bulk", bulkFile(t, key, rows, 0))
				checkSame(t, what, db)
				inserted, bulk := queryNumber(t, db, "PRAGMA main.page_count"), queryNumber(t, db, "PRAGMA bulk.page_count")
				if bulk > inserted {
					t.Errorf("%s: the bulk file has %d pages, more than the %d of the other", what, bulk, inserted)
				}
				for _, change := range []string{
					"DELETE FROM %[1]s.positions WHERE key %% 7 = 3",
					"UPDATE %[1]s.positions SET score = -100, distance = 1000 WHERE key %% 11 = 2",
					"INSERT OR IGNORE INTO %[1]s.positions SELECT key / 2 + 1, outcome, score, distance, reachable FROM %[1]s.positions WHERE key %% 3 = 0",
					"INSERT OR REPLACE INTO %[1]s.positions SELECT key + 1, 0, 5, 6, 1 FROM %[1]s.positions WHERE key %% 13 = 0",
					"DELETE FROM %[1]s.positions WHERE key IN (SELECT key FROM %[1]s.positions ORDER BY key LIMIT %[2]d)",
				} {
					for _, file := range []string{"main", "bulk"} {
						execSQL(t, db, fmt.Sprintf(change, file, rows/2))
					}
				}
				checkSame(t, what+", after SQLite changed them", db)
			}
		})
	}
}

// TestTableWriterBeyondLockPage lets a table begin just before the page that SQLite locks. The
// file is sparse, and SQLite is asked about the table only, since no page before it is used.
func TestTableWriterBeyondLockPage(t *testing.T) {
	key := testKeys()["sparse"]
	const rows = 2000
	for before := range uint32(4) {
		what := fmt.Sprintf("%d pages before the lock page", before)
		_, db := emptyFile(t, "inserted.db")
		insertRows(t, db, key, rows)
		execSQL(t, db, "ATTACH ? AS bulk", bulkFile(t, key, rows, lockPage-before))
		var text string
		if err := db.QueryRow("PRAGMA bulk.integrity_check(positions)").Scan(&text); err != nil || text != "ok" {
			t.Errorf("%s: integrity check: %s, %v", what, text, err)
		}
		same := queryNumber(t, db, "SELECT count(*) FROM main.positions JOIN bulk.positions USING (key, outcome, score, distance, reachable)")
		if same != rows {
			t.Errorf("%s: %d rows are right, want %d", what, same, rows)
		}
	}
}

// treeCheck is a sink that checks interior pages as they come, with leaves that it only knows
// by number. It remembers, of pages without a parent, the largest key and the rows below.
type treeCheck struct {
	t       *testing.T
	orphans map[uint32]child
	levels  map[uint32]int
	last    uint32
}

func (c *treeCheck) put(number uint32, page []byte) error {
	if number == lockPage {
		c.t.Fatalf("the lock page %d was used", number)
	}
	if number > c.last {
		if number != c.last+1 && number-1 != lockPage {
			c.t.Fatalf("page %d comes after page %d", number, c.last)
		}
		c.last = number
	}
	cells := int(binary.BigEndian.Uint16(page[3:]))
	if page[0] != 5 || cells == 0 {
		c.t.Fatalf("page %d is of type %d with %d cells: want an interior page with a cell", number, page[0], cells)
	}
	level, key := -1, int64(-1)
	adopt := func(page uint32, bound int64) {
		child, ok := c.orphans[page]
		if !ok || bound >= 0 && child.key != bound || child.key <= key {
			c.t.Fatalf("page %d: child %d with keys to %d, known %t, wanted up to %d and after %d", number, page, child.key, ok, bound, key)
		}
		if level >= 0 && c.levels[page] != level {
			c.t.Fatalf("page %d: children of levels %d and %d", number, level, c.levels[page])
		}
		key, level = child.key, c.levels[page]
		delete(c.orphans, page)
		delete(c.levels, page)
	}
	for i := range cells {
		cell := page[binary.BigEndian.Uint16(page[interiorHeader+2*i:]):]
		bound, _ := getVarint(cell[4:])
		adopt(binary.BigEndian.Uint32(cell), int64(bound))
	}
	adopt(binary.BigEndian.Uint32(page[8:]), -1)
	c.orphans[number] = child{number, key}
	c.levels[number] = level + 1
	return nil
}

// TestInteriorLevels builds the interior pages above so many leaves that there are up to three
// levels of them, on both sides of the lock page, and checks that each page has its children and
// each child one parent.
func TestInteriorLevels(t *testing.T) {
	const top = 272 // children of a full page with keys of nine bytes
	for _, leaves := range []int{
		2, 3, top - 1, top, top + 1, top + 2, 2 * top, 2*top + 1, 2*top + 2,
		top*top - 1, top * top, top*top + 1, top*top + 2, top*top + top, top*top + top + 1, 2*top*top + 2,
	} {
		c := &treeCheck{t: t, orphans: map[uint32]child{}, levels: map[uint32]int{}, last: lockPage - 100}
		w := newTableWriter(c, 2, c.last)
		for i := range leaves {
			leaf := child{w.nextPage(), 1<<56 + int64(i)*200}
			c.last, c.orphans[leaf.page], c.levels[leaf.page] = leaf.page, leaf, 0
			if err := w.addChild(0, leaf); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.finishLevels(); err != nil {
			t.Fatal(err)
		}
		if len(c.orphans) != 1 || c.orphans[w.root].page != w.root {
			t.Errorf("%d leaves: %d pages without a parent, want the root only", leaves, len(c.orphans))
		}
		// The last page of a level takes one child more than the others.
		want := 1
		for room := top + 1; room < leaves; room = top*room + 1 {
			want++
		}
		if got := len(w.levels); got != want {
			t.Errorf("%d leaves: %d levels above them, want %d", leaves, got, want)
		}
	}
}

func TestVarint(t *testing.T) {
	for width := 1; width <= 9; width++ {
		first, last := int64(1)<<(7*(width-1)), int64(1)<<(7*min(width, 8))-1
		if width == 1 {
			first = 0
		}
		if width == 9 {
			last = math.MaxInt64
		}
		for _, n := range []int64{first, first + 1, (first + last) / 2, last - 1, last} {
			var b [10]byte
			if got := varintSize(n); got != width {
				t.Errorf("varintSize(%d) = %d, want %d", n, got, width)
			}
			putVarint(b[:], n, width)
			if got, length := getVarint(b[:]); int64(got) != n || length != width {
				t.Errorf("varint of %d reads back as %d of %d bytes", n, got, length)
			}
			if _, length := getVarint(b[:width-1]); length != 0 {
				t.Errorf("varint of %d without its last byte reads as %d bytes", n, length)
			}
		}
	}
}
