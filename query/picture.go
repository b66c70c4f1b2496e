package query

import (
	"fmt"
	"strings"

	"oxbase/game"
)

// Picture draws a board with the numbers of its rows and the letters of its columns, so that the
// names of the cells can be read off. Stones are X and O, and nothing else in the picture is a
// capital letter. Each line ends with a newline; none is longer than 80 characters.
//
//	3  X . O
//	2  . X .
//	1  . . .
//	   a b c
//
// Names of columns after the 26th have two letters, which stand one above the other.
func Picture(g *game.Game, b game.Board) string {
	var picture strings.Builder
	margin := len(fmt.Sprint(g.Height))
	for row := range g.Height {
		fmt.Fprintf(&picture, "%*d ", margin, g.Height-row)
		for column := range g.Width {
			picture.WriteByte(' ')
			switch bit := uint64(1) << g.Cell(column, row); {
			case b.X&bit != 0:
				picture.WriteByte('X')
			case b.O&bit != 0:
				picture.WriteByte('O')
			default:
				picture.WriteByte('.')
			}
		}
		picture.WriteByte('\n')
	}
	for line := range columnName(g, g.Width-1) {
		var letters strings.Builder
		fmt.Fprintf(&letters, "%*s ", margin, "")
		for column := range g.Width {
			letter := byte(' ')
			if name := columnName(g, column); line < len(name) {
				letter = name[line]
			}
			letters.Write([]byte{' ', letter})
		}
		picture.WriteString(strings.TrimRight(letters.String(), " "))
		picture.WriteByte('\n')
	}
	return picture.String()
}

// columnName returns the letters with which the names of a column's cells begin.
func columnName(g *game.Game, column int) string {
	return strings.TrimRight(g.CellName(column), "0123456789")
}
