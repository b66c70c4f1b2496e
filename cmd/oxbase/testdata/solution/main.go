// Command solution solves the judges' problems by playing the games out, right or with a mistake,
// for the tests of check. Its arguments are a problem's short name and the mistake to make, if it
// is to make one. It shares no code with oxbase.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	s := &solver{os.Args[1], strings.Join(os.Args[2:], ""), map[[10]byte]int{}, map[[3]int]int{}}
	out := bufio.NewWriter(os.Stdout)
	switch s.mistake {
	case "reads nothing":
		return
	case "endless output":
		for {
			fmt.Fprintln(out, "0")
		}
	case "leaves a child behind":
		child := exec.Command("sleep", "1000")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	s.solve(bufio.NewReader(os.Stdin), out)
	out.Flush()
}

// solver solves one problem.
type solver struct {
	problem, mistake string
	scores           map[[10]byte]int // by board and side to move
	gaps             map[[3]int]int   // by length and ends
}

func (s *solver) solve(in *bufio.Reader, out *bufio.Writer) {
	count := 1
	if s.problem != "luogu" {
		fmt.Fscan(in, &count)
	}
	for number := 1; number <= count; number++ {
		if s.mistake == "hangs on the third case" && number == 3 {
			out.Flush()
			time.Sleep(time.Hour)
		}
		if s.problem == "lightoj" {
			var strip string
			fmt.Fscan(in, &strip)
			fmt.Fprint(out, s.stripAnswer(number, strip))
			continue
		}
		board := s.read(in)
		mover := "xo"[stones(board)%2]
		switch {
		case s.problem == "hrbust":
			var word string
			fmt.Fscan(in, &word)
			mover = word[0]
		case s.mistake == "wrong parity":
			mover = "ox"[stones(board)%2]
		}
		fmt.Fprint(out, s.boardAnswer(board, mover))
	}
}

// read reads nine cells, whatever white space stands between them, as x, o or '.'.
func (s *solver) read(in io.ByteReader) (board [9]byte) {
	cells := ".xo"
	switch s.problem {
	case "csp":
		cells = "012"
	case "luogu":
		cells = "-OX"
	}
	for i := 0; i < 9; {
		c, err := in.ReadByte()
		if err != nil {
			panic(err)
		}
		if digit := strings.IndexByte(cells, c); digit >= 0 {
			board[i] = ".xo"[digit]
			i++
		}
	}
	return board
}

func stones(board [9]byte) int { return 9 - strings.Count(string(board[:]), ".") }

func won(board [9]byte, side byte) bool {
	for _, l := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		if board[l[0]-'0'] == side && board[l[1]-'0'] == side && board[l[2]-'0'] == side {
			return true
		}
	}
	return false
}

// boardAnswer returns the answer about a board.
func (s *solver) boardAnswer(board [9]byte, mover byte) string {
	if s.mistake == "crashes on a finished board" && (won(board, 'x') || won(board, 'o')) {
		panic("no move")
	}
	score := s.score(board, mover)
	word := func(x, tie, o string) string {
		switch {
		case score > 0:
			return x
		case score < 0:
			return o
		}
		return tie
	}
	switch s.problem {
	case "csp":
		return fmt.Sprintln(score)
	case "hrbust":
		return word("x win!\n", "tie!\n", "o win!\n")
	case "luogu":
		first := word("xiaoa will win.", "Dont know.", "uim will win.")
		if s.mistake == "uim never wins" {
			first = word("xiaoa will win.", "Dont know.", "Dont know.")
		}
		return fmt.Sprintf("%s\n%d\n", first, stones(board))
	}
	answer := word("x\n", "TIE\n", "o\n")
	switch s.mistake {
	case "answers in the wrong case":
		return strings.ToLower(answer)
	case "blank lines between answers":
		return answer + "\n"
	}
	return answer
}

// score returns the score under best play, for csp as the judge defines it.
func (s *solver) score(board [9]byte, mover byte) int {
	key := [10]byte(append(board[:], mover))
	if score, ok := s.scores[key]; ok {
		return score
	}
	score := s.search(board, mover)
	s.scores[key] = score
	return score
}

func (s *solver) search(board [9]byte, mover byte) int {
	empty := 9 - stones(board)
	switch {
	case s.mistake == "full board before line" && empty == 0:
		return 0
	case won(board, 'x'):
		return empty + 1
	case won(board, 'o') && s.mistake != "-1 as not finished":
		return -empty - 1
	case empty == 0:
		return 0
	}
	sign, other := 1, byte('o')
	if mover == 'o' {
		sign, other = -1, 'x'
	}
	best, most := 0, -1000
	for i := range board {
		if board[i] != '.' {
			continue
		}
		next := board
		next[i] = mover
		score := s.score(next, other)
		worth := sign * score
		if s.mistake == "shortest loss" && worth < 0 {
			worth = -100 - worth
		}
		if worth > most {
			best, most = score, worth
		}
	}
	return best
}

// stripAnswer returns the answer about a strip.
func (s *solver) stripAnswer(number int, strip string) string {
	sum, left, length, pieces := 0, 0, 0, 0
	for _, c := range strip + "|" {
		if c == '.' {
			length++
			continue
		}
		piece := strings.IndexRune("|OX", c)
		sum ^= s.gap(length, left, piece)
		left, length = piece, 0
		if piece > 0 {
			pieces++
		}
	}
	format := "Case %d: %s\n"
	if s.mistake == "missing Case" {
		format = "%d: %s\n"
	}
	if (sum != 0) == (pieces%2 == 0) {
		return fmt.Sprintf(format, number, "Yes")
	}
	return fmt.Sprintf(format, number, "No")
}

// gap returns the SG value of a gap between two ends: 0 the edge, 1 O, 2 X.
func (s *solver) gap(length, left, right int) int {
	key := [3]int{length, left, right}
	if sg, ok := s.gaps[key]; ok {
		return sg
	}
	if s.mistake == "equal ends 0" && left > 0 && left == right {
		return 0
	}
	reached := map[int]bool{}
	for at := range length {
		for piece := 1; piece <= 2; piece++ {
			if at == 0 && left == piece || at == length-1 && right == piece {
				continue
			}
			reached[s.gap(at, left, piece)^s.gap(length-1-at, piece, right)] = true
		}
	}
	sg := 0
	for reached[sg] {
		sg++
	}
	s.gaps[key] = sg
	return sg
}
