package game

import (
	"fmt"
	"iter"
)

// The strip game: two players take turns in putting an O or an X, whichever they like, on an
// empty cell of a strip, never beside an equal piece; whoever can't move loses. The pieces cut
// a strip into gaps that don't touch each other, so its SG value is the XOR of theirs.

// End is what stands at one end of a gap: a piece, or the edge of the strip.
type End byte

// The three ends of a gap, as they are written.
const (
	Edge End = '.'
	EndO End = 'O'
	EndX End = 'X'
)

// Ends returns the three ends in the order of their characters.
func Ends() [3]End { return [3]End{Edge, EndO, EndX} }

// Gap is a run of empty cells of a strip with what stands at its two ends.
type Gap struct {
	Length      int // cells, 0 between two neighbouring pieces
	Left, Right End
}

// String describes the gap, such as "gap of 3 between O and the edge".
func (g Gap) String() string {
	name := func(e End) string {
		if e == Edge {
			return "the edge"
		}
		return string(rune(e))
	}
	return fmt.Sprintf("gap of %d between %s and %s", g.Length, name(g.Left), name(g.Right))
}

// Gaps cuts a strip, written with the characters of [Ends], into its gaps, in order: the number
// of a gap's first cell, from 0 at the left, and the gap. Two neighbouring pieces have no gap
// between them; a gap without cells would add nothing to the strip's SG value.
func Gaps[Strip ~string | ~[]byte](strip Strip) iter.Seq2[int, Gap] {
	return func(yield func(int, Gap) bool) {
		left, start := Edge, 0
		for i := range len(strip) {
			here := End(strip[i])
			if here == Edge {
				continue
			}
			if i > start && !yield(start, Gap{i - start, left, here}) {
				return
			}
			left, start = here, i+1
		}
		if start < len(strip) {
			yield(start, Gap{len(strip) - start, left, Edge})
		}
	}
}

// GapRow is one gap with its SG value.
type GapRow struct {
	Gap
	SG int // Sprague-Grundy value (nimber)
}
