package query

import (
	"context"
	"fmt"

	"oxbase/game"
)

// gapTable holds the SG values of gaps by their two ends and their length.
type gapTable [4][4][]int

// load reads all rows. For each pair of ends the lengths must ascend from 0 without a hole.
func (t *gapTable) load(ctx context.Context, rows Rows) error {
	return rows.Gaps(ctx, func(batch []game.GapRow) error {
		for _, row := range batch {
			values := &t[endNumber(row.Left)][endNumber(row.Right)]
			if row.Length != len(*values) {
				return fmt.Errorf("a %s follows one of %d", row.Gap, len(*values)-1)
			}
			*values = append(*values, row.SG)
		}
		return nil
	})
}

// Gap implements that part of [Source].
func (t *gapTable) Gap(gap game.Gap) (sg int, ok bool, err error) {
	values := t[endNumber(gap.Left)][endNumber(gap.Right)]
	if gap.Length < 0 || gap.Length >= len(values) {
		return 0, false, nil
	}
	return values[gap.Length], true, nil
}

// endNumber numbers the ends without a branch, which the next end of a strip would mislead: of
// the characters '.', 'O' and 'X' the two lowest bits are 2, 3 and 0.
func endNumber(e game.End) int { return int(e) & 3 }
