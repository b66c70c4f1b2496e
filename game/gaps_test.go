package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

func TestGaps(t *testing.T) {
	type found struct {
		Start int
		Gap   game.Gap
	}
	tests := []struct {
		strip string
		want  []found
	}{
		{"", nil},
		{"X", nil},
		{"OXO", nil},
		{"...", []found{{0, game.Gap{Length: 3, Left: '.', Right: '.'}}}},
		{"..X", []found{{0, game.Gap{Length: 2, Left: '.', Right: 'X'}}}},
		{"O.", []found{{1, game.Gap{Length: 1, Left: 'O', Right: '.'}}}},
		{".OO..X...", []found{
			{0, game.Gap{Length: 1, Left: '.', Right: 'O'}},
			{3, game.Gap{Length: 2, Left: 'O', Right: 'X'}},
			{6, game.Gap{Length: 3, Left: 'X', Right: '.'}},
		}},
	}
	for _, test := range tests {
		t.Run(test.strip, func(t *testing.T) {
			var got []found
			for start, gap := range game.Gaps(test.strip) {
				got = append(got, found{start, gap})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("gaps (-want +got):\n%s", diff)
			}
			for start, gap := range game.Gaps([]byte(test.strip)) {
				if first := (found{start, gap}); first != test.want[0] {
					t.Errorf("first gap of the bytes is %v: want %v", first, test.want[0])
				}
				break
			}
		})
	}
}
