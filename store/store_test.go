package store

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// build writes a file and returns what Commit says of it.
func build(t testing.TB, path string, meta Meta, rows []game.Row) Info {
	t.Helper()
	w, err := Create(t.Context(), path, meta)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for batch := range slices.Chunk(rows, 1000) {
		if err := w.Rows(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Gaps(gapRows(meta.StripLength)); err != nil {
		t.Fatal(err)
	}
	info, err := w.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// open opens a file that is closed when the test ends.
func open(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// metaOf describes a file with all positions of a game.
func metaOf(spec game.Spec) Meta {
	return Meta{Game: spec, Turns: game.AnyTurns, Symmetry: game.NoSymmetry, StripLength: 20, BuiltBy: "oxbase test"}
}

func TestRoundTrip(t *testing.T) {
	spec := game.Spec{Width: 3, Height: 3, InRow: 3}
	rows := newSearch(spec).rows()
	path := filepath.Join(t.TempDir(), "a.db")
	info := build(t, path, metaOf(spec), rows)
	db := open(t, path)
	if diff := cmp.Diff(info, db.Info()); diff != "" {
		t.Errorf("Info differs from what Commit said (-commit +open):\n%s", diff)
	}
	if got := db.Game().String(); got != "3x3x3" {
		t.Errorf("Game is %s, want 3x3x3", got)
	}

	t.Run("Lookup", func(t *testing.T) {
		next := 0
		for key := range db.Game().Keys() + 2 {
			got, ok, err := db.Lookup(key)
			if err != nil {
				t.Fatal(err)
			}
			stored := next < len(rows) && rows[next].Key == key
			if ok != stored {
				t.Fatalf("key %d: found is %t, want %t", key, ok, stored)
			}
			if !stored {
				continue
			}
			if got != rows[next].Value {
				t.Fatalf("key %d: got %+v, want %+v", key, got, rows[next].Value)
			}
			next++
		}
		if _, ok, err := db.Lookup(-1); ok || err != nil {
			t.Errorf("key -1: got %t, %v, want it not to be there", ok, err)
		}
	})
	t.Run("Rows", func(t *testing.T) {
		var got []game.Row
		err := db.Rows(t.Context(), func(rows []game.Row) error {
			got = append(got, rows...)
			_, _, err := db.Lookup(rows[0].Key) // may be asked meanwhile
			return err
		})
		if diff := cmp.Diff(rows, got); err != nil || diff != "" {
			t.Errorf("error %v, rows (-want +got):\n%s", err, diff)
		}
	})
	t.Run("Gap", func(t *testing.T) {
		for _, want := range gapRows(20) {
			if got, ok, err := db.Gap(want.Gap); got != want.SG || !ok || err != nil {
				t.Errorf("%s: got %d, %t, %v, want %d", want.Gap, got, ok, err, want.SG)
			}
		}
		for _, gap := range []game.Gap{{Length: 21, Left: '.', Right: '.'}, {Length: 1, Left: 'x', Right: '.'}, {Length: -1, Left: 'O', Right: 'O'}} {
			if _, ok, err := db.Gap(gap); ok || err != nil {
				t.Errorf("%s: got %t, %v, want it not to be there", gap, ok, err)
			}
		}
	})
	t.Run("Gaps", func(t *testing.T) {
		var got []game.GapRow
		err := db.Gaps(t.Context(), func(rows []game.GapRow) error {
			got = append(got, rows...)
			_, _, err := db.Gap(rows[0].Gap) // may be asked meanwhile
			return err
		})
		if diff := cmp.Diff(gapRows(20), got); err != nil || diff != "" {
			t.Errorf("error %v, gaps (-want +got):\n%s", err, diff)
		}
	})
}
