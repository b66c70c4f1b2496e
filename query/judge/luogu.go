package judge

import (
	"strconv"

	"oxbase/game"
)

// luogu is the problem with one board. xiaoa, who writes O, moves first and so is x; uim, who
// writes X, is o.
func luogu() Format {
	spec := ticTacToe()
	return Format{
		Name:    "luogu-p1917",
		Alias:   "luogu",
		Title:   "三子棋II",
		Judge:   "Luogu",
		Summary: "who wins from one board that play, O first, has led to, and its number of pieces",
		Example: "---\n-O-\n-XO\n",
		Game:    &spec,
		Turns:   game.Alternate,
		run:     luoguProblem().run,
	}
}

func luoguProblem() problem[game.Board] {
	n := newNotation('O', 'X', '-', "O, X or -")
	n.marks['.'], n.marks['_'] = markEmpty, markEmpty
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
	}
}
