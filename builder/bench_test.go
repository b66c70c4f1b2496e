package builder

import (
	"testing"
	"time"

	"oxbase/game"
)

// BenchmarkPasses times the passes of a build apart from each other.
func BenchmarkPasses(b *testing.B) {
	for _, test := range []struct {
		name     string
		symmetry game.Symmetry
	}{
		{"4x4x4", game.NoSymmetry}, {"4x4x4", game.Canonical}, {"5x4x4-drop", game.Canonical},
	} {
		b.Run(test.name+"/"+string(test.symmetry), func(b *testing.B) {
			g, err := game.Parse(test.name)
			if err != nil {
				b.Fatal(err)
			}
			discard := sinkFunc(func([]game.Row) error { return nil })
			var took [3]time.Duration
			for b.Loop() {
				build := newBuild(b.Context(), g, Options{Turns: game.Alternate, Symmetry: test.symmetry, Jobs: 2})
				for i, pass := range []func() error{build.enumerate, build.solve, func() error { return build.write(discard) }} {
					began := time.Now()
					if err := pass(); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(began)
				}
			}
			for i, phase := range []Phase{Enumerate, Solve, Write} {
				b.ReportMetric(took[i].Seconds()*1000/float64(b.N), string(phase)+"-ms")
			}
		})
	}
}
