package export_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/query/export"
)

// square returns the images of a board of three rows of three cells.
func square(board string) []string {
	image := func(cells string) string {
		var text strings.Builder
		for _, cell := range cells {
			text.WriteByte(board[cell-'0'])
		}
		return text.String()
	}
	return []string{image("210543876"), image("678345012"), image("876543210"),
		image("036147258"), image("258147036"), image("630741852"), image("852741630")}
}

// The lines are those of the published file: its boards as a forward search finds them, each
// once, in its order, which known lines at the ends of its parts confirm.
func TestUCI(t *testing.T) {
	search := gametest.New(3, 3, 3, false, false)
	letters := strings.NewReplacer(".", "b")
	parts := map[int][]string{} // by the sign of the score
	for key := range search.Keys() {
		score, distance := search.Value(key)
		if distance > 0 || !search.Reachable(key) {
			continue
		}
		board, _ := search.Board(key)
		score = min(1, max(-1, score))
		parts[score] = append(parts[score], strings.Join(strings.Split(letters.Replace(board), ""), ","))
	}
	var want []string
	for _, part := range []struct {
		score int
		class string
	}{{1, "positive"}, {-1, "negative"}, {0, "negative"}} {
		slices.SortFunc(parts[part.score], func(a, b string) int {
			for i := range a {
				if a[i] != b[i] {
					return strings.IndexByte("xob", a[i]) - strings.IndexByte("xob", b[i])
				}
			}
			return 0
		})
		for _, board := range parts[part.score] {
			want = append(want, board+","+part.class)
		}
	}
	for _, f := range []*fixture{
		newFixture(export.UCIGame(), game.AnyTurns, nil),
		newFixture(export.UCIGame(), game.Alternate, nil),
		newFixture(export.UCIGame(), game.AnyTurns, square),
		newFixture(export.UCIGame(), game.Alternate, square),
	} {
		t.Run(string("turns "+f.turns+", symmetry "+game.Turns(f.symmetry)), func(t *testing.T) {
			table, rows := f.table(t)
			var out bytes.Buffer
			if err := export.UCI(&out, table.Game, rows); err != nil {
				t.Fatal(err)
			}
			got := strings.Split(out.String(), "\n")
			if diff := cmp.Diff(append(slices.Clone(want), ""), got); diff != "" {
				t.Fatalf("(-search +got):\n%s", diff)
			}
			for number, line := range map[int]string{
				1:   "x,x,x,x,o,o,x,o,o,positive",
				2:   "x,x,x,x,o,o,o,x,o,positive",
				3:   "x,x,x,x,o,o,o,o,x,positive",
				4:   "x,x,x,x,o,o,o,b,b,positive",
				5:   "x,x,x,x,o,o,b,o,b,positive",
				626: "b,b,b,b,o,o,x,x,x,positive",
				627: "x,x,o,x,x,o,o,b,o,negative",
				942: "b,b,o,b,o,x,o,x,x,negative",
				943: "x,x,o,o,x,x,x,o,o,negative",
				958: "o,o,x,x,x,o,o,x,x,negative",
			} {
				if got[number-1] != line {
					t.Errorf("line %d is %q, in the published file it is %q", number, got[number-1], line)
				}
			}
		})
	}
}
