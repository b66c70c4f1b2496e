//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// started is a command line that runs in this process while a test talks to it.
type started struct {
	in     *io.PipeWriter
	out    *bufio.Reader
	err    bytes.Buffer // to be read after end
	status chan int
}

func start(t *testing.T, args ...string) *started {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	in, toIn := io.Pipe()
	out, toOut := io.Pipe()
	s := &started{in: toIn, out: bufio.NewReaderSize(out, 16), status: make(chan int, 1)}
	go func() {
		s.status <- run(ctx, args, streams{in, toOut, &s.err})
		toOut.Close()
	}()
	return s
}

// say writes to the standard input.
func (s *started) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		t.Fatal(err)
	}
}

// end closes the standard input and returns the rest of the output.
func (s *started) end(t *testing.T) string {
	t.Helper()
	s.in.Close()
	rest, err := io.ReadAll(s.out)
	if err != nil {
		t.Fatal(err)
	}
	if status := <-s.status; status != exitDone {
		t.Fatalf("exit status %d\n%s", status, &s.err)
	}
	return string(rest)
}

// line reads a line of the output.
func (s *started) line(t *testing.T) string {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, &s.err)
	}
	return line
}

// TestReadersGoOnWithTheFileTheyOpened replaces a file by one of another game, of the same size of
// board, in the middle of each command that may run for long.
func TestReadersGoOnWithTheFileTheyOpened(t *testing.T) {
	copyOf := func(t *testing.T) (db string, replace func()) {
		db = filepath.Join(t.TempDir(), "ox.db")
		mustOxbase(t, "", "build", "3x3x3", "--db", db)
		return db, func() {
			mustOxbase(t, "", "build", "3x3x3-misere", "--db", db)
			if diff := cmp.Diff([]string{"ox.db"}, filesIn(t, filepath.Dir(db))); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		}
	}

	t.Run("export", func(t *testing.T) {
		db, replace := copyOf(t)
		want := mustOxbase(t, "", "export", "--db", db)
		s := start(t, "export", "--db", db)
		first := s.line(t)
		replace()
		if got := first + s.end(t); got != want {
			t.Errorf("%d bytes differ from the %d of the file that was opened", len(got), len(want))
		}
		if mustOxbase(t, "", "export", "--db", db) == want {
			t.Error("the other file has the same values, so that nothing was tested")
		}
	})

	t.Run("sql", func(t *testing.T) {
		db, replace := copyOf(t)
		s := start(t, "sql", "--csv", "--db", db)
		const ask = "SELECT name, outcome, board_text(key) AS board FROM game, positions WHERE key = board_key('xx./oo./...');\n"
		s.say(t, ask)
		heading, before := s.line(t), s.line(t)
		replace()
		s.say(t, ask)
		if diff := cmp.Diff(heading+before, s.end(t)); diff != "" {
			t.Errorf("answers (-before +after):\n%s", diff)
		}
	})

	t.Run("query", func(t *testing.T) {
		db, replace := copyOf(t)
		const board, otherBoard = "xx./oo./...\n", "xx./.o./o..\n"
		want := mustOxbase(t, board+otherBoard, "query", "board", "--json", "-", "--db", db)
		s := start(t, "query", "board", "--json", "-", "--db", db)
		s.say(t, board)
		got := s.line(t)
		replace()
		s.say(t, otherBoard)
		if diff := cmp.Diff(want, got+s.end(t)); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
	})

	t.Run("serve", func(t *testing.T) {
		db, replace := copyOf(t)
		cmd := exec.CommandContext(t.Context(), "oxbase", "serve", "--addr", "127.0.0.1:0", db)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		address, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		ask := func(path string) string {
			response, err := http.Get(strings.TrimSpace(address) + path)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s, %v\n%s", path, response.Status, err, body)
			}
			return response.Header.Get("ETag") + compact(t, body)
		}
		paths := []string{"api/games", "api/position?board=" + url.QueryEscape("xx./oo./..."), "api/strip?strip=..X"}
		var before, after []string
		for _, path := range paths {
			before = append(before, ask(path))
		}
		counts := compact(t, []byte(mustOxbase(t, "", "stats", "--json", "--db", db)))
		replace()
		for _, path := range paths {
			after = append(after, ask(path))
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("answers (-before +after):\n%s", diff)
		}
		if got := ask("api/stats"); !strings.HasSuffix(got, counts) { // nobody has asked for these before
			t.Errorf("the counts are not those of the file that was opened:\n%s", got)
		}
	})
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var short bytes.Buffer
	if err := json.Compact(&short, text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return short.String()
}
