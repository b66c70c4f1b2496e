package builder

import (
	"math/bits"
	"sync/atomic"

	"oxbase/game"
)

// solve gives every stored position its score, tier by tier from the full boards down:
// terminal positions by the rules, the others as the best for the side to move among the
// positions one move on, all of which are in the tier after.
//
// Time: one look-up for each move of each stored position, less those after a move that can't
// be bettered. Memory: a byte a position.
func (b *build) solve() error {
	var total int64
	for _, boards := range b.tiers {
		total += boards
	}
	b.scores = make([]int8, uint64(total)*b.sides)
	b.meter.begin(Solve, total)
	for stones := b.game.Cells(); stones >= 0; stones-- {
		b.meter.tier(stones)
		var solved atomic.Int64
		err := b.eachBoard(stones, b.options.Turns, func(high *part, low []part) {
			var done int64
			for i := range low {
				if index := high.images[0] + low[i].images[0]; b.stored.has(index) {
					p := b.space.join(high, &low[i])
					b.solveBoard(&p, b.stored.rank(index))
					done++
				}
			}
			solved.Add(done)
			b.meter.add(done)
		})
		if err != nil {
			return err
		}
		b.meter.tierDone()
	}
	return nil
}

// solveBoard sets the scores of the positions of the board with a rank.
func (b *build) solveBoard(p *part, rank uint64) {
	score, over := b.game.Terminal(p.board)
	if b.sides == 2 {
		for _, toMove := range []game.Side{game.X, game.O} {
			if !over {
				score = b.best(p, toMove)
			}
			b.scores[2*rank+uint64(toMove-game.X)] = score
		}
		return
	}
	if !over {
		toMove, _ := p.board.ToMove()
		score = b.best(p, toMove)
	}
	b.scores[rank] = score
}

// best returns the score of a position whose game goes on.
func (b *build) best(p *part, toMove game.Side) int8 {
	// The best that can happen is a line of one's own at once, with -misere one of the
	// opponent's a ply later.
	limit := int8(b.game.Cells() - p.board.Stones())
	if b.game.Misere {
		limit--
	}
	sign := int8(1)
	if toMove == game.O {
		sign = -1
	}
	best := -limit - 2
	for moves := b.game.Moves(p.board); moves != 0; moves &= moves - 1 {
		rank := b.stored.rank(b.space.after(p, toMove, bits.TrailingZeros64(moves)))
		if b.sides == 2 {
			rank = 2*rank + uint64(toMove.Other()-game.X)
		}
		if score := sign * b.scores[rank]; score > best {
			best = score
			if best == limit {
				break
			}
		}
	}
	return sign * best
}
