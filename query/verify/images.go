package verify

import (
	"math/bits"

	"oxbase/game"
)

// symmetries compute the keys of a position's images without playing them: what a stone in a
// cell adds to the key of each image.
type symmetries struct {
	game    *game.Game
	weights [][game.MaxCells]game.Key // by symmetry and cell
}

func newSymmetries(g *game.Game) *symmetries {
	s := &symmetries{game: g, weights: make([][game.MaxCells]game.Key, g.Symmetries())}
	for number := range s.weights {
		for cell := range g.Cells() {
			s.weights[number][cell] = g.Weight(g.ImageOf(number, cell))
		}
	}
	return s
}

// images are the keys of a board's images, the board's own first, with x to move.
type images struct {
	keys  [8]game.Key
	count int
}

func (s *symmetries) images(b game.Board) images {
	im := images{count: len(s.weights)}
	for number := range s.weights {
		weights, key := &s.weights[number], game.Key(0)
		for x := b.X; x != 0; x &= x - 1 {
			key += weights[bits.TrailingZeros64(x)]
		}
		for o := b.O; o != 0; o &= o - 1 {
			key += 2 * weights[bits.TrailingZeros64(o)]
		}
		im.keys[number] = key
	}
	return im
}

// least returns the smallest key of the images.
func (im *images) least() game.Key {
	least := im.keys[0]
	for _, key := range im.keys[1:im.count] {
		least = min(least, key)
	}
	return least
}

// orbit returns how many different images there are: each comes up as often as the first.
func (im *images) orbit() int {
	same := 0
	for _, key := range im.keys[:im.count] {
		if key == im.keys[0] {
			same++
		}
	}
	return im.count / same
}

// with returns the smallest key of the images after a digit was added to a cell.
func (s *symmetries) with(im *images, digit game.Key, cell int) game.Key {
	least := im.keys[0] + digit*s.weights[0][cell]
	for number := 1; number < im.count; number++ {
		least = min(least, im.keys[number]+digit*s.weights[number][cell])
	}
	return least
}
