package judge

import (
	"context"
	"fmt"
	"strings"
	"testing"

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

// Strip adds up the gaps between the pieces.
func (o oracle) Strip(strip []byte) (int, error) {
	if len(strip) > o.longest {
		return 0, fmt.Errorf("%s: %w of up to %d cells", strip, query.ErrMissing, o.longest)
	}
	sum, left, length := 0, game.Edge, 0
	for _, cell := range strip {
		if cell == '.' {
			length++
			continue
		}
		sum ^= o.gaps[game.Gap{Length: length, Left: left, Right: game.End(cell)}]
		left, length = game.End(cell), 0
	}
	return sum ^ o.gaps[game.Gap{Length: length, Left: left, Right: game.Edge}], nil
}

// preload returns the oracle's knowledge as a tablebase in memory.
func (o oracle) preload(tb testing.TB) *query.Preloaded {
	tb.Helper()
	g, err := game.New(ticTacToe())
	if err != nil {
		tb.Fatal(err)
	}
	t, err := query.Preload(tb.Context(), g, game.AnyTurns, game.NoSymmetry, oracleRows{o, g})
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// oracleRows is the oracle as the rows of a file.
type oracleRows struct {
	oracle
	game *game.Game
}

func (o oracleRows) Rows(_ context.Context, yield func([]game.Row) error) error {
	var rows []game.Row
	for key := range o.game.Keys() {
		p, err := o.game.Position(key)
		if err != nil {
			return err
		}
		if v, err := o.Value(p); err == nil {
			rows = append(rows, game.Row{Key: key, Value: v})
		}
	}
	return yield(rows)
}

func (o oracleRows) Gaps(_ context.Context, yield func([]game.GapRow) error) error {
	var rows []game.GapRow
	for length := range o.longest + 1 {
		for _, left := range game.Ends() {
			for _, right := range game.Ends() {
				gap := game.Gap{Length: length, Left: left, Right: right}
				rows = append(rows, game.GapRow{Gap: gap, SG: o.gaps[gap]})
			}
		}
	}
	return yield(rows)
}
