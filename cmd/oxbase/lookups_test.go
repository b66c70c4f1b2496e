package main

import (
	"sync"
	"testing"

	"oxbase/game"
	"oxbase/query"
)

// TestManyLookups looks every position up several times at once, so often that the file is read into
// memory meanwhile, or can't be: the answers are the same all the time.
func TestManyLookups(t *testing.T) {
	whole := built(t)
	for _, test := range []struct {
		name, path string
		loads      bool
	}{
		{"a whole file", whole, true},
		{"an SG value is wrong", changedCopy(t, whole, noHash, "UPDATE strip_sg SET sg = 5 WHERE length = 2"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			right, err := openDB(whole)
			if err != nil {
				t.Fatal(err)
			}
			defer right.Close()
			want, err := query.Load(t.Context(), right.Info().Positions, right.Whole())
			if err != nil {
				t.Fatal(err)
			}
			d, err := openDB(test.path)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			m := newManyLookups(d)
			defer m.stop()
			pass := func() {
				for key := game.Key(-1); key <= d.Game().Keys(); key++ {
					wanted, wantedOK, _ := want.Lookup(key)
					if v, ok, err := m.Lookup(key); v != wanted || ok != wantedOK || err != nil {
						t.Errorf("key %d: got %v, %t and error %v, want %v, %t", key, v, ok, err, wanted, wantedOK)
						return
					}
				}
			}
			var passes sync.WaitGroup
			for range 3 {
				passes.Go(pass)
			}
			passes.Wait()
			m.load.Wait()
			if loaded := m.loaded.Load() != nil; loaded != test.loads {
				t.Errorf("the file was read into memory: %t, want %t", loaded, test.loads)
			}
			pass()
		})
	}
}
