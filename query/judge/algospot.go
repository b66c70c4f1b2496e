package judge

import "oxbase/game"

// algospot is the problem whose counts say whose turn it is.
func algospot() Format {
	spec := ticTacToe()
	return Format{
		Name:    "algospot-tictactoe",
		Alias:   "algospot",
		Title:   "TICTACTOE",
		Judge:   "algospot",
		Summary: "who wins from a board that play, x first, has led to",
		Example: "1\nxx.\noo.\n...\n",
		Game:    &spec,
		Turns:   game.Alternate,
		run:     algospotProblem().run,
	}
}

func algospotProblem() problem[game.Board] {
	n := newNotation('x', 'o', '.', "o, x or .")
	return problem[game.Board]{
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
				return append(dst, "x\n"...), nil
			case -1:
				return append(dst, "o\n"...), nil
			}
			return append(dst, "TIE\n"...), nil
		},
	}
}
