package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"oxbase/game"
	"oxbase/query"
)

// textWidth is how many columns text for people takes at most.
const textWidth = 80

// boardText prints reports on positions for people, in at most [textWidth] columns.
type boardText struct {
	game   *game.Game
	out    io.Writer
	colour bool
}

// print prints a report.
func (b *boardText) print(r query.Report) error {
	if err := b.picture(r.Board); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "\n%s%s.\n", choose(r.Terminal, "", r.ToMove+" to move: "), r.Sentence)
	if !r.Reachable {
		fmt.Fprintln(b.out, "This can't arise in play from the empty board, x first.")
	}
	if r.Terminal {
		return nil
	}
	fmt.Fprintln(b.out)
	b.moves(r)
	fmt.Fprintln(b.out)
	b.bestLine(r)
	fmt.Fprintln(b.out)
	return b.picture(r.Final())
}

// picture draws a board from its text.
func (b *boardText) picture(text string) error {
	board, err := b.game.ParseBoard(text)
	if err != nil {
		return err
	}
	picture := query.Picture(b.game, board)
	if b.colour {
		picture = strings.NewReplacer("X", "\x1b[1;36mX\x1b[m", "O", "\x1b[1;33mO\x1b[m").Replace(picture)
	}
	_, err = io.WriteString(b.out, picture)
	return err
}

// moves prints a table of all moves. The board to which a move leads has a line of its own where
// it would make the table too wide.
func (b *boardText) moves(r query.Report) {
	const columns = "%-4s  %-6s  %5s  %8s"
	const rest = 29 + 2 + 17 // these, and the longest remark
	ownLine := rest+2+len(r.Board) > textWidth
	heading := fmt.Sprintf(columns, "move", "result", "score", "distance")
	if ownLine {
		fmt.Fprintf(b.out, "%s\n      leads to\n", heading)
	} else {
		fmt.Fprintf(b.out, "%s  leads to\n", heading)
	}
	for _, m := range r.Moves {
		row := fmt.Sprintf(columns, m.Move, query.Result(m.Outcome), query.SignedScore(m.Score), fmt.Sprint(m.Distance))
		if ownLine {
			fmt.Fprintf(b.out, "%s  %s\n  %s\n", row, m.Remark, m.ToBoard)
		} else {
			fmt.Fprintf(b.out, "%s  %s  %s\n", row, m.ToBoard, m.Remark)
		}
	}
}

// bestLine prints the moves of the best line, each with the side that plays it.
func (b *boardText) bestLine(r query.Report) {
	const title = "best line:"
	line := title
	for i, step := range r.BestLine {
		move := step.ToMove + " " + step.Move
		if i < len(r.BestLine)-1 {
			move += ","
		}
		if len(line)+1+len(move) > textWidth {
			fmt.Fprintln(b.out, line)
			line = strings.Repeat(" ", len(title))
		}
		line += " " + move
	}
	fmt.Fprintln(b.out, line)
}

// inColour reports whether an output shows colours: it is a terminal, and NO_COLOR isn't set.
func inColour(out io.Writer) bool { return isTerminal(out) && os.Getenv("NO_COLOR") == "" }
