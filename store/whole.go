package store

import (
	"context"

	"oxbase/game"
)

// Whole reads a file from one end to the other, and holds what it has read against the content
// hash: Rows first, then Gaps, which returns an [ErrDamaged] if the hash is another. It is good
// for one pass and not safe for concurrent use.
type Whole struct {
	db   *DB
	hash *contentHash
}

// Whole returns what reads all of the file.
func (d *DB) Whole() *Whole { return &Whole{d, newContentHash(d.game.Cells())} }

// Rows is [DB.Rows].
func (w *Whole) Rows(ctx context.Context, yield func([]game.Row) error) error {
	return w.db.Rows(ctx, func(rows []game.Row) error {
		w.hash.rows(rows)
		return yield(rows)
	})
}

// Gaps is [DB.Gaps].
func (w *Whole) Gaps(ctx context.Context, yield func([]game.GapRow) error) error {
	err := w.db.Gaps(ctx, func(gaps []game.GapRow) error {
		w.hash.gaps(gaps)
		return yield(gaps)
	})
	if err == nil && w.hash.hex() != w.db.info.ContentHash {
		err = w.db.failed(damaged("its rows don't fit game.content_hash"))
	}
	return err
}
