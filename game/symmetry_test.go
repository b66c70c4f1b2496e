package game_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"oxbase/game"
)

// numbering is a board whose cells carry numbers: turning it like a sheet of paper shows where
// each cell goes.
type numbering [][]int

func numbered(s shape) numbering {
	n := make(numbering, s.height)
	next := 0
	for row := range n {
		for range s.width {
			n[row] = append(n[row], next)
			next++
		}
	}
	return n
}

func (n numbering) mirrored() numbering {
	var turned numbering
	for _, row := range n {
		row = slices.Clone(row)
		slices.Reverse(row)
		turned = append(turned, row)
	}
	return turned
}

// quarterTurned turns the board clockwise.
func (n numbering) quarterTurned() numbering {
	turned := make(numbering, len(n[0]))
	for row := len(n) - 1; row >= 0; row-- {
		for column, number := range n[row] {
			turned[column] = append(turned[column], number)
		}
	}
	return turned
}

// images returns, in reading order, the numbers that each symmetry of the board shows, each
// symmetry once and the identity first.
func (s shape) images() [][]int {
	n := numbered(s)
	all := []numbering{n, n.mirrored()}
	if !s.drop {
		for range 3 {
			n = n.quarterTurned()
			all = append(all, n, n.mirrored())
		}
	}
	var images [][]int
	known := make(map[string]bool)
	for _, n := range all {
		if len(n) != s.height || known[fmt.Sprint(n)] {
			continue // lies across the board, or looks like an earlier one
		}
		known[fmt.Sprint(n)] = true
		images = append(images, slices.Concat(n...))
	}
	return images
}

func TestSymmetries(t *testing.T) {
	for _, test := range []struct {
		game string
		want int
	}{
		{"3x3x3", 8}, {"2x2x2", 8}, {"6x6x4", 8}, {"4x3x3", 4}, {"3x4x3", 4}, {"2x3x2", 4}, {"13x3x3", 4},
		{"3x3x3-misere", 8}, {"4x3x5", 4},
		{"1x1x1", 1}, {"2x1x1", 2}, {"1x2x1", 2}, {"39x1x3", 2}, {"1x39x3", 2},
		{"3x3x3-drop", 2}, {"5x4x4-drop", 2}, {"4x5x4-drop-misere", 2}, {"2x1x1-drop", 2}, {"1x2x1-drop", 1}, {"1x1x1-drop", 1},
	} {
		t.Run(test.game, func(t *testing.T) {
			if got := parse(t, test.game).Symmetries(); got != test.want {
				t.Errorf("%s has %d symmetries, want %d", test.game, got, test.want)
			}
		})
	}
}

// The maps of every board are those of a turned and mirrored sheet of paper, and images of
// boards and lines follow them.
func TestImages(t *testing.T) {
	forEachShape(t, 12, func(t *testing.T, s shape) {
		g := s.game(t, 3)
		cells := s.width * s.height
		want := make(map[string]bool)
		for _, image := range s.images() {
			want[fmt.Sprint(image)] = true
		}
		got := make(map[string]bool)
		for m := range g.Symmetries() {
			shown := slices.Repeat([]int{-1}, cells)
			for cell := range cells {
				to := g.ImageOf(m, cell)
				if to < 0 || to >= cells || shown[to] != -1 {
					t.Fatalf("%s: symmetry %d moves cell %d to %d, which isn't on the board or is taken", g, m, cell, to)
				}
				shown[to] = cell
				if m == 0 && to != cell {
					t.Errorf("%s: symmetry 0 moves cell %d to %d, want the identity", g, cell, to)
				}
			}
			got[fmt.Sprint(shown)] = true
		}
		if len(got) != g.Symmetries() {
			t.Errorf("%s: %d symmetries are only %d different maps", g, g.Symmetries(), len(got))
		}
		for image := range want {
			if !got[image] {
				t.Errorf("%s: no symmetry shows the cells as %s", g, image)
			}
		}
		for image := range got {
			if !want[image] {
				t.Errorf("%s: a symmetry shows the cells as %s, which doesn't map the board onto itself", g, image)
			}
		}
		full := uint64(1)<<cells - 1
		var games []*game.Game
		for inRow := 1; inRow <= 5; inRow++ {
			games = append(games, s.game(t, inRow))
		}
		for m := range g.Symmetries() {
			for set := range full + 1 {
				var moved uint64
				for cell := range cells {
					moved |= set >> cell & 1 << g.ImageOf(m, cell)
				}
				image := g.Image(m, game.Board{X: set, O: full &^ set})
				if want := (game.Board{X: moved, O: full &^ moved}); image != want {
					t.Fatalf("%s: symmetry %d of the set %b is %+v, want %+v", g, m, set, image, want)
				}
				for _, g := range games {
					if g.HasLine(set) != g.HasLine(moved) {
						t.Fatalf("%s: symmetry %d takes the set %b to %b, and only one of them has a line", g, m, set, moved)
					}
				}
			}
		}
	})
}

