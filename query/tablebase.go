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

// ErrMissing is what every [*MissingError] wraps.
var ErrMissing = errors.New("not in the tablebase")

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
// have a line, a [*MissingError] if the position isn't stored, or the source's.
func (t *Tablebase) Value(p game.Position) (game.Value, error) {
	key := t.Key(p)
	v, ok, err := t.Source.Lookup(key)
	if err != nil || ok {
		return v, err
	}
	text := t.Game.Text(p.Board)
	if t.Game.BothLines(p.Board) {
		return game.Value{}, &game.BothLinesError{Text: text}
	}
	why := "the file should hold it, so it is damaged or incomplete"
	if t.Turns == game.Alternate {
		why = "it holds only positions that play from the empty board can reach, x moving first"
	}
	return game.Value{}, &MissingError{fmt.Sprintf("board %s with %s to move", text, p.ToMove), why}
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
