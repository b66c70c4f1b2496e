// Package game holds the rules of tic-tac-toe-like games: boards, positions and their keys,
// lines, moves, symmetry, and what a finished position is worth. It knows nothing of files,
// tables or commands and imports the standard library only.
//
// Cells are numbered in reading order from 0, the top left one, and cell i is bit i of a
// [Board]'s bit sets. A 4x3 board and the names of its cells:
//
//	0  1  2  3      a3 b3 c3 d3
//	4  5  6  7      a2 b2 c2 d2
//	8  9 10 11      a1 b1 c1 d1
package game

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// MaxCells is the largest number of cells whose keys fit in an int64.
const MaxCells = 39

// Spec names a game: the size of the board, how many in a row make a line, and the variant.
// It is comparable, and String gives the name that [Parse] reads.
type Spec struct {
	Width, Height int  // cells
	InRow         int  // stones in a row, column or diagonal that make a line
	Drop          bool // a stone falls to the lowest free cell of its column
	Misere        bool // whoever completes a line loses
}

// String returns the game's name, such as "3x3x3", "5x4x4-drop" or "3x3x3-misere".
func (s Spec) String() string {
	name := fmt.Sprintf("%dx%dx%d", s.Width, s.Height, s.InRow)
	if s.Drop {
		name += "-drop"
	}
	if s.Misere {
		name += "-misere"
	}
	return name
}

// Game is a [Spec] made ready to play: line masks, weights of the key and symmetries.
// It is immutable and safe for concurrent use.
type Game struct {
	Spec
	cells      int
	full       uint64           // every cell
	directions []direction      // the ways in which a line can run
	columns    []uint64         // the cells of each column
	weights    [MaxCells]Key    // what digit 1 in a cell adds to the key
	sums       [][256]Key       // for each eight cells, what digit 1 in a set of them adds to the key
	symmetries [][MaxCells]int8 // where each cell goes; the identity first
	lines      []uint64         // a bit for each set of cells that holds a line; nil if not tabulated
}

// direction is one way in which a line can run: starts are the cells at which a line that
// runs that way can begin, and step is how far one cell of it is from the next.
type direction struct {
	starts uint64
	step   int
}

// Parse reads a game's name, WxHxK with "-drop" and "-misere" behind it in any order, each at
// most once. The error says which part is wrong and what was wanted.
func Parse(name string) (*Game, error) {
	size, variant, _ := strings.Cut(strings.ToLower(name), "-")
	numbers := strings.Split(size, "x")
	if len(numbers) != 3 {
		return nil, fmt.Errorf("%q is not a game: want WxHxK, such as 4x4x3, then -drop or -misere if they apply", name)
	}
	var spec Spec
	for i, field := range []*int{&spec.Width, &spec.Height, &spec.InRow} {
		n, err := strconv.ParseUint(numbers[i], 10, 16)
		if err != nil {
			return nil, fmt.Errorf("game %q: %q is not a number of %s from 1 to %d", name, numbers[i],
				[]string{"columns", "rows", "stones in a row"}[i], math.MaxUint16)
		}
		*field = int(n)
	}
	if strings.Contains(name, "-") {
		for word := range strings.SplitSeq(variant, "-") {
			switch {
			case word == "drop" && !spec.Drop:
				spec.Drop = true
			case word == "misere" && !spec.Misere:
				spec.Misere = true
			default:
				return nil, fmt.Errorf("game %q: unexpected word %q: want -drop or -misere, each at most once", name, word)
			}
		}
	}
	return New(spec)
}

// New prepares a game. It is an error if a size is not positive or the board has more than
// [MaxCells] cells. More in a row than fits is allowed: such a game is always a tie.
func New(s Spec) (*Game, error) {
	switch {
	case s.Width < 1 || s.Height < 1 || s.InRow < 1:
		return nil, fmt.Errorf("game %s: width, height and stones in a row must each be at least 1", s)
	case s.Width > MaxCells || s.Height > MaxCells || s.Width*s.Height > MaxCells:
		return nil, fmt.Errorf("game %s is too large: the key holds at most %d cells", s, MaxCells)
	}
	g := &Game{Spec: s, cells: s.Width * s.Height}
	g.full = 1<<g.cells - 1
	for i, w := g.cells-1, Key(2); i >= 0; i, w = i-1, w*3 {
		g.weights[i] = w
	}
	g.sums = g.weightSums()
	for column := range s.Width {
		var mask uint64
		for row := range s.Height {
			mask |= 1 << g.Cell(column, row)
		}
		g.columns = append(g.columns, mask)
	}
	g.directions = g.lineDirections()
	g.symmetries = g.boardSymmetries()
	return g, nil
}

