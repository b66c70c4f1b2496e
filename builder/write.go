package builder

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"oxbase/game"
)

const (
	batchRows   = 4096    // rows handed to the sink at a time
	sortBuckets = 1 << 14 // ranges of keys that writeSorted sorts apart from each other
)

// write hands the rows to the sink in the order of their keys.
func (b *build) write(sink Sink) error {
	b.meter.begin(Write, int64(len(b.scores)))
	out := b.newBatches(sink)
	var err error
	if b.game.Drop {
		err = b.writeSorted(out)
	} else {
		err = b.writeInOrder(out)
	}
	if errSink := out.close(); errSink != nil {
		return errSink
	}
	b.meter.tierDone()
	return err
}

// writeInOrder writes a game whose indices are in the order of the keys, and whose smallest
// index in a symmetry class has the smallest key. Time: linear. Memory: one batch.
func (b *build) writeInOrder(out *batches) error {
	key := func(index uint64) game.Key { return 2 * game.Key(index) }
	for high := uint64(0); high < b.space.highSize() && out.wanted(); high++ {
		b.rows(high, key, out.add)
	}
	return b.ctx.Err()
}

// writeSorted writes a game whose indices are in another order than the keys: it counts the
// rows of each of many ranges of keys, puts every row into its range, and sorts the ranges
// apart. Time: n log n of n rows. Memory: 16 bytes a row.
func (b *build) writeSorted(out *batches) error {
	shift := max(0, bits.Len64(uint64(b.game.Keys()))-bits.Len64(sortBuckets-1))
	lowKeys := make([][maxImages]game.Key, b.space.lowSize)
	for index := range lowKeys {
		lowKeys[index] = b.imageKeys(uint64(index))
	}
	eachRow := func(visit func(game.Row)) error {
		return b.parallel(b.space.highSize(), func(high uint64) {
			from := high * b.space.lowSize
			highKeys := b.imageKeys(from)
			b.rows(high, func(index uint64) game.Key {
				low := &lowKeys[index-from]
				key := highKeys[0] + low[0]
				for image := 1; image < b.space.images; image++ {
					key = min(key, highKeys[image]+low[image])
				}
				return key
			}, visit)
		})
	}

	// ends[i] counts the rows of range i, then is where it begins, and, as rows are put in,
	// where it ends.
	ends := make([]atomic.Int64, sortBuckets)
	if err := eachRow(func(row game.Row) { ends[row.Key>>shift].Add(1) }); err != nil {
		return err
	}
	var filled int64
	for i := range ends {
		size := ends[i].Load()
		ends[i].Store(filled)
		filled += size
	}
	rows := make([]game.Row, filled)
	if err := eachRow(func(row game.Row) { rows[ends[row.Key>>shift].Add(1)-1] = row }); err != nil {
		return err
	}
	err := b.parallel(sortBuckets, func(i uint64) {
		var from int64
		if i > 0 {
			from = ends[i-1].Load()
		}
		slices.SortFunc(rows[from:ends[i].Load()], func(a, b game.Row) int { return cmp.Compare(a.Key, b.Key) })
	})
	if err != nil {
		return err
	}
	for len(rows) > 0 && out.wanted() {
		n := min(len(rows), batchRows)
		for _, row := range rows[:n] {
			out.add(row)
		}
		rows = rows[n:]
	}
	return b.ctx.Err()
}

// imageKeys returns the keys, with x to move, of the images of the board with an index.
func (b *build) imageKeys(index uint64) (keys [maxImages]game.Key) {
	board := b.space.part(index).board
	for image := range b.space.images {
		keys[image] = b.game.Key(game.Position{Board: b.game.Image(image, board), ToMove: game.X})
	}
	return keys
}

// rows calls visit with the rows of the stored boards of a high part, in the order of their
// indices; key returns the key that a board is stored under with x to move.
func (b *build) rows(high uint64, key func(index uint64) game.Key, visit func(game.Row)) {
	from := high * b.space.lowSize
	highStones := b.space.part(from).board.Stones()
	rank := b.stored.rank(from) * b.sides
	b.stored.each(from, from+b.space.lowSize, func(index uint64) {
		stones := highStones + int(b.space.lowStones[index-from])
		reachable := b.reachable.has(index)
		for side := range game.Key(2) {
			fits := game.Key(stones)%2 == side
			if b.sides == 1 && !fits {
				continue
			}
			value := game.ValueOf(b.scores[rank], b.game.Cells()-stones, reachable && fits)
			visit(game.Row{Key: key(index) + side, Value: value})
			rank++
		}
	})
}

// batches hands rows on to the sink, some thousand at a time, on a goroutine of its own, so
// that the next rows are made meanwhile.
type batches struct {
	ctx  context.Context
	rows []game.Row      // being filled
	full chan []game.Row // on their way to the sink
	free chan []game.Row // on their way back
	err  atomic.Pointer[error]
	done chan struct{} // closed when the goroutine has ended
}

func (b *build) newBatches(sink Sink) *batches {
	const ahead = 2
	o := &batches{
		ctx:  b.ctx,
		rows: make([]game.Row, 0, batchRows),
		full: make(chan []game.Row, ahead),
		free: make(chan []game.Row, ahead+1),
		done: make(chan struct{}),
	}
	for range ahead {
		o.free <- make([]game.Row, 0, batchRows)
	}
	go func() {
		defer close(o.done)
		for rows := range o.full {
			if o.wanted() {
				if err := sink.Rows(rows); err != nil {
					o.err.Store(&err)
				} else {
					b.meter.add(int64(len(rows)))
				}
			}
			o.free <- rows[:0]
		}
	}()
	return o
}

// wanted reports whether the sink still takes rows. If it doesn't, they may be added all the
// same, and come to nothing.
func (o *batches) wanted() bool { return o.err.Load() == nil && o.ctx.Err() == nil }

func (o *batches) add(row game.Row) {
	o.rows = append(o.rows, row)
	if len(o.rows) == cap(o.rows) {
		o.full <- o.rows
		o.rows = <-o.free
	}
}

// close hands on the last rows and returns the sink's first error.
func (o *batches) close() error {
	o.full <- o.rows
	close(o.full)
	<-o.done
	if err := o.err.Load(); err != nil {
		return *err
	}
	return nil
}
