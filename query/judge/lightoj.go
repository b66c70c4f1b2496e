package judge

import (
	"bytes"
	"errors"
	"strconv"

	"oxbase/game"
	"oxbase/query"
)

// maxStrip is the longest strip that is held in memory, in cells. A table takes time that
// grows with the square of its length, so there is none for longer ones.
const maxStrip = 1 << 20

// longestGiven is how long the strips are that the judge gives.
const longestGiven = 100

// lightoj is the problem of the strips.
func lightoj() Format {
	return Format{
		Name:    "lightoj-1401",
		Alias:   "lightoj",
		Title:   "No More Tic-tac-toe",
		Judge:   "LightOJ",
		Summary: "whether the player, who moved first, wins a strip",
		Example: "2\n..X..\nO.O\n",
		Samples: []string{"5\n...\nX..\n....O\n..X..\nO\n"},
		Most:    10_000,
		Legend:  "the player is to move if the number of pieces is even, else the computer",
		layout:  lightojProblem(),
		domain:  stripDomain{},
		traps:   stripDomain{}.traps(longestGiven),
	}
}

func lightojProblem() problem[[]byte] {
	var unknown [256]byte
	for c := range unknown {
		unknown[c] = 1
	}
	for _, end := range game.Ends() {
		unknown[end] = 0
	}
	return problem[[]byte]{
		read:   func(r *reader, strip *[]byte) error { return readStrip(r, &unknown, strip) },
		answer: answerStrip,
		asked:  func(strip *[]byte) Case { return Case{Strip: string(*strip)} },
		write:  func(dst []byte, c Case) []byte { return append(append(dst, c.Strip...), '\n') },
	}
}

// readStrip reads a strip, which stands on a line of its own. unknown is 1 for each character that
// isn't a cell and 0 for the others.
func readStrip(r *reader, unknown *[256]byte, strip *[]byte) error {
	cells := (*strip)[:0]
	// Mostly the strip is the rest of the line, and in the buffer.
	if size := bytes.IndexByte(r.buf[r.next:r.stop], '\n'); size >= 0 {
		var wrong byte
		for _, c := range r.buf[r.next : r.next+size] {
			wrong |= unknown[c] // without a branch that could be guessed wrong
		}
		if wrong == 0 {
			*strip = append(cells, r.buf[r.next:r.next+size]...)
			r.next += size
			return nil
		}
	}
	for more := true; more && r.have(1); {
		chunk := r.buf[r.next:r.stop]
		n := 0
		for n < len(chunk) && unknown[chunk[n]] == 0 {
			n++
		}
		cells = append(cells, chunk[:n]...)
		r.next += n
		more = n == len(chunk) && len(cells) <= maxStrip
	}
	*strip = cells
	if len(cells) > maxStrip {
		return r.wrong("the strip has more than %d cells", maxStrip)
	}
	if !isWhite(r.peek()) {
		return r.wrong("%q is not a cell: want O, X or .", r.char())
	}
	return r.lineEnd("the strip")
}

// answerStrip adds up a strip's gaps: the side to move wins unless their sum is 0. It is the
// player's turn when the number of pieces is even.
func answerStrip(dst []byte, number int, strip *[]byte, t Tablebase) ([]byte, error) {
	sum, err := t.Strip(*strip)
	if errors.Is(err, query.ErrMissing) {
		return nil, wrongCase("the strip has %d cells: the tablebase has shorter ones only", len(*strip))
	}
	if err != nil {
		return nil, err
	}
	moverWins, playersTurn := sum != 0, pieces(*strip)%2 == 0

	dst = append(dst, "Case "...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	if moverWins == playersTurn {
		return append(dst, ": Yes\n"...), nil
	}
	return append(dst, ": No\n"...), nil
}
