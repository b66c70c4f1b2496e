package store

import (
	"database/sql"
	"fmt"
	"sort"
	"testing"

	"oxbase/game"
)

// wideGaps returns rows of strip_sg, in order, whose numbers take each width that SQLite has for
// them.
func wideGaps(n int) []game.GapRow {
	widths := []int{0, 1, 2, 1<<7 - 1, 1 << 7, 1<<15 - 1, 1 << 15, 1<<23 - 1, 1 << 23, 1<<31 - 1}
	rows := gapRows(n / 9)[:n]
	for i := range rows {
		rows[i].SG = widths[i%len(widths)]
		if rows[i].Length > n/18 { // the second half is much longer, from three bytes into four
			rows[i].Length += 1<<23 - n/12
		}
	}
	return rows
}

// gapLevels returns the number of levels of the tree of so many rows.
func gapLevels(n int) int {
	levels, rows := 1, wideGaps(n)
	for spans := packGaps(rows, false); len(spans) > 1; spans = packGaps(rows, true) {
		var above []game.GapRow
		for _, s := range spans[:len(spans)-1] {
			above = append(above, rows[s.to])
		}
		levels, rows = levels+1, above
	}
	return levels
}

// bulkGapFile returns the name of a file whose strip_sg writeGapTable wrote.
func bulkGapFile(t testing.TB, rows []game.GapRow) (dsn string) {
	return bulkPages(t, "strip_sg", 0, func(sink pageSink, root, last uint32) (uint32, error) {
		return writeGapTable(sink, root, last, rows)
	})
}

// TestGapTableAgainstSQLite writes strip_sg with numbers of rows around each at which its tree
// gets a level more, and around some at which it gets a leaf more.
func TestGapTableAgainstSQLite(t *testing.T) {
	counts := []int{0, 1, 2}
	for _, levels := range []int{2, 3} {
		if levels == 3 && underRace {
			break
		}
		n := sort.Search(80_000, func(n int) bool { return gapLevels(n) >= levels })
		counts = append(counts, n-1, n, n+1, n+2)
	}
	for n, leaves := 3, 1; n < 2000; n++ {
		if l := len(packGaps(wideGaps(n), false)); l != leaves {
			leaves = l
			counts = append(counts, n-1, n, n+1)
		}
	}
	for _, n := range counts {
		what := fmt.Sprintf("%d rows", n)
		rows := wideGaps(n)
		_, db := emptyFile(t, "inserted.db")
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			_, err := tx.Exec("INSERT INTO strip_sg VALUES (?, ?, ?, ?)", row.Length, string(rune(row.Left)), string(rune(row.Right)), row.SG)
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		execSQL(t, db, "ATTACH ? AS bulk", bulkGapFile(t, rows))
		checkSameGaps(t, what, db)
		inserted, bulk := queryNumber(t, db, "PRAGMA main.page_count"), queryNumber(t, db, "PRAGMA bulk.page_count")
		if bulk > inserted {
			t.Errorf("%s: the bulk file has %d pages, more than the %d of the other", what, bulk, inserted)
		}
		for _, change := range []string{
			"DELETE FROM %s.strip_sg WHERE sg = 1 OR length %% 5 = 3",
			"UPDATE %s.strip_sg SET length = length + 1000000, sg = sg / 2 WHERE length %% 7 = 1",
			"INSERT OR IGNORE INTO %[1]s.strip_sg SELECT length / 2, left, right, sg + 1000 FROM %[1]s.strip_sg",
		} {
			for _, file := range []string{"main", "bulk"} {
				execSQL(t, db, fmt.Sprintf(change, file))
			}
		}
		checkSameGaps(t, what+", after SQLite changed them", db)
	}
}

// checkSameGaps reports an error unless the file and the one attached to it as "bulk" hold the
// same rows of strip_sg and pass SQLite's integrity check.
func checkSameGaps(t *testing.T, what string, db *sql.DB) {
	t.Helper()
	checkIntegrity(t, what, db)
	inserted := queryNumber(t, db, "SELECT count(*) FROM main.strip_sg")
	bulk := queryNumber(t, db, "SELECT count(*) FROM bulk.strip_sg")
	same := queryNumber(t, db, "SELECT count(*) FROM main.strip_sg JOIN bulk.strip_sg USING (length, left, right, sg)")
	if inserted != bulk || inserted != same {
		t.Errorf("%s: %d rows, and %d rows in the bulk table, of which %d are the same", what, inserted, bulk, same)
	}
}

// TestGapWidths: a record is as SQLite writes it, for each width of a number.
func TestGapWidths(t *testing.T) {
	for _, test := range []struct {
		n    int
		kind byte
		body string
	}{
		{0, 8, ""}, {1, 9, ""}, {2, 1, "\x02"}, {127, 1, "\x7f"}, {128, 2, "\x00\x80"}, {32767, 2, "\x7f\xff"},
		{32768, 3, "\x00\x80\x00"}, {1<<23 - 1, 3, "\x7f\xff\xff"}, {1 << 23, 4, "\x00\x80\x00\x00"}, {1<<31 - 1, 4, "\x7f\xff\xff\xff"},
	} {
		if kind, body := appendNumber(nil, test.n); kind != test.kind || string(body) != test.body {
			t.Errorf("%d: got type %d and %q, want type %d and %q", test.n, kind, body, test.kind, test.body)
		}
	}
}
