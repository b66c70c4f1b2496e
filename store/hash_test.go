package store

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"oxbase/game"
)

// plainHash is the content hash as its definition reads.
func plainHash(rows []game.Row, gaps []game.GapRow) string {
	var text strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&text, "%d|%d|%d|%d|%d\n", r.Key, r.Outcome, r.Score, r.Distance, digit(r.Reachable))
	}
	for _, g := range gaps {
		fmt.Fprintf(&text, "%d|%c|%c|%d\n", g.Length, g.Left, g.Right, g.SG)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))
}

func TestContentHash(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var rows []game.Row
	add := func(key int64) {
		empty := random.IntN(40)
		score := int8(random.IntN(2*empty+3) - empty - 1)
		rows = append(rows, game.Row{Key: game.Key(key), Value: game.ValueOf(score, empty, random.IntN(2) == 0)})
	}
	for power := int64(10); power < 1e18; power *= 10 { // where the number of digits changes
		for _, n := range []int64{-2, -1, 0, 1, 10} {
			add(power + n)
		}
	}
	for range 30_000 { // more text than is hashed at a time
		add(random.Int64N(1 << (1 + random.IntN(62))))
	}
	check := func(rows []game.Row, gaps []game.GapRow) {
		t.Helper()
		h := newContentHash(39)
		h.rows(rows[:len(rows)/2])
		h.rows(rows[len(rows)/2:])
		h.gaps(gaps)
		if got, want := h.hex(), plainHash(rows, gaps); got != want {
			t.Fatalf("hash of %d rows and %d gaps: got %s, want %s", len(rows), len(gaps), got, want)
		}
	}
	for n := range 100 {
		check(rows[:n], nil)
		check(rows[n:n+1], gapRows(0))
	}
	check(rows, gapRows(4000))
}

// TestHashOfFile: Commit hashes what it wrote, also if it is more than the batches in flight hold.
func TestHashOfFile(t *testing.T) {
	rows := benchRows(10 * hashRows * hashBatches)
	info := build(t, filepath.Join(t.TempDir(), "a.db"), benchMeta(), rows)
	if want := plainHash(rows, gapRows(0)); info.ContentHash != want {
		t.Errorf("content hash of %d rows: got %s, want %s", len(rows), info.ContentHash, want)
	}
}

// TestHashesBySQLite3 takes both hashes from what the sqlite3 program prints, as the schema says.
func TestHashesBySQLite3(t *testing.T) {
	spec := game.Spec{Width: 3, Height: 3, InRow: 3}
	path := filepath.Join(t.TempDir(), "a.db")
	info := build(t, path, metaOf(spec), newSearch(spec).rows())
	printed := sqliteProgram(t, path, "SELECT * FROM positions ORDER BY key; SELECT * FROM strip_sg ORDER BY length, left, right;")
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(printed))); got != info.ContentHash {
		t.Errorf("content_hash is %s, but the rows hash to %s", info.ContentHash, got)
	}
	row, hash := cutLast(sqliteProgram(t, path, "SELECT * FROM game"))
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(row+"\n"))); got != hash {
		t.Errorf("row_hash is %q, but the row hashes to %s", hash, got)
	}
}

// cutLast cuts the last column off a printed row.
func cutLast(line string) (before, last string) {
	line = strings.TrimSuffix(line, "\n")
	i := strings.LastIndexByte(line, '|')
	return line[:max(i, 0)], line[i+1:]
}
