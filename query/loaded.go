package query

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"oxbase/game"
)

// Loaded is a tablebase file read into memory as it stands there: the positions that it stores,
// ordered by key, and the SG values of gaps. It is immutable and safe for concurrent use.
//
// Memory: 12 bytes a position and up to 2 for an index. A look-up takes a small number of steps: the index leads from the
// key's leading bits to a run of some four keys, more where keys cluster, which is searched by
// halving.
type Loaded struct {
	keys   []game.Key
	values []game.Value
	starts []uint32 // by the leading bits of a key, the first position with these or higher ones
	shift  int      // bits of a key below its leading ones
	gaps   gapTable
}

var _ Source = (*Loaded)(nil)

// LoadedSize returns how many bytes of memory Load takes at most for a number of positions.
func LoadedSize(positions int64) uint64 { return 14 * uint64(positions) }

// Load reads all rows into memory. positions is how many are expected; it only spares moving
// them about as they come. It is an error if keys are negative, don't ascend, or are more than
// 4 294 967 295, and what the rows return is passed on. Time: linear.
func Load(ctx context.Context, positions int64, rows Rows) (*Loaded, error) {
	// A wrong number must not cost memory that the rows don't need.
	const most = 1 << 30
	expected := max(0, min(positions, most))
	l := &Loaded{keys: make([]game.Key, 0, expected), values: make([]game.Value, 0, expected)}
	last := game.Key(-1)
	err := rows.Rows(ctx, func(batch []game.Row) error {
		if len(l.keys)+len(batch) > math.MaxUint32 {
			return fmt.Errorf("there are more positions than the %d that can be loaded", uint32(math.MaxUint32))
		}
		for _, row := range batch {
			if row.Key <= last {
				return fmt.Errorf("key %d comes after key %d: keys must ascend from 0", row.Key, last)
			}
			last = row.Key
			l.keys = append(l.keys, row.Key)
			l.values = append(l.values, row.Value)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.index()
	if err := l.gaps.load(ctx, rows); err != nil {
		return nil, err
	}
	return l, nil
}

// index fills starts.
func (l *Loaded) index() {
	const run = 4 // keys for each entry, about
	if len(l.keys) == 0 {
		return
	}
	highest := uint64(l.keys[len(l.keys)-1])
	l.shift = max(0, bits.Len64(highest)-bits.Len64(uint64(len(l.keys))/run))
	l.starts = make([]uint32, 0, highest>>l.shift+2)
	for i, key := range l.keys {
		for len(l.starts) <= int(uint64(key)>>l.shift) {
			l.starts = append(l.starts, uint32(i))
		}
	}
	l.starts = append(l.starts, uint32(len(l.keys)))
}

// Len returns the number of positions stored.
func (l *Loaded) Len() int { return len(l.keys) }

// At returns the position with a number from 0 to Len()-1, in the order of the keys.
func (l *Loaded) At(i int) game.Row { return game.Row{Key: l.keys[i], Value: l.values[i]} }

// Find returns the number of the position with a key, or false if it isn't stored.
func (l *Loaded) Find(key game.Key) (i int, ok bool) {
	leading := uint64(key) >> l.shift // huge for a negative key
	if leading >= uint64(max(1, len(l.starts))-1) {
		return 0, false
	}
	from, to := l.starts[leading], l.starts[leading+1]
	i, ok = slices.BinarySearch(l.keys[from:to], key)
	return int(from) + i, ok
}

// Lookup implements [Source]: it answers for the key that is stored, in a canonical file that of
// the position with the smallest key of its symmetry class. The error is always nil.
func (l *Loaded) Lookup(key game.Key) (v game.Value, ok bool, err error) {
	i, ok := l.Find(key)
	if ok {
		v = l.values[i]
	}
	return v, ok, nil
}

// Gap implements [Source]. The error is always nil.
func (l *Loaded) Gap(gap game.Gap) (sg int, ok bool, err error) { return l.gaps.Gap(gap) }
