package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"oxbase/query"
)

// builtSolution returns the program of testdata/solution. It is compiled once a test run.
func builtSolution(t testing.TB) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(built(t)), "solution.exe")
	files.Lock()
	defer files.Unlock()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if out, err := exec.Command("go", "build", "-o", path, "./testdata/solution").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return path
}

// checkSolution runs check on a solution and returns the report, with which the exit status and
// the error must agree.
func checkSolution(t *testing.T, problem, mistake string, flags ...string) checkReport {
	t.Helper()
	args := append([]string{"check", problem, "--json", "--db", built(t)}, flags...)
	r := oxbase(t, "", append(args, "--", builtSolution(t), problem, mistake)...)
	var report checkReport
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil {
		t.Fatalf("exit status %d, %s: %v", r.Status, r.Err, err)
	}
	want := result{r.Out, "", exitDone}
	if report.Verdict != "accepted" {
		want = result{r.Out, fmt.Sprintf("oxbase: %s\n", report.Verdict), exitOther}
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if report.Accepted != (report.Verdict == "accepted") || report.Accepted != (report.Failure == nil) {
		t.Errorf("the verdict is %s, accepted %v, and the failure %v", report.Verdict, report.Accepted, report.Failure)
	}
	return report
}

func TestCheckAcceptsRightSolutions(t *testing.T) {
	for _, test := range []struct {
		problem string
		flags   []string
		cases   int // the samples' and all others
	}{
		{"csp", nil, 3 + 2739},
		{"algospot", nil, 3 + 5478},
		{"hrbust", nil, 6 + 38742},
		{"luogu", nil, 2 + 65},
		{"lightoj", nil, 5 + 9840 + 1000},
		{"lightoj", []string{"--length", "3", "--count", "20", "--seed", "7"}, 5 + 39 + 20},
	} {
		t.Run(strings.Join(append([]string{test.problem}, test.flags...), " "), func(t *testing.T) {
			t.Parallel()
			r := checkSolution(t, test.problem, "", append(test.flags, "--time", "1m")...)
			if r.Verdict != "accepted" || r.Cases != test.cases {
				t.Errorf("%s after %d cases in %d runs, want accepted after %d: %+v", r.Verdict, r.Cases, r.Runs, test.cases, r.Failure)
			}
		})
	}
}

// TestCheckFindsMistakes expects for each mistake the verdict and the smallest case that shows it.
func TestCheckFindsMistakes(t *testing.T) {
	short := []string{"--time", "1s"}
	exit := func(status int) *int { return &status }
	type failure struct {
		Verdict              string
		Cases                int
		Input, Expected, Got string
		Reason               string
		ExitStatus           *int
	}
	for _, test := range []struct {
		problem, mistake string
		flags            []string
		want             failure
	}{
		{"csp", "full board before line", nil,
			failure{"wrong answer", 1, "1\n0 0 0\n1 0 2\n0 1 2\n", "1\n", "0\n", "", exit(0)}},
		{"hrbust", "full board before line", nil,
			failure{"wrong answer", 1, "1\n. . .\nx . o\n. x o\nx\n", "x win!\n", "tie!\n", "", exit(0)}},
		{"csp", "shortest loss", nil,
			failure{"wrong answer", 1, "1\n0 0 0\n0 0 0\n0 2 1\n", "3\n", "5\n", "", exit(0)}},
		{"algospot", "wrong parity", nil,
			failure{"wrong answer", 1, "1\n...\n...\n..x\n", "TIE\n", "x\n", "", exit(0)}},
		{"lightoj", "equal ends 0", nil,
			failure{"wrong answer", 1, "1\nO.O\n", "Case 1: Yes\n", "Case 1: No\n", "", exit(0)}},
		{"luogu", "uim never wins", []string{"--all"},
			failure{"wrong answer", 1, "---\n---\nOOX\n", "uim will win.\n3\n", "Dont know.\n3\n", "", exit(0)}},
		{"lightoj", "missing Case", nil,
			failure{"wrong answer", 1, "1\n.\n", "Case 1: Yes\n", "1: Yes\n", "", exit(0)}},
		{"algospot", "-1 as not finished", nil,
			failure{"wrong answer", 1, "1\n...\n...\n...\n", "TIE\n", "x\n", "", exit(0)}},
		{"hrbust", "reads nothing", nil,
			failure{"wrong answer", 1, "1\n. . .\n. . .\n. . .\nx\n", "tie!\n", "", "", exit(0)}},
		{"algospot", "answers in the wrong case", nil,
			failure{"presentation error", 1, "1\n...\n...\n...\n", "TIE\n", "tie\n", "", exit(0)}},
		{"algospot", "blank lines between answers", nil,
			failure{"presentation error", 2, "2\n...\n...\n...\n...\n...\n..x\n", "TIE\nTIE\n", "TIE\n\nTIE\n\n", "", exit(0)}},
		{"hrbust", "crashes on a finished board", nil,
			failure{"runtime error", 1, "1\n. . .\n. . .\nx x x\nx\n", "x win!\n", "", "exit status 2", exit(2)}},
		{"csp", "crashes on a finished board", nil,
			failure{"runtime error", 1, "1\n0 0 1\n0 1 1\n2 2 2\n", "-4\n", "", "exit status 2", exit(2)}},
		{"csp", "hangs on the third case", short,
			failure{"time limit exceeded", 3, "3\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 1 2\n0 0 0\n0 0 0\n0 2 1\n", "0\n0\n3\n", "0\n0\n", "not done after 1s", nil}},
		{"lightoj", "hangs on the third case", short,
			failure{"time limit exceeded", 3, "3\n.\nO\nX\n", "Case 1: Yes\nCase 2: Yes\nCase 3: Yes\n", "Case 1: Yes\nCase 2: Yes\n", "not done after 1s", nil}},
		{"luogu", "endless output", []string{"--output", "1"},
			failure{"output limit exceeded", 1, "---\n-O-\n---\n", "Dont know.\n1\n", strings.Repeat("0\n", shownOutput/2), "more than 1.0 MiB of output", nil}},
	} {
		t.Run(test.problem+"/"+test.mistake, func(t *testing.T) {
			t.Parallel()
			r := checkSolution(t, test.problem, test.mistake, test.flags...)
			if r.Failure == nil {
				t.Fatalf("accepted after %d cases", r.Cases)
			}
			f := r.Failure
			got := failure{string(r.Verdict), f.Cases, f.Input, f.Expected, f.Got, f.Reason, f.ExitStatus}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if crashed := strings.Contains(f.Errors, "panic: no move"); crashed != strings.HasPrefix(test.mistake, "crashes") {
				t.Errorf("standard error is %q", f.Errors)
			}
		})
	}
}

// TestCheckEndsChildren checks a right solution of which each run leaves a child behind.
func TestCheckEndsChildren(t *testing.T) {
	if r := checkSolution(t, "luogu", "leaves a child behind"); r.Verdict != "accepted" || r.Runs != 67 {
		t.Errorf("%s after %d runs, want accepted after 67: %+v", r.Verdict, r.Runs, r.Failure)
	}
}

// TestCheckExplains expects in the report what query board and query strip say of the case.
func TestCheckExplains(t *testing.T) {
	db := built(t)
	for _, test := range []struct{ problem, mistake, question, asked string }{
		{"csp", "shortest loss", "board", ".../.../.ox"},
		{"lightoj", "equal ends 0", "strip", "O.O"},
	} {
		f := checkSolution(t, test.problem, test.mistake).Failure
		want := failureReport{}
		answer := mustOxbase(t, "", "query", test.question, test.asked, "--json", "--db", db)
		var into any = &want.Position
		if test.question == "strip" {
			into = &want.Strip
		}
		if err := json.Unmarshal([]byte(answer), into); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, *f, cmpopts.IgnoreFields(failureReport{}, "Cases", "Input", "Expected", "Got", "ExitStatus", "Legend", "Rerun", "Saved")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.problem, diff)
		}
	}
	if f := checkSolution(t, "algospot", "blank lines between answers").Failure; f.Position != (*query.Report)(nil) {
		t.Errorf("two cases have the report %+v, want none", f.Position)
	}
}

