package game_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

func TestParseBoard(t *testing.T) {
	for _, test := range []struct {
		name, game, text string
		want             game.Board
		canonical        string
	}{
		{"separated", "3x3x3", "x.o/.x./...", game.Board{X: 0b000_010_001, O: 0b000_000_100}, "x.o/.x./..."},
		{"not separated", "3x3x3", "x.o.x....", game.Board{X: 0b000_010_001, O: 0b000_000_100}, "x.o/.x./..."},
		{"upper case", "3x3x3", "X.O/.X./...", game.Board{X: 0b000_010_001, O: 0b000_000_100}, "x.o/.x./..."},
		{"dashes and underscores", "3x3x3", "x-o/_x_/.-_", game.Board{X: 0b000_010_001, O: 0b000_000_100}, "x.o/.x./..."},
		{"empty", "3x3x3", ".../.../...", game.Board{}, ".../.../..."},
		{"full", "3x3x3", "xox/oxo/xox", game.Board{X: 0b101_010_101, O: 0b010_101_010}, "xox/oxo/xox"},
		{"only o, whatever the counts", "3x3x3", "ooo/ooo/ooo", game.Board{O: 0b111_111_111}, "ooo/ooo/ooo"},
		{"wider than high", "4x3x3", "x..o/..x./o...", game.Board{X: 0b0000_0100_0001, O: 0b0001_0000_1000}, "x..o/..x./o..."},
		{"higher than wide", "3x4x3", "x../..o/.x./o..", game.Board{X: 0b000_010_000_001, O: 0b001_000_100_000}, "x../..o/.x./o.."},
		{"one row", "5x1x3", "xo..x", game.Board{X: 0b10001, O: 0b00010}, "xo..x"},
		{"one column", "1x4x3", "x/./o/x", game.Board{X: 0b1001, O: 0b0100}, "x/./o/x"},
		{"one column, not separated", "1x4x3", "x.ox", game.Board{X: 0b1001, O: 0b0100}, "x/./o/x"},
		{"one cell", "1x1x1", "o", game.Board{O: 1}, "o"},
		{"drop, stones on the ground", "4x2x3-drop", "..x./o.ox", game.Board{X: 0b1000_0100, O: 0b0101_0000}, "..x./o.ox"},
		{"drop, full", "2x2x2-drop", "xo/ox", game.Board{X: 0b10_01, O: 0b01_10}, "xo/ox"},
		{"drop, empty", "2x2x2-drop", "....", game.Board{}, "../.."},
		{"last of 39 cells", "13x3x3", "............./............./............x", game.Board{X: 1 << 38}, "............./............./............x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := parse(t, test.game)
			got, err := g.ParseBoard(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s: ParseBoard(%q) (-want +got):\n%s", g, test.text, diff)
			}
			if text := g.Text(got); text != test.canonical {
				t.Errorf("%s: Text(ParseBoard(%q)) = %q, want %q", g, test.text, text, test.canonical)
			}
		})
	}
}

