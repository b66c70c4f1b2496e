//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	kills    = flag.Int("kills", 10, "how many builds TestKilledBuilds kills")
	killSeed = flag.Uint64("kill-seed", 1, "chooses the moments at which TestKilledBuilds kills")
)

const (
	tempFile = ".ox.db.oxbase.tmp"
	lockFile = ".ox.db.oxbase.lock"
)

// buildProcess prepares a build in a process of its own.
func buildProcess(t *testing.T, db string, words ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	cmd = exec.CommandContext(t.Context(), "oxbase", append([]string{"build", "--db", db}, words...)...)
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	return cmd, stderr
}

// summaryOf returns what a file says of the empty board of its game, whichever that is, and of
// the sums over all its positions.
func summaryOf(t *testing.T, db string) string {
	t.Helper()
	return mustOxbase(t, "", "sql", "--csv", "--db", db, `SELECT name, outcome, score, distance FROM game, positions WHERE key = 0;
		SELECT count(*), sum(key), sum(score), sum(distance), sum(reachable) FROM positions`)
}

// TestKilledBuilds kills builds of several games at random moments, from before they begin to
// after they end: one after a part of the time that a build takes, the next when it has written a
// part of the file, or a while after all of it. Each time the file that was there is whole and
// answers, or the new one is; what the dead build left isn't taken for a tablebase; and the next
// build removes it. The default is a few kills, and fewer of small games under the race detector,
// which doesn't look at processes:
//
//	go test ./cmd/oxbase -run TestKilledBuilds -kills 200 -v
func TestKilledBuilds(t *testing.T) {
	plainOnly(t)
	games := [][]string{
		{"3x3x3"},
		{"4x3x3"},
		{"4x3x3-drop-misere", "--symmetry", "none"},
		{"4x4x4-drop"},
		{"4x3x4", "--turns", "any", "--symmetry", "none"},
	}
	number := *kills
	if positionStride > 1 {
		games, number = games[:2], max(4, number/positionStride)
	}
	oldGame := "2x2x2"
	oldBytes, oldAnswers := bytesOf(t, built(t, oldGame)), summaryOf(t, built(t, oldGame))
	type reference struct {
		bytes   []byte
		answers string
		takes   time.Duration // a build in a process of its own
	}
	var references []reference
	for _, game := range games {
		path := built(t, game...)
		began := time.Now()
		cmd, stderr := buildProcess(t, filepath.Join(t.TempDir(), "ox.db"), game...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", game, err, stderr)
		}
		references = append(references, reference{bytesOf(t, path), summaryOf(t, path), time.Since(began)})
	}

	random := rand.New(rand.NewPCG(*killSeed, 0))
	folder := t.TempDir()
	db, temp := filepath.Join(folder, "ox.db"), filepath.Join(folder, tempFile)
	var early, half, whole, late int // when the kills came
	for i := range number {
		game, want := games[i%len(games)], references[i%len(games)]
		part := random.Float64()
		moment := killAfter(time.Duration(part * 1.1 * float64(want.takes)))
		if i%2 == 1 {
			moment = killAtSize(temp, int64(part*1.2*float64(len(want.bytes))), int64(len(want.bytes)), want.takes/4)
		}
		where := fmt.Sprintf("kill %d, %v at %.3f", i, game, part)
		write(t, db, oldBytes)

		cmd, _ := buildProcess(t, db, game...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		moment(ended)
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if err := <-ended; err != nil && cmd.ProcessState.Exited() {
			t.Fatalf("%s: it failed before: %v", where, err)
		}

		wantAnswers := oldAnswers
		switch now := bytesOf(t, db); {
		case bytes.Equal(now, oldBytes):
		case bytes.Equal(now, want.bytes):
			wantAnswers = want.answers
			late++
		default:
			t.Fatalf("%s: the file is neither the old one nor the new one", where)
		}
		if diff := cmp.Diff(wantAnswers, summaryOf(t, db)); diff != "" {
			t.Fatalf("%s: answers (-want +got):\n%s", where, diff)
		}
		for _, name := range filesIn(t, folder) {
			switch name {
			case "ox.db":
			case lockFile, tempFile:
				r := oxbase(t, "", "query", "board", strings.Repeat(".", 9), "--db", filepath.Join(folder, name))
				switch {
				case r.Status == exitDamaged && r.Out == "":
				case name == tempFile && bytes.Equal(bytesOf(t, temp), want.bytes): // only the last step is missing
				default:
					t.Errorf("%s: %s is taken for a tablebase: %+v", where, name, r)
				}
			default:
				t.Errorf("%s: left behind: %s", where, name)
			}
		}
		switch left, err := os.ReadFile(temp); {
		case err == nil && bytes.Equal(left, want.bytes):
			whole++
		case err == nil:
			half++
		case wantAnswers == oldAnswers:
			early++
		}

		mustOxbase(t, "", "build", oldGame, "--db", db)
		if diff := cmp.Diff([]string{"ox.db"}, filesIn(t, folder)); diff != "" {
			t.Fatalf("%s: files after the next build (-want +got):\n%s", where, diff)
		}
		if !bytes.Equal(bytesOf(t, db), oldBytes) {
			t.Fatalf("%s: the next build gave other bytes", where)
		}
	}
	t.Logf("%d builds killed: %d before the new file was begun, %d while it was half, %d when it was whole, %d when it was in its place",
		number, early, half, whole, late)
	if half == 0 {
		t.Errorf("no kill met a half file: more -kills are needed, or another -kill-seed")
	}
}

// killAfter waits for a time, or until a process has ended.
func killAfter(wait time.Duration) func(ended chan error) {
	return func(ended chan error) {
		select {
		case err := <-ended:
			ended <- err
		case <-time.After(wait):
		}
	}
}

// killAtSize waits until a file has a size, or until a process has ended. A size beyond the one at
// which the file is whole stands for a time after that, up to a longest one.
func killAtSize(path string, size, whole int64, longest time.Duration) func(ended chan error) {
	return func(ended chan error) {
		for {
			if info, err := os.Stat(path); err == nil && info.Size() >= min(size, whole) {
				break
			}
			select {
			case err := <-ended:
				ended <- err
				return
			case <-time.After(20 * time.Microsecond):
			}
		}
		if size > whole {
			killAfter(time.Duration(float64(longest) * float64(size-whole) / (0.2 * float64(whole))))(ended)
		}
	}
}

// TestTwoBuildsOfOneFile stops a build in the middle: a second one of the same file is refused,
// and one of another file isn't. The first one then comes to its end as if nothing had been.
func TestTwoBuildsOfOneFile(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "ox.db")
	old := bytesOf(t, built(t, "2x2x2"))
	write(t, db, old)
	first := exec.CommandContext(t.Context(), "oxbase", "build", "4x3x3", "--db", db)
	stderr, err := first.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	for range 2 { // what it needs; the first tier, which it solves once it has begun the file
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	temp := filepath.Join(folder, tempFile)
	for _, changed := range []time.Time{time.Unix(0, 0), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)} { // a clock that jumps
		if err := os.Chtimes(temp, changed, changed); err != nil {
			t.Fatal(err)
		}
		second, said := buildProcess(t, db, "3x3x3")
		err := second.Run()
		want := "\noxbase: creating " + db + ": another oxbase is writing this file: wait until that one has ended, or choose another name\n"
		if second.ProcessState.ExitCode() != exitOther || !strings.HasSuffix(said.String(), want) || strings.Count(said.String(), "\n") != 2 {
			t.Errorf("the second build: %v\n%s", err, said)
		}
	}
	other, said := buildProcess(t, filepath.Join(folder, "other.db"), "2x2x2")
	if err := other.Run(); err != nil {
		t.Errorf("the build of another file: %v\n%s", err, said)
	}
	if !bytes.Equal(bytesOf(t, db), old) {
		t.Error("the old file has changed")
	}
	if diff := cmp.Diff([]string{lockFile, tempFile, "other.db", "ox.db"}, filesIn(t, folder)); diff != "" {
		t.Errorf("files meanwhile (-want +got):\n%s", diff)
	}

	if err := first.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(lines)
	if err := first.Wait(); err != nil {
		t.Fatalf("the first build: %v\n%s", err, rest)
	}
	if !bytes.Equal(bytesOf(t, db), bytesOf(t, built(t, "4x3x3"))) {
		t.Error("the first build gave other bytes")
	}
	if diff := cmp.Diff([]string{"other.db", "ox.db"}, filesIn(t, folder)); diff != "" {
		t.Errorf("files at the end (-want +got):\n%s", diff)
	}
}

