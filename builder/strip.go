package builder

import "oxbase/game"

// Strip computes the SG value of every gap up to a length of the strip game, by length and then
// in the order of the ends' characters, and hands them to emit; it returns emit's first error.
//
// The value of a gap is the smallest number that none of the moves in it leads to (mex). A move
// puts a piece on one cell and leaves a gap on either side of it, whose values are XORed; a
// piece can't stand beside an equal one. Mirroring a gap, or swapping O and X, changes no
// value. So of the nine pairs of ends four kinds are computed. Between two edges the moves of X are
// those of O swapped, and between O and X those of O mirrored and swapped: O is enough there. Where
// a move leaves the same kind of gap on both sides, half of the cells are enough. Time: quadratic in the length. Memory: linear.
func Strip(length int, emit func(game.GapRow) error) error {
	kindEnds := [kinds][2]game.End{
		bothFree:      {game.Edge, game.Edge},
		oneTaken:      {game.Edge, game.EndX},
		sameEnds:      {game.EndX, game.EndX},
		differentEnds: {game.EndO, game.EndX},
	}
	var values [kinds][]int
	reached := make([]int, length+1) // the last gap from which a value was reached
	number := 0
	for n := range length + 1 {
		for kind, ends := range kindEnds {
			number++
			pieces := []game.End{game.EndO, game.EndX}
			if kind == bothFree || kind == differentEnds {
				pieces = pieces[:1]
			}
			for _, piece := range pieces {
				leftKind, rightKind := kindOf(ends[0], piece), kindOf(piece, ends[1])
				left, right := values[leftKind], values[rightKind]
				first, last := 0, n-1
				if ends[0] == piece {
					first++
				}
				if ends[1] == piece {
					last--
				}
				if leftKind == rightKind {
					last = min(last, (n-1)/2)
				}
				for cell := first; cell <= last; cell++ {
					// A gap's value is at most its length, so this is at most n-1.
					reached[left[cell]^right[n-1-cell]] = number
				}
			}
			sg := 0
			for reached[sg] == number {
				sg++
			}
			values[kind] = append(values[kind], sg)
		}
		for _, left := range game.Ends() {
			for _, right := range game.Ends() {
				gap := game.Gap{Length: n, Left: left, Right: right}
				if err := emit(game.GapRow{Gap: gap, SG: values[kindOf(left, right)][n]}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// The kinds of gap that differ in value.
const (
	bothFree = iota
	oneTaken
	sameEnds
	differentEnds
	kinds
)

func kindOf(left, right game.End) int {
	switch {
	case left == game.Edge && right == game.Edge:
		return bothFree
	case left == game.Edge || right == game.Edge:
		return oneTaken
	case left == right:
		return sameEnds
	}
	return differentEnds
}
