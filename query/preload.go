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
	if err := m.gapTable.load(ctx, rows); err != nil {
		return nil, err
	}
	return &Tablebase{Game: g, Turns: turns, Symmetry: game.NoSymmetry, Source: m}, nil
}

// memory is a source with everything in memory, positions by key.
type memory struct {
	positions []stored
	gapTable
}

type stored struct {
	value game.Value
	ok    bool
}

func (m *memory) Lookup(key game.Key) (game.Value, bool, error) {
	s := m.positions[key]
	return s.value, s.ok, nil
}
