package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	tempName = ".a.db.oxbase.tmp"
	lockName = ".a.db.oxbase.lock"
)

// begin begins a build that is aborted when the test ends.
func begin(t *testing.T, path string) *Writer {
	t.Helper()
	w, err := Create(t.Context(), path, metaOf(small()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Abort() })
	return w
}

// fill gives a build all that it lacks before Commit.
func fill(t *testing.T, w *Writer) {
	t.Helper()
	if err := w.Rows(newSearch(w.meta.Game).rows()); err != nil {
		t.Fatal(err)
	}
	if err := w.Gaps(gapRows(w.meta.StripLength)); err != nil {
		t.Fatal(err)
	}
}

// write writes a file that was changed at some time.
func write(t *testing.T, path, text string, changed time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
}

// jumps are times that a file may bear after the clock was wrong.
func jumps() map[string]time.Time {
	return map[string]time.Time{"1970": time.Unix(0, 0), "2100": time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), "now": time.Now()}
}

// TestDeadBuildIsCleanedUp: whatever the clock said when a build died, the next one removes what
// it has left, and nothing else.
func TestDeadBuildIsCleanedUp(t *testing.T) {
	for name, changed := range jumps() {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, filepath.Join(folder, tempName), "half a file", changed)
			write(t, filepath.Join(folder, lockName), "", changed)
			others := []string{".b.db.oxbase.lock", ".b.db.oxbase.tmp", "a.db.oxbase.tmp"}
			for _, other := range others {
				write(t, filepath.Join(folder, other), "another's", changed)
			}
			build(t, filepath.Join(folder, "a.db"), metaOf(small()), newSearch(small()).rows())
			if diff := cmp.Diff(append(others, "a.db"), listing(t, folder), sorted()); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// sorted compares lists of names in whatever order.
func sorted() cmp.Option {
	return cmp.Transformer("sorted", func(names []string) []string { return slices.Sorted(slices.Values(names)) })
}

// TestStrangeLeftovers: where what a dead build has left should be, there is something else.
func TestStrangeLeftovers(t *testing.T) {
	for _, name := range []string{tempName, lockName} {
		t.Run("link/"+name, func(t *testing.T) {
			folder := t.TempDir()
			precious := filepath.Join(folder, "precious")
			write(t, precious, "precious", time.Now())
			if err := os.Symlink("precious", filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
			w, err := Create(t.Context(), filepath.Join(folder, "a.db"), metaOf(small()))
			if err == nil {
				defer w.Abort()
				fill(t, w)
				if _, err := w.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
			} else if name == tempName {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(precious); string(text) != "precious" || err != nil {
				t.Errorf("what the link leads to holds %q, %v", text, err)
			}
		})
		t.Run("folder/"+name, func(t *testing.T) {
			folder := t.TempDir()
			inside := filepath.Join(folder, name, "inside")
			if err := os.MkdirAll(inside, 0o777); err != nil {
				t.Fatal(err)
			}
			if w, err := Create(t.Context(), filepath.Join(folder, "a.db"), metaOf(small())); err == nil {
				w.Abort()
				t.Error("Create: no error")
			}
			if diff := cmp.Diff([]string{name}, listing(t, folder)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(inside); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOneBuildAtATime: while one build of a file lives, another is refused, under whatever name,
// and leaves what the first one has, however old that looks.
func TestOneBuildAtATime(t *testing.T) {
	for name, changed := range jumps() {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path, link := filepath.Join(folder, "a.db"), filepath.Join(folder, "link.db")
			if err := os.Symlink("a.db", link); err != nil {
				t.Fatal(err)
			}
			first := begin(t, path)
			for _, name := range []string{tempName, lockName} {
				if err := os.Chtimes(filepath.Join(folder, name), changed, changed); err != nil {
					t.Fatal(err)
				}
			}
			for _, alias := range []string{path, link, filepath.Join(folder, ".", "a.db")} {
				second, err := Create(t.Context(), alias, metaOf(small()))
				if err == nil {
					second.Abort()
					t.Fatalf("a second build as %s: no error", alias)
				}
				if !errors.Is(err, errLocked) || !strings.Contains(err.Error(), path+": another oxbase is writing this file") {
					t.Errorf("a second build as %s: got %v", alias, err)
				}
			}
			other := begin(t, filepath.Join(folder, "b.db"))
			fill(t, first)
			if _, err := first.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := other.Abort(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff([]string{"a.db", "link.db"}, listing(t, folder)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if err := begin(t, path).Abort(); err != nil {
				t.Errorf("a build afterwards: %v", err)
			}
		})
	}
}

// TestLockIsHeldByOne lets goroutines take and release a lock, and with it its file, as fast as
// they can.
func TestLockIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var holders, taken atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 500 {
				l, err := takeLock(path)
				if errors.Is(err, errLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				holders.Add(-1)
				if err := l.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if taken.Load() == 0 {
		t.Error("nobody got the lock")
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of the lock is left: %v", err)
	}
}

// TestTargetChangesMeanwhile: what comes to stand under the path while a file is built is treated
// as if it had been there before.
func TestTargetChangesMeanwhile(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(path string) error
		want   string
		left   []string
	}{
		{"another program's file", func(path string) error { return os.WriteFile(path, []byte("my notes"), 0o644) }, "no SQLite database", []string{"a.db"}},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o777) }, "there is a folder of that name", []string{"a.db"}},
		{"a journal", func(path string) error { return os.WriteFile(path+"-journal", []byte("half"), 0o644) }, "beside it stands a.db-journal", []string{"a.db-journal"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "a.db")
			w := begin(t, path)
			fill(t, w)
			if err := test.change(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(path)
			if _, err := w.Commit(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Commit: got %v, want an error with %q", err, test.want)
			}
			if err := w.Abort(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(test.left, listing(t, folder)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Errorf("the file holds %q, want %q", after, before)
			}
		})
	}
}

// TestChangingProgram: a file is not replaced while another program changes it, since SQLite would
// apply that program's journal to the new file.
func TestChangingProgram(t *testing.T) {
	for _, test := range []struct{ mode, left string }{
		{"DELETE", "a.db-journal"},
		{"PERSIST", "a.db-journal"},
		{"WAL", "a.db-wal"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			build(t, path, metaOf(small()), newSearch(small()).rows())
			dsn, err := dataSource(path, "rw", "journal_mode("+test.mode+")", "cache_size(1)", "cache_spill(1)")
			if err != nil {
				t.Fatal(err)
			}
			program := openSQL(t, dsn)
			program.SetMaxOpenConns(1)
			execSQL(t, program, "BEGIN")
			execSQL(t, program, "UPDATE positions SET score = -score")
			w, err := Create(t.Context(), path, metaOf(small()))
			if err == nil {
				w.Abort()
				t.Fatal("no error while a transaction is under way")
			}
			if want := "beside it stands " + test.left; !strings.Contains(err.Error(), want) {
				t.Errorf("got %q, want it to say %q", err, want)
			}
			execSQL(t, program, "ROLLBACK")
			if test.mode == "PERSIST" { // keeps its journal
				execSQL(t, program, "PRAGMA journal_mode = DELETE")
			}
			if err := program.Close(); err != nil {
				t.Fatal(err)
			}
			if err := begin(t, path).Abort(); err != nil {
				t.Errorf("once it has ended: %v", err)
			}
		})
	}
}

// TestDanglingLink: a link that leads to nothing yet leads to the file afterwards.
func TestDanglingLink(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"real", "real/deep", "links"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) string {
		path := filepath.Join(folder, name)
		if err := os.Symlink(filepath.FromSlash(to), path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link("../real/deep", "links/into")
	for _, test := range []struct{ name, path, file string }{
		{"beside it", link("a.db", "beside.db"), "a.db"},
		{"elsewhere", link("../real/b.db", "links/elsewhere.db"), "real/b.db"},
		{"absolute", link(filepath.Join(folder, "c.db"), "absolute.db"), "c.db"},
		{"two links", link("links/second.db", "first.db"), "real/d.db"},
		{"up from a folder that is a link", link("links/into/../e.db", "up.db"), "real/e.db"},
	} {
		if test.name == "two links" {
			link("../real/d.db", "links/second.db")
		}
		t.Run(test.name, func(t *testing.T) {
			build(t, test.path, metaOf(small()), newSearch(small()).rows())
			if info, err := os.Lstat(test.path); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("the link is now %v, %v", info, err)
			}
			if info, err := os.Lstat(filepath.Join(folder, test.file)); err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s is %v, %v, want a file", test.file, info, err)
			}
			if n := open(t, test.path).Info().Positions; n == 0 {
				t.Error("the file is empty")
			}
		})
	}
	link("round2.db", "round1.db")
	for _, test := range []struct{ name, path, want string }{
		{"into no folder", link("none/a.db", "nowhere.db"), "there is no folder " + filepath.Join(folder, "none")},
		{"in a ring", link("round1.db", "round2.db"), "too many"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := listing(t, folder)
			if w, err := Create(t.Context(), test.path, metaOf(small())); err == nil {
				w.Abort()
				t.Error("no error")
			} else if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want it to say %q", err, test.want)
			}
			if diff := cmp.Diff(before, listing(t, folder)); diff != "" {
				t.Errorf("files (-before +after):\n%s", diff)
			}
		})
	}
}

// TestUnfinishedFileIsNotOpened: what a build has written at some moment, were it to die then, is
// no tablebase before all of it is there.
func TestUnfinishedFileIsNotOpened(t *testing.T) {
	folder := t.TempDir()
	w := begin(t, filepath.Join(folder, "a.db"))
	refused := func(moment string) {
		t.Helper()
		path := filepath.Join(folder, "copy.db")
		write(t, path, string(readFile(t, filepath.Join(folder, tempName))), time.Now())
		if db, err := Open(path); err == nil {
			db.Close()
			t.Errorf("%s: it is opened", moment)
		} else if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, want it to be damaged or not ours", moment, err)
		}
	}
	refused("after Create")
	fill(t, w)
	refused("after Rows and Gaps")
	if err := w.finishPages(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused("with the tables positions and strip_sg")
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