func TestParseBoardErrors(t *testing.T) {
	for _, test := range []struct{ name, game, text, want string }{
		{"digit", "3x3x3", "x.o/.1./...", `board "x.o/.1./...": "1" is not a cell: want x, o or .`},
		{"zero for o", "3x3x3", "0........", `board "0........": "0" is not a cell: want x, o or .`},
		{"blank", "3x3x3", "x.o .x. ...", `board "x.o .x. ...": " " is not a cell: want x, o or .`},
		{"line end", "3x3x3", "x.o.x....\n", `board "x.o.x....\n": "\n" is not a cell: want x, o or .`},
		{"escape sequence", "3x3x3", "\x1b[31mx.o", `board "\x1b[31mx.o": "\x1b" is not a cell: want x, o or .`},
		{"NUL", "3x3x3", "........\x00", `board "........\x00": "\x00" is not a cell: want x, o or .`},
		{"backslash", "3x3x3", `x.o\.x.\...`, `board "x.o\\.x.\\...": "\\" is not a cell: want x, o or .`},
		{"multi-byte", "3x3x3", "x.o/.×./...", `board "x.o/.×./...": "×" is not a cell: want x, o or .`},
		{"Cyrillic o", "3x3x3", "о........", `board "о........": "о" is not a cell: want x, o or .`},
		{"emoji", "3x3x3", "❌........", `board "❌........": "❌" is not a cell: want x, o or .`},
		{"line separator", "3x3x3", "...\u2028...", `board "...\u2028...": "\u2028" is not a cell: want x, o or .`},
		{"not UTF-8", "3x3x3", "x.o/.\xff./...", `board "x.o/.\xff./...": "\xff" is not a cell: want x, o or .`},
		{"cut off inside a character", "3x3x3", "........\xe2\x9d", `board "........\xe2\x9d": "\xe2" is not a cell: want x, o or .`},
		{"unknown character behind a full board", "3x3x3", ".........z", `board ".........z": "z" is not a cell: want x, o or .`},
		{"floating stone", "3x3x3-drop", "x../.../...", `board "x../.../...": the stone on a3 floats: in 3x3x3-drop a stone falls to the lowest free cell of its column`},
		{"floating over a hole", "3x3x3-drop", ".x./.../.o.", `board ".x./.../.o.": the stone on b3 floats: in 3x3x3-drop a stone falls to the lowest free cell of its column`},
		{"pile that floats", "4x3x3-drop", "...o/...x/....", `board "...o/...x/....": the stone on d2 floats: in 4x3x3-drop a stone falls to the lowest free cell of its column`},
		{"first of two in reading order", "3x4x3-drop", ".../..x/o../...", `board ".../..x/o../...": the stone on c3 floats: in 3x4x3-drop a stone falls to the lowest free cell of its column`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := parse(t, test.game)
			b, err := g.ParseBoard(test.text)
			if err == nil {
				t.Fatalf("%s: ParseBoard(%q) = %s, want an error", g, test.text, g.Text(b))
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("%s: error of ParseBoard(%q) (-want +got):\n%s", g, test.text, diff)
			}
			if size := (*game.SizeError)(nil); errors.As(err, &size) {
				t.Errorf("%s: ParseBoard(%q) blames the size", g, test.text)
			}
		})
	}
}

// Seven characters are cells; no other one is, up to U+FFFF.
func TestCellCharacters(t *testing.T) {
	g := parse(t, "1x1x1")
	cells := map[rune]game.Board{
		'x': {X: 1}, 'X': {X: 1}, 'o': {O: 1}, 'O': {O: 1}, '.': {}, '-': {}, '_': {},
	}
	for c := rune(0); c <= 0xffff; c++ {
		want, isCell := cells[c]
		if got, err := g.ParseBoard(string(c)); (err == nil) != isCell || got != want {
			t.Errorf("ParseBoard(%q) = %+v with the error %v, want %+v; is it a cell? %t", c, got, err, want, isCell)
		}
	}
}

