package verify

import (
	"context"
	"fmt"
	"math/bits"
	"strconv"

	"oxbase/game"
	"oxbase/query"
)

// The kinds of wrong rows, in the order in which they are checked and told: a later one means
// nothing as long as an earlier one is found.
const (
	badBoard     = iota // no such position, or not the one that stands for its class
	badSet              // a position too many or missing
	badValue            // another score, outcome or distance than its moves' rows give
	badReachable        // another flag than the rows of the positions before it give
	badImage            // another value than its mirror image
	kinds
)

// positions checks all rows of positions, each from the rules, its moves' rows and the rows of
// the positions from which a move leads to it.
func (v *verifier) positions(ctx context.Context) error {
	var found [kinds]finding
	if v.row.turns == game.AnyTurns {
		w := newWalk(v)
		if err := w.run(ctx); err != nil {
			return err
		}
		if w.wrong != "" {
			found[badSet].note(0, 0, func() string { return w.wrong })
		}
		v.bothLines = w.bothLines
	}
	var checkers []*checker
	_, err := inParallel(ctx, v.options, "checking positions", int64(v.rows.Len()), batchRows, func() func(int64, *finding) {
		c := newChecker(v)
		checkers = append(checkers, c)
		return func(i int64, _ *finding) { c.check(i) }
	})
	if err != nil {
		return err
	}
	for _, c := range checkers {
		v.tally.merge(&c.tally)
		for kind := range found {
			found[kind].merge(c.found[kind])
		}
	}
	if v.row.turns == game.Alternate {
		v.start(&found[badSet])
	}
	return v.tell(found)
}

// start makes sure that play has somewhere to begin.
func (v *verifier) start(f *finding) {
	if _, ok := v.rows.Find(v.game.Key(game.Start())); !ok {
		f.note(-1, 0, func() string { return describe(v.game, game.Start()) + " is missing: play begins there" })
	}
}

// tell notes the checks of all kinds up to one that failed.
func (v *verifier) tell(found [kinds]finding) error {
	set := "every board without lines of both sides, either side to move"
	if v.row.turns == game.Alternate {
		set = "start and moves"
	}
	image := "none stored beside another"
	if v.row.symmetry == game.NoSymmetry {
		image = "the rows of mirror images"
	}
	total := strconv.Itoa(v.rows.Len()) + " positions"
	for kind, check := range [kinds]Check{
		badBoard:     {Name: "boards", Expected: total, Source: "the rules"},
		badSet:       {Name: "none missing, none extra", Expected: total, Source: set},
		badValue:     {Name: "values", Expected: total, Source: "the rules, their moves' rows"},
		badReachable: {Name: "reachable", Expected: total, Source: "rows that lead to them"},
		badImage:     {Name: "symmetric agree", Expected: total, Source: image},
	} {
		check.Got = total
		if found[kind].wrong != "" {
			check.Got = "a wrong one"
		}
		if err := v.compare(check, found[kind].wrong); err != nil {
			return err
		}
	}
	count, want := strconv.Itoa(v.rows.Len()), strconv.FormatInt(v.row.positions, 10)
	return v.compare(Check{Name: "rows of positions", Expected: count, Got: want, Source: "the rows"},
		fmt.Sprintf("game.positions is %s: want %s, the number of rows", want, count))
}

// checker checks one row after the other.
type checker struct {
	game      *game.Game
	rows      *query.Loaded
	alternate bool
	canonical bool
	all       *symmetries // of the board
	stored    *symmetries // those under which one position stands for another in the file
	floor     uint64      // the cells of the bottom row
	found     [kinds]finding
	tally     tally
}

func newChecker(v *verifier) *checker {
	c := &checker{
		game: v.game, rows: v.rows,
		alternate: v.row.turns == game.Alternate, canonical: v.row.symmetry == game.Canonical,
		all: newSymmetries(v.game),
	}
	c.stored = c.all
	if !c.canonical {
		c.stored = &symmetries{c.all.game, c.all.weights[:1]}
	}
	for column := range v.game.Width {
		c.floor |= 1 << v.game.Cell(column, v.game.Height-1)
	}
	return c
}

// position is a row with what its checks share.
type position struct {
	game.Row
	game.Position
	index  int64
	images images // all of them
	stored images // those of checker.stored
}

// check checks a row.
func (c *checker) check(i int64) {
	p := position{Row: c.rows.At(int(i)), index: i}
	p.Position, _ = c.game.Position(p.Row.Key) // the key was in range when it was read
	p.images = c.all.images(p.Board)
	p.stored = p.images
	p.stored.count = len(c.stored.weights)

	if wrong := c.badBoard(&p); wrong != "" {
		c.note(badBoard, 0, &p, func() string { return wrong })
		return
	}
	score, over := c.game.Terminal(p.Board)
	if over {
		c.checkTerminal(&p, score)
	} else {
		c.checkMoves(&p)
	}
	c.checkReachable(&p)
	if !c.canonical {
		c.checkImage(&p)
	}
	c.tally.add(c, &p, over)
}

// note takes in a wrong row. Among those of a kind the one with the least rank counts.
func (c *checker) note(kind, rank int, p *position, wrong func() string) {
	c.found[kind].note(rank, p.index, func() string { return describe(c.game, p.Position) + ": " + wrong() })
}

