package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"oxbase/game"
)

// position is a position as the oracle of these tests sees it: the board as text, the cells in
// reading order without a separator, and the side to move, 'x' or 'o'.
type position struct {
	board string
	side  byte
}

// value is what the oracle says of a position.
type value struct {
	score, distance int
	reachable       bool
}

// search solves a game by plain forward search on board texts, from the rules as people read
// them. It shares nothing with the packages of the project.
type search struct {
	width, height, inRow int
	drop, misere         bool
	values               map[position]value
}

func newSearch(spec game.Spec) *search {
	s := &search{spec.Width, spec.Height, spec.InRow, spec.Drop, spec.Misere, map[position]value{}}
	var boards []string
	var fill func(string)
	fill = func(board string) {
		if len(board) < s.width*s.height {
			for _, c := range ".xo" {
				fill(board + string(c))
			}
			return
		}
		if !s.floats(board) && !(s.hasLine(board, 'x') && s.hasLine(board, 'o')) {
			boards = append(boards, board)
		}
	}
	fill("")
	for _, board := range boards {
		s.solve(position{board, 'x'})
		s.solve(position{board, 'o'})
	}
	s.reach(position{strings.Repeat(".", s.width*s.height), 'x'})
	return s
}

func (s *search) floats(board string) bool {
	for cell := range len(board) - s.width {
		if s.drop && board[cell] != '.' && board[cell+s.width] == '.' {
			return true
		}
	}
	return false
}

func (s *search) hasLine(board string, side byte) bool {
	for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for cell := range len(board) {
			n := 0
			for x, y := cell%s.width, cell/s.width; x >= 0 && x < s.width && y < s.height && board[y*s.width+x] == side; n++ {
				x, y = x+step[0], y+step[1]
			}
			if n >= s.inRow {
				return true
			}
		}
	}
	return false
}

// over reports whether the game is over, and with which score.
func (s *search) over(board string) (int, bool) {
	score := strings.Count(board, ".") + 1
	if s.misere {
		score = -score
	}
	switch {
	case s.hasLine(board, 'x'):
		return score, true
	case s.hasLine(board, 'o'):
		return -score, true
	}
	return 0, !strings.Contains(board, ".")
}

func (s *search) moves(p position) map[int]position {
	found := map[int]position{}
	for cell := range len(p.board) {
		board := p.board[:cell] + string(p.side) + p.board[cell+1:]
		if p.board[cell] == '.' && !s.floats(board) {
			found[cell] = position{board, 'x' + 'o' - p.side}
		}
	}
	return found
}

func (s *search) solve(p position) value {
	if v, ok := s.values[p]; ok {
		return v
	}
	var v value
	if score, over := s.over(p.board); over {
		v.score = score
	} else {
		v.score, v.distance = 100, 0
		if p.side == 'x' {
			v.score = -100
		}
		for _, next := range s.moves(p) {
			n := s.solve(next)
			if p.side == 'x' && n.score > v.score || p.side == 'o' && n.score < v.score {
				v = value{score: n.score, distance: n.distance + 1}
			}
		}
	}
	s.values[p] = v
	return v
}

func (s *search) reach(p position) {
	v := s.values[p]
	if v.reachable {
		return
	}
	v.reachable = true
	s.values[p] = v
	if _, over := s.over(p.board); !over {
		for _, next := range s.moves(p) {
			s.reach(next)
		}
	}
}

// key returns the key of a position as the schema describes it.
func (p position) key() int64 {
	n := int64(0)
	for _, c := range p.board {
		n = 3*n + int64(strings.IndexRune(".xo", c))
	}
	return 2*n + int64(strings.IndexByte("xo", p.side))
}

// text returns the board with separators between its rows.
func (s *search) text(board string) string {
	var rows []string
	for row := range slices.Chunk([]byte(board), s.width) {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "/")
}

func (v value) outcome() int {
	switch {
	case v.score > 0:
		return 1
	case v.score < 0:
		return -1
	}
	return 0
}

// result returns the outcome in words.
func (v value) result() string { return [...]string{"o wins", "tie", "x wins"}[v.outcome()+1] }

// sorted returns the positions in the order of their keys.
func (s *search) sorted() []position {
	var list []position
	for p := range s.values {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b position) int { return int(a.key() - b.key()) })
	return list
}

// rows returns what a table with turns "any" holds.
func (s *search) rows() []game.Row {
	var rows []game.Row
	for _, p := range s.sorted() {
		v := s.values[p]
		rows = append(rows, game.Row{Key: game.Key(p.key()), Value: game.Value{
			Outcome: int8(v.outcome()), Score: int8(v.score), Distance: int8(v.distance), Reachable: v.reachable,
		}})
	}
	return rows
}

// TestSearch holds the oracle against published numbers.
func TestSearch(t *testing.T) {
	s := newSearch(game.Spec{Width: 3, Height: 3, InRow: 3})
	reachable := 0
	for _, v := range s.values {
		if v.reachable {
			reachable++
		}
	}
	empty := s.values[position{".........", 'x'}]
	got := fmt.Sprint(len(s.values), reachable, empty)
	if want := "38742 5478 {0 9 true}"; got != want {
		t.Errorf("positions, reachable ones and value of the empty board: got %s, want %s", got, want)
	}
}

// gapRows returns SG values for every gap up to a length; which ones doesn't matter to a file.
func gapRows(length int) []game.GapRow {
	var rows []game.GapRow
	for n := range length + 1 {
		for _, left := range []game.End{'.', 'O', 'X'} {
			for _, right := range []game.End{'.', 'O', 'X'} {
				rows = append(rows, game.GapRow{
					Gap: game.Gap{Length: n, Left: left, Right: right},
					SG:  (n*7 + int(left)*3 + int(right)) % 300,
				})
			}
		}
	}
	return rows
}
