// Package query answers questions from a tablebase by key lookup; nothing is solved here.
package query

import (
	"errors"
	"fmt"

	"oxbase/game"
)

// Source is where values are looked up, such as a file. Missing is false, never a zero value.
type Source interface {
	Lookup(key game.Key) (v game.Value, ok bool, err error)
	Gap(gap game.Gap) (sg int, ok bool, err error)
}

// Tablebase answers for every position of a game, whichever of them its source stores.
type Tablebase struct {
	Game     *game.Game
	Turns    game.Turns
	Symmetry game.Symmetry
	Source   Source
}

var (
	// ErrMissing is what every [*MissingError] wraps.
	ErrMissing = errors.New("not in the tablebase")

	// ErrDamaged comes back when a tablebase lacks a position that it should hold, or contradicts
	// itself or the rules.
	ErrDamaged = errors.New("the tablebase is damaged or incomplete")
)

// MissingError says that a tablebase doesn't hold something, and why.
type MissingError struct {
	What string // what was looked up
	Why  string // why it isn't there
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s isn't in the tablebase: %s", e.What, e.Why)
}

// Unwrap returns [ErrMissing].
func (e *MissingError) Unwrap() error { return ErrMissing }

// Value returns what a position is worth. The error is a [*game.BothLinesError] if both sides
// have a line, a [*MissingError] if play can't reach the position and the tablebase holds only
// reachable ones, [ErrDamaged] if it should hold the position and doesn't, or the source's.
func (t *Tablebase) Value(p game.Position) (game.Value, error) {
	key := t.Key(p)
	v, ok, err := t.Source.Lookup(key)
	if err != nil || ok {
		return v, err
	}
	if t.Game.BothLines(p.Board) {
		return game.Value{}, &game.BothLinesError{Text: t.Game.Text(p.Board)}
	}
	if t.Turns == game.Alternate {
		return game.Value{}, &MissingError{t.describe(p),
			"play from the empty board, x first, can't reach it, and only reachable positions are stored"}
	}
	return game.Value{}, fmt.Errorf("%w: it has no row for %s", ErrDamaged, t.describe(p))
}

// After returns what the position is worth to which a legal move leads from a position that is
// stored. That it isn't stored too is the tablebase's fault: the error is then [ErrDamaged].
func (t *Tablebase) After(p game.Position, cell int) (game.Value, error) {
	after := p.Play(cell)
	v, ok, err := t.Source.Lookup(t.Key(after))
	if err == nil && !ok {
		err = fmt.Errorf("%w: it has no row for %s, to which %s leads from %s",
			ErrDamaged, t.describe(after), t.Game.CellName(cell), t.describe(p))
	}
	return v, err
}

// Key returns the key under which a position is stored.
func (t *Tablebase) Key(p game.Position) game.Key {
	if t.Symmetry == game.Canonical {
		return t.Game.Canonical(p)
	}
	return t.Game.Key(p)
}

// Gap returns the SG value of a gap. The error is a [*MissingError] if the gap is longer than
// the table, or the source's.
func (t *Tablebase) Gap(gap game.Gap) (sg int, err error) {
	sg, ok, err := t.Source.Gap(gap)
	if err == nil && !ok {
		err = &MissingError{"a " + gap.String(), "it is longer than the table of strips"}
	}
	return sg, err
}