// badBoard says why no row may have this board, or nothing.
func (c *checker) badBoard(p *position) string {
	if c.game.BothLines(p.Board) {
		return "both sides have a line"
	}
	if stones := p.X | p.O; c.game.Drop {
		if floating := stones &^ (stones>>c.game.Width | c.floor); floating != 0 {
			return fmt.Sprintf("the stone on %s floats", c.game.CellName(bits.TrailingZeros64(floating)))
		}
	}
	if least := p.images.least(); c.canonical && least != p.images.keys[0] {
		standsFor, _ := c.game.Position(least + game.Key(p.ToMove-game.X))
		return "its class is to be stored as " + describe(c.game, standsFor)
	}
	return ""
}

// checkTerminal checks the value of a position in which the game is over.
func (c *checker) checkTerminal(p *position, score int8) {
	c.checkValue(p, score, 0, func() string {
		switch {
		case c.game.HasLine(p.X):
			return "x has a line"
		case c.game.HasLine(p.O):
			return "o has a line"
		}
		return "the board is full"
	})
}

// checkMoves checks the value of a position against the rows of its moves.
func (c *checker) checkMoves(p *position) {
	var best game.Value
	bestCell := -1
	next := p.ToMove.Other()
	for moves := c.game.Moves(p.Board); moves != 0; moves &= moves - 1 {
		cell := bits.TrailingZeros64(moves)
		key := c.stored.with(&p.stored, game.Key(p.ToMove), cell) + game.Key(next-game.X)
		value, ok, _ := c.rows.Lookup(key)
		if !ok {
			c.note(badSet, 2*p.Stones()+1, p, func() string {
				missing, _ := c.game.Position(key)
				return fmt.Sprintf("the position after %s, %s, is missing", c.game.CellName(cell), describe(c.game, missing))
			})
			return
		}
		better := value.Score > best.Score
		if p.ToMove == game.O {
			better = value.Score < best.Score
		}
		if bestCell < 0 || better {
			best, bestCell = value, cell
		}
	}
	c.checkValue(p, best.Score, best.Distance+1, func() string {
		return "best of its moves is " + c.game.CellName(bestCell)
	})
}

// checkValue compares a row's value with the score and the distance that it must have.
func (c *checker) checkValue(p *position, score, distance int8, why func() string) {
	outcome := min(1, max(-1, score))
	empty := int8(c.game.Cells() - p.Stones())
	if p.Score == score && p.Outcome == outcome && p.Distance == distance && distance == plies(score, empty) {
		return
	}
	c.note(badValue, -p.Stones(), p, func() string {
		switch {
		case p.Score != score:
			return fmt.Sprintf("score is %d, want %d: %s", p.Score, score, why())
		case p.Outcome != outcome:
			return fmt.Sprintf("outcome is %d, want %d: its score is %d", p.Outcome, outcome, score)
		}
		return fmt.Sprintf("distance is %d, want %d: %s", p.Distance, plies(score, empty), why())
	})
}

// plies returns the distance to the end that goes with a score: |score|-1 cells are empty at
// the end, none at a tie's.
func plies(score, empty int8) int8 {
	switch {
	case score > 0:
		return empty - score + 1
	case score < 0:
		return empty + score + 1
	}
	return empty
}

// checkReachable checks the flag of a position against the rows from which play leads to it:
// the side that isn't to move takes back a stone, and the game wasn't over before it.
func (c *checker) checkReachable(p *position) {
	from, reached := game.Position{}, p.Position == game.Start()
	mover := p.ToMove.Other()
	own, others := p.Of(mover), p.Of(p.ToMove)
	if !reached && !c.game.HasLine(others) {
		for stones := c.game.Removable(p.Board, own); stones != 0; stones &= stones - 1 {
			cell := bits.TrailingZeros64(stones)
			if c.game.HasLine(own &^ (1 << cell)) {
				continue
			}
			key := c.stored.with(&p.stored, -game.Key(mover), cell) + game.Key(mover-game.X)
			if value, ok, _ := c.rows.Lookup(key); ok && (value.Reachable || c.alternate) {
				from, _ = c.game.Position(key)
				reached = true
				break
			}
		}
	}
	switch {
	case c.alternate && !reached:
		c.note(badSet, 2*p.Stones(), p, func() string { return "no move leads here, and only reachable positions belong here" })
	case c.alternate && !p.Reachable:
		c.note(badReachable, p.Stones(), p, func() string { return "reachable is 0, want 1: the file is of reachable positions" })
	case reached && !p.Reachable:
		c.note(badReachable, p.Stones(), p, func() string {
			if p.Stones() == 0 {
				return "reachable is 0, want 1: play begins here"
			}
			return fmt.Sprintf("reachable is 0, want 1: a move leads here from %s", describe(c.game, from))
		})
	case !reached && p.Reachable:
		c.note(badReachable, p.Stones(), p, func() string { return "reachable is 1, want 0: no reachable position leads here" })
	}
}

// checkImage compares a position with the one that stands for its class in a canonical file.
func (c *checker) checkImage(p *position) {
	key := p.images.least() + game.Key(p.ToMove-game.X)
	if value, ok, _ := c.rows.Lookup(key); !ok || value != p.Value {
		c.note(badImage, 0, p, func() string {
			image, _ := c.game.Position(key)
			return "its value is not that of its mirror image, " + describe(c.game, image)
		})
	}
}
