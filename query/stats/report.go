package stats

import (
	"fmt"

	"oxbase/query"
)

// report puts together what was counted.
func (c *counter) report() (*Report, error) {
	if c.start == nil {
		return nil, fmt.Errorf("%w: it has no row for the empty board with x to move", query.ErrDamaged)
	}
	r := &Report{
		Name: c.t.Game.String(), Turns: c.t.Turns, Symmetry: c.t.Symmetry, Start: *c.start,
		Terminal: c.terminal(),
	}
	for outcome := int8(1); outcome >= -1; outcome-- {
		var all kind
		for distance := range c.stones {
			k := c.at(outcome, distance)
			all.merge(*k)
			if k.Stored > 0 {
				line := c.line(*k)
				line.Outcome, line.Distance = &outcome, &distance
				r.Distances = append(r.Distances, line)
			}
		}
		line := c.line(all)
		line.Outcome = &outcome
		r.Outcomes = append(r.Outcomes, line)
		r.Total.merge(all.Count)
		if outcome != 0 {
			r.LongestWins = append(r.LongestWins, c.longest(outcome, false)...)
			r.LongestReachableWins = append(r.LongestReachableWins, c.longest(outcome, true)...)
		}
		for i, legal := range []string{OneMove, SeveralMoves} {
			line := c.line(c.only[1-outcome][i])
			line.Outcome, line.LegalMoves = &outcome, legal
			r.OnlyMoves = append(r.OnlyMoves, line)
		}
	}
	for stones, k := range c.stones {
		if k.Stored > 0 {
			line := c.line(k)
			line.Stones = &stones
			r.Stones = append(r.Stones, line)
		}
	}
	return r, nil
}

// terminal returns the lines of [Report.Terminal]. A game that is over was won by a line, which
// in misère is the loser's.
func (c *counter) terminal() []Line {
	xLine := int8(1)
	if c.t.Game.Misere {
		xLine = -1
	}
	var notOver kind
	for i, k := range c.kinds {
		if i%len(c.stones) != 0 {
			notOver.merge(k)
		}
	}
	var lines []Line
	for _, end := range []struct {
		name string
		kind kind
	}{{XLine, *c.at(xLine, 0)}, {OLine, *c.at(-xLine, 0)}, {FullBoard, *c.at(0, 0)}, {NotOver, notOver}} {
		line := c.line(end.kind)
		line.Terminal = end.name
		lines = append(lines, line)
	}
	return lines
}

// longest returns the line of the greatest distance at which a side wins, none if it never does.
// With reachable only positions are considered that are.
func (c *counter) longest(outcome int8, reachable bool) []Line {
	for distance := len(c.stones) - 1; distance >= 0; distance-- {
		k := *c.at(outcome, distance)
		if reachable {
			k.Stored, k.Positions, k.least = k.ReachableStored, k.ReachablePositions, k.leastReachable
		}
		if k.Stored > 0 {
			line := c.line(k)
			line.Outcome, line.Distance = &outcome, &distance
			return []Line{line}
		}
	}
	return nil
}

// line returns the count and the example of a kind.
func (c *counter) line(k kind) Line {
	if k.Stored == 0 {
		return Line{}
	}
	p, _ := c.t.Game.Position(k.least) // add has read it before
	return Line{Count: k.Count, Example: &Example{k.least, c.t.Game.Text(p.Board), p.ToMove.String()}}
}
