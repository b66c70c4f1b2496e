package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// small is a game with few positions.
func small() game.Spec { return game.Spec{Width: 2, Height: 2, InRow: 2} }

// contents returns the files of a folder with a hash of their bytes.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return files
}

func TestSameBytes(t *testing.T) {
	rows := benchRows(300_000)
	folder := t.TempDir()
	var files [2][]byte
	for i, name := range []string{"a.db", "longer-name.db"} {
		path := filepath.Join(folder, name)
		w, err := Create(t.Context(), path, benchMeta())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for from, n := 0, 1; from < len(rows); from, n = from+n, n*(3+i) { // batches of other sizes
			if err := w.Rows(rows[from:min(from+n, len(rows))]); err != nil {
				t.Fatal(err)
			}
		}
		gaps := gapRows(0)
		if i == 1 { // in another order
			gaps[0], gaps[5] = gaps[5], gaps[0]
		}
		if err := w.Gaps(gaps); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same rows gave files with different bytes")
	}
	want := []byte("SQLite format 3\x00\x10\x00\x01\x01\x00") // 4096-byte pages, no write-ahead log, none reserved
	if !bytes.HasPrefix(files[0], want) || string(files[0][68:72]) != "oxdb" || files[0][52] != 0 {
		t.Errorf("the header is %q", files[0][:100])
	}
}

func TestCommitReplaces(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	meta := metaOf(small())
	build(t, path, meta, newSearch(small()).rows())
	old := open(t, path)
	meta.Game.Misere = true
	build(t, path, meta, newSearch(meta.Game).rows())
	if diff := cmp.Diff([]string{"a.db"}, names(contents(t, folder))); diff != "" {
		t.Errorf("files in the folder (-want +got):\n%s", diff)
	}
	// Two in a row with x to move: x wins, or loses with misère.
	const key = 2 * (1*27 + 2)
	for _, test := range []struct {
		db   *DB
		name string
		want int8
	}{{old, "2x2x2", 1}, {open(t, path), "2x2x2-misere", -1}} {
		v, ok, err := test.db.Lookup(key)
		if err != nil || !ok || v.Outcome != test.want || test.db.Game().String() != test.name {
			t.Errorf("%s: got %+v, %t, %v in %s, want outcome %d", test.name, v, ok, err, test.db.Game(), test.want)
		}
	}
}

func names(files map[string]string) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	return list
}

