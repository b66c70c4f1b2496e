package builder

import (
	"context"
	"math"
	"math/rand/v2"
	"unsafe"

	"oxbase/game"
)

const (
	exactBoards    = 1 << 20 // spaces up to this many boards are enumerated rather than sampled
	samplesPerTier = 200
	maxOrders      = 1 << 16 // column heights that the reachability of a sample may pass through
)

// Plan is a build that hasn't written anything yet, and what it will need.
type Plan struct {
	Positions int64 // that will be stored
	Precision Precision
	Memory    uint64 // bytes that the builder allocates at its peak, at most

	game    *game.Game
	options Options
	known   *build // with its boards enumerated, if that was done to count them
}

// Precision says how the positions of a plan were counted.
type Precision string

// The precisions of a plan.
const (
	Exactly Precision = "exactly" // every board was looked at
	About   Precision = "about"   // random boards of each tier were looked at
	AtMost  Precision = "at most" // boards are counted that may turn out unreachable
)

// NewPlan tells what a build of a game will need. It takes a fraction of a second: small games
// are enumerated; of others it looks at some random boards of each tier, always the same ones,
// and takes the part of them that is stored for the part of the tier.
func NewPlan(ctx context.Context, g *game.Game, o Options) (*Plan, error) {
	p := &Plan{game: g, options: o}
	s := newSpace(g, o.Symmetry)
	if s.size <= exactBoards {
		p.known = newBuild(ctx, g, o)
		if err := p.known.enumerate(); err != nil {
			return nil, err
		}
		p.Precision = Exactly
		for _, boards := range p.known.tiers {
			p.Positions += boards * int64(p.known.sides)
		}
	} else {
		p.Positions, p.Precision = newSampler(g, o).positions()
	}
	p.Memory = s.memory(uint64(p.Positions), o.Turns)
	return p, nil
}

// Build does what [Build] does. It may be called once.
func (p *Plan) Build(ctx context.Context, sink Sink) error {
	if p.known == nil {
		return Build(ctx, p.game, p.options, sink)
	}
	p.known.ctx = ctx
	return p.known.solveAndWrite(sink)
}

// memory returns the bytes that a build which stores that many positions allocates.
func (s *space) memory(positions uint64, turns game.Turns) uint64 {
	bitmap := bitmapBlocks(s.size) * uint64(unsafe.Sizeof(block{}))
	if turns == game.AnyTurns {
		bitmap *= 2
	}
	low := s.lowSize * (2*uint64(unsafe.Sizeof(part{})) + 1)
	scores := positions
	if s.game.Drop {
		scores += positions * uint64(unsafe.Sizeof(game.Row{}))
		low += s.lowSize * maxImages * uint64(unsafe.Sizeof(game.Key(0)))
	}
	return bitmap + low + scores
}

// sampler draws random boards of a tier, each as likely as any other.
type sampler struct {
	game    *game.Game
	options Options
	random  *rand.Rand
	// heights[c][n] is in how many ways n stones can stack in the first c columns, when they drop.
	heights [][]float64
}

func newSampler(g *game.Game, o Options) *sampler {
	s := &sampler{game: g, options: o, random: rand.New(rand.NewPCG(1, 2))}
	s.heights = make([][]float64, g.Width+1)
	for c := range s.heights {
		s.heights[c] = make([]float64, g.Cells()+1)
		for n := range s.heights[c] {
			switch {
			case c == 0 && n == 0:
				s.heights[c][n] = 1
			case c > 0:
				for h := 0; h <= min(n, g.Height); h++ {
					s.heights[c][n] += s.heights[c-1][n-h]
				}
			}
		}
	}
	return s
}

// positions estimates how many positions are stored.
func (s *sampler) positions() (int64, Precision) {
	precision := About
	var total float64
	for stones := range s.game.Cells() + 1 {
		var stored float64
		for range samplesPerTier {
			b := s.board(stones)
			keep, sure := s.stored(b)
			if !sure {
				precision = AtMost
			}
			if keep {
				stored += 1 / s.orbit(b)
			}
		}
		total += s.boards(stones) * stored / samplesPerTier
	}
	if s.options.Turns == game.AnyTurns {
		total *= 2
	}
	return int64(math.Min(math.Round(total), math.MaxInt64/32)), precision
}

