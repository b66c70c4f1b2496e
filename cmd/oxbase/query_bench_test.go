package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"oxbase/game"
	"oxbase/query"
)

// randomBoards returns that many positions of random games.
func randomBoards(g *game.Game, count int) []game.Position {
	random := rand.New(rand.NewPCG(1, 2))
	positions := make([]game.Position, count)
	for i := range positions {
		p := game.Start()
		for range random.IntN(g.Cells()) {
			if _, over := g.Terminal(p.Board); over {
				break
			}
			cell := random.IntN(g.Cells())
			for g.Moves(p.Board)>>cell&1 == 0 {
				cell = random.IntN(g.Cells())
			}
			p = p.Play(cell)
		}
		positions[i] = p
	}
	return positions
}

// BenchmarkBoards asks for positions of random games of 4x4x4, 20 000 in each run of the command.
// The file has 9.7 million rows; for so many questions the command reads it into memory.
func BenchmarkBoards(b *testing.B) {
	db := built(b, "4x4x4", "--symmetry", "none")
	g, err := game.Parse("4x4x4")
	if err != nil {
		b.Fatal(err)
	}
	const boards = 20_000
	var in strings.Builder
	for _, p := range randomBoards(g, boards) {
		in.WriteString(g.Text(p.Board) + "\n")
	}
	for _, format := range []string{"--json", "--json=false"} {
		b.Run(strings.TrimPrefix(format, "--"), func(b *testing.B) {
			for b.Loop() {
				args := []string{"query", "board", "-", format, "--db", db}
				if status := run(context.Background(), args, streams{strings.NewReader(in.String()), io.Discard, io.Discard}); status != exitDone {
					b.Fatalf("exit status %d", status)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/boards, "ns/board")
		})
	}
}

// notingSource notes the keys that are looked up.
type notingSource struct {
	query.Source
	keys []game.Key
}

func (s *notingSource) Lookup(key game.Key) (game.Value, bool, error) {
	s.keys = append(s.keys, key)
	return s.Source.Lookup(key)
}

// BenchmarkBoardsAgainstC asks for positions of random games of 4x4x4, which takes a look-up for
// the position, for each move, and for each ply of the best line and each move there, and has a C
// program do just these look-ups. Both run as whole processes, in turn; only one of them prints.
func BenchmarkBoardsAgainstC(b *testing.B) {
	folder, program := b.TempDir(), builtProgram(b)
	plain := filepath.Join(folder, "lookup.exe")
	if out, err := exec.Command("cc", "-O2", "-o", plain, "testdata/plain/lookup.c", "-lsqlite3").CombinedOutput(); err != nil {
		b.Skipf("there is no C compiler, or no SQLite for it: %v: %s", err, out)
	}
	db := built(b, "4x4x4", "--symmetry", "none")
	d, err := openDB(db)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	loaded, err := query.Load(b.Context(), d.Info().Positions, d.Whole())
	if err != nil {
		b.Fatal(err)
	}
	for _, boards := range []int{100, 2_000, 20_000, 200_000} {
		b.Run(fmt.Sprintf("%d boards", boards), func(b *testing.B) {
			noting := notingSource{Source: loaded}
			table := tablebaseOf(d)
			table.Source = &noting
			var questions, keys strings.Builder
			for _, p := range randomBoards(d.Game(), boards) {
				questions.WriteString(d.Game().Text(p.Board) + "\n")
				if _, err := table.Report(p); err != nil {
					b.Fatal(err)
				}
			}
			for _, key := range noting.keys {
				fmt.Fprintln(&keys, key)
			}
			timed := func(in string, command ...string) time.Duration {
				path := filepath.Join(folder, "in")
				if err := os.WriteFile(path, []byte(in), 0o666); err != nil {
					b.Fatal(err)
				}
				file, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				defer file.Close()
				cmd := exec.Command(command[0], command[1:]...)
				cmd.Stdin, cmd.Stderr = file, os.Stderr
				began := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				return time.Since(began)
			}
			var ours, theirs time.Duration
			for b.Loop() {
				ours += timed(questions.String(), program, "query", "board", "-", "--json", "--db", db)
				theirs += timed(keys.String(), plain, db)
			}
			lookups := float64(b.N) * float64(len(noting.keys))
			b.ReportMetric(float64(len(noting.keys))/float64(boards), "lookups/board")
			b.ReportMetric(float64(ours.Nanoseconds())/lookups, "ns/lookup")
			b.ReportMetric(float64(theirs.Nanoseconds())/lookups, "plain-ns/lookup")
			b.ReportMetric(ours.Seconds()/theirs.Seconds(), "ours/plain")
		})
	}
}
