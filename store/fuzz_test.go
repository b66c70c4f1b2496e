package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"oxbase/game"
)

// patched returns a file into which some bytes are written, the last ones left out that go
// beyond its end.
func patched(t *testing.T, data []byte, offset uint32, patch []byte) string {
	t.Helper()
	data = bytes.Clone(data)
	copy(data[int(offset)%len(data):], patch)
	path := filepath.Join(t.TempDir(), "a.db")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// FuzzWhole: what is read whole without an error is what was written.
func FuzzWhole(f *testing.F) {
	ours := bytesOf(f, small())
	rows, gaps := newSearch(small()).rows(), gapRows(20)
	f.Add(uint32(0), []byte("x"))
	f.Add(uint32(9000), []byte{1, 2, 3})
	f.Add(uint32(len(ours)-4000), []byte{9})
	f.Fuzz(func(t *testing.T, offset uint32, patch []byte) {
		db, err := Open(patched(t, ours, offset, patch))
		if err != nil {
			if !decided(err) {
				t.Error(err)
			}
			return
		}
		defer db.Close()
		w := db.Whole()
		var gotRows []game.Row
		var gotGaps []game.GapRow
		err = w.Rows(t.Context(), func(batch []game.Row) error {
			gotRows = append(gotRows, batch...)
			return nil
		})
		if err == nil {
			err = w.Gaps(t.Context(), func(batch []game.GapRow) error {
				gotGaps = append(gotGaps, batch...)
				return nil
			})
		}
		switch {
		case !decided(err):
			t.Error(err)
		case err != nil:
		case len(gotRows) != len(rows) || len(gotGaps) != len(gaps):
			t.Errorf("%d positions and %d gaps, want %d and %d", len(gotRows), len(gotGaps), len(rows), len(gaps))
		default:
			for i, want := range rows {
				if gotRows[i] != want {
					t.Errorf("position %d is %+v, want %+v", i, gotRows[i], want)
				}
			}
			for i, want := range gaps {
				if gotGaps[i] != want {
					t.Errorf("gap %d is %+v, want %+v", i, gotGaps[i], want)
				}
			}
		}
	})
}

// FuzzDamagedSession: SQL on a damaged file has rows or a reason.
func FuzzDamagedSession(f *testing.F) {
	ours := bytesOf(f, small())
	f.Add(uint32(28), []byte{0, 0, 0, 1})
	f.Add(uint32(4096), []byte{5, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, offset uint32, patch []byte) {
		path := patched(t, ours, offset, patch)
		before := readBytes(t, path)
		s, err := OpenSession(t.Context(), path, nil, drawn)
		if err != nil {
			if !decided(err) {
				t.Error(err)
			}
			return
		}
		for _, query := range []string{"SELECT * FROM moves", "SELECT * FROM outcome_counts", "SELECT * FROM strip_sg",
			"SELECT picture(key) FROM positions", "SELECT * FROM game, cells", "PRAGMA integrity_check"} {
			err := s.Query(t.Context(), query, &recorder{})
			if !decided(err) && !errors.As(err, new(*StatementError)) {
				t.Errorf("%s: %v", query, err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: the error %q has more than one line", query, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(before, readBytes(t, path)) {
			t.Error("the file changed")
		}
	})
}

// FuzzMigrate: a damaged file stays as it is, or what its tables held comes out whole.
func FuzzMigrate(f *testing.F) {
	ours := bytesOf(f, small())
	set := with(f, ties)
	rows := newSearch(small()).rows()
	f.Add(uint32(0), []byte{})
	f.Add(uint32(60), []byte{0, 0, 0, 2})
	f.Add(uint32(9000), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, offset uint32, patch []byte) {
		path := patched(t, ours, offset, patch)
		before := readBytes(t, path)
		_, err := Migrate(t.Context(), path, set)
		if !decided(err) {
			t.Error(err)
		}
		if list := listing(t, filepath.Dir(path)); len(list) != 1 && len(list) != 2 { // the lock may stay
			t.Errorf("it leaves %q", list)
		}
		if err != nil {
			if !bytes.Equal(before, readBytes(t, path)) {
				t.Errorf("the file changed though %v", err)
			}
			return
		}
		db, err := openWith(path, set)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, row := range rows {
			if v, ok, err := db.Lookup(row.Key); v != row.Value || !ok || err != nil {
				t.Errorf("key %d: got %+v, %t, %v, want %+v", row.Key, v, ok, err, row.Value)
			}
		}
	})
}

// FuzzParseAttachments: an attachment that is read has a name that SQLite takes, and a path that
// is a part of the text.
func FuzzParseAttachments(f *testing.F) {
	for _, seed := range []string{"a.db", "x=a.db", "./a=b.db", "main=a", "=", "a/b/c", "\x00"} {
		f.Add(seed, "other=b.db")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		list, err := ParseAttachments([]string{first, second})
		if err != nil {
			return
		}
		if len(list) != 2 || strings.EqualFold(list[0].Schema, list[1].Schema) {
			t.Fatalf("got %q, want two of different names", list)
		}
		for i, text := range []string{first, second} {
			a := list[i]
			if a.Schema == "" || a.Path == "" || strings.EqualFold(a.Schema, "main") || strings.EqualFold(a.Schema, "temp") || !strings.HasSuffix(text, a.Path) {
				t.Errorf("%q is read as %q", text, a)
			}
		}
	})
}