// TestFailureLeavesTheOldFile lets a build end in each way that isn't a Commit.
func TestFailureLeavesTheOldFile(t *testing.T) {
	rows := newSearch(small()).rows()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	commit := func(t *testing.T, ctx context.Context, w *Writer, want string) {
		t.Helper()
		if _, err := w.Commit(ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Commit: got error %v, want one with %q", err, want)
		}
	}
	addRows := func(t *testing.T, w *Writer, rows []game.Row, want string) {
		t.Helper()
		err := w.Rows(rows)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Rows: got error %v, want one with %q", err, want)
		}
	}
	addGaps := func(t *testing.T, w *Writer, rows []game.GapRow, want string) {
		t.Helper()
		err := w.Gaps(rows)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Gaps: got error %v, want one with %q", err, want)
		}
	}
	row := func(key game.Key, v game.Value) []game.Row { return []game.Row{{Key: key, Value: v}} }
	valid := game.ValueOf(0, 4, true)
	for _, test := range []struct {
		name string
		run  func(t *testing.T, w *Writer)
	}{
		{"abort at once", func(*testing.T, *Writer) {}},
		{"abort in the middle", func(t *testing.T, w *Writer) { addRows(t, w, rows[:50], "") }},
		{"rows out of order", func(t *testing.T, w *Writer) {
			addRows(t, w, rows[:50], "")
			addRows(t, w, rows[10:11], "keys must ascend")
			addRows(t, w, rows[50:], "keys must ascend")
			addGaps(t, w, gapRows(20), "keys must ascend")
			commit(t, t.Context(), w, "keys must ascend")
		}},
		{"a row twice", func(t *testing.T, w *Writer) {
			addRows(t, w, append(row(4, game.ValueOf(0, 3, true)), row(4, game.ValueOf(0, 3, true))...), "key 4 comes after key 4")
		}},
		{"negative key", func(t *testing.T, w *Writer) { addRows(t, w, row(-1, valid), "key -1 is not of 2x2x2: want 0 to 161") }},
		{"key of a larger board", func(t *testing.T, w *Writer) { addRows(t, w, row(162, valid), "key 162 is not of 2x2x2") }},
		{"outcome against score", func(t *testing.T, w *Writer) {
			addRows(t, w, row(0, game.Value{Outcome: -1, Score: 1, Distance: 4}), "key 0: outcome -1, score 1 and distance 4")
		}},
		{"distance against score", func(t *testing.T, w *Writer) {
			addRows(t, w, row(0, game.Value{Outcome: 1, Score: 1, Distance: 3}), "don't fit a board with 4 empty cells")
		}},
		{"score beyond the board", func(t *testing.T, w *Writer) { addRows(t, w, row(0, game.ValueOf(6, 4, true)), "don't fit") }},
		{"gap too long", func(t *testing.T, w *Writer) {
			addGaps(t, w, gapRows(21), "gap of 21 between the edge and the edge: want a length from 0 to 20")
		}},
		{"gap of negative length", func(t *testing.T, w *Writer) {
			addGaps(t, w, []game.GapRow{{Gap: game.Gap{Length: -1, Left: 'O', Right: 'O'}}}, "want a length")
		}},
		{"gap with a strange end", func(t *testing.T, w *Writer) {
			addGaps(t, w, []game.GapRow{{Gap: game.Gap{Left: 'o', Right: 'O'}}}, "the ends are not")
		}},
		{"negative SG value", func(t *testing.T, w *Writer) {
			addGaps(t, w, []game.GapRow{{Gap: game.Gap{Left: 'X', Right: 'O'}, SG: -1}}, "SG value -1 is not between")
		}},
		{"gaps missing", func(t *testing.T, w *Writer) {
			addRows(t, w, rows, "")
			addGaps(t, w, gapRows(19), "")
			commit(t, t.Context(), w, "180 gaps were given: want 189")
		}},
		{"gap twice", func(t *testing.T, w *Writer) {
			gaps := gapRows(20)
			gaps[7] = gaps[1]
			addGaps(t, w, gaps, "")
			commit(t, t.Context(), w, "gap of 0 between the edge and O was given twice")
		}},
		{"first gap missing", func(t *testing.T, w *Writer) {
			gaps := gapRows(20)
			gaps[0] = gaps[1]
			addGaps(t, w, gaps, "")
			commit(t, t.Context(), w, "gap of 0 between the edge and the edge is missing")
		}},
		{"canceled", func(t *testing.T, w *Writer) {
			addRows(t, w, rows, "")
			addGaps(t, w, gapRows(20), "")
			commit(t, canceled, w, context.Canceled.Error())
			commit(t, t.Context(), w, context.Canceled.Error())
		}},
		{"the new file vanished", func(t *testing.T, w *Writer) {
			addRows(t, w, rows, "")
			addGaps(t, w, gapRows(20), "")
			if err := os.Remove(w.file.temp); err != nil {
				t.Fatal(err)
			}
			commit(t, t.Context(), w, "unable to open database file")
		}},
	} {
		for _, exists := range []bool{true, false} {
			name := test.name + "/nothing there"
			if exists {
				name = test.name + "/old file there"
			}
			t.Run(name, func(t *testing.T) {
				folder := t.TempDir()
				path := filepath.Join(folder, "a.db")
				if exists {
					build(t, path, metaOf(small()), rows)
				}
				before := contents(t, folder)
				w, err := Create(t.Context(), path, metaOf(small()))
				if err != nil {
					t.Fatal(err)
				}
				test.run(t, w)
				if err := w.Abort(); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Errorf("Abort: %v", err)
				}
				if err := w.Abort(); err != nil {
					t.Errorf("a second Abort: %v", err)
				}
				if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
					t.Errorf("the folder changed (-before +after):\n%s", diff)
				}
				if err := w.Rows(rows); err == nil {
					t.Error("Rows after Abort: no error")
				}
				select {
				case <-w.hash.done:
				default:
					t.Error("the goroutine that hashes goes on after Abort")
				}
			})
		}
	}
}

func TestAbortAfterCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	w, err := Create(t.Context(), path, metaOf(small()))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Gaps(gapRows(20)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Errorf("Abort after Commit: %v", err)
	}
	if _, err := w.Commit(t.Context()); err == nil {
		t.Error("a second Commit: no error")
	}
	if db := open(t, path); db.Info().Positions != 0 {
		t.Errorf("an empty table has %d positions", db.Info().Positions)
	}
}

