package verify

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// finding is the first of the wrong things found: that of the least rank, and of those the one
// with the least number.
type finding struct {
	rank  int
	index int64
	wrong string // in words; empty if nothing is wrong
}

// note takes in another wrong thing, and asks for words only if it comes before the last one.
func (f *finding) note(rank int, index int64, wrong func() string) {
	if f.wrong == "" || rank < f.rank || rank == f.rank && index < f.index {
		*f = finding{rank, index, wrong()}
	}
}

// merge takes in what another finding is of, if anything.
func (f *finding) merge(other finding) {
	if other.wrong != "" {
		f.note(other.rank, other.index, func() string { return other.wrong })
	}
}

// inParallel checks the things with the numbers from 0 to total, some at a time, on all jobs, and
// returns the first wrong one. newCheck is called for each job, one call at a time, and returns
// what checks a thing.
func inParallel(ctx context.Context, o Options, phase string, total, batch int64, newCheck func() func(int64, *finding)) (finding, error) {
	var (
		next, done atomic.Int64
		wait       sync.WaitGroup
		mu         sync.Mutex // guards what follows, and calls of o.Progress
		first      finding
		shown      time.Time
	)
	for range o.Jobs {
		check := newCheck()
		wait.Go(func() {
			var mine finding
			for ctx.Err() == nil {
				from := next.Add(batch) - batch
				if from >= total {
					break
				}
				to := min(from+batch, total)
				for i := from; i < to; i++ {
					check(i, &mine)
				}
				done.Add(to - from)
				if mu.TryLock() {
					if now := time.Now(); now.Sub(shown) > 50*time.Millisecond {
						o.Progress(Progress{phase, done.Load(), total})
						shown = now
					}
					mu.Unlock()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			first.merge(mine)
		})
	}
	wait.Wait()
	return first, ctx.Err()
}
