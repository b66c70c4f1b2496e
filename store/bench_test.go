package store

import (
	"crypto/sha256"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"oxbase/game"
)

// benchRows returns rows of a 4x4 board whose keys are about as dense as when every position is
// stored.
func benchRows(n int) []game.Row {
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]game.Row, n)
	key := int64(0)
	for i := range rows {
		key += 1 + random.Int64N(16)
		empty := 16
		for cells := key / 2; cells > 0; cells /= 3 {
			if cells%3 != 0 {
				empty--
			}
		}
		score := int8(random.IntN(2*empty+3) - empty - 1)
		rows[i] = game.Row{Key: game.Key(key), Value: game.ValueOf(score, empty, true)}
	}
	return rows
}

// benchMeta describes a file for benchRows.
func benchMeta() Meta {
	return Meta{Game: game.Spec{Width: 4, Height: 4, InRow: 4}, Turns: game.AnyTurns, Symmetry: game.NoSymmetry, BuiltBy: "oxbase test"}
}

const manyRows = 2_000_000

// perSecond reports a rate of rows or the like.
func perSecond(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), unit)
}

// BenchmarkBulkRows writes rows as a build does, without the checks and the fsync of Commit.
func BenchmarkBulkRows(b *testing.B) {
	rows := benchRows(manyRows)
	for b.Loop() {
		w, err := Create(b.Context(), filepath.Join(b.TempDir(), "a.db"), benchMeta())
		if err != nil {
			b.Fatal(err)
		}
		for from := 0; from < len(rows); from += 4096 {
			if err := w.Rows(rows[from:min(from+4096, len(rows))]); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Gaps(gapRows(0)); err != nil {
			b.Fatal(err)
		}
		if err := w.finishPages(b.Context()); err != nil {
			b.Fatal(err)
		}
		w.hash.hex()
		if err := w.Abort(); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(rows), "rows/s")
}

// BenchmarkPreparedInsert writes the same rows with a prepared INSERT on the driver's connection,
// in one transaction.
func BenchmarkPreparedInsert(b *testing.B) {
	rows := benchRows(manyRows)
	for b.Loop() {
		dsn, db := emptyFile(b, "a.db")
		db.Close()
		c, err := openConn(dsn)
		if err != nil {
			b.Fatal(err)
		}
		insert, err := newLookup(c, "INSERT INTO positions VALUES (?, ?, ?, ?, ?)")
		if err != nil {
			b.Fatal(err)
		}
		insert.args = named(nil, nil, nil, nil, nil)
		if err := c.exec(b.Context(), "BEGIN"); err != nil {
			b.Fatal(err)
		}
		for _, row := range rows {
			for i, n := range []int64{int64(row.Key), int64(row.Outcome), int64(row.Score), int64(row.Distance), int64(digit(row.Reachable))} {
				insert.args[i].Value = n
			}
			if _, err := insert.run(); err != nil {
				b.Fatal(err)
			}
		}
		if err := c.exec(b.Context(), "COMMIT"); err != nil {
			b.Fatal(err)
		}
		if err := insert.stmt.Close(); err != nil {
			b.Fatal(err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(rows), "rows/s")
}

// BenchmarkContentHash computes the content hash of rows on one goroutine.
func BenchmarkContentHash(b *testing.B) {
	rows := benchRows(manyRows)
	for b.Loop() {
		h := newContentHash(16)
		h.rows(rows)
		h.hex()
	}
	perSecond(b, len(rows), "rows/s")
}

// BenchmarkSHA256 is the part of BenchmarkContentHash that no text can be faster than.
func BenchmarkSHA256(b *testing.B) {
	text := make([]byte, 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sha256.Sum256(text)
	}
}

// benchFile writes a file of many rows.
func benchFile(b *testing.B) (string, []game.Row) {
	rows := benchRows(manyRows)
	path := filepath.Join(b.TempDir(), "a.db")
	build(b, path, benchMeta(), rows)
	return path, rows
}

// BenchmarkIntegrityCheck lets SQLite check a file.
func BenchmarkIntegrityCheck(b *testing.B) {
	path, rows := benchFile(b)
	db := open(b, path)
	for b.Loop() {
		if err := integrityCheck(b.Context(), db.conn, ""); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(rows), "rows/s")
}

// BenchmarkRows reads all rows of a file.
func BenchmarkRows(b *testing.B) {
	path, rows := benchFile(b)
	db := open(b, path)
	for b.Loop() {
		if err := db.Rows(b.Context(), func([]game.Row) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(rows), "rows/s")
}

// BenchmarkLookup looks up random keys.
func BenchmarkLookup(b *testing.B) {
	path, rows := benchFile(b)
	db := open(b, path)
	random := rand.New(rand.NewPCG(3, 4))
	for b.Loop() {
		row := rows[random.IntN(len(rows))]
		if v, ok, err := db.Lookup(row.Key); err != nil || !ok || v != row.Value {
			b.Fatalf("key %d: got %+v, %t, %v, want %+v", row.Key, v, ok, err, row.Value)
		}
	}
}

// BenchmarkOpen opens a file, looks one key up and closes it.
func BenchmarkOpen(b *testing.B) {
	path, rows := benchFile(b)
	for b.Loop() {
		db, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := db.Lookup(rows[1000].Key); err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSmallFile writes the file of 3x3x3 with its strip table, checks and fsync included.
func BenchmarkSmallFile(b *testing.B) {
	spec := game.Spec{Width: 3, Height: 3, InRow: 3}
	rows := newSearch(spec).rows()
	meta := metaOf(spec)
	meta.StripLength = 1000
	for b.Loop() {
		build(b, filepath.Join(b.TempDir(), "a.db"), meta, rows)
	}
}
