package builder

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"oxbase/game"
	"oxbase/game/gametest"
)

// collected keeps every row and refuses keys that don't ascend.
type collected struct{ rows []game.Row }

func (c *collected) Rows(rows []game.Row) error {
	for _, row := range rows {
		if n := len(c.rows); n > 0 && row.Key <= c.rows[n-1].Key {
			return fmt.Errorf("key %d after %d", row.Key, c.rows[n-1].Key)
		}
		c.rows = append(c.rows, row)
	}
	return nil
}

func buildRows(t *testing.T, g *game.Game, turns game.Turns, symmetry game.Symmetry) []game.Row {
	t.Helper()
	var c collected
	o := Options{Turns: turns, Symmetry: symmetry, Jobs: 2}
	if err := Build(t.Context(), g, o, &c); err != nil {
		t.Fatal(err)
	}
	return c.rows
}

// smallGames lists every board of up to testCells cells with 2 to 4 in a row, each with and without
// gravity and misère.
func smallGames(t *testing.T) []*game.Game {
	t.Helper()
	var games []*game.Game
	for width := 1; width <= testCells; width++ {
		for height := 1; width*height <= testCells; height++ {
			for inRow := 2; inRow <= 4; inRow++ {
				for variant := range 4 {
					g, err := game.New(game.Spec{Width: width, Height: height, InRow: inRow,
						Drop: variant&1 != 0, Misere: variant&2 != 0})
					if err != nil {
						t.Fatal(err)
					}
					games = append(games, g)
				}
			}
		}
	}
	return games
}

// TestEveryPositionEqualsForwardSearch compares the set of positions and each one's outcome,
// score, distance and reachability.
func TestEveryPositionEqualsForwardSearch(t *testing.T) {
	for _, g := range smallGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			t.Parallel()
			search := gametest.New(g.Width, g.Height, g.InRow, g.Drop, g.Misere)
			compare(t, search, search.Reachable, buildRows(t, g, game.Alternate, game.NoSymmetry))
			if g.Cells() <= 9 {
				compare(t, search, search.Possible, buildRows(t, g, game.AnyTurns, game.NoSymmetry))
			}
		})
	}
}

func compare(t *testing.T, search *gametest.Search, stored func(key int) bool, rows []game.Row) {
	t.Helper()
	for key := range search.Keys() {
		if !stored(key) {
			continue
		}
		board, toMove := search.Board(key)
		if len(rows) == 0 || rows[0].Key != game.Key(key) {
			t.Fatalf("board %s with %c to move (key %d) is missing: the next row is %+v", board, toMove, key, rows[:min(1, len(rows))])
		}
		score, distance := search.Value(key)
		want := game.Value{Score: int8(score), Distance: int8(distance), Reachable: search.Reachable(key)}
		switch {
		case score > 0:
			want.Outcome = 1
		case score < 0:
			want.Outcome = -1
		}
		if rows[0].Value != want {
			t.Fatalf("board %s with %c to move: got %+v, want %+v", board, toMove, rows[0].Value, want)
		}
		rows = rows[1:]
	}
	if len(rows) > 0 {
		t.Fatalf("%d rows too many, the first is %+v", len(rows), rows[0])
	}
}

// TestCanonicalAnswersLikeFull looks every position of the full table up in the canonical one
// and checks that this holds nothing else.
func TestCanonicalAnswersLikeFull(t *testing.T) {
	for _, g := range smallGames(t) {
		for _, turns := range []game.Turns{game.Alternate, game.AnyTurns} {
			if turns == game.AnyTurns && g.Cells() > 9 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", g, turns), func(t *testing.T) {
				t.Parallel()
				canonical := map[game.Key]game.Value{}
				for _, row := range buildRows(t, g, turns, game.Canonical) {
					canonical[row.Key] = row.Value
				}
				represented := map[game.Key]bool{}
				for _, row := range buildRows(t, g, turns, game.NoSymmetry) {
					p, err := g.Position(row.Key)
					if err != nil {
						t.Fatal(err)
					}
					key := g.Canonical(p)
					represented[key] = true
					if got, ok := canonical[key]; !ok || got != row.Value {
						t.Fatalf("%s with %s to move: canonical has %+v (there: %v), full has %+v", g.Text(p.Board), p.ToMove, got, ok, row.Value)
					}
				}
				if len(represented) != len(canonical) {
					t.Fatalf("canonical has %d rows, %d of them canonical keys of the full table", len(canonical), len(represented))
				}
			})
		}
	}
}

