package builder

import (
	"math"
	"testing"

	"oxbase/game"
)

// TestPlanCountsSmallGamesExactly compares the planned positions with those that are written,
// and the planned build with one that wasn't planned.
func TestPlanCountsSmallGamesExactly(t *testing.T) {
	for _, name := range []string{"3x3x3", "3x3x3-misere", "4x3x3", "4x4x4-drop", "1x1x1", "12x1x3"} {
		g, err := game.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, turns := range []game.Turns{game.AnyTurns, game.Alternate} {
			for _, symmetry := range []game.Symmetry{game.NoSymmetry, game.Canonical} {
				plan, err := NewPlan(t.Context(), g, Options{Turns: turns, Symmetry: symmetry, Jobs: 2})
				if err != nil {
					t.Fatal(err)
				}
				var c collected
				if err := plan.Build(t.Context(), &c); err != nil {
					t.Fatal(err)
				}
				want := buildRows(t, g, turns, symmetry)
				if plan.Precision != Exactly || plan.Positions != int64(len(want)) || len(c.rows) != len(want) {
					t.Fatalf("%s %s %s: planned %s %d and built %d, want %d", name, turns, symmetry, plan.Precision, plan.Positions, len(c.rows), len(want))
				}
				for i := range want {
					if c.rows[i] != want[i] {
						t.Fatalf("%s %s %s: row %d is %+v, want %+v", name, turns, symmetry, i, c.rows[i], want[i])
					}
				}
			}
		}
	}
}

// TestPlanEstimatesLargeGames compares the planned positions with published numbers: the classes
// of 4x4x4 are counted, those of the others are about the positions divided by the symmetries.
func TestPlanEstimatesLargeGames(t *testing.T) {
	for _, test := range []struct {
		name      string
		symmetry  game.Symmetry
		positions float64
		tolerance float64
	}{
		{"4x4x4", game.NoSymmetry, 9722011, 0.02},
		{"4x4x4", game.Canonical, 1217977, 0.02},
		{"4x5x4", game.NoSymmetry, 674794169, 0.02},
		{"5x4x4-drop", game.NoSymmetry, 3945711, 0.15},
		{"5x5x4-drop", game.Canonical, 69763700 / 2, 0.15},
	} {
		g, err := game.Parse(test.name)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := NewPlan(t.Context(), g, Options{Turns: game.Alternate, Symmetry: test.symmetry, Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(float64(plan.Positions)/test.positions - 1); plan.Precision != About || off > test.tolerance {
			t.Errorf("%s %s: planned %s %d, want about %.0f", test.name, test.symmetry, plan.Precision, plan.Positions, test.positions)
		}
	}
}

// TestPlanRefusesNothing plans games far too large to build: what they need is only told.
func TestPlanRefusesNothing(t *testing.T) {
	for _, name := range []string{"39x1x3", "1x39x4-drop", "6x6x4", "13x3x4-drop", "39x1x3-drop-misere"} {
		g, err := game.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, turns := range []game.Turns{game.AnyTurns, game.Alternate} {
			plan, err := NewPlan(t.Context(), g, Options{Turns: turns, Symmetry: game.Canonical, Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if plan.Memory < 1<<36 {
				t.Errorf("%s %s: planned %d bytes of memory, which can't be enough", name, turns, plan.Memory)
			}
		}
	}
}
