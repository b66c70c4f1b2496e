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

// Preloaded is a whole tablebase of a small board in memory, for many look-ups: one costs some
// nanoseconds, whichever of a symmetry class the rows store.
type Preloaded struct {
	Tablebase
	memory *memory
}

// Preload reads a whole tablebase into memory; symmetry says which positions its rows store. It is
// an error if the board is too large for that (more than 11 cells).
func Preload(ctx context.Context, g *game.Game, turns game.Turns, symmetry game.Symmetry, rows Rows) (*Preloaded, error) {
	if g.Keys() > maxPreloaded {
		return nil, fmt.Errorf("%s has %d keys: at most %d are read into memory", g, g.Keys(), maxPreloaded)
	}
	m := &memory{positions: make([]stored, g.Keys())}
	images := 1
	if symmetry == game.Canonical {
		images = g.Symmetries()
	}
	err := rows.Rows(ctx, func(batch []game.Row) error {
		for _, row := range batch {
			p, err := g.Position(row.Key)
			if err != nil {
				return err
			}
			m.positions[row.Key] = stored{row.Value, true}
			for s := 1; s < images; s++ {
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
	return &Preloaded{Tablebase{Game: g, Turns: turns, Symmetry: game.NoSymmetry, Source: m}, m}, nil
}

// Value is [Tablebase.Value].
func (p *Preloaded) Value(of game.Position) (game.Value, error) {
	if s := p.memory.positions[p.Game.Key(of)]; s.ok {
		return s.value, nil
	}
	return p.Tablebase.Value(of)
}

// Strip returns the SG value of a strip, written with the characters of [game.Ends]. The error is
// a [*MissingError] if it is longer than the table, also where none of its gaps is.
func (p *Preloaded) Strip(cells []byte) (sg int, err error) {
	if longest := p.memory.longest; len(cells) > longest {
		return 0, &MissingError{fmt.Sprintf("a strip of %d cells", len(cells)),
			fmt.Sprintf("the table of strips goes up to %d", longest)}
	}
	return p.memory.strip(cells), nil
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
