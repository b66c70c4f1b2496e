package query_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/query"
)

// gapsUpTo returns gaps with values that no two of them share, nor do their sums.
func gapsUpTo(length int, random *rand.Rand) []game.GapRow {
	var rows []game.GapRow
	for n := range length + 1 {
		for _, left := range game.Ends() {
			for _, right := range game.Ends() {
				sg := 0
				if n > 0 {
					sg = random.Int()
				}
				rows = append(rows, game.GapRow{Gap: game.Gap{Length: n, Left: left, Right: right}, SG: sg})
			}
		}
	}
	return rows
}

func preloaded(t *testing.T, rows batches) *query.Preloaded {
	t.Helper()
	g, err := game.Parse("2x2x2")
	if err != nil {
		t.Fatal(err)
	}
	table, err := query.Preload(t.Context(), g, game.AnyTurns, game.NoSymmetry, rows)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The value of a strip is the XOR of its gaps' values: all strips of up to 9 cells, then long ones.
func TestPreloadedStrips(t *testing.T) {
	const longest = 200
	random := rand.New(rand.NewPCG(5, 6))
	table := preloaded(t, batches{gaps: gapsUpTo(longest, random), size: 100})
	try := func(strip []byte) {
		t.Helper()
		want := 0
		for _, gap := range game.Gaps(strip) {
			sg, err := table.Gap(gap)
			if err != nil {
				t.Fatal(err)
			}
			want ^= sg
		}
		if got, err := table.Strip(strip); got != want || err != nil {
			t.Fatalf("Strip(%s) = %d, %v: want %d", strip, got, err, want)
		}
	}
	var all func([]byte, int)
	all = func(strip []byte, more int) {
		try(strip)
		for _, cell := range game.Ends() {
			if more > 0 {
				all(append(strip, byte(cell)), more-1)
			}
		}
	}
	all(nil, 9)
	for length := 10; length <= longest; length++ {
		for range 20 {
			strip, density := make([]byte, length), random.Float64()
			for i := range strip {
				strip[i] = byte(game.Edge)
				if random.Float64() < density {
					strip[i] = "OX"[random.IntN(2)]
				}
			}
			try(strip)
		}
	}
	if _, err := table.Strip(make([]byte, longest+1)); !errors.Is(err, query.ErrMissing) {
		t.Errorf("a strip of %d cells: error %v, want ErrMissing", longest+1, err)
	}
}

// Strips are as long as the shortest list of gaps between two ends allows.
func TestPreloadedGapsOfUnequalLengths(t *testing.T) {
	rows := gapsUpTo(5, rand.New(rand.NewPCG(7, 8)))
	table := preloaded(t, batches{gaps: rows[:len(rows)-1], size: 100})
	if _, err := table.Gap(rows[len(rows)-2].Gap); err != nil {
		t.Errorf("%s: %v", rows[len(rows)-2].Gap, err)
	}
	if _, err := table.Gap(rows[len(rows)-1].Gap); !errors.Is(err, query.ErrMissing) {
		t.Errorf("%s: error %v, want ErrMissing", rows[len(rows)-1].Gap, err)
	}
	if _, err := table.Strip([]byte("X....")); !errors.Is(err, query.ErrMissing) {
		t.Errorf("a strip of 5 cells: error %v, want ErrMissing", err)
	}
	if _, err := table.Strip([]byte("X..X")); err != nil {
		t.Errorf("a strip of 4 cells: %v", err)
	}
}

// Whichever of a symmetry class the rows store, every position has its value, and boards with lines
// of both sides have none.
func TestPreloadedPositions(t *testing.T) {
	search := gametest.New(3, 3, 3, false, false)
	g := mustGame(t, "3x3x3")
	for _, symmetry := range []game.Symmetry{game.NoSymmetry, game.Canonical} {
		var rows []game.Row
		for key := range search.Keys() {
			p, err := g.Position(game.Key(key))
			if err != nil {
				t.Fatal(err)
			}
			if !search.Possible(key) || symmetry == game.Canonical && g.Canonical(p) != game.Key(key) {
				continue
			}
			score, _ := search.Value(key)
			rows = append(rows, game.Row{Key: game.Key(key), Value: game.ValueOf(int8(score), g.Cells()-p.Stones(), search.Reachable(key))})
		}
		table, err := query.Preload(t.Context(), g, game.AnyTurns, symmetry, batches{rows: rows, size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for key := range search.Keys() {
			p, err := g.Position(game.Key(key))
			if err != nil {
				t.Fatal(err)
			}
			v, err := table.Value(p)
			if !search.Possible(key) {
				if _, ok := errors.AsType[*game.BothLinesError](err); !ok {
					t.Fatalf("%s: key %d: %+v, %v: want a BothLinesError", symmetry, key, v, err)
				}
				continue
			}
			score, distance := search.Value(key)
			if err != nil || int(v.Score) != score || int(v.Distance) != distance || v.Reachable != search.Reachable(key) {
				t.Fatalf("%s: key %d: %+v, %v: want score %d, distance %d, reachable %t", symmetry, key, v, err, score, distance, search.Reachable(key))
			}
		}
	}
}

// Rows that can't be right are errors.
func TestPreloadErrors(t *testing.T) {
	gap := game.GapRow{Gap: game.Gap{Length: 0, Left: game.Edge, Right: game.Edge}}
	wrong, late := gap, gap
	wrong.SG = 1
	late.Length = 2
	for name, rows := range map[string]batches{
		"a key of a larger board":  {rows: rowsAt(1 << 30), size: 1},
		"a negative key":           {rows: rowsAt(-1), size: 1},
		"a gap too long":           {gaps: []game.GapRow{gap, late}, size: 1},
		"a gap without cells is 1": {gaps: []game.GapRow{wrong}, size: 1},
	} {
		if _, err := query.Preload(t.Context(), mustGame(t, "3x3x3"), game.AnyTurns, game.NoSymmetry, rows); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := query.Preload(t.Context(), mustGame(t, "4x4x4"), game.AnyTurns, game.NoSymmetry, batches{}); err == nil {
		t.Error("4x4x4: no error")
	}
}