// TestCheckRerun runs the command line that a report gives in a shell.
func TestCheckRerun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	folder := filepath.Join(t.TempDir(), "a folder", "within")
	for _, flags := range [][]string{nil, {"--save", folder}} {
		f := checkSolution(t, "luogu", "uim never wins", append(flags, "--all")...).Failure
		out, err := exec.Command("sh", "-c", f.Rerun).Output()
		if err != nil || string(out) != f.Got {
			t.Errorf("%s prints %q (%v), want %q", f.Rerun, out, err, f.Got)
		}
	}
	for name, want := range map[string]string{"luogu-p1917.in": "---\n---\nOOX\n", "luogu-p1917.out": "uim will win.\n3\n"} {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
}

func TestCheckErrors(t *testing.T) {
	db := built(t)
	usageText := `oxbase: want a problem, then --, then the program and its arguments (see "oxbase check --help")` + "\n"
	for _, test := range []struct {
		name string
		args []string
		want result
	}{
		{"no program", []string{"csp"}, result{"", usageText, exitInput}},
		{"no dashes", []string{"csp", "cat"}, result{"", usageText, exitInput}},
		{"nothing after the dashes", []string{"csp", "--"}, result{"", usageText, exitInput}},
		{"two problems", []string{"csp", "luogu", "--", "cat"}, result{"", usageText, exitInput}},
		{"unknown problem", []string{"poj", "--", "cat"}, result{"", `oxbase: "poj" is not a problem: want one of hrbust-2320 (hrbust), lightoj-1401 (lightoj), csp-201803-4 (csp), luogu-p1917 (luogu), algospot-tictactoe (algospot)` + "\n", exitInput}},
		{"no such program", []string{"csp", "--db", db, "--", "./none"}, result{"", "oxbase: exec: \"./none\": stat ./none: no such file or directory\n", exitInput}},
		{"no time", []string{"csp", "--time", "0s", "--", "cat"}, result{"", "oxbase: --time 0s: want more than 0, such as 2s\n", exitInput}},
		{"no memory", []string{"csp", "--memory", "0", "--", "cat"}, result{"", "oxbase: --memory 0: want 1 to 1048576 MiB\n", exitInput}},
		{"no output", []string{"csp", "--output", "0", "--", "cat"}, result{"", "oxbase: --output 0: want 1 to 1024 MiB\n", exitInput}},
		{"count below 0", []string{"lightoj", "--count", "-1", "--", "cat"}, result{"", "oxbase: --count -1: want at least 0\n", exitInput}},
		{"too long", []string{"lightoj", "--length", "13", "--", "cat"}, result{"", "oxbase: --length 13: want 1 to 12\n", exitInput}},
		{"boards have no length", []string{"csp", "--length", "5", "--", "cat"}, result{"", "oxbase: --length is for strips: csp-201803-4 has none\n", exitInput}},
		{"another game", []string{"csp", "--db", built(t, "2x2x2"), "--", "cat"}, result{"", fmt.Sprintf("oxbase: %s holds 2x2x2 and csp-201803-4 needs 3x3x3: build it with \"oxbase build 3x3x3\": not in the tablebase\n", built(t, "2x2x2")), exitMissing}},
		{"short strips", []string{"lightoj", "--db", built(t, "1x1x1", "--strip-length", "20"), "--", "cat"}, result{"", "oxbase: a strip of 100 cells isn't in the tablebase: the table of strips goes up to 20\n", exitMissing}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, oxbase(t, "", append([]string{"check"}, test.args...)...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
