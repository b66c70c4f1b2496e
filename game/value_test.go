package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

func TestValueOf(t *testing.T) {
	for _, test := range []struct {
		name      string
		score     int8
		empty     int
		reachable bool
		want      game.Value
	}{
		{"x has won with 4 empty cells", 5, 4, true, game.Value{Outcome: 1, Score: 5, Distance: 0, Reachable: true}},
		{"o has won with 3 empty cells", -4, 3, true, game.Value{Outcome: -1, Score: -4, Distance: 0, Reachable: true}},
		{"x has won on the last cell", 1, 0, true, game.Value{Outcome: 1, Score: 1, Distance: 0, Reachable: true}},
		{"full board, tie", 0, 0, true, game.Value{Outcome: 0, Score: 0, Distance: 0, Reachable: true}},
		{"x wins with the next stone", 4, 4, false, game.Value{Outcome: 1, Score: 4, Distance: 1}},
		{"o wins with the next stone", -4, 4, false, game.Value{Outcome: -1, Score: -4, Distance: 1}},
		{"x wins on the last cell", 1, 9, true, game.Value{Outcome: 1, Score: 1, Distance: 9, Reachable: true}},
		{"o wins on the last cell", -1, 39, false, game.Value{Outcome: -1, Score: -1, Distance: 39}},
		{"tie from the start", 0, 9, true, game.Value{Outcome: 0, Score: 0, Distance: 9, Reachable: true}},
		{"tie on the largest board", 0, 39, true, game.Value{Outcome: 0, Score: 0, Distance: 39, Reachable: true}},
		{"x has won on the largest board", 39, 38, true, game.Value{Outcome: 1, Score: 39, Distance: 0, Reachable: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, game.ValueOf(test.score, test.empty, test.reachable)); diff != "" {
				t.Errorf("ValueOf(%d, %d, %t) (-want +got):\n%s", test.score, test.empty, test.reachable, diff)
			}
		})
	}
}

// Playing on from every number of empty cells to every end: the distance counts the stones.
func TestDistanceCountsStones(t *testing.T) {
	for empty := range game.MaxCells + 1 {
		for played := range empty + 1 {
			left := empty - played
			for _, sign := range []int{1, -1} {
				score := int8(sign * (left + 1))
				got := game.ValueOf(score, empty, false)
				want := game.Value{Outcome: int8(sign), Score: score, Distance: int8(played)}
				if got != want {
					t.Errorf("%d empty cells, won after %d more stones: %+v, want %+v", empty, played, got, want)
				}
			}
		}
	}
}

func TestBothLinesError(t *testing.T) {
	err := &game.BothLinesError{Text: "xxx/ooo/..."}
	if got, want := err.Error(), `board "xxx/ooo/...": both sides have a line, which can't arise`; got != want {
		t.Errorf("the error is %s, want %s", got, want)
	}
	checkOneLine(t, &game.BothLinesError{Text: "xxx\nooo"})
}

func TestParseTurns(t *testing.T) {
	for text, want := range map[string]game.Turns{"any": game.AnyTurns, "alternate": game.Alternate} {
		if got, err := game.ParseTurns(text); err != nil || got != want {
			t.Errorf("ParseTurns(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":       `turns "": want any or alternate`,
		"Any":    `turns "Any": want any or alternate`,
		"none":   `turns "none": want any or alternate`,
		"any\n":  `turns "any\n": want any or alternate`,
		"any,al": `turns "any,al": want any or alternate`,
	} {
		if got, err := game.ParseTurns(text); err == nil || err.Error() != want || got != "" {
			t.Errorf("ParseTurns(%q) = %q with the error %v, want the error %s", text, got, err, want)
		}
	}
}

func TestParseSymmetry(t *testing.T) {
	for text, want := range map[string]game.Symmetry{"none": game.NoSymmetry, "canonical": game.Canonical} {
		if got, err := game.ParseSymmetry(text); err != nil || got != want {
			t.Errorf("ParseSymmetry(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":            `symmetry "": want none or canonical`,
		"None":        `symmetry "None": want none or canonical`,
		"any":         `symmetry "any": want none or canonical`,
		"canonical\r": `symmetry "canonical\r": want none or canonical`,
	} {
		if got, err := game.ParseSymmetry(text); err == nil || err.Error() != want || got != "" {
			t.Errorf("ParseSymmetry(%q) = %q with the error %v, want the error %s", text, got, err, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	for name, want := range map[string]struct {
		turns    game.Turns
		symmetry game.Symmetry
	}{
		"3x3x3":        {game.AnyTurns, game.NoSymmetry},
		"3x3x3-misere": {game.AnyTurns, game.NoSymmetry},
		"9x1x3":        {game.AnyTurns, game.NoSymmetry},
		"4x2x2-drop":   {game.AnyTurns, game.NoSymmetry},
		"5x2x3":        {game.Alternate, game.Canonical},
		"1x10x3":       {game.Alternate, game.Canonical},
		"5x4x4-drop":   {game.Alternate, game.Canonical},
	} {
		if turns, symmetry := parse(t, name).Defaults(); turns != want.turns || symmetry != want.symmetry {
			t.Errorf("defaults of %s are turns %s and symmetry %s, want %s and %s", name, turns, symmetry, want.turns, want.symmetry)
		}
	}
}
