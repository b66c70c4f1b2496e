package main

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"oxbase/game"
)

// BenchmarkBoards asks for positions of random games of 4x4x4, 20 000 in each run of the command.
// The file has 9.7 million rows; for so many questions the command reads it into memory.
func BenchmarkBoards(b *testing.B) {
	db := built(b, "4x4x4", "--symmetry", "none")
	g, err := game.Parse("4x4x4")
	if err != nil {
		b.Fatal(err)
	}
	const boards = 20_000
	random := rand.New(rand.NewPCG(1, 2))
	var in strings.Builder
	for range boards {
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
