package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game/gametest"
)

// outcomeWord picks the word for the side that a score says wins.
func outcomeWord(score int, x, tie, o string) string {
	switch {
	case score > 0:
		return x
	case score < 0:
		return o
	}
	return tie
}

// grid writes a board of nine cells as three lines, each cell as the character that stands at
// its digit in cells ("." empty, then x, then o), with a separator between cells.
func grid(board, cells, separator string) string {
	var text strings.Builder
	for i, c := range board {
		text.WriteByte(cells[strings.IndexRune(".xo", c)])
		if i%3 == 2 {
			text.WriteByte('\n')
		} else {
			text.WriteString(separator)
		}
	}
	return text.String()
}

// TestJudgesAnswerEveryInput asks each board problem every input that its format allows, through
// the command and a real file, and expects what a plain search says.
func TestJudgesAnswerEveryInput(t *testing.T) {
	plainOnly(t)
	db := built(t)
	search := gametest.New(3, 3, 3, false, false)
	var hrbust, csp, algospot struct {
		in, want strings.Builder
		cases    int
	}
	type luoguCase struct{ in, want string }
	var luogu []luoguCase
	for key := range search.Keys() {
		if !search.Possible(key) {
			continue
		}
		board, toMove := search.Board(key)
		score, distance := search.Value(key)
		hrbust.cases++
		fmt.Fprintf(&hrbust.in, "%s%c\n", grid(board, ".xo", " "), toMove)
		fmt.Fprintln(&hrbust.want, outcomeWord(score, "x win!", "tie!", "o win!"))
		if !search.Reachable(key) {
			continue
		}
		algospot.cases++
		fmt.Fprint(&algospot.in, grid(board, ".xo", ""))
		fmt.Fprintln(&algospot.want, outcomeWord(score, "x", "TIE", "o"))
		luogu = append(luogu, luoguCase{
			grid(board, "-OX", ""),
			fmt.Sprintf("%s\n%d\n", outcomeWord(score, "xiaoa will win.", "Dont know.", "uim will win."), 9-strings.Count(board, ".")),
		})
		if toMove == 'x' {
			csp.cases++
		}
		if toMove == 'x' || distance == 0 {
			fmt.Fprint(&csp.in, grid(board, "012", " "))
			fmt.Fprintln(&csp.want, score)
		}
	}
	if hrbust.cases != 38742 || algospot.cases != 5478 || len(luogu) != 5478 || csp.cases != 2739 {
		t.Fatalf("%d, %d, %d and %d inputs, want 38742, 5478, 5478 and 2739", hrbust.cases, algospot.cases, len(luogu), csp.cases)
	}
	ask := func(problem string, cases int, in, want string) {
		t.Helper()
		got := mustOxbase(t, fmt.Sprintf("%d\n%s", cases, in), "query", problem, "--db", db)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", problem, diff)
		}
	}
	ask("hrbust-2320", hrbust.cases, hrbust.in.String(), hrbust.want.String())
	ask("algospot-tictactoe", algospot.cases, algospot.in.String(), algospot.want.String())
	ask("csp-201803-4", strings.Count(csp.want.String(), "\n"), csp.in.String(), csp.want.String())

	folder := t.TempDir()
	args := []string{"query", "luogu-p1917", "--db", db}
	var want strings.Builder
	for i, c := range luogu {
		path := filepath.Join(folder, fmt.Sprint(i))
		if err := os.WriteFile(path, []byte(c.in), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
		want.WriteString(c.want)
	}
	if diff := cmp.Diff(want.String(), mustOxbase(t, "", args...)); diff != "" {
		t.Errorf("luogu-p1917 (-want +got):\n%s", diff)
	}
}