func TestParseBoardSizeError(t *testing.T) {
	for _, test := range []struct{ name, game, text, got, want string }{
		{"nothing", "3x3x3", "", "0 cells", `board "" has 0 cells: 3x3x3 has 3 rows of 3 cells`},
		{"one cell", "3x3x3", "x", "1 cell", `board "x" has 1 cell: 3x3x3 has 3 rows of 3 cells`},
		{"one too few", "3x3x3", "x.o/.x./..", "8 cells", `board "x.o/.x./.." has 8 cells: 3x3x3 has 3 rows of 3 cells`},
		{"one too many", "3x3x3", "x.o.x.....", "10 cells", `board "x.o.x....." has 10 cells: 3x3x3 has 3 rows of 3 cells`},
		{"another game's board", "3x3x3", "..../..../..../....", "16 cells", `board "..../..../..../...." has 16 cells: 3x3x3 has 3 rows of 3 cells`},
		{"more cells than bits", "3x3x3", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "70 cells",
			`board "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" has 70 cells: 3x3x3 has 3 rows of 3 cells`},
		{"on its side", "4x3x3", ".../.../.../...", "4 rows", `board ".../.../.../..." has 4 rows: 4x3x3 has 3 rows of 4 cells`},
		{"on its side with drop", "3x4x3-drop", "..../..../....", "3 rows", `board "..../..../...." has 3 rows: 3x4x3-drop has 4 rows of 3 cells`},
		{"separator at the end", "3x3x3", ".../.../.../", "4 rows", `board ".../.../.../" has 4 rows: 3x3x3 has 3 rows of 3 cells`},
		{"separator at the start", "3x3x3", "/.../.../...", "4 rows", `board "/.../.../..." has 4 rows: 3x3x3 has 3 rows of 3 cells`},
		{"two separators", "3x3x3", "...//.../...", "4 rows", `board "...//.../..." has 4 rows: 3x3x3 has 3 rows of 3 cells`},
		{"one separator", "3x3x3", ".../......", "2 rows", `board ".../......" has 2 rows: 3x3x3 has 3 rows of 3 cells`},
		{"uneven rows", "3x3x3", ".../..../..", "4 cells in row 2", `board ".../..../.." has 4 cells in row 2: 3x3x3 has 3 rows of 3 cells`},
		{"short row", "3x3x3", "./..../....", "1 cell in row 1", `board "./..../...." has 1 cell in row 1: 3x3x3 has 3 rows of 3 cells`},
		{"one row", "4x1x3", "x..", "3 cells", `board "x.." has 3 cells: 4x1x3 has 1 row of 4 cells`},
		{"one column", "1x3x3", "x.", "2 cells", `board "x." has 2 cells: 1x3x3 has 3 rows of 1 cell`},
		{"one row that ends with a separator", "3x1x3", "x../", "2 rows", `board "x../" has 2 rows: 3x1x3 has 1 row of 3 cells`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := parse(t, test.game)
			_, err := g.ParseBoard(test.text)
			var got *game.SizeError
			if !errors.As(err, &got) {
				t.Fatalf("%s: ParseBoard(%q) has the error %v, want a *SizeError", g, test.text, err)
			}
			want := &game.SizeError{Text: test.text, Game: g.Spec, Got: test.got}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: error of ParseBoard(%q) (-want +got):\n%s", g, test.text, diff)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("%s: error text of ParseBoard(%q) (-want +got):\n%s", g, test.text, diff)
			}
		})
	}
}

// Every board is written and read as its drawing, and with drop the floating ones are refused.
func TestEveryBoardIsReadAndWritten(t *testing.T) {
	forEachShape(t, 9, func(t *testing.T, s shape) {
		g := s.game(t, 3)
		eachGrid(s.width, s.height, false, func(drawing grid) {
			text, want := drawing.text(), drawing.board()
			if got := g.Text(want); got != text {
				t.Fatalf("%s: Text(%+v) = %q, want %q", g, want, got, text)
			}
			got, err := g.ParseBoard(text)
			switch refuse := s.drop && drawing.floats(); {
			case refuse && err == nil:
				t.Fatalf("%s: ParseBoard(%q) accepts a floating stone", g, text)
			case !refuse && err != nil:
				t.Fatalf("%s: ParseBoard(%q) has the error %v", g, text, err)
			case !refuse && got != want:
				t.Fatalf("%s: ParseBoard(%q) = %+v, want %+v", g, text, got, want)
			}
		})
	})
}

