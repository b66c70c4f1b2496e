package game_test

import (
	"math/rand/v2"
	"testing"

	"oxbase/game"
)

// eachSet visits every set of cells of a board as a drawing with x where the set has a cell.
func eachSet(width, height int, visit func(set uint64, drawing grid)) {
	for set := range uint64(1) << (width * height) {
		visit(set, drawSet(width, height, set))
	}
}

func drawSet(width, height int, set uint64) grid {
	drawing := newGrid(width, height)
	for _, row := range drawing {
		for column := range row {
			if set%2 == 1 {
				row[column] = 'x'
			}
			set /= 2
		}
	}
	return drawing
}

// Every set of cells on every board: what HasLine says equals counting neighbours cell by cell.
func TestHasLine(t *testing.T) {
	forEachShape(t, 12, func(t *testing.T, s shape) {
		for inRow := 1; inRow <= 5; inRow++ {
			g := s.game(t, inRow)
			eachSet(s.width, s.height, func(set uint64, drawing grid) {
				if got, want := g.HasLine(set), drawing.line('x', inRow); got != want {
					t.Fatalf("%s: HasLine of %s = %t, want %t", g, drawing.text(), got, want)
				}
			})
		}
	})
}

// On boards of up to 39 cells: each single line is one, it isn't without any one of its cells,
// and random sets of cells agree with counting neighbours.
func TestHasLineOnLargeBoards(t *testing.T) {
	for _, spec := range []game.Spec{
		{Width: 39, Height: 1, InRow: 7}, {Width: 1, Height: 39, InRow: 7}, {Width: 13, Height: 3, InRow: 3},
		{Width: 3, Height: 13, InRow: 3}, {Width: 6, Height: 6, InRow: 4}, {Width: 6, Height: 6, InRow: 6},
		{Width: 7, Height: 5, InRow: 4}, {Width: 5, Height: 7, InRow: 5}, {Width: 5, Height: 7, InRow: 6},
		{Width: 6, Height: 6, InRow: 7}, {Width: 39, Height: 1, InRow: 39}, {Width: 39, Height: 1, InRow: 65535},
	} {
		t.Run(spec.String(), func(t *testing.T) {
			g, err := game.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			check := func(set uint64) {
				t.Helper()
				drawing := drawSet(spec.Width, spec.Height, set)
				if got, want := g.HasLine(set), drawing.line('x', spec.InRow); got != want {
					t.Fatalf("HasLine of %s = %t, want %t", drawing.text(), got, want)
				}
			}
			full := uint64(1)<<(spec.Width*spec.Height) - 1
			check(full)
			for row := range spec.Height {
				for column := range spec.Width {
					for _, way := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
						line := newGrid(spec.Width, spec.Height).set(func(c, r int) bool {
							for i := range spec.InRow {
								if c == column+i*way[0] && r == row+i*way[1] {
									return true
								}
							}
							return false
						})
						check(line) // shorter than InRow where the board ends
						check(full &^ line)
						for cell := range spec.Width * spec.Height {
							check(line &^ (1 << cell))
						}
					}
				}
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range 2000 {
				set := random.Uint64() & full
				check(set)
				check(set | random.Uint64()&full)
			}
		})
	}
}

// Every filling of every board of up to 10 cells, with drop up to 12: the moves are the empty cells, with drop those that stand on
// the ground or on a stone; the removable stones are all, with drop those under the sky.
func TestMovesAndRemovable(t *testing.T) {
	forEachShape(t, 12, func(t *testing.T, s shape) {
		if !s.drop && s.width*s.height > 10 {
			return
		}
		g := s.game(t, 3)
		eachGrid(s.width, s.height, s.drop, func(drawing grid) {
			b := drawing.board()
			want := drawing.set(func(column, row int) bool {
				return drawing.at(column, row) == '.' && (!s.drop || drawing.at(column, row+1) != '.')
			})
			if got := g.Moves(b); got != want {
				t.Fatalf("%s: Moves(%s) = %b, want %b", g, drawing.text(), got, want)
			}
			for side, stones := range map[byte]uint64{'x': b.X, 'o': b.O} {
				want := drawing.set(func(column, row int) bool {
					above := drawing.at(column, row-1)
					return drawing.at(column, row) == side && (!s.drop || above == 0 || above == '.')
				})
				if got := g.Removable(b, stones); got != want {
					t.Fatalf("%s: Removable(%s, stones of %c) = %b, want %b", g, drawing.text(), side, got, want)
				}
			}
		})
	})
}

