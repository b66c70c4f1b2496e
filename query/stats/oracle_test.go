package stats_test

import (
	"context"
	"slices"
	"strings"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/query/stats"
)

// oracle counts positions one after the other, as a plain forward search finds them.
type oracle struct {
	spec      game.Spec
	turns     game.Turns
	symmetry  game.Symmetry
	search    *gametest.Search
	positions []position // in the order of their keys
}

// position is one of the positions that a tablebase has to answer for.
type position struct {
	key             int
	board           string // without separators
	toMove          byte
	outcome         int8
	score, distance int
	reachable       bool
	stored          bool
	after           []int // the keys of the positions to which its moves lead
}

func newOracle(spec game.Spec, turns game.Turns, symmetry game.Symmetry) *oracle {
	o := &oracle{spec: spec, turns: turns, symmetry: symmetry,
		search: gametest.New(spec.Width, spec.Height, spec.InRow, spec.Drop, spec.Misere)}
	for key := range o.search.Keys() {
		if !o.search.Reachable(key) && (turns == game.Alternate || !o.search.Possible(key)) {
			continue
		}
		p := position{key: key, reachable: o.search.Reachable(key)}
		p.board, p.toMove = o.search.Board(key)
		p.score, p.distance = o.search.Value(key)
		p.outcome = sign(p.score)
		p.stored = symmetry == game.NoSymmetry || key == o.smallest(p)
		if p.distance > 0 {
			p.after = o.moves(p)
		}
		o.positions = append(o.positions, p)
	}
	return o
}

func sign(score int) int8 {
	switch {
	case score > 0:
		return 1
	case score < 0:
		return -1
	}
	return 0
}

// moves returns the keys of the positions to which the legal moves lead.
func (o *oracle) moves(p position) []int {
	var after []int
	for cell, c := range p.board {
		below := cell + o.spec.Width
		if c != '.' || o.spec.Drop && below < len(p.board) && p.board[below] == '.' {
			continue
		}
		board := p.board[:cell] + string(rune(p.toMove)) + p.board[cell+1:]
		other := byte('x')
		if p.toMove == 'x' {
			other = 'o'
		}
		after = append(after, keyOf(board, other))
	}
	return after
}

func keyOf(board string, toMove byte) int {
	number := 0
	for _, c := range board {
		number = 3*number + strings.IndexRune(".xo", c)
	}
	return 2*number + strings.IndexByte("xo", toMove)
}

// smallest returns the smallest key among the images of a position.
func (o *oracle) smallest(p position) int {
	boards := []string{p.board}
	add := func(image func(string) string) {
		for _, board := range slices.Clone(boards) {
			boards = append(boards, image(board))
		}
	}
	width, height := o.spec.Width, o.spec.Height
	from := func(cell func(row, column int) int) func(string) string {
		return func(board string) string {
			var image strings.Builder
			for row := range height {
				for column := range width {
					image.WriteByte(board[cell(row, column)])
				}
			}
			return image.String()
		}
	}
	add(from(func(row, column int) int { return row*width + width - 1 - column }))
	if !o.spec.Drop {
		add(from(func(row, column int) int { return (height-1-row)*width + column }))
		if width == height {
			add(from(func(row, column int) int { return column*width + row }))
		}
	}
	least := p.key
	for _, board := range boards {
		least = min(least, keyOf(board, p.toMove))
	}
	return least
}

// Rows hands on the positions stored.
func (o *oracle) Rows(_ context.Context, yield func([]game.Row) error) error {
	var rows []game.Row
	for _, p := range o.positions {
		if p.stored {
			rows = append(rows, game.Row{Key: game.Key(p.key), Value: game.Value{
				Outcome: p.outcome, Score: int8(p.score), Distance: int8(p.distance), Reachable: p.reachable}})
		}
	}
	return yield(rows)
}

// Gaps hands on nothing.
func (o *oracle) Gaps(context.Context, func([]game.GapRow) error) error { return nil }

