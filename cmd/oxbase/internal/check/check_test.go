package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"oxbase/cmd/oxbase/internal/program"
	"oxbase/game"
	"oxbase/query/judge"
)

// stripTable is a tablebase of the gaps alone.
type stripTable map[game.Gap]int

func (stripTable) Value(game.Position) (game.Value, error) {
	return game.Value{}, errors.New("there are no positions")
}

func (t stripTable) Gap(g game.Gap) (int, error) { return t[g], nil }

func (t stripTable) Strip(strip []byte) (int, error) {
	sum := 0
	for _, gap := range game.Gaps(strip) {
		sum ^= t[gap]
	}
	return sum, nil
}

// newStripTable has the closed form, by the ends of a gap.
func newStripTable() stripTable {
	t := stripTable{}
	for length := 1; length <= 100; length++ {
		for _, left := range game.Ends() {
			for _, right := range game.Ends() {
				sg := length
				switch {
				case left == game.Edge && right == game.Edge:
					sg = length % 2
				case left == right:
					sg = 1
				case left != game.Edge && right != game.Edge:
					sg = 0
				}
				t[game.Gap{Length: length, Left: left, Right: right}] = sg
			}
		}
	}
	return t
}

// solve answers strips right, but for those that a mistake picks, which it answers in its own way.
func solve(table stripTable, input string, mistake func(number int, strip string) (answer string, ok bool)) string {
	var out strings.Builder
	for i, strip := range strings.Fields(input)[1:] {
		if answer, ok := mistake(i+1, strip); ok {
			out.WriteString(answer)
			continue
		}
		f, err := judge.Find("lightoj")
		if err != nil {
			panic(err)
		}
		answers, err := f.Answers([]judge.Case{{Strip: strip}}, table)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&out, "Case %d%s", i+1, strings.TrimPrefix(answers[0], "Case 1"))
	}
	return out.String()
}

// strips returns cases of the strips.
func strips(list ...string) []judge.Case {
	var cases []judge.Case
	for _, strip := range list {
		cases = append(cases, judge.Case{Strip: strip})
	}
	return cases
}

// TestNarrowing expects the cases to which failures of each kind are narrowed.
func TestNarrowing(t *testing.T) {
	table := newStripTable()
	listed := strips(".", "O", "X", "..", "O.", "X.", "O.O", "O.X", "X.O", "...O", "X...")
	long := "X.O..OX....O.X.O" // has a gap of 4
	wrong := func(when func(string) bool) func(int, string) (string, bool) {
		return func(number int, strip string) (string, bool) {
			return fmt.Sprintf("Case %d: Perhaps\n", number), when(strip)
		}
	}
	for _, test := range []struct {
		name    string
		plan    Plan
		mistake func(number int, strip string) (string, bool)
		fails   func(strips []string) bool // whether a run ends with result
		result  program.Result
		verdict Verdict
		want    []judge.Case
	}{
		{name: "accepted", plan: Plan{Samples: [][]judge.Case{listed}, Listed: listed, Drawn: strips(long)}, verdict: Accepted},
		{name: "first of a list", plan: Plan{Listed: listed},
			mistake: wrong(func(s string) bool { return len(s) > 2 }), verdict: WrongAnswer, want: strips("O.O")},
		{name: "the canonical one if it fails too", plan: Plan{Listed: strips(".", "X...")},
			mistake: wrong(func(s string) bool { return len(s) > 2 }), verdict: WrongAnswer, want: strips("...O")},
		{name: "not the canonical one if it passes", plan: Plan{Listed: strips(".", "X...")},
			mistake: wrong(func(s string) bool { return s == "X..." }), verdict: WrongAnswer, want: strips("X...")},
		{name: "a smaller one than in the sample", plan: Plan{Samples: [][]judge.Case{strips("...O", "O.X.")}, Listed: listed},
			mistake: wrong(func(s string) bool { return len(s) > 2 }), verdict: WrongAnswer, want: strips("O.O")},
		{name: "the sample if no smaller one fails", plan: Plan{Samples: [][]judge.Case{strips("O", "O.X.")}, Listed: listed},
			mistake: wrong(func(s string) bool { return strings.Contains(s, ".X.") || strings.Contains(s, ".O.") }), verdict: WrongAnswer, want: strips(".O.X")},
		{name: "a random one made smaller", plan: Plan{Drawn: strips(".", long)},
			mistake: wrong(func(s string) bool { return strings.Contains(s, "....") }), verdict: WrongAnswer, want: strips("....")},
		{name: "a random one with fewer pieces", plan: Plan{Drawn: strips(long)},
			mistake: wrong(func(s string) bool { return len(s) >= 16 }), verdict: WrongAnswer, want: strips("................")},
		{name: "white space", plan: Plan{Listed: listed},
			mistake: func(n int, s string) (string, bool) { return fmt.Sprintf("Case  %d: No\n", n), s == "O.X" }, verdict: PresentationError, want: strips("O.X")},
		{name: "a crash on one case", plan: Plan{Listed: listed}, result: program.Result{Ending: program.Signalled, Signal: "aborted"},
			fails: func(s []string) bool { return slices.Contains(s, "O.X") }, verdict: RuntimeError, want: strips("O.X")},
		{name: "an exit status", plan: Plan{Listed: listed}, result: program.Result{Ending: program.Exited, Status: 1},
			fails: func(s []string) bool { return slices.Contains(s, "..") }, verdict: RuntimeError, want: strips("..")},
		{name: "a hang on the third case", plan: Plan{Listed: listed}, result: program.Result{Ending: program.OutOfTime},
			fails: func(s []string) bool { return len(s) > 2 }, verdict: TimeLimit, want: strips(".", "O", "X")},
		{name: "a flood on the last of many", plan: Plan{Listed: listed}, result: program.Result{Ending: program.OutOfOutput},
			fails: func(s []string) bool { return slices.Contains(s, "X...") }, verdict: OutputLimit, want: strips("X...")},
		{name: "three that fail together", plan: Plan{Samples: [][]judge.Case{listed}, Listed: listed}, result: program.Result{Ending: program.OutOfMemory},
			fails: func(s []string) bool {
				return slices.Contains(s, "O") && slices.Contains(s, "X") && slices.Contains(s, "..")
			}, verdict: MemoryLimit, want: strips("O", "X", "..")},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := judge.Find("lightoj")
			if err != nil {
				t.Fatal(err)
			}
			runs, done := 0, 0
			c := Checker{Format: f, Tablebase: table, Progress: func(d, total int) {
				if d < done || d > total {
					t.Errorf("%d of %d cases done after %d", d, total, done)
				}
				done = d
			}, Run: func(_ context.Context, input string) (program.Result, error) {
				runs++
				if test.fails != nil && test.fails(strings.Fields(input)[1:]) {
					return test.result, nil
				}
				mistake := test.mistake
				if mistake == nil {
					mistake = func(int, string) (string, bool) { return "", false }
				}
				return program.Result{Ending: program.Exited, Output: []byte(solve(table, input, mistake)), Elapsed: time.Millisecond}, nil
			}}
			r, err := c.Check(t.Context(), test.plan)
			if err != nil {
				t.Fatal(err)
			}
			var got []judge.Case
			if r.Failure != nil {
				got = r.Failure.Cases
			}
			if diff := cmp.Diff(test.want, got); diff != "" || r.Verdict != test.verdict {
				t.Errorf("%s, want %s; cases (-want +got):\n%s", r.Verdict, test.verdict, diff)
			}
			if r.Runs != runs {
				t.Errorf("it reports %d runs of %d", r.Runs, runs)
			}
			if r.Failure != nil && (r.Failure.Input != f.Input(got...) || r.Failure.Verdict != r.Verdict) {
				t.Errorf("the failure %+v has another input or verdict", r.Failure)
			}
		})
	}
}

