package game_test

import (
	"testing"

	"oxbase/game"
)

// TestTabulatedLinesAreTheSame compares the table of lines with the search for them on every set
// of cells, and checks that a board too large for a table still works.
func TestTabulatedLinesAreTheSame(t *testing.T) {
	for _, name := range []string{"1x1x1", "3x2x2", "3x3x3", "4x3x3", "4x4x4", "5x3x4-drop-misere"} {
		g, err := game.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		tabulated := g.Tabulated()
		if tabulated.String() != name {
			t.Errorf("%s became %s", name, tabulated)
		}
		for stones := range uint64(1) << g.Cells() {
			if got, want := tabulated.HasLine(stones), g.HasLine(stones); got != want {
				t.Fatalf("%s, cells %b: got %v, want %v", name, stones, got, want)
			}
		}
	}
	large, err := game.Parse("5x5x4")
	if err != nil {
		t.Fatal(err)
	}
	if large.Tabulated() != large {
		t.Errorf("%s got a table", large)
	}
}
