package query_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/query"
)

// batches are rows that come some at a time, and how the reading of them ends.
type batches struct {
	rows []game.Row
	gaps []game.GapRow
	size int
	err  error
}

func (b batches) Rows(_ context.Context, yield func([]game.Row) error) error {
	for batch := range slices.Chunk(b.rows, b.size) {
		if err := yield(batch); err != nil {
			return err
		}
	}
	return b.err
}

func (b batches) Gaps(_ context.Context, yield func([]game.GapRow) error) error {
	for batch := range slices.Chunk(b.gaps, b.size) {
		if err := yield(batch); err != nil {
			return err
		}
	}
	return nil
}

// rowsAt returns a row with a value of its own for each key.
func rowsAt(keys ...game.Key) []game.Row {
	rows := make([]game.Row, len(keys))
	for i, key := range keys {
		rows[i] = game.Row{Key: key, Value: game.ValueOf(int8(i%7-3), 10, i%2 == 0)}
	}
	return rows
}

// spread returns ascending keys: most close together, some far apart.
func spread(n int) []game.Key {
	random := rand.New(rand.NewPCG(3, 4))
	keys := make([]game.Key, n)
	key := game.Key(-1)
	for i := range keys {
		step := int64(3)
		if i%100 == 99 {
			step = 1 << 40
		}
		key += 1 + game.Key(random.Int64N(step))
		keys[i] = key
	}
	return keys
}

// Every key that is stored is found with its value, and none beside it.
func TestLoadedPositions(t *testing.T) {
	const highest = 1<<63 - 1
	for _, test := range []struct {
		name string
		keys []game.Key
	}{
		{"none", nil},
		{"key 0 only", []game.Key{0}},
		{"a high key only", []game.Key{highest}},
		{"both ends", []game.Key{0, highest - 1, highest}},
		{"neighbours", []game.Key{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}},
		{"clusters", spread(20_000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := rowsAt(test.keys...)
			for _, expected := range []int64{int64(len(rows)), 0, -1, 1000} {
				l, err := query.Load(t.Context(), expected, batches{rows: rows, size: 7})
				if err != nil {
					t.Fatal(err)
				}
				if l.Len() != len(rows) {
					t.Fatalf("with %d expected, Len is %d, want %d", expected, l.Len(), len(rows))
				}
				stored := make(map[game.Key]bool)
				for i, row := range rows {
					stored[row.Key] = true
					if got := l.At(i); got != row {
						t.Fatalf("At(%d) is %+v, want %+v", i, got, row)
					}
					if got, ok := l.Find(row.Key); !ok || got != i {
						t.Fatalf("Find(%d) is %d, %t, want %d", row.Key, got, ok, i)
					}
					if got, ok, err := l.Lookup(row.Key); got != row.Value || !ok || err != nil {
						t.Fatalf("Lookup(%d) is %+v, %t, %v, want %+v", row.Key, got, ok, err, row.Value)
					}
				}
				absent := []game.Key{-1, -1 << 63, 0, highest}
				for _, key := range test.keys {
					absent = append(absent, key-1, key+1, key/2)
				}
				for _, key := range absent {
					if stored[key] {
						continue
					}
					if i, ok := l.Find(key); ok {
						t.Fatalf("Find(%d) is %d, want it not found", key, i)
					}
					if v, ok, err := l.Lookup(key); ok || err != nil {
						t.Fatalf("Lookup(%d) is %+v, %t, %v, want it not found", key, v, ok, err)
					}
				}
			}
		})
	}
}

func TestLoadedGaps(t *testing.T) {
	var gaps []game.GapRow
	for length := range 6 {
		for i, left := range game.Ends() {
			for j, right := range game.Ends() {
				gaps = append(gaps, game.GapRow{Gap: game.Gap{Length: length, Left: left, Right: right}, SG: length * (10 + 3*i + j)})
			}
		}
	}
	l, err := query.Load(t.Context(), 0, batches{gaps: gaps, size: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range gaps {
		if sg, ok, err := l.Gap(row.Gap); sg != row.SG || !ok || err != nil {
			t.Errorf("the %s has SG value %d, %t, %v, want %d", row.Gap, sg, ok, err, row.SG)
		}
	}
	for _, length := range []int{-1, 6} {
		if sg, ok, err := l.Gap(game.Gap{Length: length, Left: game.EndO, Right: game.Edge}); ok || err != nil {
			t.Errorf("a gap of %d has SG value %d, %t, %v, want it not found", length, sg, ok, err)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	broken := errors.New("broken")
	gap := func(length int) game.GapRow {
		return game.GapRow{Gap: game.Gap{Length: length, Left: game.EndO, Right: game.EndX}}
	}
	for _, test := range []struct {
		name string
		rows batches
		want string
	}{
		{"the rows fail", batches{rows: rowsAt(1), err: broken}, "broken"},
		{"a key twice", batches{rows: rowsAt(1, 5, 5)}, "key 5 comes after key 5: keys must ascend from 0"},
		{"keys descend", batches{rows: rowsAt(7, 5)}, "key 5 comes after key 7: keys must ascend from 0"},
		{"a negative key", batches{rows: rowsAt(-3)}, "key -3 comes after key -1: keys must ascend from 0"},
		{"a length left out", batches{gaps: []game.GapRow{gap(0), gap(2)}}, "a gap of 2 between O and X follows one of 0"},
		{"a length twice", batches{gaps: []game.GapRow{gap(0), gap(0)}}, "a gap of 0 between O and X follows one of 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.rows.size = 1
			l, err := query.Load(t.Context(), 3, test.rows)
			if err == nil || l != nil {
				t.Fatalf("Load gave %v and error %v, want the error %q", l, err, test.want)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	keys := spread(1_000_000)
	l, err := query.Load(b.Context(), int64(len(keys)), batches{rows: rowsAt(keys...), size: 4096})
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for i := 0; b.Loop(); i++ {
		if _, ok := l.Find(keys[i%len(keys)]); !ok {
			b.Fatal("a stored key is not found")
		}
	}
}
