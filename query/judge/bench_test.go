package judge

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchmarkFormat runs a format on an input of many cases with a tablebase in memory.
func benchmarkFormat(b *testing.B, name string, cases []string) {
	const count = 100_000
	var in strings.Builder
	fmt.Fprintln(&in, count)
	random := rand.New(rand.NewPCG(1, 2))
	for range count {
		in.WriteString(cases[random.IntN(len(cases))])
	}
	f, t := find(b, name), search().preload(b)
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if err := f.Run(strings.NewReader(in.String()), io.Discard, t); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/case")
}

// boards returns those boards that a format is asked about, written by it.
func boards(wanted func(*solved, byte, cells) bool, write func(cells, byte) string) []string {
	o := search()
	var texts []string
	for _, board := range allBoards() {
		for _, mover := range []byte("xo") {
			if wanted(o.boards[question{board, mover}], mover, board) {
				texts = append(texts, write(board, mover))
			}
		}
	}
	return texts
}

func BenchmarkHrbust(b *testing.B) {
	benchmarkFormat(b, "hrbust", boards(
		func(s *solved, _ byte, _ cells) bool { return !s.both },
		func(c cells, mover byte) string { return c.write("x", "o", ".", " ") + string(mover) + "\n" }))
}

func BenchmarkAlgospot(b *testing.B) {
	benchmarkFormat(b, "algospot", boards(
		func(s *solved, _ byte, _ cells) bool { return s.legal },
		func(c cells, _ byte) string { return c.write("x", "o", ".", "") }))
}

func BenchmarkCSP(b *testing.B) {
	benchmarkFormat(b, "csp", boards(
		func(s *solved, mover byte, _ cells) bool { return s.legal && mover == 'x' },
		func(c cells, _ byte) string { return c.write("1", "2", "0", " ") }))
}

func BenchmarkLuogu(b *testing.B) {
	f, t := find(b, "luogu"), search().preload(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Run(strings.NewReader(f.Example), io.Discard, t); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLightoj(b *testing.B) {
	for name, cells := range map[string]string{"mixed": ".OX", "mostly-empty": ".......OX"} {
		b.Run(name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(3, 4))
			var texts []string
			for range 1000 {
				strip := make([]byte, 50)
				for i := range strip {
					strip[i] = cells[random.IntN(len(cells))]
				}
				texts = append(texts, string(strip)+"\n")
			}
			benchmarkFormat(b, "lightoj", texts)
		})
	}
}
