package game_test

import (
	"fmt"
	"strings"
	"testing"

	"oxbase/game"
)

// grid is a board as a drawing: rows from the top, each a row of '.', 'x' and 'o'. The tests
// judge package game by it, so it works with columns and rows only: no bit sets, no keys.
type grid [][]byte

func newGrid(width, height int) grid {
	g := make(grid, height)
	for row := range g {
		g[row] = []byte(strings.Repeat(".", width))
	}
	return g
}

// at returns what stands in a cell, 0 outside the board.
func (g grid) at(column, row int) byte {
	if row < 0 || row >= len(g) || column < 0 || column >= len(g[row]) {
		return 0
	}
	return g[row][column]
}

// text draws the board with "/" between the rows.
func (g grid) text() string {
	var rows []string
	for _, row := range g {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "/")
}

// digits writes the cells in reading order as digits of a base-3 number.
func (g grid) digits() string {
	var digits []byte
	for _, row := range g {
		for _, c := range row {
			switch c {
			case '.':
				digits = append(digits, '0')
			case 'x':
				digits = append(digits, '1')
			case 'o':
				digits = append(digits, '2')
			}
		}
	}
	return string(digits)
}

// board sets the bits of a game.Board, counting the cells in reading order.
func (g grid) board() game.Board {
	var b game.Board
	bit := uint64(1)
	for _, row := range g {
		for _, c := range row {
			switch c {
			case 'x':
				b.X |= bit
			case 'o':
				b.O |= bit
			}
			bit <<= 1
		}
	}
	return b
}

// set returns the bits of the cells that want picks.
func (g grid) set(want func(column, row int) bool) uint64 {
	var set uint64
	bit := uint64(1)
	for row := range g {
		for column := range g[row] {
			if want(column, row) {
				set |= bit
			}
			bit <<= 1
		}
	}
	return set
}

// next turns the board into the one that follows it where '.' < 'x' < 'o' and the first cell
// counts most. It is false after the last board.
func (g grid) next() bool {
	for row := len(g) - 1; row >= 0; row-- {
		for column := len(g[row]) - 1; column >= 0; column-- {
			switch g[row][column] {
			case '.':
				g[row][column] = 'x'
				return true
			case 'x':
				g[row][column] = 'o'
				return true
			}
			g[row][column] = '.'
		}
	}
	return false
}

// floats reports whether a stone stands above an empty cell.
func (g grid) floats() bool {
	for row := range g {
		for column := range g[row] {
			if g[row][column] != '.' && g.at(column, row+1) == '.' {
				return true
			}
		}
	}
	return false
}

// line reports whether a side has inRow stones side by side.
func (g grid) line(side byte, inRow int) bool {
	for row := range g {
		for column := range g[row] {
			for _, way := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				length := 0
				for g.at(column+length*way[0], row+length*way[1]) == side {
					length++
				}
				if length >= inRow {
					return true
				}
			}
		}
	}
	return false
}

// eachGrid visits every filling of a board in ascending order, with drop only those without
// floating stones. The grid changes when visit returns.
func eachGrid(width, height int, drop bool, visit func(grid)) {
	g := newGrid(width, height)
	for more := true; more; more = g.next() {
		if !drop || !g.floats() {
			visit(g)
		}
	}
}

// shape is the size of a board, with or without drop.
type shape struct {
	width, height int
	drop          bool
}

func (s shape) game(t testing.TB, inRow int) *game.Game {
	t.Helper()
	g, err := game.New(game.Spec{Width: s.width, Height: s.height, InRow: inRow, Drop: s.drop})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// forEachShape runs a test for every board of up to so many cells, with and without drop.
func forEachShape(t *testing.T, cells int, test func(*testing.T, shape)) {
	forEachSize(t, cells, func(t *testing.T, s shape) {
		test(t, s)
		s.drop = true
		test(t, s)
	})
}

// forEachSize runs a test for every board of up to so many cells without drop.
func forEachSize(t *testing.T, cells int, test func(*testing.T, shape)) {
	for width := 1; width <= cells; width++ {
		for height := 1; width*height <= cells; height++ {
			t.Run(fmt.Sprintf("%dx%d", width, height), func(t *testing.T) {
				t.Parallel()
				test(t, shape{width, height, false})
			})
		}
	}
}

func parse(t testing.TB, name string) *game.Game {
	t.Helper()
	g, err := game.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