// Cells returns the number of cells of the board.
func (g *Game) Cells() int { return g.cells }

// Cell returns the number of the cell in a column and a row, both counted from 0 at the top left.
func (g *Game) Cell(column, row int) int { return row*g.Width + column }

// Weight returns what an x in the cell adds to the key; an o adds twice that.
func (g *Game) Weight(cell int) Key { return g.weights[cell] }

// weightSums adds up the weights of each set of eight cells: the cell of its lowest bit adds to
// the sum of the others.
func (g *Game) weightSums() [][256]Key {
	sums := make([][256]Key, (g.cells+7)/8)
	for eight := range sums {
		for set := 1; set < 256; set++ {
			if cell := 8*eight + bits.TrailingZeros(uint(set)); cell < g.cells {
				sums[eight][set] = sums[eight][set&(set-1)] + g.weights[cell]
			}
		}
	}
	return sums
}

// CellName returns the name of a cell as chess players write it: the column's letter, then the
// row counted from 1 at the bottom. Column 26 is "aa".
func (g *Game) CellName(cell int) string {
	column, row := cell%g.Width, cell/g.Width
	letters := string(rune('a' + column%26))
	if column >= 26 {
		letters = string(rune('a'+column/26-1)) + letters
	}
	return letters + strconv.Itoa(g.Height-row)
}

// lineDirections finds the cells at which a line can start, for each way in which it can run.
func (g *Game) lineDirections() []direction {
	var found []direction
	ways := [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}
	if g.InRow == 1 {
		ways = ways[:1]
	}
	for _, way := range ways {
		var starts uint64
		for row := range g.Height {
			for column := range g.Width {
				lastColumn, lastRow := column+way[0]*(g.InRow-1), row+way[1]*(g.InRow-1)
				if lastColumn >= 0 && lastColumn < g.Width && lastRow < g.Height {
					starts |= 1 << g.Cell(column, row)
				}
			}
		}
		if starts != 0 {
			found = append(found, direction{starts, g.Cell(way[0], way[1])})
		}
	}
	return found
}

// HasLine reports whether a set of cells holds a line.
func (g *Game) HasLine(stones uint64) bool {
	if g.lines != nil {
		return g.lines[stones/64]>>(stones%64)&1 != 0
	}
	return g.searchLine(stones)
}

// maxTabulated is the largest board, in cells, whose lines are worth a table: 128 KiB.
const maxTabulated = 20

// Tabulated returns the same game with HasLine looked up in a table, for those who call it
// millions of times. Time and memory: a bit for each set of cells; boards of more than 20 cells
// are returned as they are.
func (g *Game) Tabulated() *Game {
	if g.cells > maxTabulated {
		return g
	}
	tabulated := *g
	tabulated.lines = make([]uint64, (1<<g.cells+63)/64)
	for stones := range uint64(1) << g.cells {
		if g.searchLine(stones) {
			tabulated.lines[stones/64] |= 1 << (stones % 64)
		}
	}
	return &tabulated
}

// searchLine is HasLine without the table. It doesn't stop at the first line found: that the
// loops always run the same way is worth more than the steps saved.
func (g *Game) searchLine(stones uint64) bool {
	var found uint64
	for _, d := range g.directions {
		line := stones & d.starts
		for i, shift := 1, d.step; i < g.InRow; i, shift = i+1, shift+d.step {
			line &= stones >> (shift & 63) // no shift reaches 64: the mask spares a test
		}
		found |= line
	}
	return found != 0
}

// Moves returns the cells on which a stone may be put as long as the game goes on: the free
// ones, with -drop only the lowest free one of each column.
func (g *Game) Moves(b Board) uint64 {
	free := g.full &^ (b.X | b.O)
	if !g.Drop {
		return free
	}
	var moves uint64
	for _, column := range g.columns {
		if in := free & column; in != 0 {
			moves |= 1 << (63 - bits.LeadingZeros64(in))
		}
	}
	return moves
}

// Removable returns those stones of the set that can have been put down last: all of them,
// with -drop only the topmost of each column.
func (g *Game) Removable(b Board, stones uint64) uint64 {
	if !g.Drop {
		return stones
	}
	var top uint64
	for _, column := range g.columns {
		top |= lowestBit((b.X | b.O) & column)
	}
	return top & stones
}

func lowestBit(set uint64) uint64 { return set & -set }
