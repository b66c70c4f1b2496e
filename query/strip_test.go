package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/query"
)

// gapsUpTo2 are the values of the gaps of up to two cells, by hand.
func gapsUpTo2() map[game.Gap]int {
	gaps := map[game.Gap]int{}
	for _, row := range []struct {
		ends    string
		lengths [3]int
	}{
		{"..", [3]int{0, 1, 0}},
		{".O", [3]int{0, 1, 2}}, {"O.", [3]int{0, 1, 2}}, {".X", [3]int{0, 1, 2}}, {"X.", [3]int{0, 1, 2}},
		{"OO", [3]int{0, 1, 1}}, {"XX", [3]int{0, 1, 1}},
		{"OX", [3]int{0, 0, 0}}, {"XO", [3]int{0, 0, 0}},
	} {
		for length, sg := range row.lengths {
			gaps[game.Gap{Length: length, Left: game.End(row.ends[0]), Right: game.End(row.ends[1])}] = sg
		}
	}
	return gaps
}

func TestStripReport(t *testing.T) {
	strips := query.NewStrips(&query.Tablebase{Source: source{gaps: gapsUpTo2()}})
	want := query.StripReport{
		Strip: "..O..OX", SG: 3, Result: "the side to move wins",
		Gaps: []query.StripGap{
			{Cell: 1, Length: 2, Left: ".", Right: "O", SG: 2},
			{Cell: 4, Length: 2, Left: "O", Right: "O", SG: 1},
		},
		WinningMoves: []query.StripMove{
			{Cell: 1, Piece: "O", ToStrip: "O.O..OX"},
			{Cell: 2, Piece: "X", ToStrip: ".XO..OX"},
		},
	}
	for range 2 {
		got, err := strips.Report("..O..OX")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// A gap that can't be looked up never counts as 0.
func TestStripReportErrors(t *testing.T) {
	holed := gapsUpTo2()
	delete(holed, game.Gap{Length: 1, Left: game.Edge, Right: game.EndX})
	for _, test := range []struct {
		name, strip string
		source      source
		want        error
	}{
		{"gap longer than the table", "...O", source{gaps: gapsUpTo2()}, query.ErrMissing},
		{"gap missing after a move", "..O", source{gaps: holed}, query.ErrMissing},
		{"broken source", ".", source{err: errBroken}, errBroken},
	} {
		t.Run(test.name, func(t *testing.T) {
			report, err := query.NewStrips(&query.Tablebase{Source: test.source}).Report(test.strip)
			if !errors.Is(err, test.want) {
				t.Errorf("got the error %v, want %v", err, test.want)
			}
			if diff := cmp.Diff(query.StripReport{}, report); diff != "" {
				t.Errorf("a report beside the error (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParseStrip checks that a strip is read as it stands but for the case of its pieces, and
// that anything else is refused.
func FuzzParseStrip(f *testing.F) {
	f.Add("..xO.")
	f.Add("")
	f.Add(". O")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := query.ParseStrip(text)
		if wrong := strings.Trim(text, ".oOxX") != ""; wrong != (err != nil) {
			t.Fatalf("%q: error %v", text, err)
		}
		if err == nil && got != strings.ToUpper(text) {
			t.Errorf("%q was read as %q", text, got)
		}
	})
}
