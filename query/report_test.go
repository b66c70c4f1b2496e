package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/query"
)

// values of every position of 2x1x2, by hand: nobody can have a line, since there is one stone of
// each side in the end.
func tinyValues() map[string]game.Value {
	return map[string]game.Value{
		".. x": {Outcome: 0, Score: 0, Distance: 2, Reachable: true},
		"x. o": {Outcome: 0, Score: 0, Distance: 1, Reachable: true},
		".x o": {Outcome: 0, Score: 0, Distance: 1, Reachable: true},
		"xo x": {Outcome: 0, Score: 0, Distance: 0, Reachable: true},
		"ox x": {Outcome: 0, Score: 0, Distance: 0, Reachable: true},
	}
}

// tiny returns the tablebase of 2x1x2 with some values changed, or left out where they are nil.
func tiny(t *testing.T, changes map[string]*game.Value) *query.Tablebase {
	t.Helper()
	g := mustGame(t, "2x1x2")
	s := source{values: map[game.Key]game.Value{}}
	for text, v := range tinyValues() {
		change, changed := changes[text]
		if changed && change == nil {
			continue
		}
		if changed {
			v = *change
		}
		s.values[g.Key(parse(t, g, text))] = v
	}
	return &query.Tablebase{Game: g, Turns: game.Alternate, Symmetry: game.NoSymmetry, Source: s}
}

// parse reads a board and the side to move.
func parse(t *testing.T, g *game.Game, text string) game.Position {
	t.Helper()
	board, toMove, _ := strings.Cut(text, " ")
	p, err := query.ParsePosition(g, board, toMove)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReport(t *testing.T) {
	tablebase := tiny(t, nil)
	want := query.Report{
		Key: 0, CanonicalKey: 0, Board: "..", ToMove: "x",
		Result: "tie", Distance: 2, Reachable: true, Sentence: "tie in 2 plies, score 0",
		Moves: []query.Move{
			{Move: "a1", ToKey: 2*3 + 1, ToBoard: "x.", Distance: 1, Best: true, Effect: query.Keeps, Remark: "keeps the tie"},
			{Move: "b1", ToKey: 2*1 + 1, ToBoard: ".x", Distance: 1, Best: true, Effect: query.Keeps, Remark: "keeps the tie"},
		},
		BestLine: []query.Step{
			{ToMove: "x", Move: "a1", ToKey: 2*3 + 1, ToBoard: "x."},
			{ToMove: "o", Move: "b1", ToKey: 2 * (3 + 2), ToBoard: "xo"},
		},
	}
	got, err := tablebase.Report(game.Start())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if final := got.Final(); final != "xo" {
		t.Errorf("the best line ends on %q, want %q", final, "xo")
	}
}

// A report is never made up from what isn't there or can't be.
func TestReportOfDamage(t *testing.T) {
	for _, test := range []struct {
		name    string
		changes map[string]*game.Value
		asked   string
		wrong   string // the position that the error names
	}{
		{"position missing after a move", map[string]*game.Value{".x o": nil}, ".. x", "board .x with o to move, to which b1 leads from board .. with x to move"},
		{"position missing on the best line", map[string]*game.Value{"xo x": nil}, ".. x", "board xo with x to move, to which b1 leads from board x. with o to move"},
		{"no move keeps the score", map[string]*game.Value{".. x": {Outcome: 1, Score: 1, Distance: 2}}, ".. x", "board .. with x to move has score 1 and distance 2"},
		{"a move is better than the score", map[string]*game.Value{".x o": {Outcome: 1, Score: 2, Distance: 0}}, ".. x", "board .. with x to move has score 0 and distance 2"},
		{"no move keeps the distance", map[string]*game.Value{".. x": {Distance: 1}}, ".. x", "board .. with x to move has score 0 and distance 1"},
		{"the best line doesn't go on", map[string]*game.Value{"xo x": {Outcome: -1, Score: -1}}, ".. x", "board x. with o to move has score 0 and distance 1"},
		{"an end that isn't one", map[string]*game.Value{".. x": {}}, ".. x", "board .. with x to move has score 0 and distance 0"},
		{"a move after the end", map[string]*game.Value{"xo x": {Distance: 1}}, "xo x", "board xo with x to move has score 0 and distance 1"},
		{"an end with another score", map[string]*game.Value{"ox x": {Outcome: 1, Score: 1}}, "ox x", "board ox with x to move has score 1 and distance 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tablebase := tiny(t, test.changes)
			report, err := tablebase.Report(parse(t, tablebase.Game, test.asked))
			if !errors.Is(err, query.ErrDamaged) || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("got the error %v, want ErrDamaged about %s", err, test.wrong)
			}
			if diff := cmp.Diff(query.Report{}, report); diff != "" {
				t.Errorf("a report beside the error (-want +got):\n%s", diff)
			}
		})
	}
}