// count returns how many positions have a property, and the one with the smallest key as the
// example.
func (o *oracle) count(has func(position) bool) stats.Line {
	var line stats.Line
	for _, p := range o.positions {
		if !has(p) {
			continue
		}
		line.Positions++
		if p.reachable {
			line.ReachablePositions++
		}
		if p.stored {
			line.Stored++
		}
		if p.stored && p.reachable {
			line.ReachableStored++
		}
		if line.Example == nil {
			var rows []string
			for row := range slices.Chunk([]byte(p.board), o.spec.Width) {
				rows = append(rows, string(row))
			}
			line.Example = &stats.Example{Key: game.Key(p.key), Board: strings.Join(rows, "/"), ToMove: string(rune(p.toMove))}
		}
	}
	return line
}

// hasLine reports whether there are so many stones of a side in a row somewhere.
func (o *oracle) hasLine(board string, side byte) bool {
	for cell := range board {
		for _, step := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			n, row, column := 0, cell/o.spec.Width, cell%o.spec.Width
			for row < o.spec.Height && column >= 0 && column < o.spec.Width && board[row*o.spec.Width+column] == side {
				n, row, column = n+1, row+step[0], column+step[1]
			}
			if n >= o.spec.InRow {
				return true
			}
		}
	}
	return false
}

// report counts everything that a report says.
func (o *oracle) report() *stats.Report {
	start := o.positions[0]
	r := &stats.Report{
		Name: o.spec.String(), Turns: o.turns, Symmetry: o.symmetry,
		Start: stats.Start{Outcome: start.outcome, Score: int8(start.score), Distance: int8(start.distance)},
		Total: o.count(func(position) bool { return true }).Count,
	}
	cells := o.spec.Width * o.spec.Height
	for _, outcome := range []int8{1, 0, -1} {
		line := o.count(func(p position) bool { return p.outcome == outcome })
		line.Outcome = &outcome
		r.Outcomes = append(r.Outcomes, line)

		var longest, longestReachable []stats.Line
		for distance := range cells + 1 {
			here := func(p position) bool { return p.outcome == outcome && p.distance == distance }
			if line := o.count(here); line.Positions > 0 {
				line.Outcome, line.Distance = &outcome, &distance
				r.Distances = append(r.Distances, line)
				longest = []stats.Line{line}
			}
			if line := o.count(func(p position) bool { return here(p) && p.reachable }); line.Positions > 0 {
				line.Outcome, line.Distance = &outcome, &distance
				longestReachable = []stats.Line{line}
			}
		}
		if outcome != 0 {
			r.LongestWins = append(r.LongestWins, longest...)
			r.LongestReachableWins = append(r.LongestReachableWins, longestReachable...)
		}

		for _, several := range []bool{false, true} {
			line := o.count(func(p position) bool {
				keep := 0
				for _, key := range p.after {
					if score, _ := o.search.Value(key); sign(score) == outcome {
						keep++
					}
				}
				return p.outcome == outcome && keep == 1 && (len(p.after) > 1) == several
			})
			line.Outcome, line.LegalMoves = &outcome, stats.OneMove
			if several {
				line.LegalMoves = stats.SeveralMoves
			}
			r.OnlyMoves = append(r.OnlyMoves, line)
		}
	}
	for stones := range cells + 1 {
		line := o.count(func(p position) bool { return cells-strings.Count(p.board, ".") == stones })
		if line.Positions > 0 {
			line.Stones = &stones
			r.Stones = append(r.Stones, line)
		}
	}
	for _, end := range []struct {
		name string
		has  func(position) bool
	}{
		{stats.XLine, func(p position) bool { return o.hasLine(p.board, 'x') }},
		{stats.OLine, func(p position) bool { return o.hasLine(p.board, 'o') }},
		{stats.FullBoard, func(p position) bool {
			return !o.hasLine(p.board, 'x') && !o.hasLine(p.board, 'o') && !strings.Contains(p.board, ".")
		}},
		{stats.NotOver, func(p position) bool {
			return !o.hasLine(p.board, 'x') && !o.hasLine(p.board, 'o') && strings.Contains(p.board, ".")
		}},
	} {
		line := o.count(end.has)
		line.Terminal = end.name
		r.Terminal = append(r.Terminal, line)
	}
	return r
}