func TestCheckPassesErrorsOn(t *testing.T) {
	f, err := judge.Find("lightoj")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the program is gone")
	c := Checker{Format: f, Tablebase: newStripTable(), Run: func(context.Context, string) (program.Result, error) {
		return program.Result{}, broken
	}}
	for _, plan := range []Plan{{Samples: [][]judge.Case{strips(".")}}, {Listed: strips(".")}, {Drawn: strips(".")}} {
		if _, err := c.Check(t.Context(), plan); !errors.Is(err, broken) {
			t.Errorf("%+v: the error is %v, want %v", plan, err, broken)
		}
	}
}

func TestCompare(t *testing.T) {
	yes := []string{"Case 1: Yes\n", "Case 2: No\n", "Case 3: Yes\n"}
	board := []string{"xiaoa will win.\n3\n"}
	for _, test := range []struct {
		name    string
		answers []string
		got     string
		verdict Verdict
		wrong   int
	}{
		{"the same", yes, "Case 1: Yes\nCase 2: No\nCase 3: Yes\n", Accepted, 0},
		{"no last line end", yes, "Case 1: Yes\nCase 2: No\nCase 3: Yes", Accepted, 0},
		{"blanks at line ends", yes, "Case 1: Yes \r\nCase 2: No\t\nCase 3: Yes\n\n \n", Accepted, 0},
		{"two lines", board, "xiaoa will win.\n3", Accepted, 0},
		{"blank line between", yes, "Case 1: Yes\n\nCase 2: No\nCase 3: Yes\n", PresentationError, 1},
		{"blank at the beginning", yes, " Case 1: Yes\nCase 2: No\nCase 3: Yes\n", PresentationError, 0},
		{"two blanks", yes, "Case 1: Yes\nCase 2: No\nCase  3: Yes\n", PresentationError, 2},
		{"lower case", yes, "Case 1: Yes\nCase 2: no\nCase 3: Yes\n", PresentationError, 1},
		{"one line", board, "xiaoa will win. 3\n", PresentationError, 0},
		{"another answer", yes, "Case 1: Yes\nCase 2: Yes\nCase 3: Yes\n", WrongAnswer, 1},
		{"blank lines and another answer", yes, "Case 1: Yes\n\nCase 2: no\n\nCase 3: No\n", WrongAnswer, 2},
		{"one is missing", yes, "Case 1: Yes\nCase 2: No\n", WrongAnswer, 2},
		{"nothing", yes, "", WrongAnswer, 0},
		{"one too many", yes, "Case 1: Yes\nCase 2: No\nCase 3: Yes\nCase 4: No\n", WrongAnswer, 2},
		{"the number is wrong", board, "xiaoa will win.\n2\n", WrongAnswer, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if verdict, wrong := compare(test.answers, test.got); verdict != test.verdict || wrong != test.wrong {
				t.Errorf("%q is a %s at answer %d, want %s at %d", test.got, verdict, wrong, test.verdict, test.wrong)
			}
		})
	}
}
