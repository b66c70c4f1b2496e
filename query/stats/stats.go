// Package stats counts what a tablebase holds: positions by outcome, distance, stones and kind
// of end, the longest wins, and the positions in which only one move keeps the outcome.
package stats

import "oxbase/game"

// Report is what a tablebase holds. Outcomes and scores are from x's point of view, distances
// in plies to the end of the game under best play.
type Report struct {
	Name     string        `json:"name"` // the game's name
	Turns    game.Turns    `json:"turns"`
	Symmetry game.Symmetry `json:"symmetry"`
	Start    Start         `json:"start"`
	Total    Count         `json:"total"`

	// Outcomes has a line for each outcome: x wins, tie, o wins.
	Outcomes []Line `json:"outcomes"`

	// Distances has a line for each outcome and distance that a position has, in that order.
	Distances []Line `json:"distances"`

	// Stones has a line for each number of stones that a position has.
	Stones []Line `json:"stones"`

	// Terminal has a line for each way in which a game can end, and one for positions in which
	// it goes on.
	Terminal []Line `json:"terminal"`

	// LongestWins has a line for the greatest distance at which x wins, and one for o, if there
	// are such positions at all.
	LongestWins []Line `json:"longest_wins"`

	// LongestReachableWins is the same for reachable positions alone.
	LongestReachableWins []Line `json:"longest_reachable_wins"`

	// OnlyMoves counts positions that have exactly one legal move that keeps their outcome, by
	// outcome and by whether there are other legal moves.
	OnlyMoves []Line `json:"only_moves"`
}

// Start is the value of the empty board with x to move.
type Start struct {
	Outcome  int8 `json:"outcome"`  // who wins: 1 x, 0 tie, -1 o
	Score    int8 `json:"score"`    // empty cells at the end + 1, negative if o wins, 0 for a tie
	Distance int8 `json:"distance"` // plies to the end
}

// Count is how many positions are of one kind. A row of a canonical file stands for its whole
// symmetry class; of other files the rows are the positions.
type Count struct {
	Stored             int64 `json:"stored"`              // rows of the file
	Positions          int64 `json:"positions"`           // positions that the rows stand for
	ReachableStored    int64 `json:"reachable_stored"`    // reachable ones of stored
	ReachablePositions int64 `json:"reachable_positions"` // reachable ones of positions
}

// The ways in which a game can end, as [Line.Terminal] has them.
const (
	XLine     = "x line"     // x has a line
	OLine     = "o line"     // o has a line
	FullBoard = "full board" // neither has, and no cell is free
	NotOver   = "not over"   // the game goes on
)

// What [Line.LegalMoves] says of a position.
const (
	OneMove      = "one"
	SeveralMoves = "several"
)

// Line is one count of a [Report]. What doesn't tell the lines of a section apart is left out.
type Line struct {
	Outcome    *int8  `json:"outcome,omitempty"`     // 1 x wins, 0 tie, -1 o wins
	Distance   *int   `json:"distance,omitempty"`    // plies to the end
	Stones     *int   `json:"stones,omitempty"`      // pieces on the board
	Terminal   string `json:"terminal,omitempty"`    // how the game ended
	LegalMoves string `json:"legal_moves,omitempty"` // whether there is one or several
	Count
	*Example // nil if the line counts nothing
}

// Example is the position with the smallest key among those that a line counts.
type Example struct {
	Key    game.Key `json:"key"`
	Board  string   `json:"board"`   // cells in reading order, / between the rows
	ToMove string   `json:"to_move"` // x or o
}

// add counts a row that stands for so many positions.
func (c *Count) add(positions int64, reachable bool) {
	c.Stored++
	c.Positions += positions
	if reachable {
		c.ReachableStored++
		c.ReachablePositions += positions
	}
}

// merge adds another count.
func (c *Count) merge(other Count) {
	c.Stored += other.Stored
	c.Positions += other.Positions
	c.ReachableStored += other.ReachableStored
	c.ReachablePositions += other.ReachablePositions
}

// kind is what is known of the positions of one kind.
type kind struct {
	Count
	least          game.Key // smallest key, if any are stored
	leastReachable game.Key // smallest key of a reachable one, if there are any
}

// add counts a row that stands for so many positions.
func (k *kind) add(row game.Row, positions int64) {
	if k.Stored == 0 || row.Key < k.least {
		k.least = row.Key
	}
	if row.Reachable && (k.ReachableStored == 0 || row.Key < k.leastReachable) {
		k.leastReachable = row.Key
	}
	k.Count.add(positions, row.Reachable)
}

// merge adds what is known of other positions of the kind.
func (k *kind) merge(other kind) {
	if other.Stored > 0 && (k.Stored == 0 || other.least < k.least) {
		k.least = other.least
	}
	if other.ReachableStored > 0 && (k.ReachableStored == 0 || other.leastReachable < k.leastReachable) {
		k.leastReachable = other.leastReachable
	}
	k.Count.merge(other.Count)
}
