package verify

import (
	"context"
	"encoding/csv"
	"errors"
	"math/bits"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/query"
)

// The keys of images, computed by adding weights, are those of the boards that package game
// turns and mirrors, before a move and after each.
func TestImages(t *testing.T) {
	for _, name := range []string{"3x3x3", "4x2x2", "2x4x2", "1x5x3", "3x3x3-drop", "1x3x2-drop"} {
		t.Run(name, func(t *testing.T) {
			g, err := game.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			s := newSymmetries(g)
			for key := range g.Keys() {
				p, err := g.Position(key)
				if err != nil {
					t.Fatal(err)
				}
				images := s.images(p.Board)
				toMove := game.Key(p.ToMove - game.X)
				if got, want := images.least()+toMove, g.Canonical(p); got != want {
					t.Fatalf("key %d: the smallest key of its images is %d, want %d", key, got, want)
				}
				if got, want := images.orbit(), g.Orbit(p); got != want {
					t.Fatalf("key %d has %d images, want %d", key, got, want)
				}
				for moves := g.Moves(p.Board); moves != 0; moves &= moves - 1 {
					cell := bits.TrailingZeros64(moves)
					got := s.with(&images, game.Key(p.ToMove), cell) + 1 - toMove
					if want := g.Canonical(p.Play(cell)); got != want {
						t.Fatalf("key %d after %s: the smallest key is %d, want %d", key, g.CellName(cell), got, want)
					}
				}
			}
		})
	}
}

func TestFindingKeepsTheFirst(t *testing.T) {
	words := func(text string) func() string { return func() string { return text } }
	var f finding
	for _, step := range []struct {
		rank  int
		index int64
		text  string
		want  string
	}{
		{5, 9, "a", "a"},
		{5, 10, "later", "a"},
		{6, 1, "of a higher rank", "a"},
		{5, 8, "b", "b"},
		{-1, 20, "c", "c"},
	} {
		f.note(step.rank, step.index, words(step.text))
		if f.wrong != step.want {
			t.Errorf("after %q the first is %q, want %q", step.text, f.wrong, step.want)
		}
	}
	f.merge(finding{})
	if f.wrong != "c" {
		t.Errorf("after merging nothing the first is %q, want c", f.wrong)
	}
	f.merge(finding{-2, 3, "d"})
	if f.wrong != "d" {
		t.Errorf("after merging an earlier one the first is %q, want d", f.wrong)
	}
}

// However many jobs share the work, each thing is checked once and the same one is found.
func TestInParallel(t *testing.T) {
	const total = 10_000
	for _, jobs := range []int{1, 2, 7} {
		var counts [][]int
		found, err := inParallel(t.Context(), Options{Jobs: jobs, Progress: func(Progress) {}}, "testing", total, 16, func() func(int64, *finding) {
			count := make([]int, total)
			counts = append(counts, count)
			return func(i int64, f *finding) {
				count[i]++
				if i%1000 == 777 {
					f.note(0, i, func() string { return "wrong" })
				}
			}
		})
		if err != nil || found.index != 777 || found.wrong != "wrong" {
			t.Errorf("%d jobs found %+v and error %v, want number 777", jobs, found, err)
		}
		for i := range total {
			sum := 0
			for _, count := range counts {
				sum += count[i]
			}
			if sum != 1 {
				t.Fatalf("%d jobs checked number %d %d times", jobs, i, sum)
			}
		}
	}
}

func TestInParallelIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := inParallel(ctx, Options{Jobs: 2, Progress: func(Progress) {}}, "testing", 1<<62, 1, func() func(int64, *finding) {
		return func(int64, *finding) { cancel() }
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want %v", err, context.Canceled)
	}
}

// noRows is a tablebase without rows.
type noRows struct{}

func (noRows) Rows(context.Context, func([]game.Row) error) error    { return nil }
func (noRows) Gaps(context.Context, func([]game.GapRow) error) error { return nil }

// Each published number is of a game that there is, and answers a question that there is.
func TestPublishedQuestionsAreKnown(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(publishedCSV)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"game", "what", "expected", "source"}; !cmp.Equal(records[0], want) {
		t.Errorf("the columns are %q, want %q", records[0], want)
	}
	for _, record := range records[1:] {
		name := record[0]
		if name == "*" || name == "strip" {
			name = "3x3x3"
		}
		v := &verifier{row: gameRow{turns: game.AnyTurns, symmetry: game.NoSymmetry}}
		if v.game, err = game.Parse(name); err != nil {
			t.Errorf("%q: %v", record, err)
			continue
		}
		if v.rows, err = query.Load(t.Context(), 0, noRows{}); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := v.answer(record[1], record[2]); !ok || err != nil {
			t.Errorf("%q: known %t, error %v", record, ok, err)
		}
	}
	v := &verifier{rows: new(query.Loaded)}
	if v.game, err = game.Parse("3x3x3"); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"reachable.never", "start.move", "sg.none"} {
		if got, _, err := v.answer(what, "1"); err == nil {
			t.Errorf("the question %q is answered %q, want an error", what, got)
		}
	}
}

// broken is a database of which nothing can be read.
type broken struct{ err error }

func (b broken) Query(context.Context, string, func([]any) error) error { return b.err }

func TestRunReportsWhatCannotBeRead(t *testing.T) {
	db := broken{errors.New("database disk image is malformed")}
	got, err := Run(t.Context(), db, db, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := Report{
		Wrong:  "database disk image is malformed",
		Checks: []Check{{"schema", "readable", "not readable", "SQLite", false}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	db := broken{errors.New("interrupted")}
	if report, err := Run(ctx, db, db, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the report is %+v and the error %v, want %v", report, err, context.Canceled)
	}
}
