package stats_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/query"
	"oxbase/query/stats"
)

// collect counts the rows of an oracle.
func collect(t *testing.T, o *oracle, rows query.Rows) (*stats.Report, error) {
	t.Helper()
	g, err := game.New(o.spec)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := query.Load(t.Context(), int64(len(o.positions)), rows)
	if err != nil {
		t.Fatal(err)
	}
	table := &query.Tablebase{Game: g, Turns: o.turns, Symmetry: o.symmetry, Source: loaded}
	var last int64
	report, err := stats.Collect(t.Context(), table, loaded, func(done int64) {
		if done < last {
			t.Errorf("progress goes from %d rows back to %d", last, done)
		}
		last = done
	})
	if err == nil && last != int64(loaded.Len()) {
		t.Errorf("progress ends at %d rows of %d", last, loaded.Len())
	}
	return report, err
}

// Everything that is counted equals counts of positions that a forward search found.
func TestCollectEqualsSearch(t *testing.T) {
	for _, test := range []struct {
		name     string
		spec     game.Spec
		turns    game.Turns
		symmetry game.Symmetry
	}{
		{"either side to move", game.Spec{Width: 3, Height: 3, InRow: 3}, game.AnyTurns, game.NoSymmetry},
		{"classes, either side to move", game.Spec{Width: 3, Height: 3, InRow: 3}, game.AnyTurns, game.Canonical},
		{"reachable positions", game.Spec{Width: 3, Height: 3, InRow: 3}, game.Alternate, game.NoSymmetry},
		{"classes of a rectangle", game.Spec{Width: 4, Height: 3, InRow: 3}, game.Alternate, game.Canonical},
		{"classes with drop", game.Spec{Width: 4, Height: 3, InRow: 3, Drop: true}, game.Alternate, game.Canonical},
		{"drop, either side to move", game.Spec{Width: 3, Height: 3, InRow: 3, Drop: true}, game.AnyTurns, game.NoSymmetry},
		{"misere", game.Spec{Width: 3, Height: 3, InRow: 3, Misere: true}, game.AnyTurns, game.NoSymmetry},
		{"classes of misere", game.Spec{Width: 3, Height: 3, InRow: 2, Misere: true}, game.Alternate, game.Canonical},
		{"no line fits", game.Spec{Width: 3, Height: 2, InRow: 4}, game.Alternate, game.NoSymmetry},
		{"one cell", game.Spec{Width: 1, Height: 1, InRow: 1}, game.Alternate, game.Canonical},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOracle(test.spec, test.turns, test.symmetry)
			got, err := collect(t, o, o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(o.report(), got); diff != "" {
				t.Errorf("%s, turns %s, symmetry %s (-want +got):\n%s", test.spec, test.turns, test.symmetry, diff)
			}
		})
	}
}

// without hands on all rows but one.
type without struct {
	*oracle
	key game.Key
}

func (w without) Rows(ctx context.Context, yield func([]game.Row) error) error {
	return w.oracle.Rows(ctx, func(all []game.Row) error {
		var rows []game.Row
		for _, row := range all {
			if row.Key != w.key {
				rows = append(rows, row)
			}
		}
		return yield(rows)
	})
}

func TestCollectWithoutARow(t *testing.T) {
	o := newOracle(game.Spec{Width: 3, Height: 3, InRow: 3}, game.Alternate, game.NoSymmetry)
	full := game.Key(keyOf("xoxxoxoxo", 'o'))
	if _, err := collect(t, o, without{o, full}); !errors.Is(err, query.ErrDamaged) || !strings.Contains(err.Error(), "xox/xox/oxo") {
		t.Errorf("without a position after an only move the error is %v, want %v of that board", err, query.ErrDamaged)
	}
	if _, err := collect(t, o, without{o, 0}); !errors.Is(err, query.ErrDamaged) || !strings.Contains(err.Error(), "empty board") {
		t.Errorf("without the start the error is %v, want %v that says so", err, query.ErrDamaged)
	}
}

func TestCollectStops(t *testing.T) {
	o := newOracle(game.Spec{Width: 3, Height: 3, InRow: 3}, game.Alternate, game.NoSymmetry)
	loaded, err := query.Load(t.Context(), int64(len(o.positions)), o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(o.spec)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = stats.Collect(ctx, &query.Tablebase{Game: g, Turns: o.turns, Symmetry: o.symmetry, Source: loaded}, loaded, func(int64) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancellation the error is %v, want %v", err, context.Canceled)
	}
}
