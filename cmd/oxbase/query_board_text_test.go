package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"oxbase/game"
	"oxbase/query"
)

// fitsTerminal complains about lines that are wider than a terminal of 80 columns.
func fitsTerminal(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > 80 {
			t.Errorf("a line has %d columns, want at most 80: %s", width, line)
		}
	}
}

func TestBoardText(t *testing.T) {
	normal := built(t)
	for _, test := range []struct {
		name, stdin, db string
		args            []string
	}{
		{"start", "", normal, []string{"........."}},
		{"only_move", "", normal, []string{"X_O/_x_/_--"}},
		{"throws_away", "", normal, []string{"xo./.../...", "--to-move", "x"}},
		{"loses_anyway", "", normal, []string{"x.x/.o./x.o", "--to-move", "o"}},
		{"last_cell", "", normal, []string{"xoxxoxo.o"}},
		{"won", "", normal, []string{"xxx/oo./..."}},
		{"won_on_last_cell", "", normal, []string{"xox/oxo/xox"}},
		{"full", "", normal, []string{"xox/xox/oxo"}},
		{"unreachable", "", normal, []string{".../.../.ox", "--to-move", "o"}},
		{"unreachable_won", "", normal, []string{"ooo/.../...", "--to-move", "o"}},
		{"misere_lost", "", built(t, "3x3x3-misere"), []string{"xxx/oo./..."}},
		{"drop", "", built(t, "4x3x3-drop"), []string{"..../..../.xo."}},
		{"canonical", "", built(t, "4x3x3", "--symmetry", "canonical"), []string{"...o/.x../.x.o"}},
		{"many", "\ufeffxx.oo....\r\n\n  x......../ \to\r\nxxxoo....", normal, []string{"-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			stdin := strings.ReplaceAll(test.stdin, "/", "")
			got := mustOxbase(t, stdin, append([]string{"query", "board", "--db", test.db}, test.args...)...)
			golden(t, "query_board/"+test.name+".txt", got)
			fitsTerminal(t, got)
		})
	}
}

// ties is the tablebase of a game in which nobody can have a line.
type ties struct{ *game.Game }

func (s ties) Lookup(key game.Key) (game.Value, bool, error) {
	p, err := s.Position(key)
	return game.ValueOf(0, s.Cells()-p.Stones(), true), err == nil, err
}

func (s ties) Gap(game.Gap) (int, bool, error) { return 0, false, nil }

// TestBoardTextOfLargeBoards prints boards of games that nobody builds: the widest that a key
// can hold, the highest, and those whose boards are just too long for the table.
func TestBoardTextOfLargeBoards(t *testing.T) {
	for _, name := range []string{"39x1x40", "1x39x40", "8x4x9", "5x5x6", "6x5x7", "1x1x2"} {
		t.Run(name, func(t *testing.T) {
			g, err := game.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			tablebase := query.Tablebase{Game: g, Turns: game.AnyTurns, Symmetry: game.NoSymmetry, Source: ties{g}}
			report, err := tablebase.Report(game.Start())
			if err != nil {
				t.Fatal(err)
			}
			got := printBoard(t, g, report, false)
			golden(t, "query_board/"+name+".txt", got)
			fitsTerminal(t, got)
		})
	}
}

func TestBoardTextInColour(t *testing.T) {
	g, err := game.Parse("3x2x4")
	if err != nil {
		t.Fatal(err)
	}
	const want = "2  \x1b[1;36mX\x1b[m . .\n1  . \x1b[1;33mO\x1b[m .\n   a b c\n\ntie, score 0.\n"
	got := printBoard(t, g, query.Report{Board: "x../.o.", Terminal: true, Reachable: true, Sentence: "tie, score 0"}, true)
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// printBoard returns a report as people see it.
func printBoard(t *testing.T, g *game.Game, report query.Report, colour bool) string {
	t.Helper()
	var text bytes.Buffer
	if err := (&boardText{game: g, out: &text, colour: colour}).print(report); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
