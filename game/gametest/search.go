// Package gametest is a plain forward search of tic-tac-toe-like games for tests: it plays every
// move from a position and remembers what came out. It shares no code with the packages that it
// is there to check, and is written to be read rather than to be fast.
package gametest

// Search answers what positions of one game are worth. A position is named by its key, computed
// here anew: twice the base-3 number of the cells in reading order (0 empty, 1 x, 2 o), plus 1
// if o is to move.
type Search struct {
	width, height int
	drop, misere  bool
	lines         [][]int
	cells         []int // digits
	results       []result
	reachable     []bool
}

type result struct {
	known           bool
	score, distance int8
}

// New prepares the search of a game.
func New(width, height, inRow int, drop, misere bool) *Search {
	s := &Search{width: width, height: height, drop: drop, misere: misere, cells: make([]int, width*height)}
	for row := range height {
		for column := range width {
			for _, step := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				var line []int
				for i := range inRow {
					r, c := row+i*step[0], column+i*step[1]
					if r < height && c >= 0 && c < width {
						line = append(line, r*width+c)
					}
				}
				if len(line) == inRow {
					s.lines = append(s.lines, line)
				}
			}
		}
	}
	keys := 2
	for range s.cells {
		keys *= 3
	}
	s.results = make([]result, keys)
	s.reachable = make([]bool, keys)
	s.reach(1)
	return s
}

// Keys returns the number of keys of the board size.
func (s *Search) Keys() int { return len(s.results) }

// Reachable reports whether play from the empty board, x first, can lead to the position.
func (s *Search) Reachable(key int) bool { return s.reachable[key] }

// Possible reports whether the position is one that a table of every board holds: not both
// sides have a line, and no stone floats when stones drop.
func (s *Search) Possible(key int) bool {
	s.set(key)
	if s.hasLine(1) && s.hasLine(2) {
		return false
	}
	for cell := range s.cells {
		if below := cell + s.width; s.drop && s.cells[cell] != 0 && below < len(s.cells) && s.cells[below] == 0 {
			return false
		}
	}
	return true
}

// Value returns the score, from x's point of view, and the distance in plies of a position.
func (s *Search) Value(key int) (score, distance int) {
	s.set(key)
	r := s.search(key)
	return int(r.score), int(r.distance)
}

// Board returns the cells of a position as ".", "x" and "o" without separators, and who is to
// move.
func (s *Search) Board(key int) (board string, toMove byte) {
	s.set(key)
	text := make([]byte, len(s.cells))
	for i, digit := range s.cells {
		text[i] = ".xo"[digit]
	}
	return string(text), "xo"[key%2]
}

func (s *Search) set(key int) {
	for i, number := len(s.cells)-1, key/2; i >= 0; i, number = i-1, number/3 {
		s.cells[i] = number % 3
	}
}

func (s *Search) key(toMove int) int {
	number := 0
	for _, digit := range s.cells {
		number = 3*number + digit
	}
	return 2*number + toMove - 1
}

func (s *Search) hasLine(digit int) bool {
nextLine:
	for _, line := range s.lines {
		for _, cell := range line {
			if s.cells[cell] != digit {
				continue nextLine
			}
		}
		return true
	}
	return false
}

func (s *Search) empty() int {
	count := 0
	for _, digit := range s.cells {
		if digit == 0 {
			count++
		}
	}
	return count
}

// over returns the score of a finished board.
func (s *Search) over() (score int, over bool) {
	empty := s.empty()
	x, o := s.hasLine(1), s.hasLine(2)
	switch {
	case x != s.misere && (x || o):
		return empty + 1, true
	case x || o:
		return -empty - 1, true
	}
	return 0, empty == 0
}

// eachMove plays every legal move on the board in turn and takes it back.
func (s *Search) eachMove(toMove int, visit func()) {
	for cell := range s.cells {
		below := cell + s.width
		if s.cells[cell] != 0 || s.drop && below < len(s.cells) && s.cells[below] == 0 {
			continue
		}
		s.cells[cell] = toMove
		visit()
		s.cells[cell] = 0
	}
}

// reach marks all positions that play can lead to from the one on the board.
func (s *Search) reach(toMove int) {
	key := s.key(toMove)
	if s.reachable[key] {
		return
	}
	s.reachable[key] = true
	if _, over := s.over(); !over {
		s.eachMove(toMove, func() { s.reach(3 - toMove) })
	}
}

// search returns what the position on the board is worth. Among moves with the same score the
// distance must agree, or the words "best play" would not say how long the game is; it panics
// if it doesn't.
func (s *Search) search(key int) result {
	if s.results[key].known {
		return s.results[key]
	}
	best := result{known: true}
	if score, over := s.over(); over {
		best.score = int8(score)
	} else {
		toMove, moves := 1+key%2, 0
		s.eachMove(toMove, func() {
			next := s.search(s.key(3 - toMove))
			better := next.score > best.score
			if toMove == 2 {
				better = next.score < best.score
			}
			if moves++; moves == 1 || better {
				best.score, best.distance = next.score, next.distance+1
			} else if next.score == best.score && next.distance+1 != best.distance {
				panic("equal scores with different distances")
			}
		})
	}
	s.results[key] = best
	return best
}
