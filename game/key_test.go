package game_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"oxbase/game"
)

// Keys worked out with pencil and paper.
func TestKeyByHand(t *testing.T) {
	for _, test := range []struct {
		name, game, board string
		toMove            game.Side
		want              game.Key
	}{
		{"empty board", "3x3x3", ".../.../...", game.X, 0},
		{"empty board, o to move", "3x3x3", ".../.../...", game.O, 1},
		{"x in the last cell", "3x3x3", ".../.../..x", game.O, 2*1 + 1},
		{"o in the last cell", "3x3x3", ".../.../..o", game.X, 2 * 2},
		{"x in the first cell", "3x3x3", "x../.../...", game.O, 2*6561 + 1},
		{"x in the centre", "3x3x3", ".../.x./...", game.O, 2*81 + 1},
		{"three stones", "3x3x3", "x.o/.x./...", game.O, 2*(6561+2*729+81) + 1},
		{"all o", "3x3x3", "ooo/ooo/ooo", game.O, 39365},
		{"first cell of 4x3", "4x3x3", "x.../..../....", game.O, 2*177147 + 1},
		{"last cell of the first row of 4x3", "4x3x3", "...x/..../....", game.X, 2 * 6561},
		{"first cell of the second row of 4x3", "4x3x3", "..../o.../....", game.X, 2 * 2 * 2187},
		{"last cell of the first row of 3x4", "3x4x3", "..x/.../.../...", game.X, 2 * 19683},
		{"first cell of the second row of 3x4", "3x4x3", ".../o../.../...", game.X, 2 * 2 * 6561},
		{"two cells in a row", "2x1x1", "ox", game.O, 2*(2*3+1) + 1},
		{"two cells in a column", "1x2x1", "o/x", game.O, 2*(2*3+1) + 1},
		{"all o on 39 cells, the largest key", "39x1x3", strings.Repeat("o", 39), game.O, 8105110306037952533},
		{"x in the first of 39 cells", "13x3x3", "x" + strings.Repeat(".", 38), game.X, 2 * 1350851717672992089},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := parse(t, test.game)
			b, err := g.ParseBoard(test.board)
			if err != nil {
				t.Fatal(err)
			}
			p := game.Position{Board: b, ToMove: test.toMove}
			if got := g.Key(p); got != test.want {
				t.Errorf("key of %s with %v to move = %d, want %d", test.board, test.toMove, got, test.want)
			}
			if back, err := g.Position(test.want); err != nil || back != p {
				t.Errorf("position of key %d = %+v, %v, want %+v", test.want, back, err, p)
			}
		})
	}
}

// On every board of up to 10 cells, on 4x3 and on 3x4, whatever stands there and whoever is to
// move: the key is the base-3 number that strconv reads from the drawing, leads back to the
// position, and follows the key of the board that sorts before it, without a gap.
func TestEveryKey(t *testing.T) {
	forEachSize(t, 10, testEveryKey)
	for _, s := range []shape{{4, 3, false}, {3, 4, false}} {
		t.Run(fmt.Sprintf("%dx%d", s.width, s.height), func(t *testing.T) {
			t.Parallel()
			testEveryKey(t, s)
		})
	}
}

func testEveryKey(t *testing.T, s shape) {
	g := s.game(t, 3)
	previous := game.Key(-1)
	eachGrid(s.width, s.height, false, func(drawing grid) {
		number, err := strconv.ParseInt(drawing.digits(), 3, 64)
		if err != nil {
			t.Fatal(err)
		}
		for i, side := range []game.Side{game.X, game.O} {
			p := game.Position{Board: drawing.board(), ToMove: side}
			want := game.Key(2*number) + game.Key(i)
			if got := g.Key(p); got != want {
				t.Fatalf("key of %s with %v to move = %d, want %d", drawing.text(), side, got, want)
			}
			if back, err := g.Position(want); err != nil || back != p {
				t.Fatalf("position of key %d = %+v, %v, want %s with %v to move", want, back, err, drawing.text(), side)
			}
			if want != previous+1 {
				t.Fatalf("key of %s with %v to move = %d, want %d, the one behind its predecessor's", drawing.text(), side, want, previous+1)
			}
			previous = want
		}
	})
	if got, want := g.Keys(), previous+1; got != want {
		t.Errorf("Keys() = %d, want %d", got, want)
	}
}

func TestKeysOfTheLargestBoards(t *testing.T) {
	for _, name := range []string{"39x1x3", "1x39x3", "13x3x3", "3x13x3-drop"} {
		if got := parse(t, name).Keys(); got != 8105110306037952534 {
			t.Errorf("%s: Keys() = %d, want 2·3^39 = 8105110306037952534", name, got)
		}
	}
}

func TestWeight(t *testing.T) {
	for name, want := range map[string][]game.Key{
		"1x1x1": {2},
		"2x1x1": {6, 2},
		"1x3x1": {18, 6, 2},
		"3x2x2": {486, 162, 54, 18, 6, 2},
		"2x3x2": {486, 162, 54, 18, 6, 2},
	} {
		g := parse(t, name)
		for cell, weight := range want {
			if got := g.Weight(cell); got != weight {
				t.Errorf("%s: Weight(%d) = %d, want %d", name, cell, got, weight)
			}
		}
	}
}

