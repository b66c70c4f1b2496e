package judge

import (
	"strconv"

	"oxbase/game"
)

// csp is the problem that asks for the score. Alice is x and Bob is o.
func csp() Format {
	spec := ticTacToe()
	n := newNotation('1', '2', '0', "0, 1 or 2")
	domain := boardDomain{
		notation: n,
		legal:    func(p game.Position) bool { return p.ToMove == game.X },
	}
	return Format{
		Name:    "csp-201803-4",
		Alias:   "csp",
		Title:   "棋局评估",
		Judge:   "CCF CSP",
		Summary: "the score of a board with Alice to move",
		Example: "1\n1 2 1\n2 1 2\n0 0 0\n",
		Game:    &spec,
		Turns:   game.Alternate,
		Samples: []string{"3\n1 2 1\n2 1 2\n0 0 0\n2 1 1\n0 2 1\n0 0 2\n0 0 0\n0 0 0\n0 0 0\n"},
		Most:    5,
		Legend:  "x is 1, Alice; o is 2, Bob",
		layout:  cspProblem(n),
		domain:  domain,
		traps:   append(domain.traps(), domain.delay(), domain.hurry()),
	}
}

func cspProblem(n *notation) problem[game.Board] {
	return problem[game.Board]{
		read: func(r *reader, b *game.Board) (err error) {
			*b, err = n.rows(r, true)
			return err
		},
		answer: func(dst []byte, _ int, b *game.Board, t Tablebase) ([]byte, error) {
			v, toMove, err := n.reached(t, *b)
			if err != nil {
				return nil, err
			}
			// A finished board has its score whoever moved last.
			if finished := v.Distance == 0; toMove == game.O && !finished {
				return nil, wrongCase("board %q: 2 is to move: want a board with 1 to move, or a finished one", n.text(*b))
			}
			return append(strconv.AppendInt(dst, int64(v.Score), 10), '\n'), nil
		},
		asked: onBoard,
		write: func(dst []byte, c Case) []byte { return n.appendRows(dst, c.Position.Board, " ") },
	}
}
