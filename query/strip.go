package query

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"oxbase/game"
)

// StripReport is what a person wants to know of a strip: its gaps, who wins, and how. Cells are
// numbered from 1 at the left.
type StripReport struct {
	Strip        string      `json:"strip"`         // the cells: ., O or X each
	SG           int         `json:"sg"`            // SG value of the strip: the XOR of its gaps' values
	Result       string      `json:"result"`        // who wins: "the side to move wins" or "the side to move loses"
	Gaps         []StripGap  `json:"gaps"`          // from left to right, without those of no cells
	WinningMoves []StripMove `json:"winning_moves"` // every move after which the strip's SG value is 0
}

// StripGap is a gap of a strip, with its place and value.
type StripGap struct {
	Cell   int    `json:"cell"`   // the first cell of the gap
	Length int    `json:"length"` // cells of the gap
	Left   string `json:"left"`   // what stands left of it: O, X, or . for the edge of the strip
	Right  string `json:"right"`  // what stands right of it, likewise
	SG     int    `json:"sg"`
}

// StripMove is a move on a strip.
type StripMove struct {
	Cell    int    `json:"cell"`
	Piece   string `json:"piece"`    // O or X
	ToStrip string `json:"to_strip"` // the strip after the move
}

// Strips answers questions about strips. It remembers the gaps that it has looked up, so that
// many strips take few look-ups. It is safe for concurrent use.
type Strips struct {
	tablebase *Tablebase

	mu    sync.Mutex // guards known
	known map[game.Gap]int
}

// NewStrips answers from a tablebase.
func NewStrips(t *Tablebase) *Strips {
	return &Strips{tablebase: t, known: map[game.Gap]int{}}
}

// ParseStrip reads a strip, with the pieces in either case, and returns it with capital ones.
// The error names the first cell that is neither a piece nor empty.
func ParseStrip(text string) (string, error) {
	strip := []byte(text)
	for i, c := range strip {
		switch c {
		case '.', 'O', 'X':
		case 'o', 'x':
			strip[i] = c - 'a' + 'A'
		default:
			_, size := utf8.DecodeRuneInString(text[i:])
			return "", fmt.Errorf("cell %d of the strip: %q is not a cell: want O, X, or . for an empty one", i+1, text[i:i+size])
		}
	}
	return string(strip), nil
}

// Report describes a strip as [ParseStrip] returns it. Equal pieces may already be neighbours
// there. The error is a [*MissingError] if a gap is longer than those in the tablebase, or the
// source's. Time: linear in the strip, and in the text of the winning moves.
func (s *Strips) Report(strip string) (StripReport, error) {
	r := StripReport{Strip: strip, Result: "the side to move loses", Gaps: []StripGap{}, WinningMoves: []StripMove{}}
	for start, gap := range game.Gaps(strip) {
		sg, err := s.gap(gap)
		if err != nil {
			return StripReport{}, err
		}
		r.SG ^= sg
		r.Gaps = append(r.Gaps, StripGap{start + 1, gap.Length, string(rune(gap.Left)), string(rune(gap.Right)), sg})
	}
	if r.SG == 0 {
		return r, nil
	}
	r.Result = "the side to move wins"
	for start, gap := range game.Gaps(strip) {
		if err := s.winningMoves(&r, start, gap); err != nil {
			return StripReport{}, err
		}
	}
	return r, nil
}

// winningMoves adds to a report the moves in one gap after which the SG values add up to 0.
func (s *Strips) winningMoves(r *StripReport, start int, gap game.Gap) error {
	sg, err := s.gap(gap)
	if err != nil {
		return err
	}
	others := r.SG ^ sg
	for at := range gap.Length {
		for _, piece := range []game.End{game.EndO, game.EndX} {
			if at == 0 && gap.Left == piece || at == gap.Length-1 && gap.Right == piece {
				continue
			}
			left, err := s.gap(game.Gap{Length: at, Left: gap.Left, Right: piece})
			if err != nil {
				return err
			}
			right, err := s.gap(game.Gap{Length: gap.Length - at - 1, Left: piece, Right: gap.Right})
			if err != nil {
				return err
			}
			if left^right == others {
				cell, text := start+at, string(rune(piece))
				r.WinningMoves = append(r.WinningMoves, StripMove{cell + 1, text, r.Strip[:cell] + text + r.Strip[cell+1:]})
			}
		}
	}
	return nil
}

// gap returns the SG value of a gap.
func (s *Strips) gap(gap game.Gap) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sg, ok := s.known[gap]; ok {
		return sg, nil
	}
	sg, err := s.tablebase.Gap(gap)
	if err == nil {
		s.known[gap] = sg
	}
	return sg, err
}
