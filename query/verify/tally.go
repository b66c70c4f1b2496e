package verify

import "oxbase/game"

// tally counts reachable positions, and classes of them, as it goes through rows.
type tally struct {
	stored    int64 // positions of all kinds: of a canonical file the classes' members
	positions counts
	classes   counts
}

// counts are numbers of reachable positions, or of classes of them. Results are counted by
// outcome + 1: o wins, tie, x wins.
type counts struct {
	all         int64
	byStones    [game.MaxCells + 1]int64
	byOutcome   [3]int64
	terminal    [3]int64
	full        [3]int64 // of the terminal ones, those without an empty cell
	matchboxes  int64    // x is to move on 0, 2, 4 or 6 stones and the game isn't over
	notTerminal int64
}

// add counts a row.
func (t *tally) add(c *checker, p *position, over bool) {
	weight := int64(1)
	if c.canonical {
		weight = int64(p.images.orbit())
	}
	t.stored += weight
	if !p.Reachable {
		return
	}
	t.positions.add(c.game, p, over, weight)
	if c.canonical || p.images.least() == p.images.keys[0] {
		t.classes.add(c.game, p, over, 1)
	}
}

func (n *counts) add(g *game.Game, p *position, over bool, weight int64) {
	result, stones := min(1, max(-1, p.Outcome))+1, p.Stones()
	n.all += weight
	n.byStones[stones] += weight
	n.byOutcome[result] += weight
	if !over {
		n.notTerminal += weight
		if p.ToMove == game.X && stones <= 6 && stones%2 == 0 {
			n.matchboxes += weight
		}
		return
	}
	n.terminal[result] += weight
	if stones == g.Cells() {
		n.full[result] += weight
	}
}

// merge adds what another tally has counted.
func (t *tally) merge(other *tally) {
	t.stored += other.stored
	t.positions.merge(&other.positions)
	t.classes.merge(&other.classes)
}

func (n *counts) merge(other *counts) {
	n.all += other.all
	n.matchboxes += other.matchboxes
	n.notTerminal += other.notTerminal
	for i := range n.byStones {
		n.byStones[i] += other.byStones[i]
	}
	for i := range n.byOutcome {
		n.byOutcome[i] += other.byOutcome[i]
		n.terminal[i] += other.terminal[i]
		n.full[i] += other.full[i]
	}
}