// Every filling of every board of up to 9 cells, normal and misere, agrees with what the rules say.
func TestEveryTerminal(t *testing.T) {
	forEachShape(t, 9, func(t *testing.T, s shape) {
		for inRow := 1; inRow <= 4; inRow++ {
			normal := s.game(t, inRow)
			misere := parse(t, normal.String()+"-misere")
			eachGrid(s.width, s.height, s.drop, func(drawing grid) {
				b := drawing.board()
				xs, os := drawing.line('x', inRow), drawing.line('o', inRow)
				empty := 0
				for _, row := range drawing {
					for _, c := range row {
						if c == '.' {
							empty++
						}
					}
				}
				if got, want := normal.BothLines(b), xs && os; got != want {
					t.Fatalf("%s: BothLines(%s) = %t, want %t", normal, drawing.text(), got, want)
				}
				over, score := empty == 0, 0
				switch {
				case xs:
					over, score = true, empty+1
				case os:
					over, score = true, -(empty + 1)
				}
				for sign, g := range map[int]*game.Game{1: normal, -1: misere} {
					gotScore, gotOver := g.Terminal(b)
					if gotOver != over || int(gotScore) != sign*score && !(xs && os) {
						t.Fatalf("%s: Terminal(%s) = %d, %t, want %d, %t", g, drawing.text(), gotScore, gotOver, sign*score, over)
					}
				}
			})
		}
	})
}

func TestTerminal(t *testing.T) {
	for _, test := range []struct {
		name, game, board string
		score             int8
		over              bool
	}{
		{"empty board", "3x3x3", ".../.../...", 0, false},
		{"two in a row", "3x3x3", "xx./oo./...", 0, false},
		{"one empty cell and no line", "3x3x3", "xox/xoo/ox.", 0, false},
		{"full without a line", "3x3x3", "xox/xoo/oxx", 0, true},
		{"line of x after five stones", "3x3x3", "xxx/oo./...", 5, true},
		{"line of o after six stones", "3x3x3", "ooo/xx./x..", -4, true},
		{"line on the last free cell", "3x3x3", "xxx/oox/xoo", 1, true},
		{"misere: line of x loses", "3x3x3-misere", "xxx/oo./...", -5, true},
		{"misere: line of o loses", "3x3x3-misere", "ooo/xx./x..", 4, true},
		{"misere: line on the last free cell", "3x3x3-misere", "xxx/oox/xoo", -1, true},
		{"misere: full without a line", "3x3x3-misere", "xox/xoo/oxx", 0, true},
		{"line round the edge is none", "4x3x3", "..xx/x.oo/....", 0, false},
		{"diagonal round the edge is none", "4x3x3", "...x/x.../.x..", 0, false},
		{"diagonal off the corner", "4x3x3", "..../.x../....", 0, false},
		{"diagonal to the left", "4x3x3", "...o/..o./.o..", -10, true},
		{"one in a row", "2x2x1", "x./..", 4, true},
		{"more in a row than fits", "2x2x3", "xx/xx", 0, true},
		{"one cell", "1x1x1", "x", 1, true},
		{"39 cells in a row", "39x1x39", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 1, true},
		{"line on the largest board", "39x1x1-misere", "o......................................", 39, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := parse(t, test.game)
			b, err := g.ParseBoard(test.board)
			if err != nil {
				t.Fatal(err)
			}
			if score, over := g.Terminal(b); score != test.score || over != test.over {
				t.Errorf("%s: Terminal(%s) = %d, %t, want %d, %t", g, test.board, score, over, test.score, test.over)
			}
		})
	}
}
