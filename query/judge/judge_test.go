package judge

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// find returns a format that has to be there.
func find(t testing.TB, name string) Format {
	t.Helper()
	f, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// run returns what a format prints, and its error.
func run(t testing.TB, f Format, input string, tb Tablebase) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := f.Run(strings.NewReader(input), &out, tb)
	return out.String(), err
}

// wantOutput fails the test unless a format answers an input so.
func wantOutput(t *testing.T, f Format, input, want string, tb Tablebase) {
	t.Helper()
	got, err := run(t, f, input, tb)
	if err != nil {
		t.Errorf("input %.200q: %v", input, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("input %.200q (-want +got):\n%s", input, diff)
	}
}

func TestFind(t *testing.T) {
	for _, f := range Formats() {
		for _, name := range []string{f.Name, f.Alias} {
			if got := find(t, name); got.Name != f.Name {
				t.Errorf("Find(%q) is %s: want %s", name, got.Name, f.Name)
			}
		}
	}
	_, err := Find("hrbust-2321")
	want := `"hrbust-2321" is not a problem: want one of hrbust-2320 (hrbust), lightoj-1401 (lightoj), ` +
		`csp-201803-4 (csp), luogu-p1917 (luogu), algospot-tictactoe (algospot)`
	if err == nil || err.Error() != want {
		t.Errorf("error is\n%v\nwant\n%s", err, want)
	}
}

func TestFormatsSayWhatTheyNeed(t *testing.T) {
	type needs struct {
		Game  string
		Turns game.Turns
	}
	got := map[string]needs{}
	for _, f := range Formats() {
		n := needs{Turns: f.Turns}
		if f.Game != nil {
			n.Game = f.Game.String()
		}
		got[f.Alias] = n
		if f.Title == "" || f.Judge == "" || f.Summary == "" {
			t.Errorf("%s lacks a title, a judge or a summary", f.Name)
		}
	}
	want := map[string]needs{
		"hrbust":   {"3x3x3", game.AnyTurns},
		"lightoj":  {},
		"csp":      {"3x3x3", game.Alternate},
		"luogu":    {"3x3x3", game.Alternate},
		"algospot": {"3x3x3", game.Alternate},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSamples(t *testing.T) {
	samples := map[string]string{ // file: format
		"algospot-tictactoe": "algospot-tictactoe",
		"csp-201803-4":       "csp-201803-4",
		"hrbust-2320":        "hrbust-2320",
		"lightoj-1401":       "lightoj-1401",
		"luogu-p1917":        "luogu-p1917",
		"luogu-p1917-2":      "luogu-p1917",
	}
	files, err := filepath.Glob("testdata/*.in")
	if err != nil || len(files) != len(samples) {
		t.Fatalf("testdata has samples %v (%v): want those of %v", files, err, samples)
	}
	tb := search()
	for name, format := range samples {
		t.Run(name, func(t *testing.T) {
			wantOutput(t, find(t, format), readFile(t, name+".in"), readFile(t, name+".out"), tb)
		})
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestExamples(t *testing.T) {
	answers := map[string]string{
		"hrbust":   "x win!\n",
		"lightoj":  "Case 1: Yes\nCase 2: Yes\n",
		"csp":      "3\n",
		"luogu":    "xiaoa will win.\n3\n",
		"algospot": "x\n",
	}
	tb := search()
	for _, f := range Formats() {
		wantOutput(t, f, f.Example, answers[f.Alias], tb)
	}
}

func TestNotableCases(t *testing.T) {
	tests := []struct{ name, format, input, want string }{
		{"gap between equal pieces", "lightoj", "1\nO.O\n", "Case 1: Yes\n"},
		{"gap between different pieces", "lightoj", "1\nO.X\n", "Case 1: No\n"},
		{"odd number of pieces and no move", "lightoj", "1\nOXO\n", "Case 1: Yes\n"},
		{"even number of pieces and no move", "lightoj", "1\nOX\n", "Case 1: No\n"},
		{"equal neighbours", "lightoj", "1\nOO.\n", "Case 1: Yes\n"},
		{"longer than the judge's 100", "lightoj", "1\n" + strings.Repeat(".", 120) + "\n", "Case 1: No\n"},
		{"no cases", "lightoj", "0\n", ""},
		{"no cases", "hrbust", "0\n", ""},
		{"board with x to move", "hrbust", "1\n...\n...\n.ox\nx\n", "x win!\n"},
		{"board with o to move", "hrbust", "1\n...\n...\n.ox\no\n", "tie!\n"},
		{"finished by o, x to move", "hrbust", "1\nxoo\n.x.\n..x\nx\n", "x win!\n"},
		{"finished by x, o to move", "hrbust", "1\nxoo\n.x.\n..x\no\n", "x win!\n"},
		{"nothing but x", "hrbust", "1\nxxx\nxxx\nxxx\no\n", "x win!\n"},
		{"line on the last free cell", "hrbust", "1\nxox\noxo\noxx\no\n", "x win!\n"},
		{"finished by x", "algospot", "1\nxoo\n.x.\n..x\n", "x\n"},
		{"full without a line", "algospot", "1\nxox\nxoo\noxx\n", "TIE\n"},
		{"line on the last free cell", "algospot", "1\nxox\noxo\noxx\n", "x\n"},
		{"line on the last free cell", "csp", "1\n1 2 1\n2 1 2\n2 1 1\n", "1\n"},
		{"line to come on the last free cell", "csp", "1\n1 2 1\n2 1 2\n2 1 0\n", "1\n"},
		{"won by Alice with Bob to move", "csp", "1\n1 2 2\n0 1 0\n0 0 1\n", "5\n"},
		{"uim wins", "luogu", "XO-\nOX-\nO-X\n", "uim will win.\n6\n"},
		{"empty board", "luogu", "---\n---\n---\n", "Dont know.\n0\n"},
		{"three ways to write an empty cell", "luogu", "-._\n.O_\n_XO\n", "xiaoa will win.\n3\n"},
	}
	tb := search()
	for _, test := range tests {
		t.Run(test.format+"/"+test.name, func(t *testing.T) {
			wantOutput(t, find(t, test.format), test.input, test.want, tb)
		})
	}
}

// TestLayout runs every sample with white space that doesn't matter.
func TestLayout(t *testing.T) {
	layouts := []struct {
		name   string
		change func(string) string
	}{
		{"CRLF", func(in string) string { return strings.ReplaceAll(in, "\n", "\r\n") }},
		{"byte-order mark", func(in string) string { return "\ufeff" + in }},
		{"no last newline", func(in string) string { return strings.TrimSuffix(in, "\n") }},
		{"blank lines", func(in string) string { return "\n \t\r\n" + strings.ReplaceAll(in, "\n", "\n\n  \n") }},
		{"blanks around lines", func(in string) string { return " \t" + strings.ReplaceAll(in, "\n", "\t \n \t") }},
		{"all of it", func(in string) string {
			return "\ufeff\r\n" + strings.ReplaceAll(strings.TrimSuffix(in, "\n"), "\n", " \r\n\r\n\t")
		}},
	}
	tb := search()
	for _, f := range Formats() {
		name := f.Name
		in, out := readFile(t, name+".in"), readFile(t, name+".out")
		for _, layout := range layouts {
			t.Run(f.Alias+"/"+layout.name, func(t *testing.T) {
				wantOutput(t, f, layout.change(in), out, tb)
			})
		}
	}
	t.Run("hrbust/without blanks", func(t *testing.T) {
		in := strings.ReplaceAll(readFile(t, "hrbust-2320.in"), " ", "")
		wantOutput(t, find(t, "hrbust"), in, readFile(t, "hrbust-2320.out"), tb)
	})
	t.Run("hrbust/a case a line", func(t *testing.T) {
		wantOutput(t, find(t, "hrbust"), "2\n... ... .ox x\n.......ox o\n", "x win!\ntie!\n", tb)
	})
	t.Run("csp/more blanks", func(t *testing.T) {
		in := strings.ReplaceAll(readFile(t, "csp-201803-4.in"), " ", " \t ")
		wantOutput(t, find(t, "csp"), in, readFile(t, "csp-201803-4.out"), tb)
	})
}

// TestEveryPosition asks hrbust for all boards without lines of both sides, either side to
// move, in one input, and for each of the others alone.
func TestEveryPosition(t *testing.T) {
	tb, f := search(), find(t, "hrbust")
	var in, want strings.Builder
	cases := 0
	for _, board := range allBoards() {
		for _, mover := range []byte("xo") {
			s := tb.boards[question{board, mover}]
			text := board.write("x", "o", ".", " ") + string(mover) + "\n"
			if s.both {
				wantError(t, f, "1\n"+text, "", fmt.Sprintf(
					"case 1, line 2: board %q: both sides have a line, which can't arise", board.oneLine("x", "o", ".")), tb)
				continue
			}
			cases++
			in.WriteString(text)
			want.WriteString(map[int]string{1: "x win!\n", 0: "tie!\n", -1: "o win!\n"}[sign(s.score)])
		}
	}
	if cases != 38742 {
		t.Errorf("asked %d positions: want 38742", cases)
	}
	wantOutput(t, f, fmt.Sprintf("%d\n%s", cases, in.String()), want.String(), tb)
}

// boardFormat is how the test asks about a board in a format that promises reachable ones.
type boardFormat struct {
	x, o, empty, between string
	counted              bool
	answer               func(s *solved, board cells) string
	onlyX                bool // x must be to move unless the board is finished
	legal                int  // how many boards are answered
}

func boardFormats() map[string]boardFormat {
	return map[string]boardFormat{
		"csp": {"1", "2", "0", " ", true, func(s *solved, _ cells) string { return fmt.Sprintf("%d\n", s.score) }, true, 2739 + 642},
		"algospot": {"x", "o", ".", "", true, func(s *solved, _ cells) string {
			return map[int]string{1: "x\n", 0: "TIE\n", -1: "o\n"}[sign(s.score)]
		}, false, 5478},
		"luogu": {"O", "X", "-", "", false, func(s *solved, board cells) string {
			return fmt.Sprintf("%s\n%d\n", map[int]string{1: "xiaoa will win.", 0: "Dont know.", -1: "uim will win."}[sign(s.score)],
				9-board.count('.'))
		}, false, 5478},
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

// TestEveryBoard asks about each of the 3^9 boards alone: it is answered or refused, with
// either kind of file; and counted formats get all that are answered in one input too.
func TestEveryBoard(t *testing.T) {
	full := search()
	reachableOnly := full
	reachableOnly.alternate = true
	for alias, bf := range boardFormats() {
		t.Run(alias, func(t *testing.T) {
			f := find(t, alias)
			var all, wantAll strings.Builder
			answered, xToMove := 0, map[string]int{}
			for _, board := range allBoards() {
				in, first := board.write(bf.x, bf.o, bf.empty, bf.between), 1
				text := in
				if bf.counted {
					in, first = "1\n"+text, 2
				}
				place := fmt.Sprintf("case 1, line %d: board %q: ", first, board.oneLine(bf.x, bf.o, bf.empty))
				mover, wrong := board.mover(), ""
				s := full.boards[question{board, mover}]
				switch {
				case mover == 0:
					wrong = fmt.Sprintf("%s moves first, so it must have as many %s as %s or one more %s", bf.x, bf.x, bf.o, bf.x)
				case s.both:
					wrong = "both sides have a line, which can't arise"
				case !s.legal:
					wrong = "play can't reach it: it stops at the first line"
				case bf.onlyX && mover == 'o' && !s.over:
					wrong = "2 is to move: want a board with 1 to move, or a finished one"
				}
				if wrong != "" {
					wantError(t, f, in, "", place+wrong, full)
					wantError(t, f, in, "", place+wrong, reachableOnly)
					continue
				}
				answer := bf.answer(s, board)
				wantOutput(t, f, in, answer, full)
				wantOutput(t, f, in, answer, reachableOnly)
				answered++
				all.WriteString(text)
				wantAll.WriteString(answer)
				if mover == 'x' {
					xToMove[strings.TrimSpace(answer)]++
				}
			}
			if bf.counted {
				wantOutput(t, f, fmt.Sprintf("%d\n%s", answered, all.String()), wantAll.String(), full)
			}
			if answered != bf.legal {
				t.Errorf("%d boards were answered: want %d", answered, bf.legal)
			}
			if alias == "csp" {
				want := map[string]int{"-4": 148, "-2": 320, "0": 441, "1": 226, "3": 1244, "5": 360}
				if diff := cmp.Diff(want, xToMove); diff != "" {
					t.Errorf("answers to the judge's legal inputs (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestJudgesBoards asks luogu about the boards that the judge allows: up to three pieces, the
// first in the centre.
func TestJudgesBoards(t *testing.T) {
	tb, bf := search(), boardFormats()["luogu"]
	got := map[string]int{}
	for _, board := range allBoards() {
		if board[4] != 'x' || board.count('.') < 6 || board.mover() == 0 {
			continue
		}
		out, err := run(t, find(t, "luogu"), board.write("O", "X", "-", ""), tb)
		if err != nil {
			t.Fatal(err)
		}
		if want := bf.answer(tb.boards[question{board, board.mover()}], board); out != want {
			t.Errorf("%v is answered %q: want %q", board, out, want)
		}
		got[out]++
	}
	// One piece, two (8 boards) or three (8 times 7).
	total := 0
	for _, n := range got {
		total += n
	}
	if total != 65 || got["Dont know.\n1\n"] != 1 {
		t.Errorf("answers %v: want 65 boards, of which the one with one piece isn't known", got)
	}
}

// strips is a forward search of whole strips: whether the side to move wins.
type strips map[string]bool

func (s strips) moverWins(strip string) bool {
	if known, ok := s[strip]; ok {
		return known
	}
	wins := false
	for i := 0; i < len(strip) && !wins; i++ {
		for _, piece := range []byte("OX") {
			if strip[i] != '.' || i > 0 && strip[i-1] == piece || i+1 < len(strip) && strip[i+1] == piece {
				continue
			}
			if !s.moverWins(strip[:i] + string(piece) + strip[i+1:]) {
				wins = true
			}
		}
	}
	s[strip] = wins
	return wins
}

func TestEveryStrip(t *testing.T) {
	var in, want strings.Builder
	tb, searched, number := search(), strips{}, 0
	level := []string{""}
	for range 8 {
		var longer []string
		for _, strip := range level {
			longer = append(longer, strip+".", strip+"O", strip+"X")
		}
		level = longer
		for _, strip := range level {
			number++
			pieces := strings.Count(strip, "O") + strings.Count(strip, "X")
			answer := "No"
			if searched.moverWins(strip) == (pieces%2 == 0) {
				answer = "Yes"
			}
			fmt.Fprintln(&in, strip)
			fmt.Fprintf(&want, "Case %d: %s\n", number, answer)
		}
	}
	wantOutput(t, find(t, "lightoj"), fmt.Sprintf("%d\n%s", number, in.String()), want.String(), tb)
}

// wantError fails the test unless a format prints an output and then returns an InputError
// with a text.
func wantError(t *testing.T, f Format, input, output, want string, tb Tablebase) {
	t.Helper()
	got, err := run(t, f, input, tb)
	if got != output {
		t.Errorf("%s: input %.200q prints %q before the error: want %q", f.Alias, input, got, output)
	}
	if _, ok := errors.AsType[*InputError](err); !ok || err.Error() != want {
		t.Errorf("%s: input %.200q has the %T\n%v\nwant the input error\n%s", f.Alias, input, err, err, want)
	}
}
