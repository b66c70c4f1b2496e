package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// damagedCommands are the command lines that TestDamage runs on each file, with their standard
// input, by their words. Those that read one row in a thousand can't know of all the others.
var damagedCommands = []struct {
	words, stdin string
	partial      bool // reads a part of the rows only
}{
	{"info", "", true},
	{"info --json", "", true},
	{"stats", "", false},
	{"stats --csv", "", false},
	{"export", "", false},
	{"export --format jsonl --reachable", "", false},
	{"query board x.o/.x./...", "", true},
	{"query board - --json", "......... x\nxoxoxo...\nxx.oo.... o\n", true},
	{"query strip ..X....O.", "", true},
	{"query hrbust", "2\n...\n...\n.ox\nx\nxo.\n.x.\n...\no\n", false},
	{"query lightoj", "2\nO.O\n..X....O\n", false},
	{"query csp", "1\n1 2 1\n2 1 2\n0 0 0\n", false},
	{"query luogu", "---\n-O-\n-XO\n", false},
	{"query algospot", "1\nxx.\noo.\n...\n", false},
	{"sql SELECT*FROM(game)", "", true},
	{"sql SELECT*FROM(cells)", "", true},
	{"sql SELECT*FROM(positions)ORDER/**/BY(key)", "", true},
	{"sql SELECT*FROM(strip_sg)ORDER/**/BY(length),left,right", "", true},
	{"sql SELECT*FROM(boards)WHERE(key<4000)", "", true},
	{"sql SELECT*FROM(outcome_counts)", "", true},
	{"sql SELECT(picture(key))FROM(positions)WHERE(key<900)", "", true},
	{"migrate", "", true},
	{"migrate --status --json", "", true},
}

// servedPaths are what TestDamage asks of a server.
var servedPaths = []string{
	"/api/games",
	"/api/position?board=x.o/.x./...",
	"/api/strip?strip=..X....O.",
	"/api/stats",
}

// damagedRun is what a command did with a file, of which only the data counts.
type damagedRun struct {
	result
	panicked any
	late     bool
}

// wrongness says how far a file can be trusted that answers.
type wrongness int

const (
	nothingWrong wrongness = iota // all answers are right
	rowsWrong                     // rows hold what rows can hold, so that who reads only some can't know
	forged                        // so do they, and the hashes fit: only verify can know
)

// runDamaged runs a command, or ends it after a minute, whether it listens or not.
func runDamaged(ctx context.Context, path, words, stdin string) damagedRun {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	done := make(chan damagedRun, 1)
	go func() {
		var r damagedRun
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		if words == "serve" {
			r.result = askServer(ctx, path)
			return
		}
		r.result = oxbaseContext(ctx, stdin, append(strings.Fields(words), "--db", path)...)
	}()
	select {
	case r := <-done:
		r.late = ctx.Err() != nil
		r.Out = strings.ReplaceAll(r.Out, path, "FILE")
		return r
	case <-time.After(time.Minute + 10*time.Second):
		return damagedRun{late: true}
	}
}

// askServer serves a file and asks for some things. If all answers are good, the status is 0 and
// they are the data; if the server refuses to start it is the server's; a bad answer, which must be
// a problem of the server, counts as damage.
func askServer(ctx context.Context, path string) result {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out, write := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--db", path}, streams{strings.NewReader(""), write, &stderr})
		write.Close()
	}()
	var url string
	if _, err := fmt.Fscanln(out, &url); err != nil {
		text := stderr.String()
		return result{Err: text[strings.LastIndex("\n"+strings.TrimSuffix(text, "\n"), "\n"):], Status: <-status}
	}
	var answers strings.Builder
	r := result{}
	for _, path := range servedPaths {
		answer, err := http.Get(strings.TrimSuffix(url, "/") + path)
		if err != nil {
			r = result{Err: err.Error(), Status: exitOther}
			break
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		switch {
		case err == nil && answer.StatusCode == http.StatusOK:
			answers.Write(body)
		case err == nil && answer.StatusCode == http.StatusInternalServerError && bytes.Contains(body, []byte(`"detail":"the tablebase `)):
			r = result{Err: "oxbase: problem\n", Status: exitDamaged}
		default:
			r = result{Err: fmt.Sprintf("%s: %s %s %v", path, answer.Status, body, err), Status: exitOther}
		}
	}
	stop()
	<-status
	if r.Status == exitDone {
		r.Out = answers.String()
	}
	return r
}

// soundAnswers returns what each command says of a file that is as it should be.
func soundAnswers(t *testing.T, path string) map[string]string {
	t.Helper()
	answers := map[string]string{}
	for _, c := range damagedCommands {
		r := runDamaged(t.Context(), path, c.words, c.stdin)
		if r.Status != exitDone || r.panicked != nil || r.late {
			t.Fatalf("%s of the sound file: %+v", c.words, r)
		}
		answers[c.words] = r.Out
	}
	r := runDamaged(t.Context(), path, "serve", "")
	if r.Status != exitDone || r.panicked != nil {
		t.Fatalf("serve of the sound file: %+v", r)
	}
	answers["serve"] = r.Out
	return answers
}

