package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"oxbase/game/gametest"
)

const benchCases = 1_000_000

// benchHrbust returns a million positions, all kinds alike, in HRBUST's format.
func benchHrbust(random *rand.Rand) []byte {
	search := gametest.New(3, 3, 3, false, false)
	var cases []string
	for key := range search.Keys() {
		if search.Possible(key) {
			board, toMove := search.Board(key)
			cases = append(cases, fmt.Sprintf("%s%c\n", grid(board, ".xo", " "), toMove))
		}
	}
	in := fmt.Appendf(nil, "%d\n", benchCases)
	for range benchCases {
		in = append(in, cases[random.IntN(len(cases))]...)
	}
	return in
}

// benchStrips returns a million strips of 50 cells in LightOJ's format.
func benchStrips(random *rand.Rand) []byte {
	in := fmt.Appendf(nil, "%d\n", benchCases)
	for range benchCases {
		for range 50 {
			last := in[len(in)-1]
			cell := "...OX"[random.IntN(5)]
			if cell == last {
				cell = '.'
			}
			in = append(in, cell)
		}
		in = append(in, '\n')
	}
	return in
}

// BenchmarkJudgesAgainstPlainPrograms answers a million cases in a pipe, and has straightforward
// C++ programs answer the same. All run as whole processes, in turn.
func BenchmarkJudgesAgainstPlainPrograms(b *testing.B) {
	if _, err := exec.LookPath("g++"); err != nil {
		b.Skip("there is no g++")
	}
	db, folder := built(b), b.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		problem string
		in      []byte
	}{{"hrbust", benchHrbust(random)}, {"lightoj", benchStrips(random)}} {
		b.Run(test.problem, func(b *testing.B) {
			plain := filepath.Join(folder, test.problem)
			if out, err := exec.Command("g++", "-O2", "-o", plain, "testdata/plain/"+test.problem+".cpp").CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			timed := func(command ...string) (time.Duration, []byte) {
				// A pipe, as from another program; not a file.
				cmd := exec.Command(command[0], command[1:]...)
				cmd.Stdin = io.MultiReader(bytes.NewReader(test.in))
				cmd.Stderr = os.Stderr
				var out bytes.Buffer
				cmd.Stdout = &out
				began := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				return time.Since(began), out.Bytes()
			}
			var ours, theirs time.Duration
			for b.Loop() {
				took, got := timed("oxbase", "query", test.problem, "--db", db)
				ours += took
				took, want := timed(plain)
				theirs += took
				if !bytes.Equal(got, want) {
					b.Fatal("the answers differ")
				}
			}
			cases := float64(b.N) * benchCases
			b.ReportMetric(ours.Seconds()*1e9/cases, "ns/case")
			b.ReportMetric(theirs.Seconds()*1e9/cases, "plain-ns/case")
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
		})
	}
}
