package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/query"
)

// boardJudge says what a report on a position must be, from a search of the game and from its
// own reading of the boards.
type boardJudge struct {
	*gametest.Search
	width, height, inRow int
	drop, misere         bool
}

func newBoardJudge(width, height, inRow int, drop, misere bool) boardJudge {
	return boardJudge{gametest.New(width, height, inRow, drop, misere), width, height, inRow, drop, misere}
}

// key computes the key of a board without separators.
func (j boardJudge) key(board string, toMove byte) int {
	key := 0
	for _, c := range board {
		key = 3*key + strings.IndexRune(".xo", c)
	}
	return 2*key + strings.IndexByte("xo", toMove)
}

// legal returns the moves in reading order: the cell's name and the board after the move.
func (j boardJudge) legal(board string, toMove byte) (names, boards []string) {
	for cell, c := range board {
		falls := j.drop && cell+j.width < len(board) && board[cell+j.width] == '.'
		if c == '.' && !falls {
			names = append(names, fmt.Sprintf("%c%d", 'a'+cell%j.width, j.height-cell/j.width))
			boards = append(boards, board[:cell]+string(rune(toMove))+board[cell+1:])
		}
	}
	return names, boards
}

// smallest computes the smallest key of the boards that turning and mirroring make of one.
func (j boardJudge) smallest(board string, toMove byte) int {
	at := func(column, row int) byte { return board[row*j.width+column] }
	last := struct{ column, row int }{j.width - 1, j.height - 1}
	views := []func(column, row int) byte{
		at,
		func(column, row int) byte { return at(last.column-column, row) },
	}
	if !j.drop {
		views = append(views,
			func(column, row int) byte { return at(column, last.row-row) },
			func(column, row int) byte { return at(last.column-column, last.row-row) })
	}
	if !j.drop && j.width == j.height {
		for _, view := range views {
			views = append(views, func(column, row int) byte { return view(row, column) })
		}
	}
	least := j.key(board, toMove)
	for _, view := range views {
		var image strings.Builder
		for row := range j.height {
			for column := range j.width {
				image.WriteByte(view(column, row))
			}
		}
		least = min(least, j.key(image.String(), toMove))
	}
	return least
}

// rows puts the separators into a board.
func (j boardJudge) rows(board string) string {
	var rows []string
	for ; board != ""; board = board[j.width:] {
		rows = append(rows, board[:j.width])
	}
	return strings.Join(rows, "/")
}

// report returns what must be said of the position with a key.
func (j boardJudge) report(key int) query.Report {
	board, toMove := j.Board(key)
	score, distance := j.Value(key)
	want := query.Report{
		Key: game.Key(key), CanonicalKey: game.Key(j.smallest(board, toMove)), Board: j.rows(board), ToMove: string(toMove),
		Stones: len(board) - strings.Count(board, "."), Terminal: distance == 0,
		Result: outcomeWord(score, "x wins", "tie", "o wins"), Outcome: outcomeOf(score), Score: int8(score), Distance: int8(distance),
		Reachable: j.Reachable(key),
		Moves:     []query.Move{}, BestLine: []query.Step{},
	}
	scoreText := strings.Replace(fmt.Sprintf("%+d", score), "+0", "0", 1)
	switch {
	case distance == 0 && score == 0:
		want.Sentence = "the board is full: tie, score 0"
	case distance == 0:
		owner := outcomeWord(score, "x", "", "o")
		if j.misere {
			owner = outcomeWord(-score, "x", "", "o")
		}
		want.Sentence = fmt.Sprintf("%s has a line: %s, score %s", owner, want.Result, scoreText)
	case distance == 1:
		want.Sentence = fmt.Sprintf("%s in 1 ply, score %s", want.Result, scoreText)
	default:
		want.Sentence = fmt.Sprintf("%s in %d plies, score %s", want.Result, distance, scoreText)
	}
	if distance > 0 {
		want.Moves = j.moves(board, toMove, score)
		want.BestLine = j.bestLine(board, toMove, score, distance)
	}
	return want
}

