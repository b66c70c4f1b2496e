package game_test

import (
	"testing"

	"oxbase/game"
)

func TestEnds(t *testing.T) {
	if got, want := game.Ends(), [3]game.End{'.', 'O', 'X'}; got != want {
		t.Errorf("Ends() = %c, want %c", got, want)
	}
}

func TestGapString(t *testing.T) {
	for _, test := range []struct {
		gap  game.Gap
		want string
	}{
		{game.Gap{Length: 3, Left: game.EndO, Right: game.Edge}, "gap of 3 between O and the edge"},
		{game.Gap{Length: 0, Left: game.EndX, Right: game.EndO}, "gap of 0 between X and O"},
		{game.Gap{Length: 1000, Left: game.Edge, Right: game.Edge}, "gap of 1000 between the edge and the edge"},
	} {
		if got := test.gap.String(); got != test.want {
			t.Errorf("String() of %#v = %q, want %q", test.gap, got, test.want)
		}
	}
}