// A position that isn't stored is the question's fault, or the file's, as it promises.
func TestReportOfMissing(t *testing.T) {
	tablebase := tiny(t, nil)
	position := parse(t, tablebase.Game, ".. o")
	if _, err := tablebase.Report(position); !errors.Is(err, query.ErrMissing) || errors.Is(err, query.ErrDamaged) {
		t.Errorf("among reachable positions: got %v, want ErrMissing", err)
	}
	tablebase.Turns = game.AnyTurns
	if _, err := tablebase.Report(position); !errors.Is(err, query.ErrDamaged) || errors.Is(err, query.ErrMissing) {
		t.Errorf("among all positions: got %v, want ErrDamaged", err)
	}
	normal := &query.Tablebase{Game: mustGame(t, "2x2x2"), Turns: game.AnyTurns, Source: source{}}
	var both *game.BothLinesError
	if _, err := normal.Report(parse(t, normal.Game, "xx/oo x")); !errors.As(err, &both) {
		t.Errorf("with two lines: got %v, want a BothLinesError", err)
	}
	tablebase.Source = source{err: errBroken}
	if _, err := tablebase.Report(game.Start()); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want the source's error", err)
	}
}

func TestParsePosition(t *testing.T) {
	g := mustGame(t, "3x2x3")
	x, o := game.X, game.O
	for _, test := range []struct {
		name, board, toMove string
		want                game.Position
		err                 string
	}{
		{"empty board", "......", "", game.Position{ToMove: x}, ""},
		{"one more x", "x../...", "", game.Position{Board: game.Board{X: 1}, ToMove: o}, ""},
		{"as many of both", "X_-/..o", "", game.Position{Board: game.Board{X: 1, O: 1 << 5}, ToMove: x}, ""},
		{"either counts", "x.....", "x", game.Position{Board: game.Board{X: 1}, ToMove: x}, ""},
		{"side in capitals", "......", "O", game.Position{ToMove: o}, ""},
		{"counts don't say", "xx./...", "", game.Position{}, "the counts, 2 x and 0 o, don't say who is to move: x moves first, so there are as many x as o or one more"},
		{"more o", "o.....", "", game.Position{}, "the counts, 0 x and 1 o, don't say who is to move: x moves first, so there are as many x as o or one more"},
		{"no side", "......", "y", game.Position{}, `"y" is not a side: want x or o`},
		{"no board", "y.....", "x", game.Position{}, `board "y.....": "y" is not a cell: want x, o or .`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := query.ParsePosition(g, test.board, test.toMove)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if diff := cmp.Diff(test.err, text); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("position (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParsePosition checks that whatever is read prints back the same.
func FuzzParsePosition(f *testing.F) {
	f.Add("x.o/.x./...", "")
	f.Add("---------", "o")
	f.Add("xx/é", "X")
	f.Fuzz(func(t *testing.T, board, toMove string) {
		g := mustGame(t, "3x3x3")
		p, err := query.ParsePosition(g, board, toMove)
		if err != nil {
			return
		}
		cells := strings.ToLower(strings.NewReplacer("/", "", "-", ".", "_", ".").Replace(board))
		if got := strings.ReplaceAll(g.Text(p.Board), "/", ""); got != cells {
			t.Errorf("%q was read as %q", board, got)
		}
		if got := p.ToMove.String(); toMove != "" && got != strings.ToLower(toMove) {
			t.Errorf("the side %q was read as %q", toMove, got)
		}
		if toMove == "" && p.ToMove == game.O != (strings.Count(cells, "x") == strings.Count(cells, "o")+1) {
			t.Errorf("%s is to move on %q", p.ToMove, cells)
		}
	})
}
