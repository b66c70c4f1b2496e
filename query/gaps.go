package query

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"oxbase/game"
)

// gapTable holds the SG values of gaps in one list, 16 for each length: that of a gap stands at
// 16·length + 4·(number of the left end) + number of the right end.
type gapTable struct {
	sg      []int
	counts  [4][4]int // by the ends' numbers: how many lengths, from 0, are known
	longest int       // cells of the longest strip all of whose gaps are known, whatever stands on it
}

// load reads all rows. For each pair of ends the lengths must ascend from 0 without a hole. That a
// gap without cells has another SG value than 0 is [ErrDamaged].
func (t *gapTable) load(ctx context.Context, rows Rows) error {
	err := rows.Gaps(ctx, func(batch []game.GapRow) error {
		for _, row := range batch {
			left, right := endNumber(row.Left), endNumber(row.Right)
			count := &t.counts[left][right]
			if row.Length != *count {
				return fmt.Errorf("a %s follows one of %d", row.Gap, *count-1)
			}
			if row.Length == 0 && row.SG != 0 {
				return fmt.Errorf("%w: a %s has SG value %d: want 0", ErrDamaged, row.Gap, row.SG)
			}
			if *count++; 16**count > len(t.sg) {
				t.sg = append(t.sg, make([]int, 16)...)
			}
			t.sg[16*row.Length+4*left+right] = row.SG
		}
		return nil
	})
	t.longest = len(t.sg)/16 - 1
	for _, left := range game.Ends() {
		for _, right := range game.Ends() {
			t.longest = min(t.longest, t.counts[endNumber(left)][endNumber(right)]-1)
		}
	}
	return err
}

// Gap implements that part of [Source].
func (t *gapTable) Gap(gap game.Gap) (sg int, ok bool, err error) {
	left, right := endNumber(gap.Left), endNumber(gap.Right)
	if gap.Length < 0 || gap.Length >= t.counts[left][right] {
		return 0, false, nil
	}
	return t.sg[16*gap.Length+4*left+right], true, nil
}

// strip returns the SG value of a strip of at most longest cells, written with the characters of
// [game.Ends]. It goes from piece to piece, since any guess at the next cell would often be wrong.
func (t *gapTable) strip(cells []byte) int {
	sum := 0
	// base + 16·i + (number of the right end) is where the value stands of the gap that ends
	// before cell i.
	base := 4 * endNumber(game.Edge)
	for from := 0; from < len(cells); from += 64 {
		for set := pieces(cells[from:min(from+64, len(cells))]); set != 0; set &= set - 1 {
			i := from + bits.TrailingZeros64(set)
			here := endNumber(game.End(cells[i]))
			sum ^= t.sg[16*i+base+here]
			base = 4*here - 16*(i+1)
		}
	}
	return sum ^ t.sg[16*len(cells)+base+endNumber(game.Edge)]
}

// pieces returns the set of those of up to 64 cells that hold a piece: only 'O' and 'X' have the
// bit 64. Eight cells at a time, a product moves the lowest bits of the bytes side by side.
func pieces(cells []byte) uint64 {
	var set uint64
	whole := len(cells) &^ 7
	for i := 0; i < whole; i += 8 {
		lowest := binary.LittleEndian.Uint64(cells[i:]) >> 6 & 0x0101010101010101
		set |= lowest * 0x0102040810204080 >> 56 << i
	}
	for i, cell := range cells[whole:] {
		set |= uint64(cell>>6&1) << (whole + i)
	}
	return set
}

// endNumber numbers the ends without a branch: of the characters 'X', '.' and 'O' the two lowest
// bits are 0, 2 and 3.
func endNumber(e game.End) int { return int(e) & 3 }
