package export

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"oxbase/game"
	"oxbase/query"
)

// UCIGame is the game whose finished boards the UCI Tic-Tac-Toe Endgame data set lists.
func UCIGame() game.Spec { return game.Spec{Width: 3, Height: 3, InRow: 3} }

// UCI writes the UCI Tic-Tac-Toe Endgame data set: a line for each board on which a game that x
// began can have ended. It has the nine cells from the top left to the bottom right, x, o or b
// for blank, and positive if x has a line, else negative. The order is that of the published
// file: boards with a line of x, then those with a line of o, then ties, each in the order of
// their cells, where x comes before o and o before b. The tablebase must be of [UCIGame] and may
// store all positions or one of each symmetry class.
func UCI(out io.Writer, g *game.Game, rows *query.Loaded) error {
	byOutcome := map[int8]map[game.Board]bool{1: {}, 0: {}, -1: {}}
	for i := range rows.Len() {
		row := rows.At(i)
		if !row.Reachable || row.Distance != 0 {
			continue
		}
		p, err := g.Position(row.Key)
		if err != nil {
			return err
		}
		for s := range g.Symmetries() {
			byOutcome[row.Outcome][g.Image(s, p.Board)] = true
		}
	}
	w := bufio.NewWriter(out)
	for _, outcome := range []int8{1, -1, 0} {
		class := "negative"
		if outcome == 1 {
			class = "positive"
		}
		var lines [][]byte
		for board := range byOutcome[outcome] {
			lines = append(lines, uciCells(g, board))
		}
		slices.SortFunc(lines, func(a, b []byte) int { return bytes.Compare(b, a) }) // x, o, b: against the alphabet
		for _, cells := range lines {
			w.Write(bytes.Join(slices.Collect(slices.Chunk(cells, 1)), []byte(",")))
			w.WriteString("," + class + "\n")
		}
	}
	return w.Flush()
}

// uciCells returns the cells in reading order, one letter each.
func uciCells(g *game.Game, b game.Board) []byte {
	cells := bytes.Repeat([]byte("b"), g.Cells())
	for cell := range cells {
		switch {
		case b.X>>cell&1 != 0:
			cells[cell] = 'x'
		case b.O>>cell&1 != 0:
			cells[cell] = 'o'
		}
	}
	return cells
}
