package game

import "math/bits"

// boardSymmetries lists the rotations and reflections that map the board onto itself: 8 for a
// square, 4 for another rectangle, with -drop only the identity and the mirror. On a board one
// cell wide or high some of them are the same map and are listed once.
func (g *Game) boardSymmetries() [][MaxCells]int8 {
	var found [][MaxCells]int8
	for variant := range 8 {
		transpose, flipRows, flipColumns := variant&4 != 0, variant&2 != 0, variant&1 != 0
		if transpose && g.Width != g.Height || g.Drop && (transpose || flipRows) {
			continue
		}
		var to [MaxCells]int8
		for cell := range g.cells {
			column, row := cell%g.Width, cell/g.Width
			if flipColumns {
				column = g.Width - 1 - column
			}
			if flipRows {
				row = g.Height - 1 - row
			}
			if transpose {
				column, row = row, column
			}
			to[cell] = int8(g.Cell(column, row))
		}
		known := false
		for _, earlier := range found {
			known = known || earlier == to
		}
		if !known {
			found = append(found, to)
		}
	}
	return found
}

// Symmetries returns how many maps [Game.Image] knows, the identity (number 0) included.
func (g *Game) Symmetries() int { return len(g.symmetries) }

// ImageOf returns the cell to which symmetry number s moves a cell.
func (g *Game) ImageOf(s, cell int) int { return int(g.symmetries[s][cell]) }

// Image returns the board as symmetry number s shows it.
func (g *Game) Image(s int, b Board) Board {
	return Board{g.imageOfSet(s, b.X), g.imageOfSet(s, b.O)}
}

func (g *Game) imageOfSet(s int, set uint64) uint64 {
	var image uint64
	for ; set != 0; set &= set - 1 {
		image |= 1 << g.symmetries[s][bits.TrailingZeros64(set)]
	}
	return image
}

// Canonical returns the smallest key in the symmetry class of a position.
func (g *Game) Canonical(p Position) Key {
	least := g.Key(p)
	for s := 1; s < len(g.symmetries); s++ {
		least = min(least, g.Key(Position{g.Image(s, p.Board), p.ToMove}))
	}
	return least
}

// Orbit returns how many positions the symmetry class of p has: as many as there are
// symmetries, divided by those that leave p as it is.
func (g *Game) Orbit(p Position) int {
	unchanged := 0
	for s := range g.symmetries {
		if g.Image(s, p.Board) == p.Board {
			unchanged++
		}
	}
	return len(g.symmetries) / unchanged
}
