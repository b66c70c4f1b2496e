package query

import (
	"context"
	"fmt"

	"oxbase/game"
)

// Rows is a source that can be read from one end to the other.
type Rows interface {
	Rows(ctx context.Context, yield func([]game.Row) error) error
	Gaps(ctx context.Context, yield func([]game.GapRow) error) error
}

// maxPreloaded is the largest number of keys of a board size that Preload takes.
const maxPreloaded = 1 << 20

// Preload reads a whole tablebase of a small board into memory, for many look-ups: one then
// costs some nanoseconds, whichever of a symmetry class the rows store. It is an error if the
// board is too large for that (more than 11 cells).
func Preload(ctx context.Context, g *game.Game, turns game.Turns, rows Rows) (*Tablebase, error) {
	if g.Keys() > maxPreloaded {
		return nil, fmt.Errorf("%s has %d keys: at most %d are read into memory", g, g.Keys(), maxPreloaded)
	}
	m := &memory{positions: make([]stored, g.Keys())}
	err := rows.Rows(ctx, func(batch []game.Row) error {
		for _, row := range batch {
			p, err := g.Position(row.Key)
			if err != nil {
				return err
			}
			for s := range g.Symmetries() {
				image := game.Position{Board: g.Image(s, p.Board), ToMove: p.ToMove}
				m.positions[g.Key(image)] = stored{row.Value, true}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = rows.Gaps(ctx, func(batch []game.GapRow) error {
		for _, row := range batch {
			ends := &m.gaps[endNumber(row.Left)][endNumber(row.Right)]
			if row.Length != len(*ends) {
				return fmt.Errorf("a %s follows one of %d", row.Gap, len(*ends)-1)
			}
			*ends = append(*ends, row.SG)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &Tablebase{Game: g, Turns: turns, Symmetry: game.NoSymmetry, Source: m}, nil
}

// memory is a source with everything in memory: positions by key, SG values by ends and length.
type memory struct {
	positions []stored
	gaps      [3][3][]int
}

type stored struct {
	value game.Value
	ok    bool
}

func (m *memory) Lookup(key game.Key) (game.Value, bool, error) {
	s := m.positions[key]
	return s.value, s.ok, nil
}

func (m *memory) Gap(gap game.Gap) (sg int, ok bool, err error) {
	values := m.gaps[endNumber(gap.Left)][endNumber(gap.Right)]
	if gap.Length >= len(values) {
		return 0, false, nil
	}
	return values[gap.Length], true, nil
}

func endNumber(e game.End) int {
	switch e {
	case game.EndO:
		return 1
	case game.EndX:
		return 2
	}
	return 0
}