// Whatever the text, the board that is read is written so that it is read again as the same
// board, and a refusal fits on one line.
func FuzzParseBoard(f *testing.F) {
	f.Add(uint8(3), uint8(3), false, "x.o/.x./...")
	f.Add(uint8(3), uint8(3), true, "X-O_x....")
	f.Add(uint8(4), uint8(3), true, "..../x.../oxo.")
	f.Add(uint8(1), uint8(4), false, "x/o/./x")
	f.Add(uint8(2), uint8(1), false, "\x1b\xff\u2028")
	f.Fuzz(func(t *testing.T, width, height uint8, drop bool, text string) {
		g, err := game.New(game.Spec{Width: int(width), Height: int(height), InRow: 3, Drop: drop})
		if err != nil {
			checkOneLine(t, err)
			return
		}
		b, err := g.ParseBoard(text)
		if err != nil {
			checkOneLine(t, err)
			return
		}
		if b.X&b.O != 0 || (b.X|b.O)>>g.Cells() != 0 {
			t.Fatalf("%s: ParseBoard(%q) = %+v has a cell with two stones or one that isn't on the board", g, text, b)
		}
		again, err := g.ParseBoard(g.Text(b))
		if err != nil {
			t.Fatalf("%s: Text(ParseBoard(%q)) is not accepted: %v", g, text, err)
		}
		if again != b {
			t.Errorf("%s: ParseBoard(%q) is %+v, but its text %q is read as %+v", g, text, b, g.Text(b), again)
		}
	})
}

func TestParseSide(t *testing.T) {
	for text, want := range map[string]game.Side{"x": game.X, "X": game.X, "o": game.O, "O": game.O} {
		if got, err := game.ParseSide(text); err != nil || got != want {
			t.Errorf("ParseSide(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "xx", "x ", "о", "\n"} {
		side, err := game.ParseSide(text)
		if err == nil {
			t.Errorf("ParseSide(%q) = %v, want an error", text, side)
			continue
		}
		checkOneLine(t, err)
	}
	if _, err := game.ParseSide("y\n"); err == nil || err.Error() != `"y\n" is not a side: want x or o` {
		t.Errorf(`ParseSide("y\n") has the error %v`, err)
	}
}

func TestSide(t *testing.T) {
	if game.X.Other() != game.O || game.O.Other() != game.X {
		t.Errorf("the others of x and o are %v and %v, want o and x", game.X.Other(), game.O.Other())
	}
	for side, want := range map[game.Side]string{game.X: "x", game.O: "o", 0: "Side(0)", 3: "Side(3)"} {
		if got := side.String(); got != want {
			t.Errorf("String() of side %d = %q, want %q", uint8(side), got, want)
		}
	}
}

// Counts, sides and turns of every board agree with counting letters in its drawing.
func TestBoard(t *testing.T) {
	eachGrid(3, 3, false, func(drawing grid) {
		b := drawing.board()
		xs := drawing.set(func(column, row int) bool { return drawing.at(column, row) == 'x' })
		os := drawing.set(func(column, row int) bool { return drawing.at(column, row) == 'o' })
		if b.Of(game.X) != xs || b.Of(game.O) != os {
			t.Fatalf("%s: x holds %b and o %b, want %b and %b", drawing.text(), b.Of(game.X), b.Of(game.O), xs, os)
		}
		var x, o int
		for _, c := range drawing.text() {
			switch c {
			case 'x':
				x++
			case 'o':
				o++
			}
		}
		if got := b.Stones(); got != x+o {
			t.Fatalf("%s: Stones() = %d, want %d", drawing.text(), got, x+o)
		}
		var want game.Side
		switch {
		case x == o:
			want = game.X
		case x == o+1:
			want = game.O
		}
		if got, ok := b.ToMove(); got != want || ok != (want != 0) {
			t.Fatalf("%s: ToMove() = %v, %t, want %v", drawing.text(), got, ok, want)
		}
	})
}

func TestPlay(t *testing.T) {
	g := parse(t, "4x3x3")
	p := game.Start()
	if want := (game.Position{ToMove: game.X}); p != want {
		t.Fatalf("Start() = %+v, want %+v", p, want)
	}
	for i, step := range []struct {
		cell int
		want string
		next game.Side
	}{
		{0, "x.../..../....", game.O},
		{11, "x.../..../...o", game.X},
		{7, "x.../...x/...o", game.O},
		{3, "x..o/...x/...o", game.X},
	} {
		p = p.Play(step.cell)
		if got := g.Text(p.Board); got != step.want || p.ToMove != step.next {
			t.Fatalf("after move %d: %s with %v to move, want %s with %v to move", i+1, got, p.ToMove, step.want, step.next)
		}
	}
}
