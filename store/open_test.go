package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// bytesOf returns the bytes of a file with all positions of a game.
func bytesOf(t testing.TB, spec game.Spec) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(spec), newSearch(spec).rows())
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// changed returns the path of a file that other hands changed through SQL.
func changed(t testing.TB, data []byte, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	dsn, err := dataSource(path, "rwc")
	if err != nil {
		t.Fatal(err)
	}
	db := openSQL(t, dsn)
	for _, statement := range statements {
		execSQL(t, db, statement)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenRefuses(t *testing.T) {
	ours := bytesOf(t, small())
	folder := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	patched := func(name string, offset int, value uint32) string {
		data := append([]byte(nil), ours...)
		binary.BigEndian.PutUint32(data[offset:], value)
		return file(name, data)
	}
	row := func(set string) string {
		return changed(t, ours, "UPDATE game SET "+set)
	}
	for _, test := range []struct {
		name, path, want string
		sentinel         error
	}{
		{"missing", filepath.Join(folder, "missing.db"), "no such file", ErrNotFound},
		{"missing folder", filepath.Join(folder, "b", "missing.db"), "no such file", ErrNotFound},
		{"folder", folder, "it is a folder", ErrForeign},
		{"device", os.DevNull, "it is not a plain file", ErrForeign},
		{"empty", file("empty", nil), "it is empty", ErrForeign},
		{"text", file("text", []byte(strings.Repeat("Hello!\n", 100))), "it is no SQLite database", ErrForeign},
		{"short text", file("short", []byte("x")), "it is no SQLite database", ErrForeign},
		{"half a header", file("half", ours[:60]), "cut off after 60 bytes", ErrForeign},
		{"another program's database", changed(t, nil, "CREATE TABLE t(x)"), "another program's SQLite database", ErrForeign},
		{"header only", file("header", ours[:100]), fmt.Sprintf("cut off after 100 of %d bytes", len(ours)), ErrDamaged},
		{"last byte missing", file("last", ours[:len(ours)-1]), fmt.Sprintf("cut off after %d of", len(ours)-1), ErrDamaged},
		{"older schema", patched("older", 60, 0), `the file has 0, which no oxbase has ever made: build it again with "oxbase build"`, ErrVersion},
		{"newer schema", patched("newer", 60, 7), "the file has 7 and this oxbase knows up to 1: update oxbase", ErrVersion},
		{"negative schema", patched("negative", 60, 1<<31), "build it again", ErrVersion},
		{"write-ahead log", changed(t, ours, "PRAGMA journal_mode = WAL"), "changed its journal mode", ErrDamaged},
		{"no schema", file("zeros", append(append([]byte(nil), ours[:100]...), make([]byte, len(ours)-100)...)), "", ErrDamaged},
		{"no table game", changed(t, ours, "DROP TABLE game"), "the table game is missing", ErrDamaged},
		{"no table positions", changed(t, ours, "DROP VIEW moves", "DROP VIEW boards", "DROP VIEW outcome_counts", "DROP TABLE positions"), "the table positions is missing", ErrDamaged},
		{"no game", changed(t, ours, "DELETE FROM game"), "no row where one was wanted", ErrDamaged},
		{"two games", changed(t, ours, "INSERT INTO game SELECT * FROM game"), "several rows where one was wanted", ErrDamaged},
		{"another game", row("in_row = 3"), "doesn't fit its row_hash", ErrDamaged},
		{"another hash", row("row_hash = 'x'"), "doesn't fit its row_hash", ErrDamaged},
		{"a column of another type", changed(t, ours, "CREATE TABLE g AS SELECT * FROM game", "DROP TABLE game", "CREATE TABLE game AS SELECT * FROM g", "UPDATE game SET width = 'wide'"), "the table game is not as oxbase makes it", ErrDamaged},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Dir(test.path)
			before := []string(nil)
			if _, err := os.Stat(dir); err == nil {
				before = listing(t, dir)
			}
			db, err := Open(test.path)
			if err == nil {
				db.Close()
				t.Fatal("no error")
			}
			if !errors.Is(err, test.sentinel) || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), test.path+": ") {
				t.Errorf("got %q, want %q after the path, and it to be %q", err, test.want, test.sentinel)
			}
			for _, other := range []error{ErrNotFound, ErrForeign, ErrVersion, ErrDamaged} {
				if other != test.sentinel && errors.Is(err, other) {
					t.Errorf("%q is %q too", err, other)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has more than one line", err)
			}
			if before != nil {
				if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
					t.Errorf("files beside it (-before +after):\n%s", diff)
				}
			}
		})
	}
}