// moves returns all legal moves, those with a better score for the side to move first.
func (j boardJudge) moves(board string, toMove byte, score int) []query.Move {
	other := otherSide(toMove)
	names, boards := j.legal(board, toMove)
	kept := 0
	for _, after := range boards {
		if childScore, _ := j.Value(j.key(after, other)); outcomeOf(childScore) == outcomeOf(score) {
			kept++
		}
	}
	mover := 1
	if toMove == 'o' {
		mover = -1
	}
	var moves []query.Move
	for i, after := range boards {
		key := j.key(after, other)
		childScore, childDistance := j.Value(key)
		m := query.Move{
			Move: names[i], ToKey: game.Key(key), ToBoard: j.rows(after),
			Outcome: outcomeOf(childScore), Score: int8(childScore), Distance: int8(childDistance),
			Best: childScore == score, Effect: "throws",
			Remark: outcomeWord(score*mover, "throws away a win", "throws away a tie", "it can't get worse"),
		}
		if outcomeOf(childScore) == outcomeOf(score) {
			m.Effect, m.Remark = "keeps", outcomeWord(score*mover, "keeps the win", "keeps the tie", "loses anyway")
			if kept == 1 {
				m.Effect, m.Remark = "only", outcomeWord(score*mover, "only winning move", "only tying move", "only legal move")
			}
		}
		if len(boards) == 1 {
			m.Remark = "only legal move"
		}
		moves = append(moves, m)
	}
	slices.SortStableFunc(moves, func(a, b query.Move) int { return mover * (int(b.Score) - int(a.Score)) })
	return moves
}

// bestLine follows the first of the best moves for as many plies as the distance says. The board
// on which it ends must have the promised score.
func (j boardJudge) bestLine(board string, toMove byte, score, distance int) []query.Step {
	var line []query.Step
	for range distance {
		first := j.moves(board, toMove, score)[0]
		line = append(line, query.Step{ToMove: string(toMove), Move: first.Move, ToKey: first.ToKey, ToBoard: first.ToBoard})
		board, toMove = strings.ReplaceAll(first.ToBoard, "/", ""), otherSide(toMove)
	}
	if endScore, left := j.Value(j.key(board, toMove)); left != 0 || endScore != score {
		panic(fmt.Sprintf("the best line ends at %s with score %d, %d plies from the end: the search contradicts itself", board, endScore, left))
	}
	return line
}

func otherSide(toMove byte) byte { return 'x' + 'o' - toMove }

func outcomeOf(score int) int8 { return int8(cmp.Compare(score, 0)) }

// TestBoardOfEveryPosition asks for every position that a file answers for, many at a time, and
// compares each report with what the search says: the moves are exactly the legal ones, each has
// the value of the position after it, the best is first, and the best line follows it to the end.
func TestBoardOfEveryPosition(t *testing.T) {
	for _, test := range []struct {
		judge boardJudge
		build []string
		asked func(j boardJudge, key int) bool
		count int
	}{
		{newBoardJudge(3, 3, 3, false, false), nil, boardJudge.possible, 38742},
		{newBoardJudge(4, 3, 3, false, false), []string{"4x3x3", "--symmetry", "canonical"}, boardJudge.reachableCanonical, 28275},
		{newBoardJudge(3, 3, 3, false, true), []string{"3x3x3-misere", "--turns", "alternate", "--symmetry", "canonical"}, boardJudge.reachable, 5478},
		{newBoardJudge(4, 3, 3, true, false), []string{"4x3x3-drop"}, boardJudge.reachable, 7157},
	} {
		t.Run(strings.Join(append([]string{"build"}, test.build...), " "), func(t *testing.T) {
			t.Parallel()
			var in strings.Builder
			var keys []int
			count := 0
			for key := range test.judge.Keys() {
				if !test.asked(test.judge, key) {
					continue
				}
				if count++; count%positionStride == 0 {
					board, toMove := test.judge.Board(key)
					fmt.Fprintf(&in, "%s %c\n", board, toMove)
					keys = append(keys, key)
				}
			}
			if count != test.count {
				t.Fatalf("%d positions to ask for, want %d", count, test.count)
			}
			got := strings.Split(strings.TrimSuffix(mustOxbase(t, in.String(), "query", "board", "-", "--json", "--db", built(t, test.build...)), "\n"), "\n")
			if len(got) != len(keys) {
				t.Fatalf("%d reports on %d positions", len(got), len(keys))
			}
			for i, key := range keys {
				want, err := json.Marshal(test.judge.report(key))
				if err != nil {
					t.Fatal(err)
				}
				if got[i] != string(want) {
					var report query.Report
					if err := json.Unmarshal([]byte(got[i]), &report); err != nil {
						t.Fatalf("%q: %v", got[i], err)
					}
					t.Fatalf("key %d (-want +got):\n%s", key, diff.Diff(test.judge.report(key), report))
				}
			}
		})
	}
}

func (j boardJudge) possible(key int) bool  { return j.Possible(key) }
func (j boardJudge) reachable(key int) bool { return j.Reachable(key) }
func (j boardJudge) reachableCanonical(key int) bool {
	return j.Reachable(key) && j.smallest(j.Board(key)) == key
}
