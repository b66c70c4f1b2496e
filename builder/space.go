package builder

import (
	"math/bits"

	"oxbase/game"
)

const (
	maxImages  = 8       // symmetries of a square board
	maxLowSize = 1 << 16 // boards of the low part, where the game leaves a choice
	mostLow    = 27      // of them for each high part, likewise
)

// space numbers the boards of a game without holes, so that a set of boards is a bitmap.
//
// The index of a board is the sum, over its stones, of the stone's digit (x 1, o 2) times the
// weight of its cell:
//
//	without -drop  3^i for the i-th cell from the end: a base-3 number, in the order of the keys
//	with -drop     a column filled up to height h is a number in bijective base 2 (digits 1 and
//	               2, the lowest stone the least significant), below m = 2^(height+1)-1, and
//	               the columns are the digits of a number in base m:
//
//	                   row 3   4·1  4·m  4·m²
//	                   row 2   2·1  2·m  2·m²      weights of a 3x3 board with -drop,
//	                   row 1   1·1  1·m  1·m²      m = 15, last column first
//
// Either way a move adds a number that depends on the cell and the side alone, also in the
// index of each image of the board. Splitting the index into a high and a low part, the low one
// being the last cells or columns, lists the boards of a tier without passing over the others:
// low parts are grouped by how many stones of each side they hold.
type space struct {
	game   *game.Game
	size   uint64 // boards
	images int    // symmetries to choose a representative from; 1 when every board is stored

	// steps[side-1][cell][s] is what a stone adds to the index of image s of the board.
	steps [2][game.MaxCells][maxImages]uint64

	lowSize   uint64
	low       []part   // grouped by stones
	groups    [][]span // groups[x][o] are those with x and o stones
	lowStones []uint8  // stones of the low part with index i
}

// part is the board of a high or low part with the index of each of its images.
type part struct {
	board  game.Board
	images [maxImages]uint64
}

// span is a range of a slice.
type span struct{ from, to int }

func newSpace(g *game.Game, symmetry game.Symmetry) *space {
	s := &space{game: g, images: 1}
	if symmetry == game.Canonical {
		s.images = g.Symmetries()
	}
	weights, digits := s.weights()
	for cell := range g.Cells() {
		for image := range s.images {
			w := weights[g.ImageOf(image, cell)]
			s.steps[0][cell][image], s.steps[1][cell][image] = w, 2*w
		}
	}
	s.size, s.lowSize = split(digits)
	return s
}

// weights returns the weight of each cell and the number of values that each digit of the index
// has, the most significant first: a digit a cell, with -drop a digit a column.
func (s *space) weights() (weights [game.MaxCells]uint64, digits []uint64) {
	g := s.game
	if !g.Drop {
		for cell, w := g.Cells()-1, uint64(1); cell >= 0; cell, w = cell-1, w*3 {
			weights[cell] = w
			digits = append(digits, 3)
		}
		return weights, digits
	}
	base := uint64(1)<<(g.Height+1) - 1
	for column, w := g.Width-1, uint64(1); column >= 0; column, w = column-1, w*base {
		for row := range g.Height {
			weights[g.Cell(column, row)] = w << (g.Height - 1 - row)
		}
		digits = append(digits, base)
	}
	return weights, digits
}

// split returns how many values the digits have together, and how many the longest tail of them
// has that stays within maxLowSize and leaves a high part for each mostLow values, so that a small
// board too has parts to share out; at least one digit is in the tail.
func split(digits []uint64) (size, lowSize uint64) {
	size = 1
	for _, values := range digits {
		size *= values
	}
	lowSize = digits[len(digits)-1]
	for i := len(digits) - 2; i >= 0; i-- {
		longer := lowSize * digits[i]
		if longer > maxLowSize || longer > mostLow*(size/longer) {
			break
		}
		lowSize = longer
	}
	return size, lowSize
}

