package judge

import "oxbase/game"

// algospot is the problem whose counts say whose turn it is.
func algospot() Format {
	spec := ticTacToe()
	n := newNotation('x', 'o', '.', "o, x or .")
	domain := boardDomain{notation: n}
	return Format{
		Name:    "algospot-tictactoe",
		Alias:   "algospot",
		Title:   "TICTACTOE",
		Judge:   "algospot",
		Summary: "who wins from a board that play, x first, has led to",
		Example: "1\nxx.\noo.\n...\n",
		Game:    &spec,
		Turns:   game.Alternate,
		Samples: []string{"3\n...\n...\n...\nxx.\noo.\n...\nxox\noo.\nx.x\n"},
		Most:    50,
		layout:  algospotProblem(n),
		domain:  domain,
		traps:   append(domain.traps(), domain.counted()),
	}
}

func algospotProblem(n *notation) problem[game.Board] {
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
		asked: onBoard,
		write: func(dst []byte, c Case) []byte { return n.appendRows(dst, c.Position.Board, "") },
	}
}
