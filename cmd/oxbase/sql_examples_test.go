package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game/gametest"
)

// answers works out what the examples have to print, by plain search on boards as texts.
type answers struct {
	normal, misere *gametest.Search
}

// positions returns the keys of the positions that can arise.
func (a answers) positions() []int {
	var keys []int
	for key := range a.normal.Keys() {
		if a.normal.Reachable(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (a answers) score(key int) int {
	score, _ := a.normal.Value(key)
	return score
}

// over reports whether the game is over.
func (a answers) over(key int) bool {
	_, distance := a.normal.Value(key)
	return distance == 0
}

func sign(n int) int { return min(1, max(-1, n)) }

func resultOf(score int) string { return []string{"o wins", "tie", "x wins"}[sign(score)+1] }

// keyOf returns the key of a board without separators.
func keyOf(board string, toMove byte) int {
	key := 0
	for _, c := range board {
		key = 3*key + strings.IndexRune(".xo", c)
	}
	return 2*key + strings.IndexByte("xo", toMove)
}

func withSlashes(board string) string { return board[:3] + "/" + board[3:6] + "/" + board[6:] }

// leadsTo returns the keys that the moves lead to, by the names of their cells.
func (a answers) leadsTo(key int) map[string]int {
	next := map[string]int{}
	if a.over(key) {
		return next
	}
	board, side := a.normal.Board(key)
	for cell, c := range []byte(board) {
		if c == '.' {
			after := board[:cell] + string(side) + board[cell+1:]
			next[fmt.Sprintf("%c%d", 'a'+cell%3, 3-cell/3)] = keyOf(after, 'x'+'o'-side)
		}
	}
	return next
}

// best returns the best score that the side to move reaches.
func (a answers) best(key int) int {
	var scores []int
	for _, next := range a.leadsTo(key) {
		scores = append(scores, a.score(next))
	}
	if key%2 == 0 {
		return slices.Max(scores)
	}
	return slices.Min(scores)
}

// smallest returns the smallest key among the eight turned and mirrored boards.
func (a answers) smallest(key int) int {
	board, side := a.normal.Board(key)
	least := key
	for range 2 {
		for range 4 {
			turned := make([]byte, 9)
			for cell := range turned {
				turned[cell] = board[3*(2-cell%3)+cell/3]
			}
			board = string(turned)
			least = min(least, keyOf(board, side))
		}
		mirrored := []byte(board)
		for row := range 3 {
			slices.Reverse(mirrored[3*row : 3*row+3])
		}
		board = string(mirrored)
	}
	return least
}

// tally returns rows of a text and a number, in the order of the text.
func tally[K string | int](counts map[K]int) [][]string {
	var rows [][]string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		rows = append(rows, []string{fmt.Sprint(key), fmt.Sprint(counts[key])})
	}
	return rows
}

func (a answers) results() [][]string {
	counts := map[string]int{}
	for _, key := range a.positions() {
		counts[resultOf(a.score(key))]++
	}
	rows := tally(counts)
	slices.SortFunc(rows, func(a, b []string) int { return counts[b[0]] - counts[a[0]] })
	return rows
}

func (a answers) byStones() [][]string {
	var count, over [10]int
	for _, key := range a.positions() {
		board, _ := a.normal.Board(key)
		stones := 9 - strings.Count(board, ".")
		count[stones]++
		if a.over(key) {
			over[stones]++
		}
	}
	var rows [][]string
	for stones := range count {
		rows = append(rows, []string{fmt.Sprint(stones), fmt.Sprint(count[stones]), fmt.Sprint(over[stones])})
	}
	return rows
}

func (a answers) classes() [][]string {
	seen := map[int]bool{}
	for _, key := range a.positions() {
		seen[a.smallest(key)] = true
	}
	return [][]string{{fmt.Sprint(len(seen))}}
}

func (a answers) moves() [][]string {
	key := keyOf("xo.......", 'x')
	next := a.leadsTo(key)
	names := slices.Sorted(maps.Keys(next))
	slices.SortStableFunc(names, func(m, n string) int { return a.score(next[n]) - a.score(next[m]) })
	var rows [][]string
	for _, name := range names {
		score, distance := a.normal.Value(next[name])
		best := "0"
		if score == a.best(key) {
			best = "1"
		}
		rows = append(rows, []string{name, fmt.Sprint(sign(score)), fmt.Sprint(score), fmt.Sprint(distance), best})
	}
	return rows
}

func (a answers) line() [][]string {
	var rows [][]string
	key := keyOf("xo.......", 'x')
	for ply := 0; ; ply++ {
		board, _ := a.normal.Board(key)
		picture := ""
		for row := range 3 {
			cells := strings.Split(strings.ToUpper(board[3*row:3*row+3]), "")
			picture += fmt.Sprintf("%d  %s\n", 3-row, strings.Join(cells, " "))
		}
		rows = append(rows, []string{fmt.Sprint(ply), picture + "   a b c"})
		if a.over(key) {
			return rows
		}
		var best []int
		for _, next := range a.leadsTo(key) {
			if a.score(next) == a.best(key) {
				best = append(best, next)
			}
		}
		key = slices.Min(best)
	}
}

func (a answers) replies() [][]string {
	var rows [][]string
	first := a.leadsTo(keyOf(".........", 'x'))
	for _, x := range slices.Sorted(maps.Keys(first)) {
		var good []string
		replies := a.leadsTo(first[x])
		for _, o := range slices.Sorted(maps.Keys(replies)) {
			if a.score(replies[o]) == 0 {
				good = append(good, o)
			}
		}
		rows = append(rows, []string{x, strings.Join(good, " ")})
	}
	return rows
}

func (a answers) onlyMoves() [][]string {
	count := 0
	for _, key := range a.positions() {
		keep := 0
		for _, next := range a.leadsTo(key) {
			if sign(a.score(next)) == sign(a.score(key)) {
				keep++
			}
		}
		if keep == 1 && len(a.leadsTo(key)) > 1 {
			count++
		}
	}
	return [][]string{{fmt.Sprint(count)}}
}

func (a answers) winsAtOnce() [][]string {
	counts := map[int]int{}
	for _, key := range a.positions() {
		ways := 0
		for _, next := range a.leadsTo(key) {
			if a.over(next) && a.score(next) != 0 {
				ways++
			}
		}
		if ways > 0 {
			counts[ways]++
		}
	}
	return tally(counts)
}

func (a answers) longest() [][]string {
	longest := 0
	for _, key := range a.positions() {
		if score, distance := a.normal.Value(key); score != 0 {
			longest = max(longest, distance)
		}
	}
	var rows [][]string
	for _, key := range a.positions() {
		score, distance := a.normal.Value(key)
		if score != 0 && distance == longest && key == a.smallest(key) {
			board, side := a.normal.Board(key)
			rows = append(rows, []string{withSlashes(board), string(side), resultOf(score), fmt.Sprint(distance)})
		}
	}
	return rows
}

func (a answers) passes() [][]string {
	count := 0
	for key := 0; key < a.normal.Keys(); key += 2 {
		if a.normal.Possible(key) && a.score(key) < a.score(key+1) {
			count++
		}
	}
	return [][]string{{fmt.Sprint(count)}}
}

func (a answers) fullBoards() [][]string {
	counts := map[string]int{}
	for _, key := range a.positions() {
		if board, _ := a.normal.Board(key); !strings.Contains(board, ".") {
			counts[resultOf(a.score(key))]++
		}
	}
	return tally(counts)
}

// moverWins plays the strip game: put O or X on a free cell, never beside an equal piece.
func moverWins(strip string) bool {
	for cell := range len(strip) {
		if strip[cell] != '.' {
			continue
		}
		for _, piece := range "OX" {
			after := strip[:cell] + string(piece) + strip[cell+1:]
			beside := cell > 0 && after[cell-1] == after[cell] || cell+1 < len(after) && after[cell+1] == after[cell]
			if !beside && !moverWins(after) {
				return true
			}
		}
	}
	return false
}

func (a answers) strip() [][]string {
	return [][]string{{choose(moverWins("..X...O."), "who moves wins", "who moves loses")}}
}

func (a answers) lostInMisere() [][]string {
	var rows [][]string
	for _, key := range a.positions() {
		score, distance := a.misere.Value(key)
		lost := key%2 == 0 && score < 0 || key%2 == 1 && score > 0
		if a.misere.Reachable(key) && !a.over(key) && a.score(key) == 0 && lost && key == a.smallest(key) {
			board, side := a.normal.Board(key)
			rows = append(rows, []string{fmt.Sprint(key), withSlashes(board), string(side), fmt.Sprint(distance)})
		}
	}
	return rows
}

// TestExamples runs each example as it stands and holds its answer against the search.
func TestExamples(t *testing.T) {
	plainOnly(t)
	a := answers{gametest.New(3, 3, 3, false, false), gametest.New(3, 3, 3, false, true)}
	want := [][][]string{
		a.results(), a.byStones(), a.classes(), a.moves(), a.line(), a.replies(), a.onlyMoves(), a.winsAtOnce(), a.longest(),
		a.passes(), a.fullBoards(), a.strip(), a.lostInMisere(),
	}
	examples := sqlExamples()
	if len(examples) != len(want) {
		t.Fatalf("there are %d examples and %d answers", len(examples), len(want))
	}
	for i, e := range examples {
		t.Run(e.question, func(t *testing.T) {
			args := []string{"sql", "--db", built(t, "3x3x3"), "--csv", e.sql}
			if name, file, ok := strings.Cut(e.attach, "="); ok {
				args = append(args, "--attach", name+"="+built(t, strings.TrimSuffix(file, ".db")))
			}
			records, err := csv.NewReader(strings.NewReader(mustOxbase(t, "", args...))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if len(want[i]) == 0 {
				t.Error("there is nothing to compare")
			}
			if diff := cmp.Diff(want[i], records[1:]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", e.sql, diff)
			}
		})
	}
	t.Run("by number", func(t *testing.T) {
		e := examples[3]
		shown := mustOxbase(t, "", "sql", "--db", built(t, "3x3x3"), ".example 4")
		plain := mustOxbase(t, "", "sql", "--db", built(t, "3x3x3"), e.sql)
		if want := "-- " + e.question + "\n" + e.sql + ";\n\n" + plain; shown != want {
			t.Errorf("(-want +got):\n%s", cmp.Diff(want, shown))
		}
	})
}
