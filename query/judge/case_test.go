package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

// scopeOf returns the judge's own inputs, or all, with short strips.
func scopeOf(all bool) Scope { return Scope{All: all, Listed: 5, Shortest: 1, Longest: 100} }

func TestSamplesAreTheJudges(t *testing.T) {
	for _, f := range Formats() {
		for i, sample := range f.Samples {
			name := f.Name
			if i > 0 {
				name = fmt.Sprintf("%s-%d", f.Name, i+1)
			}
			if diff := diff.Diff(readFile(t, name+".in"), sample); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if len(f.Samples) == 0 || f.Most < 1 {
			t.Errorf("%s lacks samples or the most cases in an input", f.Name)
		}
	}
}

// TestWritten parses every sample and writes it again, and writes each legal input alone and
// parses it again.
func TestWritten(t *testing.T) {
	tb := search()
	for _, f := range Formats() {
		for _, sample := range f.Samples {
			cases, err := f.Parse(strings.NewReader(sample))
			if err != nil {
				t.Fatal(err)
			}
			if diff := diff.Diff(sample, f.Input(cases...)); diff != "" {
				t.Errorf("%s: the sample written again (-want +got):\n%s", f.Name, diff)
			}
		}
		for _, c := range listed(t, f, true, tb) {
			got, err := f.Parse(strings.NewReader(f.Input(c)))
			if err != nil || !slices.Equal(got, []Case{c}) {
				t.Fatalf("%s: %q is read as %v (%v): want %v", f.Name, f.Input(c), got, err, c)
			}
		}
	}
}

func listed(t testing.TB, f Format, all bool, tb Tablebase) []Case {
	t.Helper()
	cases, err := f.Cases(scopeOf(all), tb)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// boardText returns a board as a key sorts it, and the side to move.
func boardText(q question) string { return q.board.oneLine("x", "o", ".") + " " + string(q.mover) }

// TestLegalInputs compares the legal inputs of the formats about boards with a search, with their
// order, and with what the format itself answers.
func TestLegalInputs(t *testing.T) {
	full := search()
	alternate := full
	alternate.alternate = true
	judges := func(q question) bool { return q.board[4] == 'x' && q.board.count('.') >= 6 }
	tests := []struct {
		alias string
		all   bool
		legal func(q question, s *solved) bool
		count int
	}{
		{"hrbust", false, func(_ question, s *solved) bool { return !s.both }, 38742},
		{"csp", false, func(q question, s *solved) bool { return s.legal && q.mover == 'x' }, 2739},
		{"algospot", false, func(_ question, s *solved) bool { return s.legal }, 5478},
		{"luogu", false, func(q question, s *solved) bool { return s.legal && judges(q) }, 65},
		{"luogu", true, func(_ question, s *solved) bool { return s.legal }, 5478},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s all=%v", test.alias, test.all), func(t *testing.T) {
			var want []question
			for q, s := range full.boards {
				if test.legal(q, s) {
					want = append(want, q)
				}
			}
			slices.SortFunc(want, func(a, b question) int {
				// An empty cell sorts before x and x before o, as digits 0, 1 and 2 do.
				digits := strings.NewReplacer(".", "0", "x", "1", "o", "2")
				return cmp.Or(cmp.Compare(b.board.count('.'), a.board.count('.')),
					cmp.Compare(digits.Replace(boardText(a)), digits.Replace(boardText(b))))
			})
			f := find(t, test.alias)
			for _, tb := range []oracle{full, alternate} {
				if tb.alternate && test.alias == "hrbust" {
					continue // it needs them all
				}
				cases := listed(t, f, test.all, tb)
				var got []question
				for _, c := range cases {
					got = append(got, at(c.Position))
				}
				if len(want) != test.count || !slices.Equal(got, want) {
					t.Fatalf("%d inputs, want %d, of which there should be %d, in that order", len(got), len(want), test.count)
				}
				if f.Single() {
					continue
				}
				answers, err := f.Answers(cases, tb)
				if err != nil {
					t.Fatal(err)
				}
				wantOutput(t, f, f.Input(cases...), strings.Join(answers, ""), tb)
			}
		})
	}
}

func TestListedStrips(t *testing.T) {
	var got []string
	for _, c := range listed(t, find(t, "lightoj"), false, search()) {
		got = append(got, c.Strip)
	}
	if len(got) != 3+9+27+81+243 {
		t.Errorf("%d strips, want every one of up to 5 cells", len(got))
	}
	first := strings.Fields(". O X .. .O .X O. OX X. XO OO XX ... ..O ..X .O. .OX .X. .XO O.. O.O")
	if diff := diff.Diff(first, got[:len(first)]); diff != "" {
		t.Errorf("the first strips (-want +got):\n%s", diff)
	}
	slices.Sort(got)
	if unique := slices.Compact(got); len(unique) != 363 {
		t.Errorf("%d of 363 strips are different", len(unique))
	}
}

// images returns a board turned and mirrored in all ways, from its rows and columns.
func images(board cells) []cells {
	var all []cells
	for range 4 {
		var turned, mirrored cells
		for row := range 3 {
			for column := range 3 {
				turned[3*column+2-row] = board[3*row+column]
				mirrored[3*row+2-column] = board[3*row+column]
			}
		}
		all = append(all, board, mirrored)
		board = turned
	}
	return all
}

// TestCanonical expects of each class the case that is listed first.
func TestCanonical(t *testing.T) {
	tb := search()
	f := find(t, "hrbust")
	first := map[question]question{}
	for _, c := range listed(t, f, false, tb) {
		q := at(c.Position)
		want, ok := first[q]
		if !ok {
			want = q
			for _, image := range images(q.board) {
				first[question{image, q.mover}] = q
			}
		}
		if got := at(f.Canonical(c).Position); got != want {
			t.Fatalf("the canonical case of %s is %s, want %s", boardText(q), boardText(got), boardText(want))
		}
	}
	for strip, want := range map[string]string{
		"X": "O", "..X": "..O", "O..": "..O", "X.O": "O.X", "X..O": "O..X", "X.OX": "O.XO", ".XX.O": ".OO.X", "O.XX.": ".OO.X",
	} {
		if got := find(t, "lightoj").Canonical(Case{Strip: strip}).Strip; got != want {
			t.Errorf("the canonical strip of %s is %s, want %s", strip, got, want)
		}
	}
}

func TestSmallerStrips(t *testing.T) {
	var got []string
	for _, c := range find(t, "lightoj").Smaller(Case{Strip: "O.OX"}) {
		got = append(got, c.Strip)
	}
	if diff := diff.Diff(strings.Fields("O . X O. .O OX O.O .OX ..OX O..X O.O."), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