// listing returns the names in a folder.
func listing(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// TestContradictions holds rows of game against each other that have the right hash.
func TestContradictions(t *testing.T) {
	ours := bytesOf(t, small())
	db := open(t, changed(t, ours))
	for name, change := range map[string]func(*Info){
		"name":                func(i *Info) { i.Name = "3x3x3" },
		"no columns":          func(i *Info) { i.Width = 0 },
		"too large":           func(i *Info) { i.Width = 1 << 40 },
		"turns":               func(i *Info) { i.Turns = "some" },
		"symmetry":            func(i *Info) { i.Symmetry = "" },
		"strip length":        func(i *Info) { i.StripLength = -1 },
		"number of positions": func(i *Info) { i.Positions = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			info := db.Info()
			change(&info)
			path := changed(t, ours)
			dsn, err := dataSource(path, "rw")
			if err != nil {
				t.Fatal(err)
			}
			sqlDB := openSQL(t, dsn)
			execSQL(t, sqlDB, "DELETE FROM game")
			execSQL(t, sqlDB, "INSERT INTO game VALUES "+placeholders(13, 1), append(info.columns(), info.rowHash())...)
			if err := sqlDB.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v, want it to be %v", err, ErrDamaged)
			}
		})
	}
}

// useAll calls everything that reads a file and returns the first error.
func useAll(ctx context.Context, path string) error {
	db, err := Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	for key := range db.Game().Keys() {
		if _, _, err := db.Lookup(key); err != nil {
			return err
		}
	}
	if err := db.Rows(ctx, func([]game.Row) error { return nil }); err != nil {
		return err
	}
	for _, gap := range gapRows(db.Info().StripLength) {
		if _, _, err := db.Gap(gap.Gap); err != nil {
			return err
		}
	}
	return db.Gaps(ctx, func([]game.GapRow) error { return nil })
}

func TestReadingDamagedTables(t *testing.T) {
	ours := bytesOf(t, small())
	lookup := func(db *DB) error { _, _, err := db.Lookup(0); return err }
	gap := func(db *DB) error { _, _, err := db.Gap(game.Gap{Length: 1, Left: 'O', Right: 'X'}); return err }
	rows := func(db *DB) error { return db.Rows(t.Context(), func([]game.Row) error { return nil }) }
	gaps := func(db *DB) error { return db.Gaps(t.Context(), func([]game.GapRow) error { return nil }) }
	for _, test := range []struct {
		name, change string
		read         map[string]func(*DB) error
		want         string
	}{
		{"outcome", "UPDATE positions SET outcome = -1 WHERE key = 0", map[string]func(*DB) error{"Lookup": lookup, "Rows": rows}, "key 0"},
		{"score", "UPDATE positions SET score = 40 WHERE key = 0", map[string]func(*DB) error{"Lookup": lookup, "Rows": rows}, "key 0"},
		{"distance", "UPDATE positions SET distance = 4 WHERE key = 0", map[string]func(*DB) error{"Lookup": lookup, "Rows": rows}, "key 0"},
		{"reachable", "UPDATE positions SET reachable = 2 WHERE key = 0", map[string]func(*DB) error{"Lookup": lookup, "Rows": rows}, "reachable is 2"},
		{"large score", "UPDATE positions SET score = 257 WHERE key = 0", map[string]func(*DB) error{"Lookup": lookup, "Rows": rows}, "small number"},
		{"larger distance", "UPDATE positions SET distance = 1 << 40 WHERE key = 0", map[string]func(*DB) error{"Lookup": lookup, "Rows": rows}, "small number"},
		{"row missing", "DELETE FROM positions WHERE key = 10", map[string]func(*DB) error{"Rows": rows}, "positions: want"},
		{"all rows missing", "DELETE FROM positions", map[string]func(*DB) error{"Rows": rows}, "empty leaf"},
		{"row too many", "INSERT INTO positions VALUES (1000, 0, 0, 0, 1)", map[string]func(*DB) error{"Rows": rows}, "key 1000 is not of 2x2x2"},
		{"negative key", "INSERT INTO positions VALUES (-5, 0, 0, 0, 1)", map[string]func(*DB) error{"Rows": rows}, "key -5"},
		{"SG value", "UPDATE strip_sg SET sg = -1", map[string]func(*DB) error{"Gap": gap, "Gaps": gaps}, "-1"},
		{"gap missing", "DELETE FROM strip_sg WHERE length = 7 AND left = '.' AND right = '.'", map[string]func(*DB) error{"Gaps": gaps}, "188 gaps of 0 to 20 cells: want 189"},
		{"strange end", "UPDATE strip_sg SET left = 'OO' WHERE left = 'O'", map[string]func(*DB) error{"Gaps": gaps}, "strip_sg"},
	} {
		for name, read := range test.read {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				err := read(open(t, changed(t, ours, test.change)))
				if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want it to be %v with %q", err, ErrDamaged, test.want)
				}
			})
		}
	}
}

