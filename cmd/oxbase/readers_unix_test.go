//go:build unix

package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManyReadersWhileReplaced keeps 64 processes of all reading commands at work on a file while
// builds replace it by that of another game: each answers as the one file or as the other does. The
// race detector doesn't look at processes, and slows them down, so that there are fewer with it.
func TestManyReadersWhileReplaced(t *testing.T) {
	const (
		readers = max(4, 64/positionStride)
		builds  = 4
	)
	games := []string{"3x3x3", "3x3x3-misere"}
	folder := t.TempDir()
	db := filepath.Join(folder, "ox.db")
	write(t, db, bytesOf(t, built(t, games[0])))
	const boards = "xx./oo./...\n.../.../...\nx.o/.x./...\n"
	commands := []struct {
		words []string
		stdin string
		want  [2]string // from each file
	}{
		{words: []string{"query", "board", "xx./oo./..."}},
		{words: []string{"query", "board", "-", "--json"}, stdin: boards},
		{words: []string{"query", "strip", "..X..."}},
		{words: []string{"sql", "--csv", "SELECT name, sum(key * score), sum(distance) FROM game, positions"}},
		{words: []string{"sql", "--csv", "SELECT board, picture(key) FROM boards WHERE terminal AND reachable ORDER BY key LIMIT 9"}},
		{words: []string{"export", "--reachable"}},
		{words: []string{"info", "--json"}},
	}
	for i := range commands {
		c := &commands[i]
		for j, game := range games {
			c.want[j] = mustOxbase(t, c.stdin, append(c.words, "--db", built(t, game))...)
		}
	}

	var running sync.WaitGroup
	var answered [2]atomic.Int64 // by each file
	stop := make(chan struct{})
	for i := range readers {
		running.Go(func() {
			for round := 0; ; round++ {
				select {
				case <-stop:
					if round > 0 {
						return
					}
				default:
				}
				c := commands[(i+round)%len(commands)]
				cmd := exec.CommandContext(t.Context(), "oxbase", append(c.words, "--db", db)...)
				cmd.Stdin = strings.NewReader(c.stdin)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				switch got := string(out); {
				case err != nil || stderr.Len() > 0:
					t.Errorf("%v: %v\n%s", c.words, err, &stderr)
					return
				case got == c.want[0]:
					answered[0].Add(1)
				case got == c.want[1]:
					answered[1].Add(1)
				default:
					t.Errorf("%v: the answer is that of neither file (-first +got):\n%s", c.words, cmp.Diff(c.want[0], got))
					return
				}
			}
		})
	}
	for i := range builds {
		cmd, stderr := buildProcess(t, db, games[1-i%2])
		if err := cmd.Run(); err != nil {
			t.Errorf("build %d: %v\n%s", i, err, stderr)
		}
		if diff := cmp.Diff([]string{"ox.db"}, filesIn(t, folder)); diff != "" {
			t.Errorf("files after build %d (-want +got):\n%s", i, diff)
		}
	}
	close(stop)
	running.Wait()
	t.Logf("%d builds; %d answers from one file and %d from the other", builds, answered[0].Load(), answered[1].Load())
	if answered[0].Load() == 0 || answered[1].Load() == 0 {
		t.Error("only one of the two files was read")
	}
	if diff := cmp.Diff([]string{"ox.db"}, filesIn(t, folder)); diff != "" {
		t.Errorf("files at the end (-want +got):\n%s", diff)
	}
}