// TestManyBuildsOfOneFile starts builds of one file at the same time, again and again: each comes
// to its end or is refused, and the file is that of one which came to its end.
func TestManyBuildsOfOneFile(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "ox.db")
	games := []string{"2x2x2", "3x3x3", "3x3x3-misere", "4x3x3-drop"}
	refused := 0
	for range 4 {
		var builds []*exec.Cmd
		var said []*bytes.Buffer
		for i := range 2 * len(games) {
			cmd, stderr := buildProcess(t, db, games[i%len(games)])
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			builds, said = append(builds, cmd), append(said, stderr)
		}
		var done []string
		for i, cmd := range builds {
			switch err := cmd.Wait(); {
			case err == nil:
				done = append(done, games[i%len(games)])
			case cmd.ProcessState.ExitCode() == exitOther && strings.Contains(said[i].String(), "another oxbase is writing this file"):
				refused++
			default:
				t.Errorf("%v: %v\n%s", cmd.Args, err, said[i])
			}
		}
		now := bytesOf(t, db)
		if !slices.ContainsFunc(done, func(game string) bool { return bytes.Equal(now, bytesOf(t, built(t, game))) }) {
			t.Errorf("the file is that of none of %v, which came to their end", done)
		}
		if diff := cmp.Diff([]string{"ox.db"}, filesIn(t, folder)); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
	}
	if refused == 0 {
		t.Error("no two builds met")
	}
}

// TestBuildOntoSpecialFiles: what isn't a plain file stays as it is, and no build waits for it.
func TestBuildOntoSpecialFiles(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink("/dev/null", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/dev/null", "/dev/full", pipe, link} {
		before, err := os.Stat(path)
		if err != nil {
			t.Logf("%s isn't there", path)
			continue
		}
		r := oxbase(t, "", "build", "2x2x2", "--db", path)
		if r.Status != exitOther || !strings.Contains(r.Err, "it is not a plain file that could be replaced") || r.Out != "" {
			t.Errorf("%s: %+v", path, r)
		}
		if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
			t.Errorf("%s is now %v, %v", path, after, err)
		}
	}
	if diff := cmp.Diff([]string{"link", "pipe"}, filesIn(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
