package builder

import (
	"math/bits"
	"sync/atomic"

	"oxbase/game"
)

// enumerate finds the boards that are stored, tier by tier from the empty board up. A board is
// reachable if a side that moved last can take back a stone and leave a reachable board on
// which the game was still going on, so each tier needs only the one before it.
//
// Time: one test for each board with the right counts of stones, of which those that don't
// represent their symmetry class fail at once. Memory: the bitmap.
func (b *build) enumerate() error {
	b.meter.begin(Enumerate, b.boards(b.options.Turns))
	for stones := range b.tiers {
		b.meter.tier(stones)
		if b.options.Turns == game.AnyTurns {
			if err := b.enumerateAny(stones); err != nil {
				return err
			}
		}
		if err := b.enumerateReachable(stones); err != nil {
			return err
		}
		b.meter.tierDone()
	}
	b.stored.count()
	return nil
}

// enumerateReachable adds the boards of a tier that play from the empty board can reach.
func (b *build) enumerateReachable(stones int) error {
	var found atomic.Int64
	err := b.eachBoard(stones, game.Alternate, func(high *part, low []part) {
		var added int64
		for i := range low {
			p := b.space.join(high, &low[i])
			if p.images[0] == b.space.least(&p) && b.isReachable(&p) {
				b.reachable.add(p.images[0])
				added++
			}
		}
		found.Add(added)
		if b.options.Turns == game.Alternate {
			b.meter.add(int64(len(low)))
		}
	})
	if b.options.Turns == game.Alternate {
		b.tiers[stones] = found.Load()
	}
	return err
}

// isReachable reports whether play can reach a board whose counts alternate, given the
// reachable boards with a stone less.
func (b *build) isReachable(p *part) bool {
	toMove, _ := p.board.ToMove()
	last := toMove.Other()
	own := p.board.Of(last)
	if own == 0 {
		return true
	}
	if b.game.HasLine(p.board.Of(toMove)) {
		return false
	}
	line := b.game.HasLine(own)
	for stones := b.game.Removable(p.board, own); stones != 0; stones &= stones - 1 {
		if line && b.game.HasLine(own&^(stones&-stones)) {
			continue
		}
		if b.reachable.has(b.space.before(p, last, bits.TrailingZeros64(stones))) {
			return true
		}
	}
	return false
}

// enumerateAny adds every board of a tier on which not both sides have a line.
func (b *build) enumerateAny(stones int) error {
	var found atomic.Int64
	err := b.eachBoard(stones, game.AnyTurns, func(high *part, low []part) {
		var added int64
		for i := range low {
			p := b.space.join(high, &low[i])
			if p.images[0] == b.space.least(&p) && !b.game.BothLines(p.board) {
				b.stored.add(p.images[0])
				added++
			}
		}
		found.Add(added)
		b.meter.add(int64(len(low)))
	})
	b.tiers[stones] = found.Load()
	return err
}

// boards returns how many boards have counts of stones that the turns allow.
func (b *build) boards(turns game.Turns) int64 {
	var total int64
	for high := range b.space.highSize() {
		board := b.space.part(high * b.space.lowSize).board
		for stones := range b.tiers {
			b.space.tierGroups(board, stones, turns, func(low []part) { total += int64(len(low)) })
		}
	}
	return total
}