// tryAll runs all commands on a file. Each has to say what it says of the sound file, or end with
// exit status 4 and one line that says why, unless the file can't be trusted and verify says so.
// want is the dump of the sound file.
func tryAll(t *testing.T, path string, answers map[string]string, want string, wrong wrongness) {
	t.Helper()
	before, isFile := os.ReadFile(path)
	refused := func(words string, r damagedRun) {
		t.Helper()
		switch {
		case r.panicked != nil:
			t.Errorf("%s panics: %v", words, r.panicked)
		case r.late:
			t.Errorf("%s runs on", words)
		case r.Status == exitInput && wrong == rowsWrong && strings.HasPrefix(words, "sql "):
			// The statement can't be told from the file.
		case r.Status != exitDamaged && (wrong != forged || r.Status == exitOther):
			t.Errorf("%s: exit status %d, want %d: %s", words, r.Status, exitDamaged, r.Err)
		case !strings.HasPrefix(r.Err, "oxbase: ") || strings.Count(r.Err, "\n") != 1 || strings.ContainsFunc(r.Err, func(c rune) bool { return c < ' ' && c != '\n' }):
			t.Errorf("%s: standard error is %q, want one line", words, r.Err)
		}
	}
	verified := runDamaged(t.Context(), path, "verify", "")
	sound := verified.Status == exitDone && verified.panicked == nil && !verified.late
	if !sound {
		refused("verify", verified)
	} else if got := dump(t, path); got != want {
		t.Errorf("verify passes, but the file holds something else: %s", firstDifference(want, got))
	}
	try := func(words, stdin string, partial bool) {
		t.Helper()
		r := runDamaged(t.Context(), path, words, stdin)
		if r.panicked != nil || r.late || r.Status != exitDone {
			refused(words, r)
			return
		}
		if words == "info --json" || words == "info" {
			return // the size may differ, and what is wrong elsewhere isn't looked at
		}
		trusted := wrong == nothingWrong || wrong == rowsWrong && !partial
		if r.Out != answers[words] && (sound || trusted) {
			t.Errorf("%s: a wrong answer: %s", words, firstDifference(answers[words], r.Out))
		}
	}
	for _, c := range damagedCommands {
		try(c.words, c.stdin, c.partial)
	}
	try("serve", "", false)
	if isFile == nil {
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the file changed: %v", err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the file isn't alone any more: %v, %v", entries, err)
	}
}

// damageBase is the file that the tests damage: all judge formats can be answered from it.
var damageBase = []string{"3x3x3", "--symmetry", "canonical", "--strip-length", "50"}

// TestCutOff cuts a file at each page and at odd lengths. Every command refuses it, whether the
// header knows the new length or not.
func TestCutOff(t *testing.T) {
	plainOnly(t)
	t.Parallel()
	path := built(t, damageBase...)
	content := mustRead(t, path)
	answers, want := soundAnswers(t, path), dump(t, path)
	var lengths []int
	for at := 0; at < len(content); at += 4096 {
		lengths = append(lengths, at)
	}
	lengths = append(lengths, 1, 15, 16, 17, 99, 101, 511, 512, 4095, 4097, len(content)/2+1, len(content)-1)
	for i, length := range lengths {
		if leftOut(i) {
			continue
		}
		for _, admitted := range []bool{false, true} {
			if admitted && length < 32 {
				continue
			}
			t.Run(fmt.Sprintf("%d bytes, admitted %t", length, admitted), func(t *testing.T) {
				t.Parallel()
				data := slices.Clone(content[:length])
				if admitted {
					putPages(data, length/4096)
				}
				tryAll(t, fileWith(t, data), answers, want, nothingWrong)
			})
		}
	}
	t.Run("a tail", func(t *testing.T) {
		t.Parallel()
		tryAll(t, fileWith(t, append(slices.Clone(content), make([]byte, 5000)...)), answers, want, nothingWrong)
	})
}

// TestZeroedPages fills each page of a file with zeros or with noise.
func TestZeroedPages(t *testing.T) {
	plainOnly(t)
	t.Parallel()
	path := built(t, damageBase...)
	content := mustRead(t, path)
	answers, want := soundAnswers(t, path), dump(t, path)
	random := rand.New(rand.NewPCG(1, 1))
	for page := range len(content) / 4096 {
		if leftOut(page) {
			continue
		}
		noise := slices.Clone(content)
		for i := range 4096 {
			noise[page*4096+i] = byte(random.Uint32())
		}
		zeros := slices.Clone(content)
		clear(zeros[page*4096 : (page+1)*4096])
		twin := slices.Clone(content)
		copy(twin[page*4096:], content[4096*((page+1)%(len(content)/4096)):][:4096])
		for name, data := range map[string][]byte{"zeros": zeros, "noise": noise, "another page": twin} {
			wrong := nothingWrong
			if name == "another page" {
				wrong = rowsWrong
			}
			t.Run(fmt.Sprintf("page %d, %s", page+1, name), func(t *testing.T) {
				t.Parallel()
				tryAll(t, fileWith(t, data), answers, want, wrong)
			})
		}
	}
}

// leftOut leaves most of many files out of short runs, and under the race detector.
func leftOut(file int) bool { return (testing.Short() || positionStride > 1) && file%6 != 0 }

// putPages makes the header say that the file has so many pages.
func putPages(data []byte, pages int) {
	copy(data[28:], []byte{byte(pages >> 24), byte(pages >> 16), byte(pages >> 8), byte(pages)})
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fileWith returns a file with some content, alone in its folder.
func fileWith(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