// TestTruncated cuts a file at each page, once as it is and once with a header that knows.
func TestTruncated(t *testing.T) {
	ours := bytesOf(t, game.Spec{Width: 3, Height: 2, InRow: 3})
	for pages := 1; pages < len(ours)/pageSize; pages++ {
		for _, admitted := range []bool{false, true} {
			data := append([]byte(nil), ours[:pages*pageSize]...)
			if admitted {
				binary.BigEndian.PutUint32(data[28:], uint32(pages))
			}
			path := filepath.Join(t.TempDir(), "a.db")
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := useAll(t.Context(), path); !errors.Is(err, ErrDamaged) {
				t.Errorf("%d pages, header admits it %t: got %v, want it to be %v", pages, admitted, err, ErrDamaged)
			}
		}
	}
}

// decided reports whether an error of a damaged file is one of those that say so.
func decided(err error) bool {
	return err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion)
}

// TestFlippedBytes changes bytes at random: each time everything reads to its end or to an error
// that says what is wrong.
func TestFlippedBytes(t *testing.T) {
	ours := bytesOf(t, small())
	random := rand.New(rand.NewPCG(7, 8))
	path := filepath.Join(t.TempDir(), "a.db")
	for range 300 {
		data := append([]byte(nil), ours...)
		offset, value := random.IntN(len(data)), byte(random.IntN(256))
		data[offset] = value
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := useAll(t.Context(), path); !decided(err) {
			t.Errorf("byte %d set to %d: %v", offset, value, err)
		}
	}
}

func FuzzDamaged(f *testing.F) {
	ours := bytesOf(f, small())
	f.Add(uint32(0), []byte("x"))
	f.Add(uint32(28), []byte{0, 0, 0, 1})
	f.Add(uint32(4096), []byte{5, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, offset uint32, patch []byte) {
		data := append([]byte(nil), ours...)
		copy(data[int(offset)%len(data):], patch)
		path := filepath.Join(t.TempDir(), "a.db")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := useAll(t.Context(), path); !decided(err) {
			t.Error(err)
		}
	})
}

// FuzzParseCell: a cell that is read is what encodeRecord and putVarint write.
func FuzzParseCell(f *testing.F) {
	f.Add([]byte{7, 5, 6, 0, 8, 8, 1, 9, 9}, 0)
	f.Add([]byte{9, 0x81, 5, 6, 0, 1, 1, 1, 9, 0xff, 0xfd, 3}, 0)
	f.Add([]byte{}, 0)
	f.Fuzz(func(t *testing.T, page []byte, at int) {
		if at < 0 || at > len(page) {
			return
		}
		row, err := parseCell(page[at:])
		if err != nil || row.Key < 0 {
			return
		}
		record := encodeRecord(row.Value)
		key := make([]byte, varintSize(int64(row.Key)))
		putVarint(key, int64(row.Key), len(key))
		cell := append(append([]byte{byte(record.length)}, key...), record.bytes[:record.length]...)
		again, err := parseCell(cell)
		if err != nil || again != row {
			t.Errorf("%+v reads back as %+v, %v", row, again, err)
		}
	})
}

