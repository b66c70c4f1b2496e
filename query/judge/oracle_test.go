package judge

import (
	"fmt"
	"strings"

	"oxbase/game"
	"oxbase/query"
)

// The oracle plays the games forward, on its own boards and by its own rules. It serves as the
// tablebase of the tests.

// cells is a tic-tac-toe board in reading order, of the characters x, o and '.'.
type cells [9]byte

// solved is what the oracle knows of a board with one side to move.
type solved struct {
	both  bool // both sides have a line, and nothing else is known
	over  bool
	score int  // +(empty cells at the end + 1) when x wins, minus that when o wins
	plies int  // to the end
	legal bool // play can reach it
}

func (c cells) count(side byte) int {
	n := 0
	for _, cell := range c {
		if cell == side {
			n++
		}
	}
	return n
}

func (c cells) won(side byte) bool {
	for _, l := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if c[l[0]] == side && c[l[1]] == side && c[l[2]] == side {
			return true
		}
	}
	return false
}

// mover returns the side whose turn it is when x began, or 0 if the counts allow neither.
func (c cells) mover() byte {
	switch c.count('x') - c.count('o') {
	case 0:
		return 'x'
	case 1:
		return 'o'
	}
	return 0
}

// write returns the board with other characters: a row each line, with a text between cells.
func (c cells) write(x, o, empty, between string) string {
	var text strings.Builder
	for i, cell := range c {
		text.WriteString(map[byte]string{'x': x, 'o': o, '.': empty}[cell])
		if i%3 == 2 {
			text.WriteByte('\n')
		} else {
			text.WriteString(between)
		}
	}
	return text.String()
}

// oneLine returns the board as an error shows it.
func (c cells) oneLine(x, o, empty string) string {
	return strings.ReplaceAll(strings.TrimSpace(c.write(x, o, empty, "")), "\n", "/")
}

// allBoards returns the 3^9 boards.
func allBoards() []cells {
	var boards []cells
	for number := range 19683 {
		var c cells
		for i := range c {
			c[i] = ".xo"[number%3]
			number /= 3
		}
		boards = append(boards, c)
	}
	return boards
}

type question struct {
	board cells
	mover byte
}

// oracle is a Tablebase of what the search found. It has every position or, with alternate,
// only the reachable ones, and the gaps of up to longest cells.
type oracle struct {
	boards    map[question]*solved
	gaps      map[game.Gap]int
	longest   int
	alternate bool
}

// search plays both games out.
func search() oracle {
	o := oracle{boards: map[question]*solved{}, gaps: map[game.Gap]int{}, longest: 120}
	for _, board := range allBoards() {
		o.solve(board, 'x')
		o.solve(board, 'o')
	}
	o.play(cells([]byte(".........")), 'x')
	for length := 1; length <= o.longest; length++ {
		for _, left := range ".OX" {
			for _, right := range ".OX" {
				o.gaps[game.Gap{Length: length, Left: game.End(left), Right: game.End(right)}] = o.mex(length, left, right)
			}
		}
	}
	return o
}

func other(side byte) byte { return 'x' + 'o' - side }

func (o oracle) solve(board cells, mover byte) *solved {
	if known := o.boards[question{board, mover}]; known != nil {
		return known
	}
	s := &solved{}
	o.boards[question{board, mover}] = s
	empty := board.count('.')
	switch xWon, oWon := board.won('x'), board.won('o'); {
	case xWon && oWon:
		s.both = true
		return s
	case xWon:
		s.over, s.score = true, empty+1
		return s
	case oWon:
		s.over, s.score = true, -empty-1
		return s
	case empty == 0:
		s.over = true
		return s
	}
	first := true
	for i := range board {
		if board[i] != '.' {
			continue
		}
		next := board
		next[i] = mover
		after := o.solve(next, other(mover))
		if first || mover == 'x' && after.score > s.score || mover == 'o' && after.score < s.score {
			s.score, s.plies = after.score, after.plies+1
		}
		first = false
	}
	return s
}

// play marks everything that play can reach from a board.
func (o oracle) play(board cells, mover byte) {
	s := o.boards[question{board, mover}]
	if s.legal {
		return
	}
	s.legal = true
	for i := range board {
		if !s.over && board[i] == '.' {
			next := board
			next[i] = mover
			o.play(next, other(mover))
		}
	}
}

// mex returns the SG value of a gap from those of shorter ones, by trying every move.
func (o oracle) mex(length int, left, right rune) int {
	reached := map[int]bool{}
	for at := range length {
		for _, piece := range "OX" {
			if at == 0 && piece == left || at == length-1 && piece == right {
				continue
			}
			// A gap of no cells isn't in the map: it has no move, so its value is 0.
			before := game.Gap{Length: at, Left: game.End(left), Right: game.End(piece)}
			after := game.Gap{Length: length - 1 - at, Left: game.End(piece), Right: game.End(right)}
			reached[o.gaps[before]^o.gaps[after]] = true
		}
	}
	value := 0
	for reached[value] {
		value++
	}
	return value
}

// at returns the oracle's board of a position and the side to move, '.' if there is none.
func at(p game.Position) question {
	var c cells
	for i := range c {
		c[i] = ".xo"[p.X>>i&1+p.O>>i&1*2]
	}
	return question{c, ".xo"[p.ToMove]}
}

// Value returns what the search found.
func (o oracle) Value(p game.Position) (game.Value, error) {
	s := o.boards[at(p)]
	if s.both || o.alternate && !s.legal {
		return game.Value{}, fmt.Errorf("the oracle: %w", query.ErrMissing)
	}
	v := game.Value{Score: int8(s.score), Distance: int8(s.plies), Reachable: s.legal}
	switch {
	case s.score > 0:
		v.Outcome = 1
	case s.score < 0:
		v.Outcome = -1
	}
	return v, nil
}

// Gap returns what the mex rule found.
func (o oracle) Gap(g game.Gap) (int, error) {
	if g.Length < 1 || g.Length > o.longest {
		return 0, fmt.Errorf("%v: %w of up to %d cells", g, query.ErrMissing, o.longest)
	}
	return o.gaps[g], nil
}

// table is an in-memory Tablebase for benchmarks: two arrays, filled from the oracle.
type table struct {
	game   *game.Game
	values []game.Value
	gaps   [][4][4]int
}

func newTable(o oracle) *table {
	g, err := game.Parse("3x3x3")
	if err != nil {
		panic(err)
	}
	t := &table{g, make([]game.Value, g.Keys()), make([][4][4]int, o.longest+1)}
	for key := range g.Keys() {
		p, err := g.Position(key)
		if err != nil {
			panic(err)
		}
		if v, err := o.Value(p); err == nil {
			t.values[key] = v
		}
	}
	for gap, sg := range o.gaps {
		t.gaps[gap.Length][slot(gap.Left)][slot(gap.Right)] = sg
	}
	return t
}

// slot numbers the three ends without a branch.
func slot(e game.End) int { return int(e >> 4 & 3) }

func (t *table) Value(p game.Position) (game.Value, error) { return t.values[t.game.Key(p)], nil }

func (t *table) Gap(g game.Gap) (int, error) {
	if g.Length >= len(t.gaps) {
		return 0, query.ErrMissing
	}
	return t.gaps[g.Length][slot(g.Left)][slot(g.Right)], nil
}