// fillLow lists the low parts by a counting sort. Time and memory are linear in lowSize.
func (s *space) fillLow() {
	cells := s.game.Cells()
	s.groups = make([][]span, cells+1)
	for x := range s.groups {
		s.groups[x] = make([]span, cells+1)
	}
	s.lowStones = make([]uint8, s.lowSize)
	parts := make([]part, s.lowSize)
	for index := range parts {
		parts[index] = s.part(uint64(index))
		s.lowStones[index] = uint8(parts[index].board.Stones())
		s.group(parts[index].board).to++
	}
	filled := 0
	for x := range s.groups {
		for o := range s.groups[x] {
			size := s.groups[x][o].to
			s.groups[x][o] = span{filled, filled}
			filled += size
		}
	}
	s.low = make([]part, s.lowSize)
	for _, p := range parts {
		group := s.group(p.board)
		s.low[group.to] = p
		group.to++
	}
}

// group returns the span of the low parts with as many stones of each side as a board.
func (s *space) group(b game.Board) *span {
	return &s.groups[bits.OnesCount64(b.X)][bits.OnesCount64(b.O)]
}

// highSize returns the number of high parts.
func (s *space) highSize() uint64 { return s.size / s.lowSize }

// part decodes an index.
func (s *space) part(index uint64) part {
	var p part
	place := func(cell int, side game.Side) {
		p.board = p.board.With(side, cell)
		for image := range s.images {
			p.images[image] += s.steps[side-game.X][cell][image]
		}
	}
	g := s.game
	if !g.Drop {
		for cell := g.Cells() - 1; index != 0; cell, index = cell-1, index/3 {
			if digit := index % 3; digit != 0 {
				place(cell, game.Side(digit))
			}
		}
		return p
	}
	base := uint64(1)<<(g.Height+1) - 1
	for column := g.Width - 1; index != 0; column, index = column-1, index/base {
		for row, code := g.Height-1, index%base; code != 0; row-- {
			digit := 2 - code&1
			place(g.Cell(column, row), game.Side(digit))
			code = (code - digit) / 2
		}
	}
	return p
}

// join adds a low part to a high one.
func (s *space) join(high, low *part) part {
	p := part{board: game.Board{X: high.board.X | low.board.X, O: high.board.O | low.board.O}}
	for image := range s.images {
		p.images[image] = high.images[image] + low.images[image]
	}
	return p
}

// least returns the index that represents the symmetry class.
func (s *space) least(p *part) uint64 {
	index := p.images[0]
	for _, image := range p.images[1:s.images] {
		index = min(index, image)
	}
	return index
}

// after returns the index that represents the class of the board once a stone is added.
func (s *space) after(p *part, side game.Side, cell int) uint64 {
	steps := &s.steps[side-game.X][cell]
	index := p.images[0] + steps[0]
	for image := 1; image < s.images; image++ {
		index = min(index, p.images[image]+steps[image])
	}
	return index
}

// before returns the index that represents the class of the board once a stone is taken away.
func (s *space) before(p *part, side game.Side, cell int) uint64 {
	steps := &s.steps[side-game.X][cell]
	index := p.images[0] - steps[0]
	for image := 1; image < s.images; image++ {
		index = min(index, p.images[image]-steps[image])
	}
	return index
}

// tierGroups calls visit for each group of low parts that makes a board of the tier when joined
// to a high part: with alternating turns the group whose counts complete those of the high
// part, otherwise every group with as many stones as are missing.
func (s *space) tierGroups(high game.Board, stones int, turns game.Turns, visit func(low []part)) {
	highX, highO := bits.OnesCount64(high.X), bits.OnesCount64(high.O)
	missing := stones - highX - highO
	if missing < 0 {
		return
	}
	from, to := 0, missing
	if turns == game.Alternate {
		from = (stones+1)/2 - highX
		to = from
		if from < 0 || missing-from < 0 {
			return
		}
	}
	for x := from; x <= to; x++ {
		if g := s.groups[x][missing-x]; g.from < g.to {
			visit(s.low[g.from:g.to])
		}
	}
}
