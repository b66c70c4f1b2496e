package main

import (
	"context"

	"oxbase/game"
	"oxbase/query"
	"oxbase/store"
)

const (
	// worthLoading is how many positions are read in a row in the time that looking one up takes.
	worthLoading = 40

	// mostLoaded is the memory that a file read for many questions may take, in bytes.
	mostLoaded = 256 << 20
)

// manyLookups looks positions up in a file one by one, until that has taken as long as reading
// the whole file takes; then it reads the file into memory, if it is not too large, and looks them
// up there. So few questions don't wait and many don't take long: whichever way would have been
// the best, this takes at most twice as long. It is not safe for concurrent use.
type manyLookups struct {
	query.Source
	left int64 // look-ups until load; never if it is negative
	load func() (*query.Loaded, error)
}

// newManyLookups answers from a file. What ctx cancels is reading it as a whole.
func newManyLookups(ctx context.Context, d *store.DB) *manyLookups {
	positions := d.Info().Positions
	m := &manyLookups{Source: d, left: -1}
	if query.LoadedSize(positions) <= mostLoaded {
		m.left = positions / worthLoading
		m.load = func() (*query.Loaded, error) { return query.Load(ctx, positions, d.Whole()) }
	}
	return m
}

// Lookup implements that part of [query.Source].
func (m *manyLookups) Lookup(key game.Key) (game.Value, bool, error) {
	if m.left == 0 {
		loaded, err := m.load()
		if err != nil {
			return game.Value{}, false, err
		}
		m.Source = loaded
	}
	m.left--
	return m.Source.Lookup(key)
}