// Every filling of every board: the canonical key is the least base-3 number among the images
// of the drawing, and the orbit counts the different ones and divides the number of symmetries.
// Each board is in exactly one class. A strip of more than 10 cells has nothing new to show.
func TestCanonical(t *testing.T) {
	forEachShape(t, 12, func(t *testing.T, s shape) {
		if !s.drop && max(s.width, s.height) > 10 {
			return
		}
		g := s.game(t, 3)
		images := s.images()
		boards, inClasses := 0, 0
		eachGrid(s.width, s.height, s.drop, func(drawing grid) {
			cells := slices.Concat(drawing...)
			var numbers []int64
			for _, image := range images {
				number := int64(0)
				for _, from := range image {
					number *= 3
					switch cells[from] {
					case 'x':
						number++
					case 'o':
						number += 2
					}
				}
				numbers = append(numbers, number)
			}
			own := numbers[0]
			slices.Sort(numbers)
			least, orbit := numbers[0], len(slices.Compact(numbers))
			x := game.Position{Board: drawing.board(), ToMove: game.X}
			o := game.Position{Board: drawing.board(), ToMove: game.O}
			if got, want := g.Canonical(x), game.Key(2*least); got != want {
				t.Fatalf("%s: Canonical(%s, x to move) = %d, want %d", g, drawing.text(), got, want)
			}
			if got, want := g.Canonical(o), game.Key(2*least+1); got != want {
				t.Fatalf("%s: Canonical(%s, o to move) = %d, want %d", g, drawing.text(), got, want)
			}
			if got := g.Orbit(x); got != orbit || g.Symmetries()%got != 0 {
				t.Fatalf("%s: Orbit(%s) = %d, want %d, which divides %d", g, drawing.text(), got, orbit, g.Symmetries())
			}
			boards++
			if own == least {
				inClasses += orbit
			}
		})
		want := 1
		for range s.width {
			if s.drop {
				want *= 1<<(s.height+1) - 1 // a column holds 0 to height stones, each x or o
				continue
			}
			for range s.height {
				want *= 3
			}
		}
		if boards != want || inClasses != want {
			t.Errorf("%s: %d boards are in classes that have %d together, want %d", g, boards, inClasses, want)
		}
	})
}

// With drop no image of a board has a floating stone.
func TestImagesOfDropBoards(t *testing.T) {
	forEachSize(t, 12, func(t *testing.T, s shape) {
		s.drop = true
		g := s.game(t, 3)
		eachGrid(s.width, s.height, true, func(drawing grid) {
			for m := range g.Symmetries() {
				image := g.Image(m, drawing.board())
				for cell := range g.Cells() - s.width {
					if stones := image.X | image.O; stones>>cell&1 == 1 && stones>>(cell+s.width)&1 == 0 {
						t.Fatalf("symmetry %d of %s is %s, where a stone floats", m, drawing.text(), g.Text(image))
					}
				}
			}
		})
	})
}

// The classes of all fillings of the 3x3 board are 2862: by Burnside's lemma
// (3^9 + 4·3^6 + 3^5 + 2·3^3) / 8. A second look at a canonical position changes nothing.
func TestClassesOf3x3(t *testing.T) {
	g := parse(t, "3x3x3")
	classes, inClasses := make(map[game.Key]bool), 0
	for number := range int64(19683) {
		p, err := g.Position(game.Key(2 * number))
		if err != nil {
			t.Fatal(err)
		}
		canonical := g.Canonical(p)
		if classes[canonical] {
			continue
		}
		classes[canonical] = true
		inClasses += g.Orbit(p)
		first, err := g.Position(canonical)
		if err != nil {
			t.Fatal(err)
		}
		if again := g.Canonical(first); again != canonical {
			t.Errorf("canonical key of %s is %s, whose own is %s", strconv.FormatInt(number, 3),
				strconv.FormatInt(int64(canonical/2), 3), strconv.FormatInt(int64(again/2), 3))
		}
	}
	if len(classes) != 2862 || inClasses != 19683 {
		t.Errorf("%d classes with %d boards, want 2862 with 19683", len(classes), inClasses)
	}
}