// TestReadingLeavesNoTrace: reading changes no byte and leaves no file.
func TestReadingLeavesNoTrace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	build(t, path, metaOf(small()), newSearch(small()).rows())
	before := contents(t, folder)
	if err := useAll(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := queryLines(t, db, "SELECT count(*) FROM moves, outcome_counts"); len(lines) != 1 {
		t.Errorf("got lines %q", lines)
	}
	for _, statement := range []string{"DELETE FROM positions", "CREATE TABLE t(x)", "PRAGMA user_version = 9", "PRAGMA journal_mode = WAL", "VACUUM"} {
		if _, err := db.SQL().Exec(statement); err == nil && !strings.Contains(statement, "journal_mode") {
			t.Errorf("%s: no error", statement)
		}
	}
	if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
		t.Errorf("the folder while it is open (-before +after):\n%s", diff)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if _, _, err := db.Lookup(0); !errors.Is(err, sql.ErrConnDone) {
		t.Errorf("Lookup after Close: got %v, want %v", err, sql.ErrConnDone)
	}
	if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
		t.Errorf("the folder afterwards (-before +after):\n%s", diff)
	}
}

func TestScanStops(t *testing.T) {
	spec := game.Spec{Width: 3, Height: 3, InRow: 3}
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(spec), newSearch(spec).rows())
	db := open(t, path)
	stop := errors.New("enough")
	calls := 0
	if err := db.Rows(t.Context(), func([]game.Row) error { calls++; return stop }); err != stop || calls != 1 {
		t.Errorf("Rows: got %v after %d calls, want yield's error after one", err, calls)
	}
	if err := db.Gaps(t.Context(), func([]game.GapRow) error { return stop }); err != stop {
		t.Errorf("Gaps: got %v, want yield's error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls = 0
	err := db.Rows(ctx, func([]game.Row) error { calls++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("Rows: got %v after %d calls, want it to be canceled after one", err, calls)
	}
	if err := db.Gaps(ctx, func([]game.GapRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Gaps: got %v, want it to be canceled", err)
	}
}

// TestConcurrentReaders looks everything up on several goroutines while others scan.
func TestConcurrentReaders(t *testing.T) {
	rows := newSearch(small()).rows()
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(small()), rows)
	db := open(t, path)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				for _, row := range rows {
					if v, ok, err := db.Lookup(row.Key); v != row.Value || !ok || err != nil {
						t.Errorf("key %d: got %+v, %t, %v, want %+v", row.Key, v, ok, err, row.Value)
						return
					}
				}
				if i%4 == 0 {
					count := 0
					err := db.Rows(t.Context(), func(batch []game.Row) error { count += len(batch); return nil })
					if err != nil || count != len(rows) {
						t.Errorf("Rows: %d rows, %v, want %d", count, err, len(rows))
					}
				}
			}
		})
	}
	group.Wait()
}

// TestCloseWhileReading closes a file under readers: each look-up is answered, or says that the file
// is closed.
func TestCloseWhileReading(t *testing.T) {
	rows := newSearch(small()).rows()
	db := open(t, fileOf(t, bytesOf(t, small())))
	var group sync.WaitGroup
	answered := make(chan struct{}, 4)
	for range cap(answered) {
		group.Go(func() {
			for i := 0; ; i++ {
				row := rows[i%len(rows)]
				v, ok, err := db.Lookup(row.Key)
				if i == 0 {
					answered <- struct{}{}
				}
				if errors.Is(err, sql.ErrConnDone) {
					return
				}
				if v != row.Value || !ok || err != nil {
					t.Errorf("key %d: got %+v, %t, %v, want %+v", row.Key, v, ok, err, row.Value)
					return
				}
			}
		})
	}
	for range cap(answered) {
		<-answered
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	group.Wait()
}
