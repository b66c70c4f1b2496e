package judge

import (
	"encoding/binary"

	"oxbase/game"
)

// hrbust is the problem whose boards come with the side to move, whatever the counts say.
func hrbust() Format {
	spec := ticTacToe()
	n := newNotation('x', 'o', '.', "o, x or .")
	domain := boardDomain{notation: n, anyTurns: true}
	return Format{
		Name:    "hrbust-2320",
		Alias:   "hrbust",
		Title:   "OX",
		Judge:   "Harbin University of Science and Technology",
		Summary: "who wins from a board with the given side to move",
		Example: "1\n. . .\n. . .\n. o x\nx\n",
		Game:    &spec,
		Turns:   game.AnyTurns,
		Samples: []string{"6\n" +
			". . .\n. . .\n. . .\nx\n" +
			". . .\n. . .\n. o x\nx\n" +
			". . .\n. . .\n. o x\no\n" +
			"x x .\no o .\n. . .\no\n" +
			"o o o\nx x .\n. . x\no\n" +
			"x o x\nx o o\no x x\nx\n"},
		Most:   100, // the judge doesn't say
		layout: hrbustProblem(n),
		domain: domain,
		traps:  append(domain.traps(), domain.otherMover()),
	}
}

func hrbustProblem(n *notation) problem[game.Position] {
	words := [3]string{"o win!\n", "tie!\n", "x win!\n"}
	return problem[game.Position]{
		read: func(r *reader, p *game.Position) error { return readPosition(r, n, p) },
		answer: func(dst []byte, _ int, p *game.Position, t Tablebase) ([]byte, error) {
			v, err := n.value(t, *p)
			if err != nil {
				return nil, err
			}
			return append(dst, words[1+v.Outcome]...), nil
		},
		asked: func(p *game.Position) Case { return Case{Position: *p} },
		write: func(dst []byte, c Case) []byte {
			dst = n.appendRows(dst, c.Position.Board, " ")
			return append(append(dst, c.Position.ToMove.String()...), '\n')
		},
	}
}

// readPosition reads a position, mostly the way the judge writes it.
func readPosition(r *reader, n *notation, p *game.Position) error {
	if readUsual(r, n, p) {
		return nil
	}
	return readAnyhow(r, n, p)
}

// readUsual reads a position that is written with a blank between the cells and a row a line, and
// takes nothing of any other, nor of one near the end of the buffer. No branch depends on what
// stands in the cells, since any guess at the next one would often be wrong.
func readUsual(r *reader, n *notation, p *game.Position) bool {
	const (
		size    = 3*6 + 2
		allRows = 1<<9 - 1
		between = 0xff_00_ff_00_ff_00 // the bytes of a row that are no cells
		blanks  = '\n'<<40 | ' '<<24 | ' '<<8
	)
	if r.stop-r.next < size {
		return false
	}
	text := (*[size]byte)(r.buf[r.next:])
	var marks, wrong uint64
	for row := range 3 {
		cells := binary.LittleEndian.Uint64(text[6*row:])
		wrong |= cells&between ^ blanks
		marks |= (n.marks[byte(cells)] | n.marks[byte(cells>>16)]<<1 | n.marks[byte(cells>>32)]<<2) << (3 * row)
	}
	side := n.marks[text[18]]
	if wrong != 0 || marks>>shiftAll != allRows || side == 0 || side == markEmpty || text[19] != '\n' {
		return false
	}
	p.X, p.O, p.ToMove = marks&allRows, marks>>shiftO&allRows, game.X
	if side == markO {
		p.ToMove = game.O
	}
	r.next += size - 1
	r.line += 3
	return true
}

// readAnyhow reads the next nine cells, with or without white space between them and over
// any number of lines, and the side to move, which is a word of its own: a row with a cell too
// many doesn't pass for it.
func readAnyhow(r *reader, n *notation, p *game.Position) error {
	p.Board = game.Board{}
	for cell := range n.Cells() {
		c := r.skipWhite()
		if c == end {
			return r.wrong("the input ends after %d cells: want %d and the side to move", cell, n.Cells())
		}
		if !n.put(&p.Board, cell, byte(c)) {
			return n.notCell(r, r.char())
		}
		r.next++
	}
	if !isWhite(r.peek()) {
		return r.wrong("%q after %d cells: want white space and the side to move", r.char(), n.Cells())
	}
	switch r.skipWhite() {
	case 'x':
		p.ToMove = game.X
	case 'o':
		p.ToMove = game.O
	case end:
		return r.wrong("the input ends after the cells: want the side to move")
	default:
		return r.wrong("%q is not a side: want o or x", r.char())
	}
	r.next++
	if !isWhite(r.peek()) {
		return r.wrong("%q is not a side: want o or x", p.ToMove.String()+r.word())
	}
	return nil
}