// TestCommitInterrupted ends the context while SQLite checks a large file.
func TestCommitInterrupted(t *testing.T) {
	folder := t.TempDir()
	w, err := Create(t.Context(), filepath.Join(folder, "a.db"), benchMeta())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Rows(benchRows(200_000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Gaps(gapRows(0)); err != nil {
		t.Fatal(err)
	}
	if err := w.finishPages(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() { done <- w.check(ctx) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("check: got %v, want it to be canceled", err)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if files := contents(t, folder); len(files) != 0 {
		t.Errorf("files left: %q", names(files))
	}
}

func TestCreateRefuses(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "thesis.txt")
	if err := os.WriteFile(text, []byte("not a database"), 0o644); err != nil {
		t.Fatal(err)
	}
	noGame, noStrip := metaOf(small()), metaOf(small())
	noGame.Game.Width = 0
	noStrip.StripLength = -1
	for _, test := range []struct {
		name, path string
		meta       Meta
		want       string
		sentinel   error
	}{
		{"folder", folder, metaOf(small()), "there is a folder of that name", nil},
		{"no such folder", filepath.Join(folder, "b", "a.db"), metaOf(small()), "there is no folder " + filepath.Join(folder, "b"), nil},
		{"a file as folder", filepath.Join(text, "a.db"), metaOf(small()), "not a directory", nil},
		{"text", text, metaOf(small()), "it is no SQLite database, so it is not replaced", ErrForeign},
		{"device", os.DevNull, metaOf(small()), "not a plain file", nil},
		{"no game", filepath.Join(folder, "a.db"), noGame, "must each be at least 1", nil},
		{"strip length", filepath.Join(folder, "a.db"), noStrip, "strip length -1", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, err := Create(t.Context(), test.path, test.meta)
			if err == nil {
				w.Abort()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), test.want) || !strings.Contains(test.name+err.Error(), test.path) && strings.Contains(test.want, "folder") {
				t.Errorf("got %q, want it to say %q", err, test.want)
			}
			if test.sentinel != nil && !errors.Is(err, test.sentinel) {
				t.Errorf("got %v, want it to be %v", err, test.sentinel)
			}
			if diff := cmp.Diff([]string{"thesis.txt"}, names(contents(t, folder))); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCreateInReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), filepath.Join(folder, "a.db"), metaOf(small())); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v, want it to be about permission", err)
	}
}

func TestPermissions(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "other")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "a.db")
	build(t, path, metaOf(small()), nil)
	want, err := os.Stat(other)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Errorf("the file's mode is %v, want that of other files, %v", got.Mode(), want.Mode())
	}
}

// TestOddPaths: whatever a path is made of, the file stands under it and nothing beside it.
func TestOddPaths(t *testing.T) {
	rows := newSearch(small()).rows()
	for _, name := range []string{"a?b#c%20d.db", "mode=ro&x", "file:a.db", " ", "ü ö.db", ":memory:", "a;b'c\"d.db", "%"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, name)
			build(t, path, metaOf(small()), rows)
			if _, ok, err := open(t, path).Lookup(0); !ok || err != nil {
				t.Errorf("looking up key 0: %t, %v", ok, err)
			}
			if n := queryLines(t, open(t, path), "SELECT count(*) FROM positions")[0]; n == "0" {
				t.Error("the pool sees no rows")
			}
			if diff := cmp.Diff([]string{name}, names(contents(t, folder))); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLink: a symbolic link goes on leading to the file.
func TestLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target.db"), filepath.Join(folder, "link.db")
	build(t, target, metaOf(small()), nil)
	if err := os.Symlink("target.db", link); err != nil {
		t.Fatal(err)
	}
	build(t, link, metaOf(small()), newSearch(small()).rows())
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
	if open(t, target).Info().Positions == 0 {
		t.Error("the file that the link leads to wasn't replaced")
	}
}

// TestRelativePath builds in the working folder.
func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	build(t, "a.db", metaOf(small()), newSearch(small()).rows())
	if _, ok, err := open(t, "a.db").Lookup(0); !ok || err != nil {
		t.Errorf("looking up key 0: %t, %v", ok, err)
	}
	if diff := cmp.Diff([]string{"a.db"}, names(contents(t, "."))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