// boards returns the number of boards of a tier whose counts of stones the turns allow.
func (s *sampler) boards(stones int) float64 {
	places := binomial(s.game.Cells(), stones)
	if s.game.Drop {
		places = s.heights[s.game.Width][stones]
	}
	if s.options.Turns == game.AnyTurns {
		return places * math.Exp2(float64(stones))
	}
	return places * binomial(stones, stones/2)
}

func binomial(n, k int) float64 {
	result := 1.0
	for i := range k {
		result = result * float64(n-i) / float64(i+1)
	}
	return result
}

// board draws a board of a tier.
func (s *sampler) board(stones int) game.Board {
	var b game.Board
	left, leftX := stones, (stones+1)/2
	for _, cell := range s.places(stones) {
		isX := s.random.IntN(2) == 0
		if s.options.Turns == game.Alternate {
			isX = s.random.IntN(left) < leftX
		}
		if isX {
			b.X |= 1 << cell
			leftX--
		} else {
			b.O |= 1 << cell
		}
		left--
	}
	return b
}

// places draws the cells that have a stone.
func (s *sampler) places(stones int) []int {
	if !s.game.Drop {
		return s.random.Perm(s.game.Cells())[:stones]
	}
	var cells []int
	for column := s.game.Width - 1; column >= 0; column-- {
		ways := s.random.Float64() * s.heights[column+1][stones]
		height := 0
		for ; height < min(stones, s.game.Height); height++ {
			if ways -= s.heights[column][stones-height]; ways < 0 {
				break
			}
		}
		for h := range height {
			cells = append(cells, s.game.Cell(column, s.game.Height-1-h))
		}
		stones -= height
	}
	return cells
}

// orbit returns how many boards share a row with this one.
func (s *sampler) orbit(b game.Board) float64 {
	if s.options.Symmetry == game.NoSymmetry {
		return 1
	}
	return float64(s.game.Orbit(game.Position{Board: b, ToMove: game.X}))
}

// stored reports whether a board gets a row, and whether that is sure.
func (s *sampler) stored(b game.Board) (stored, sure bool) {
	if s.options.Turns == game.AnyTurns {
		return !s.game.BothLines(b), true
	}
	toMove, _ := b.ToMove()
	last := toMove.Other()
	own := b.Of(last)
	if s.game.HasLine(b.Of(toMove)) {
		return false, true
	}
	if !s.game.HasLine(own) {
		return s.playable(b)
	}
	// The last stone completed every line, so that without it there is none.
	sure = true
	for stones := s.game.Removable(b, own); stones != 0; stones &= stones - 1 {
		stone := stones & -stones
		if s.game.HasLine(own &^ stone) {
			continue
		}
		before := game.Board{X: b.X &^ stone, O: b.O &^ stone}
		playable, known := s.playable(before)
		if playable && known {
			return true, true
		}
		stored, sure = stored || playable, sure && known
	}
	return stored, sure
}

// playable reports whether the stones of a board without a line can have been put down in turns.
// Without -drop any order will do. With it each column is a fixed sequence, and those column
// heights are followed that some order passes through.
func (s *sampler) playable(b game.Board) (playable, sure bool) {
	if !s.game.Drop {
		return true, true
	}
	heights := make([]int, s.game.Width)
	orders := 1
	for column := range heights {
		for row := range s.game.Height {
			if (b.X|b.O)>>s.game.Cell(column, row)&1 != 0 {
				heights[column]++
			}
		}
		if orders *= heights[column] + 1; orders > maxOrders {
			return true, false
		}
	}
	reached := make([]bool, orders)
	reached[0] = true
	for at, ok := range reached {
		if !ok {
			continue
		}
		stones := 0
		for column, rest := 0, at; column < len(heights); column++ {
			stones += rest % (heights[column] + 1)
			rest /= heights[column] + 1
		}
		mover := game.X + game.Side(stones%2)
		for column, rest, step := 0, at, 1; column < len(heights); column++ {
			height := rest % (heights[column] + 1)
			if height < heights[column] && b.Of(mover)>>s.game.Cell(column, s.game.Height-1-height)&1 != 0 {
				reached[at+step] = true
			}
			rest /= heights[column] + 1
			step *= heights[column] + 1
		}
	}
	return reached[orders-1], true
}
