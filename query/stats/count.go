package stats

import (
	"context"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"oxbase/game"
	"oxbase/query"
)

// counter counts some of the rows of a tablebase.
type counter struct {
	t      *query.Tablebase
	kinds  []kind // by outcome and distance
	only   [3][2]kind
	stones []kind
	start  *Start
}

func newCounter(t *query.Tablebase) *counter {
	cells := t.Game.Cells()
	return &counter{t: t, kinds: make([]kind, 3*(cells+1)), stones: make([]kind, cells+1)}
}

// at returns the kind of an outcome and a distance.
func (c *counter) at(outcome int8, distance int) *kind {
	return &c.kinds[int(1-outcome)*len(c.stones)+distance]
}

// add counts a row.
func (c *counter) add(row game.Row) error {
	p, err := c.t.Game.Position(row.Key)
	if err != nil {
		return err
	}
	if p == game.Start() {
		c.start = &Start{row.Outcome, row.Score, row.Distance}
	}
	positions := int64(1)
	if c.t.Symmetry == game.Canonical {
		positions = orbit(c.t.Game, p.Board)
	}
	c.at(row.Outcome, int(row.Distance)).add(row, positions)
	c.stones[p.Stones()].add(row, positions)
	if row.Distance == 0 {
		return nil
	}
	moves := c.t.Game.Moves(p.Board)
	keep, err := c.keeping(p, row.Outcome, moves)
	if err != nil || keep != 1 {
		return err
	}
	c.only[1-row.Outcome][min(bits.OnesCount64(moves), 2)-1].add(row, positions)
	return nil
}

// keeping returns how many moves keep an outcome, 2 if there are more.
func (c *counter) keeping(p game.Position, outcome int8, moves uint64) (int, error) {
	keep := 0
	for ; moves != 0 && keep < 2; moves &= moves - 1 {
		v, err := c.t.After(p, bits.TrailingZeros64(moves))
		if err != nil {
			return 0, err
		}
		if v.Outcome == outcome {
			keep++
		}
	}
	return keep, nil
}

// orbit returns how many boards the symmetry class of a board has: as many as there are
// symmetries, divided by the number of those that leave the board as it is.
func orbit(g *game.Game, b game.Board) int64 {
	same := 0
	for s := range g.Symmetries() {
		if g.Image(s, b) == b {
			same++
		}
	}
	return int64(g.Symmetries() / same)
}

// merge adds what another counter counted.
func (c *counter) merge(other *counter) {
	for i := range c.kinds {
		c.kinds[i].merge(other.kinds[i])
	}
	for i := range c.stones {
		c.stones[i].merge(other.stones[i])
	}
	for i := range c.only {
		for j := range c.only[i] {
			c.only[i][j].merge(other.only[i][j])
		}
	}
	if c.start == nil {
		c.start = other.start
	}
}

// chunk is how many rows a worker takes at a time.
const chunk = 1 << 14

// Collect counts all rows of a tablebase, whose source has to be those rows, on all cores. Now
// and then, from one goroutine at a time, it calls progress with the number of rows done. The
// error is the context's, or [query.ErrDamaged] if a move leads to a position that isn't stored
// or the start isn't. Time: linear, up to a look-up for each move. Memory: a few kB beside the
// rows.
func Collect(ctx context.Context, t *query.Tablebase, rows *query.Loaded, progress func(done int64)) (*Report, error) {
	var (
		group    sync.WaitGroup
		next     atomic.Int64
		mu       sync.Mutex // guards what follows
		total    = newCounter(t)
		done     int64
		firstErr error
	)
	finish := func(rows int, err error) (goOn bool) {
		mu.Lock()
		defer mu.Unlock()
		if firstErr == nil {
			firstErr = err
		}
		done += int64(rows)
		progress(done)
		return firstErr == nil
	}
	work := func() {
		c := newCounter(t)
		for {
			from := int(next.Add(chunk)) - chunk
			if from >= rows.Len() {
				break
			}
			to := min(from+chunk, rows.Len())
			err := ctx.Err()
			for i := from; i < to && err == nil; i++ {
				err = c.add(rows.At(i))
			}
			if !finish(to-from, err) {
				return
			}
		}
		mu.Lock()
		defer mu.Unlock()
		total.merge(c)
	}
	for range runtime.GOMAXPROCS(0) {
		group.Go(work)
	}
	group.Wait()
	if firstErr != nil {
		return nil, firstErr
	}
	return total.report()
}
