package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var (
	update = flag.Bool("update", false, "rewrite golden files")
	big    = flag.Bool("big", false, "also build the games that take minutes and gigabytes")
)

func TestMain(m *testing.M) {
	testscript.Main(removeBuilt{m}, map[string]func(){"oxbase": main})
}

// removeBuilt removes the files that tests share once all have run.
type removeBuilt struct{ *testing.M }

func (m removeBuilt) Run() int {
	defer func() { os.RemoveAll(files.folder) }()
	return m.M.Run()
}

// TestStories runs the scripts, each a whole story told with the program and the tools around it.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: *update})
}

// result is what a command line did.
type result struct {
	Out, Err string
	Status   int
}

// oxbase runs a command line in this process with the text as standard input.
func oxbase(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	return oxbaseContext(t.Context(), stdin, args...)
}

func oxbaseContext(ctx context.Context, stdin string, args ...string) result {
	var out, err bytes.Buffer
	status := run(ctx, args, streams{strings.NewReader(stdin), &out, &err})
	return result{out.String(), err.String(), status}
}

// mustOxbase runs a command line that has to succeed and returns its standard output.
func mustOxbase(t testing.TB, stdin string, args ...string) string {
	t.Helper()
	r := oxbase(t, stdin, args...)
	if r.Status != exitDone {
		t.Fatalf("oxbase %s: exit status %d, %s", strings.Join(args, " "), r.Status, r.Err)
	}
	return r.Out
}

// built returns a file with a tablebase that tests may read but not change. It is built once a
// test run for the same words of the build command.
func built(t testing.TB, buildArgs ...string) string {
	t.Helper()
	files.Lock()
	defer files.Unlock()
	name := strings.Join(buildArgs, " ")
	if path, ok := files.paths[name]; ok {
		return path
	}
	if files.folder == "" {
		folder, err := os.MkdirTemp("", "oxbase-test-*")
		if err != nil {
			t.Fatal(err)
		}
		files.folder, files.paths = folder, map[string]string{}
	}
	path := filepath.Join(files.folder, strings.ReplaceAll(name, " ", "_")+".db")
	mustOxbase(t, "", append([]string{"build", "--db", path}, buildArgs...)...)
	files.paths[name] = path
	return path
}

// files are what built has built.
var files struct {
	sync.Mutex
	folder string
	paths  map[string]string
}

// plainOnly skips a test under the race detector, which looks at how goroutines share memory: what
// this test compares is compared without it, and it would take minutes.
func plainOnly(t *testing.T) {
	t.Helper()
	if positionStride > 1 {
		t.Skip("compares values only: left to the run without the race detector")
	}
}

// golden compares a text with a file in testdata, or writes that when asked to.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