func TestPositionErrors(t *testing.T) {
	for _, test := range []struct {
		name, game string
		key        game.Key
		want       string
	}{
		{"negative", "3x3x3", -1, "key -1 is not of 3x3x3: want 0 to 39365"},
		{"most negative", "3x3x3", math.MinInt64, "key -9223372036854775808 is not of 3x3x3: want 0 to 39365"},
		{"first behind the last", "3x3x3", 39366, "key 39366 is not of 3x3x3: want 0 to 39365"},
		{"of a larger board", "4x3x3-drop", 2 * 531441, "key 1062882 is not of 4x3x3-drop: want 0 to 1062881"},
		{"behind the largest of all", "39x1x3", 8105110306037952534, "key 8105110306037952534 is not of 39x1x3: want 0 to 8105110306037952533"},
		{"largest number", "1x1x1", math.MaxInt64, "key 9223372036854775807 is not of 1x1x1: want 0 to 5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := parse(t, test.game).Position(test.key)
			if err == nil || err.Error() != test.want {
				t.Errorf("Position(%d) = %+v with the error %v, want the error %s", test.key, p, err, test.want)
			}
		})
	}
}

// A key in range leads to the position whose drawing is the key in base 3, and back; any other
// is refused.
func FuzzPosition(f *testing.F) {
	f.Add(uint8(3), uint8(3), int64(0))
	f.Add(uint8(3), uint8(3), int64(39366))
	f.Add(uint8(4), uint8(3), int64(-1))
	f.Add(uint8(1), uint8(39), int64(8105110306037952533))
	f.Fuzz(func(t *testing.T, width, height uint8, key int64) {
		g, err := game.New(game.Spec{Width: int(width), Height: int(height), InRow: 3})
		if err != nil {
			return
		}
		digits := strconv.FormatInt(key/2, 3)
		p, err := g.Position(game.Key(key))
		if fits := key >= 0 && len(digits) <= g.Cells(); (err == nil) != fits {
			t.Fatalf("%s: Position(%d) has the error %v; does the key fit? %t", g, key, err, fits)
		}
		if err != nil {
			checkOneLine(t, err)
			return
		}
		want := strings.Repeat("0", g.Cells()-len(digits)) + digits
		got := strings.NewReplacer("/", "", ".", "0", "x", "1", "o", "2").Replace(g.Text(p.Board))
		if got != want {
			t.Errorf("%s: Position(%d) has the cells %s, want %s", g, key, got, want)
		}
		if side := []game.Side{game.X, game.O}[key%2]; p.ToMove != side {
			t.Errorf("%s: in Position(%d) %v is to move, want %v", g, key, p.ToMove, side)
		}
		if back := g.Key(p); back != game.Key(key) {
			t.Errorf("%s: Key(Position(%d)) = %d", g, key, back)
		}
	})
}

// Cells are counted in reading order, and their names say column and row.
func TestCells(t *testing.T) {
	letters := strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z aa ab ac ad ae af ag ah ai aj ak al am")
	forEachSize(t, game.MaxCells, func(t *testing.T, s shape) {
		g := s.game(t, 3)
		seen := make(map[string]bool)
		cell := 0
		for row := range s.height {
			for column := range s.width {
				if got := g.Cell(column, row); got != cell {
					t.Errorf("Cell(%d, %d) = %d, want %d", column, row, got, cell)
				}
				want := fmt.Sprint(letters[column], s.height-row)
				if got := g.CellName(cell); got != want {
					t.Errorf("CellName(%d) = %q, want %q", cell, got, want)
				}
				seen[g.CellName(cell)] = true
				cell++
			}
		}
		if len(seen) != cell {
			t.Errorf("%d cells have %d names", cell, len(seen))
		}
	})
}

func TestCellName(t *testing.T) {
	for _, test := range []struct {
		name, game string
		cell       int
		want       string
	}{
		{"top left", "3x3x3", 0, "a3"},
		{"top right", "3x3x3", 2, "c3"},
		{"bottom left", "3x3x3", 6, "a1"},
		{"bottom right", "3x3x3", 8, "c1"},
		{"end of the first row of 4x3", "4x3x3", 3, "d3"},
		{"start of the second row of 4x3", "4x3x3", 4, "a2"},
		{"end of the first row of 3x4", "3x4x3", 2, "c4"},
		{"start of the second row of 3x4", "3x4x3", 3, "a3"},
		{"two-digit row", "3x13x3", 0, "a13"},
		{"column z", "39x1x3", 25, "z1"},
		{"first column with two letters", "39x1x3", 26, "aa1"},
		{"last column of all", "39x1x3", 38, "am1"},
		{"top of the highest board", "1x39x3", 0, "a39"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := parse(t, test.game).CellName(test.cell); got != test.want {
				t.Errorf("%s: CellName(%d) = %q, want %q", test.game, test.cell, got, test.want)
			}
		})
	}
}