// TestStripsEqualPlay asks for every strip of up to 8 cells, legal or not, and expects what
// playing the whole strip out says.
func TestStripsEqualPlay(t *testing.T) {
	plainOnly(t)
	db := built(t)
	wins := map[string]bool{}
	var moverWins func(strip string) bool
	moverWins = func(strip string) bool {
		if win, known := wins[strip]; known {
			return win
		}
		win := false
		for i := 0; i < len(strip) && !win; i++ {
			for _, piece := range []string{"O", "X"} {
				if strip[i] != '.' || strings.HasSuffix(strip[:i], piece) || strings.HasPrefix(strip[i+1:], piece) {
					continue
				}
				win = win || !moverWins(strip[:i]+piece+strip[i+1:])
			}
		}
		wins[strip] = win
		return win
	}
	var in, want strings.Builder
	cases := 0
	strips := []string{""}
	for length := 1; length <= 8; length++ {
		var longer []string
		for _, strip := range strips {
			longer = append(longer, strip+".", strip+"O", strip+"X")
		}
		strips = longer
		for _, strip := range strips {
			cases++
			fmt.Fprintln(&in, strip)
			pieces := len(strip) - strings.Count(strip, ".")
			playerWins := moverWins(strip) == (pieces%2 == 0)
			fmt.Fprintf(&want, "Case %d: %s\n", cases, map[bool]string{true: "Yes", false: "No"}[playerWins])
		}
	}
	got := mustOxbase(t, fmt.Sprintf("%d\n%s", cases, in.String()), "query", "lightoj-1401", "--db", db)
	if diff := cmp.Diff(want.String(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestJudgesReadAnyFileOfTheGame checks that what a file stores changes no answer.
func TestJudgesReadAnyFileOfTheGame(t *testing.T) {
	in := "2\nx..\n.o.\n...\nxo.\n.x.\no..\n"
	want := mustOxbase(t, in, "query", "algospot", "--db", built(t))
	for _, args := range [][]string{
		{"3x3x3", "--symmetry", "canonical"},
		{"3x3x3", "--turns", "alternate"},
		{"3x3x3", "--turns", "alternate", "--symmetry", "canonical"},
	} {
		if got := mustOxbase(t, in, "query", "algospot", "--db", built(t, args...)); got != want {
			t.Errorf("%v: got %q, want %q", args, got, want)
		}
	}
}

// TestQueryErrors checks the one line and the exit status for what can't be answered.
func TestQueryErrors(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.db")
	if err := os.WriteFile(text, []byte("not a database, only words that fill some space\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		stdin string
		args  []string
		want  result
	}{
		{"bad cell after a good case", "2\n...\n...\n...\nxo.\nzxo\n...\n", []string{"query", "algospot", "--db", built(t)},
			result{"TIE\n", "oxbase: case 2, line 6: \"z\" is not a cell: want o, x or .\n", exitInput}},
		{"no database", "", []string{"query", "csp", "--db", filepath.Join(folder, "none.db")},
			result{"", fmt.Sprintf("oxbase: %s/none.db: no such file: build it with \"oxbase build --db %s/none.db\"\n", folder, folder), exitMissing}},
		{"no database of a game", "", []string{"query", "csp", "--db", "4x4x3-drop.db"},
			result{"", "oxbase: 4x4x3-drop.db: no such file: build it with \"oxbase build 4x4x3-drop\"\n", exitMissing}},
		{"not SQLite", "", []string{"query", "csp", "--db", text},
			result{"", fmt.Sprintf("oxbase: %s: not an oxbase file: it is no SQLite database\n", text), exitDamaged}},
		{"another game", "", []string{"query", "csp", "--db", built(t, "2x2x2")},
			result{"", fmt.Sprintf("oxbase: %s holds 2x2x2 and csp-201803-4 needs 3x3x3: build it with \"oxbase build 3x3x3\": not in the tablebase\n", built(t, "2x2x2")), exitMissing}},
		{"reachable positions only", "", []string{"query", "hrbust", "--db", built(t, "3x3x3", "--turns", "alternate")},
			result{"", fmt.Sprintf("oxbase: %s holds turns alternate and hrbust-2320 needs either side to move on every board: build it with \"oxbase build --turns any\": not in the tablebase\n", built(t, "3x3x3", "--turns", "alternate")), exitMissing}},
		{"no such input file", "", []string{"query", "csp", "--db", built(t), filepath.Join(folder, "none.txt")},
			result{"", fmt.Sprintf("oxbase: %s/none.txt: no such file or directory\n", folder), exitInput}},
		{"unknown problem", "", []string{"query", "poj-1000"},
			result{"", "oxbase: unknown command \"poj-1000\" for \"oxbase query\" (see \"oxbase query --help\")\n", exitInput}},
		{"unknown flag", "", []string{"info", "--colour"},
			result{"", "oxbase: unknown flag: --colour (see \"oxbase info --help\")\n", exitInput}},
		{"unknown command", "", []string{"biuld"},
			result{"", "oxbase: unknown command \"biuld\" for \"oxbase\" (see \"oxbase --help\")\n", exitInput}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, oxbase(t, test.stdin, test.args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
