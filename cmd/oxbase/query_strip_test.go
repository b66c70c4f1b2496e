package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/query"
)

// stripPlay plays strips out whole, without cutting them into gaps, and remembers their SG values.
type stripPlay map[string]int

// moves returns all legal moves on a strip, by cell and then O before X.
func (p stripPlay) moves(strip string) []query.StripMove {
	moves := []query.StripMove{}
	for i := range strip {
		for _, piece := range []string{"O", "X"} {
			if strip[i] == '.' && !strings.HasSuffix(strip[:i], piece) && !strings.HasPrefix(strip[i+1:], piece) {
				moves = append(moves, query.StripMove{Cell: i + 1, Piece: piece, ToStrip: strip[:i] + piece + strip[i+1:]})
			}
		}
	}
	return moves
}

// sg returns the smallest number that no strip after a move has.
func (p stripPlay) sg(strip string) int {
	if sg, known := p[strip]; known {
		return sg
	}
	taken := map[int]bool{}
	for _, m := range p.moves(strip) {
		taken[p.sg(m.ToStrip)] = true
	}
	sg := 0
	for taken[sg] {
		sg++
	}
	p[strip] = sg
	return sg
}

// report returns what must be said of a strip.
func (p stripPlay) report(strip string) query.StripReport {
	r := query.StripReport{
		Strip: strip, SG: p.sg(strip), Result: "the side to move loses",
		Gaps: []query.StripGap{}, WinningMoves: []query.StripMove{},
	}
	if r.SG != 0 {
		r.Result = "the side to move wins"
	}
	for _, m := range p.moves(strip) {
		if p.sg(m.ToStrip) == 0 {
			r.WinningMoves = append(r.WinningMoves, m)
		}
	}
	for from := 0; from < len(strip); from++ {
		length := len(strip[from:]) - len(strings.TrimLeft(strip[from:], "."))
		if length == 0 {
			continue
		}
		// The ends decide what may be played, so the gap alone with them has its value.
		left, right := strip[max(0, from-1):from], strip[from+length:min(len(strip), from+length+1)]
		gap := query.StripGap{Cell: from + 1, Length: length, Left: left, Right: right, SG: p.sg(left + strip[from:from+length] + right)}
		if left == "" {
			gap.Left = "."
		}
		if right == "" {
			gap.Right = "."
		}
		r.Gaps = append(r.Gaps, gap)
		from += length
	}
	return r
}

// TestStripOfEveryStrip asks for all strips of up to 8 cells, legal or not, and expects the gaps,
// the SG values and exactly the winning moves that playing the whole strips out gives.
func TestStripOfEveryStrip(t *testing.T) {
	plainOnly(t)
	play := stripPlay{}
	var in, want strings.Builder
	strips := []string{""}
	for range 8 {
		var longer []string
		for _, strip := range strips {
			longer = append(longer, strip+".", strip+"O", strip+"X")
		}
		strips = longer
		for _, strip := range strips {
			fmt.Fprintln(&in, strip)
			report, err := json.Marshal(play.report(strip))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&want, "%s\n", report)
		}
	}
	got := mustOxbase(t, in.String(), "query", "strip", "-", "--json", "--db", built(t))
	if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStripText(t *testing.T) {
	for _, test := range []struct{ name, stdin, strip string }{
		{"winning", "", "..x....o."},
		{"losing", "", "O..X.x"},
		{"empty", "", ""},
		{"full", "", "OXO"},
		{"longest", "", strings.Repeat(".", 50) + "X" + strings.Repeat(".", 8)},
		{"many", "\ufeffO.O\r\n\r\n  .\n", "-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := mustOxbase(t, test.stdin, "query", "strip", test.strip, "--db", built(t))
			golden(t, "query_strip/"+test.name+".txt", got)
			fitsTerminal(t, got)
		})
	}
}

func TestStripErrors(t *testing.T) {
	db := built(t, "2x2x2", "--strip-length", "4")
	for _, test := range []struct {
		name  string
		stdin string
		args  []string
		want  result
	}{
		{"unknown cell", "", []string{"..ä"},
			result{"", "oxbase: cell 3 of the strip: \"ä\" is not a cell: want O, X, or . for an empty one\n", exitInput}},
		{"after a good line", "O\n\n.-.\n..\n", []string{"-", "--json"},
			result{`{"strip":"O","sg":0,"result":"the side to move loses","gaps":[],"winning_moves":[]}` + "\n",
				"oxbase: line 3: cell 2 of the strip: \"-\" is not a cell: want O, X, or . for an empty one\n", exitInput}},
		{"longest gap", "", []string{"....O....", "--json"},
			result{`{"strip":"....O....","sg":0,"result":"the side to move loses","gaps":[{"cell":1,"length":4,"left":".","right":"O","sg":4},` +
				`{"cell":6,"length":4,"left":"O","right":".","sg":4}],"winning_moves":[]}` + "\n", "", exitDone}},
		{"longer than the table", "", []string{".....o"},
			result{"", "oxbase: a gap of 5 between the edge and O isn't in the tablebase: it is longer than the table of strips: " +
				db + " has gaps of up to 4 cells, build it anew with a greater --strip-length\n", exitMissing}},
		{"no strip", "", nil,
			result{"", "oxbase: accepts 1 arg(s), received 0 (see \"oxbase query strip --help\")\n", exitInput}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := oxbase(t, test.stdin, append([]string{"query", "strip", "--db", db}, test.args...)...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
