package main

import (
	"bytes"
	"fmt"
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

// sameFiles makes sure that two files have the same bytes, and some.
func sameFiles(tb testing.TB, a, b string) {
	tb.Helper()
	var bytesOf [2][]byte
	for i, path := range []string{a, b} {
		var err error
		if bytesOf[i], err = os.ReadFile(path); err != nil {
			tb.Fatal(err)
		}
	}
	if len(bytesOf[0]) == 0 || !bytes.Equal(bytesOf[0], bytesOf[1]) {
		tb.Fatalf("%s and %s differ, or are empty", a, b)
	}
}

// BenchmarkJudgesAgainstPlainPrograms answers a million cases between two pipes, and has
// straightforward C++ programs answer the same. All run as whole processes, in turn.
func BenchmarkJudgesAgainstPlainPrograms(b *testing.B) {
	if _, err := exec.LookPath("g++"); err != nil {
		b.Skip("there is no g++")
	}
	db, folder, program := built(b), b.TempDir(), builtProgram(b)
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		problem, name string
		in            []byte
		options       []string // of the compiler
	}{
		{"hrbust", "hrbust", benchHrbust(random), nil},
		{"lightoj", "lightoj/streams", benchStrips(random), []string{"-DSTREAMS"}},
		{"lightoj", "lightoj/scanf", benchStrips(random), nil},
	} {
		b.Run(test.name, func(b *testing.B) {
			plain := filepath.Join(folder, test.problem)
			compile := append([]string{"-O2", "-o", plain, "testdata/plain/" + test.problem + ".cpp"}, test.options...)
			if out, err := exec.Command("g++", compile...).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			in := filepath.Join(folder, test.problem+".in")
			if err := os.WriteFile(in, test.in, 0o666); err != nil {
				b.Fatal(err)
			}
			timed := func(out string, command ...string) time.Duration {
				cmd := exec.Command("sh", append([]string{"-c", `in=$1 out=$2; shift 2; cat "$in" | "$@" | cat >"$out"`, "sh", in, out}, command...)...)
				cmd.Stderr = os.Stderr
				began := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				return time.Since(began)
			}
			got, want := filepath.Join(folder, "got"), filepath.Join(folder, "want")
			var ours, theirs time.Duration
			for b.Loop() {
				ours += timed(got, program, "query", test.problem, "--db", db)
				theirs += timed(want, plain)
				sameFiles(b, got, want)
			}
			cases := float64(b.N) * benchCases
			b.ReportMetric(ours.Seconds()*1e9/cases, "ns/case")
			b.ReportMetric(theirs.Seconds()*1e9/cases, "plain-ns/case")
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
		})
	}
}
