package main

import (
	"context"
	"sync"
	"sync/atomic"

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

// manyLookups looks positions up in a file one by one. When that has taken as long as reading the
// whole file takes, it begins to read the file into memory, if it is not too large, and as soon as
// that is done it looks them up there. So few questions don't wait and many don't take long. If the
// file can't be read whole it goes on one by one: the positions that are damaged are the ones to
// complain of.
type manyLookups struct {
	*store.DB
	left   atomic.Int64 // look-ups until the file is read; never if it is negative
	loaded atomic.Pointer[query.Loaded]
	ctx    context.Context // of reading the file
	cancel func()
	load   sync.WaitGroup
}

// newManyLookups answers from a file until stop.
func newManyLookups(d *store.DB) *manyLookups {
	m := &manyLookups{DB: d}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.left.Store(-1)
	if positions := d.Info().Positions; query.LoadedSize(positions) <= mostLoaded {
		m.left.Store(positions / worthLoading)
	}
	return m
}

// stop ends the reading of the file. Nobody may look anything up any more.
func (m *manyLookups) stop() {
	m.cancel()
	m.load.Wait()
}

// Lookup implements that part of [query.Source].
func (m *manyLookups) Lookup(key game.Key) (game.Value, bool, error) {
	if loaded := m.loaded.Load(); loaded != nil {
		return loaded.Lookup(key)
	}
	if m.left.Add(-1) == 0 {
		m.load.Go(func() {
			if loaded, err := query.Load(m.ctx, m.Info().Positions, m.Whole()); err == nil {
				m.loaded.Store(loaded)
			}
		})
	}
	return m.DB.Lookup(key)
}
