package judge

import (
	"strconv"

	"oxbase/game"
)

// luogu is the problem with one board. xiaoa, who writes O, moves first and so is x; uim, who
// writes X, is o.
func luogu() Format {
	spec := ticTacToe()
	n := newNotation('O', 'X', '-', "O, X or -")
	n.marks['.'], n.marks['_'] = markEmpty, markEmpty
	centre := n.Cell(1, 1)
	domain := boardDomain{
		notation: n,
		given: func(p game.Position) bool {
			return p.Stones() <= 3 && p.X>>centre&1 == 1
		},
	}
	return Format{
		Name:    "luogu-p1917",
		Alias:   "luogu",
		Title:   "三子棋II",
		Judge:   "Luogu",
		Summary: "who wins from one board that play, O first, has led to, and its number of pieces",
		Example: "---\n-O-\n-XO\n",
		Game:    &spec,
		Turns:   game.Alternate,
		Samples: []string{"---\n-O-\n---\n", "---\n-O-\n-XO\n"},
		Most:    1,
		Legend:  "x is O, xiaoa; o is X, uim",
		layout:  luoguProblem(n),
		domain:  domain,
		traps:   append(domain.traps(), domain.counted()),
	}
}

func luoguProblem(n *notation) problem[game.Board] {
	return problem[game.Board]{
		single: true,
		read: func(r *reader, b *game.Board) (err error) {
			*b, err = n.rows(r, false)
			return err
		},
		answer: func(dst []byte, _ int, b *game.Board, t Tablebase) ([]byte, error) {
			v, _, err := n.reached(t, *b)
			if err != nil {
				return nil, err
			}
			switch v.Outcome {
			case 1:
				dst = append(dst, "xiaoa will win.\n"...)
			case -1:
				dst = append(dst, "uim will win.\n"...)
			default:
				dst = append(dst, "Dont know.\n"...)
			}
			return append(strconv.AppendInt(dst, int64(b.Stones()), 10), '\n'), nil
		},
		asked: onBoard,
		write: func(dst []byte, c Case) []byte { return n.appendRows(dst, c.Position.Board, "") },
	}
}
