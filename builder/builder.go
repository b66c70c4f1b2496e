// Package builder computes endgame tablebases by retrograde analysis, and the SG values of the
// strip game by the mex rule.
//
// A build has three passes over the tiers of a game, a tier being the positions with the same
// number of stones, so that every move leads from one tier into the next:
//
//	enumerate  from the empty board up: which boards there are (enumerate.go)
//	solve      from the full boards down: what each is worth, from the tier after it (solve.go)
//	write      all rows in the order of their keys (write.go)
//
// Memory, for s boards that the rules of stacking allow (3^cells, with -drop
// (2^(height+1)-1)^width) and n boards stored: s/6 bytes for the bitmap of those that are
// stored, n bytes for their scores (a distance follows from the score and the number of empty
// cells), with turns "any" twice n and s/6 more, with -drop 16 n to sort the rows. Time is
// proportional to the number of boards with alternating counts of stones.
package builder

import (
	"context"
	"sync"
	"sync/atomic"

	"oxbase/game"
)

// Options are the choices of a build.
type Options struct {
	Turns    game.Turns
	Symmetry game.Symmetry
	Jobs     int            // goroutines that compute at the same time, at least 1
	Progress func(Progress) // called now and then, never twice at once; nil if nobody listens
}

// Phase names one of the passes of a build.
type Phase string

// The phases of a build in their order.
const (
	Enumerate Phase = "enumerate"
	Solve     Phase = "solve"
	Write     Phase = "write"
)

// Progress says how far a build is.
type Progress struct {
	Phase Phase
	Tier  int   // stones; not used by Write
	Done  int64 // boards of the phase done so far
	Total int64 // boards that the phase will do
	// TierDone is set in the last report of a tier, and of the Write phase.
	TierDone bool
}

// Sink takes the rows of a tablebase in ascending order of their keys, each once, some thousand
// a call. It must not keep the slice.
type Sink interface {
	Rows(rows []game.Row) error
}

// Build computes every position of a game and hands it to the sink. It returns the sink's first
// error, or the context's within a fraction of a second of its cancellation.
func Build(ctx context.Context, g *game.Game, o Options, sink Sink) error {
	b := newBuild(ctx, g, o)
	if err := b.enumerate(); err != nil {
		return err
	}
	return b.solveAndWrite(sink)
}

func (b *build) solveAndWrite(sink Sink) error {
	if err := b.solve(); err != nil {
		return err
	}
	return b.write(sink)
}

// build is the state that the passes share.
type build struct {
	ctx       context.Context
	game      *game.Game
	options   Options
	space     *space
	stored    *bitmap // boards that get rows
	reachable *bitmap // boards that play can reach; the same as stored when turns alternate
	tiers     []int64 // stored boards by number of stones
	sides     uint64  // positions that each stored board has: 1, or 2 with turns "any"
	scores    []int8  // of the stored boards' positions, in the order of their indices
	meter     meter
}

func newBuild(ctx context.Context, g *game.Game, o Options) *build {
	g = g.Tabulated()
	b := &build{
		ctx: ctx, game: g, options: o,
		space: newSpace(g, o.Symmetry),
		tiers: make([]int64, g.Cells()+1),
		sides: 1,
		meter: meter{report: o.Progress},
	}
	b.space.fillLow()
	b.stored = newBitmap(b.space.size)
	b.reachable = b.stored
	if o.Turns == game.AnyTurns {
		b.sides = 2
		b.reachable = newBitmap(b.space.size)
	}
	return b
}

// eachBoard calls visit for every board of a tier that the counts of stones allow, from
// several goroutines at once. Boards of one high part are visited by the same goroutine, and
// done is called with it after them.
func (b *build) eachBoard(stones int, turns game.Turns, visit func(high *part, low []part)) error {
	return b.parallel(b.space.highSize(), func(i uint64) {
		high := b.space.part(i * b.space.lowSize)
		b.space.tierGroups(high.board, stones, turns, func(low []part) { visit(&high, low) })
	})
}

// parallel calls do with 0 to n-1 from as many goroutines as the options want and waits for
// them. It stops early, with the context's error, when that is cancelled.
func (b *build) parallel(n uint64, do func(i uint64)) error {
	var next atomic.Uint64
	var workers sync.WaitGroup
	for range max(1, b.options.Jobs) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < n && b.ctx.Err() == nil; i = next.Add(1) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
	return b.ctx.Err()
}

// meter adds up what is done and reports it, one report at a time.
type meter struct {
	report func(Progress)
	mutex  sync.Mutex
	now    Progress
}

// begin starts a phase of which total boards will be done.
func (m *meter) begin(phase Phase, total int64) {
	m.now = Progress{Phase: phase, Total: total}
}

// add counts boards as done.
func (m *meter) add(boards int64) {
	if m.report == nil || boards == 0 {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.now.Done += boards
	m.report(m.now)
}

// tier says which tier comes next.
func (m *meter) tier(stones int) { m.now.Tier = stones }

// tierDone reports that the tier, or a phase without tiers, is complete.
func (m *meter) tierDone() {
	if m.report == nil {
		return
	}
	last := m.now
	last.TierDone = true
	m.report(last)
}
