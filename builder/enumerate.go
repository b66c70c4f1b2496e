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
			oneLine := func(p *part) bool { return !b.game.BothLines(p.board) }
			if err := b.addBoards(b.stored, stones, game.AnyTurns, oneLine); err != nil {
				return err
			}
		}
		if err := b.addBoards(b.reachable, stones, game.Alternate, b.isReachable); err != nil {
			return err
		}
		b.meter.tierDone()
	}
	b.stored.count()
	return nil
}

// addBoards adds to a set those boards of a tier that represent their symmetry class and that
// keep wants, out of those whose counts of stones the turns allow.
func (b *build) addBoards(set *bitmap, stones int, turns game.Turns, keep func(*part) bool) error {
	var found atomic.Int64
	err := b.eachBoard(stones, turns, func(high *part, low []part) {
		var added int64
		var p part // one for all boards, since keep makes it escape to the heap
		for i := range low {
			p = b.space.join(high, &low[i])
			if p.images[0] == b.space.least(&p) && keep(&p) {
				set.add(p.images[0])
				added++
			}
		}
		found.Add(added)
		if set == b.stored {
			b.meter.add(int64(len(low)))
		}
	})
	if set == b.stored {
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