func TestJobsGiveTheSameRows(t *testing.T) {
	for _, name := range []string{"4x3x3", "4x3x3-drop", "3x3x3-misere"} {
		g, err := game.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		turns, symmetry := g.Defaults()
		var want []game.Row
		for _, jobs := range []int{1, 2, 7} {
			var c collected
			if err := Build(t.Context(), g, Options{Turns: turns, Symmetry: symmetry, Jobs: jobs}, &c); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = c.rows
			}
			if len(c.rows) != len(want) {
				t.Fatalf("%s with %d jobs: %d rows, want %d", name, jobs, len(c.rows), len(want))
			}
			for i := range want {
				if c.rows[i] != want[i] {
					t.Fatalf("%s with %d jobs: row %d is %+v, want %+v", name, jobs, i, c.rows[i], want[i])
				}
			}
		}
	}
}

type sinkFunc func([]game.Row) error

func (f sinkFunc) Rows(rows []game.Row) error { return f(rows) }

func TestBuildReturnsTheSinksError(t *testing.T) {
	full := errors.New("disk full")
	for _, name := range []string{"4x3x3", "4x3x3-drop"} {
		g, err := game.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = Build(t.Context(), g, Options{Turns: game.Alternate, Symmetry: game.NoSymmetry, Jobs: 2}, sinkFunc(func([]game.Row) error {
			calls++
			return full
		}))
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("%s: %d calls, error %v; want one call and %v", name, calls, err, full)
		}
	}
}

func TestBuildStopsWhenCancelled(t *testing.T) {
	for _, phase := range []Phase{Enumerate, Solve, Write} {
		for _, name := range []string{"4x3x3", "4x4x4-drop"} {
			t.Run(fmt.Sprintf("%s/%s", phase, name), func(t *testing.T) {
				g, err := game.Parse(name)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				o := Options{Turns: game.Alternate, Symmetry: game.Canonical, Jobs: 2, Progress: func(p Progress) {
					if p.Phase == phase {
						cancel()
					}
				}}
				if err := Build(ctx, g, o, &collected{}); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want %v", err, context.Canceled)
				}
			})
		}
	}
}

// TestProgressAddsUp checks that every phase reports its tiers in order and ends at its total.
func TestProgressAddsUp(t *testing.T) {
	for _, name := range []string{"3x3x3", "4x3x3", "4x3x3-drop"} {
		t.Run(name, func(t *testing.T) {
			g, err := game.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			turns, symmetry := g.Defaults()
			var busy atomic.Int32
			last := map[Phase]Progress{}
			tiers := map[Phase][]int{}
			o := Options{Turns: turns, Symmetry: symmetry, Jobs: runtime.NumCPU(), Progress: func(p Progress) {
				if busy.Add(1) != 1 {
					t.Error("reported twice at once")
				}
				if p.Done < last[p.Phase].Done {
					t.Errorf("%s went back from %d to %d", p.Phase, last[p.Phase].Done, p.Done)
				}
				last[p.Phase] = p
				if p.TierDone {
					tiers[p.Phase] = append(tiers[p.Phase], p.Tier)
				}
				busy.Add(-1)
			}}
			var c collected
			if err := Build(t.Context(), g, o, &c); err != nil {
				t.Fatal(err)
			}
			for _, phase := range []Phase{Enumerate, Solve, Write} {
				if p := last[phase]; p.Done != p.Total || p.Total == 0 {
					t.Errorf("%s ended at %d of %d", phase, p.Done, p.Total)
				}
			}
			if got := last[Write].Total; got != int64(len(c.rows)) {
				t.Errorf("write announced %d rows and wrote %d", got, len(c.rows))
			}
			for i := range g.Cells() + 1 {
				if tiers[Enumerate][i] != i || tiers[Solve][i] != g.Cells()-i {
					t.Fatalf("tiers in the order %v and %v", tiers[Enumerate], tiers[Solve])
				}
			}
		})
	}
}
