package builder

import (
	"errors"
	"strings"
	"testing"

	"oxbase/game"
)

func stripRows(t testing.TB, length int) map[game.Gap]int {
	t.Helper()
	rows := map[game.Gap]int{}
	err := Strip(length, func(row game.GapRow) error {
		if _, twice := rows[row.Gap]; twice {
			t.Errorf("%s comes twice", row.Gap)
		}
		rows[row.Gap] = row.SG
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestStripEqualsWholeStripPlay plays every move on whole strips, without cutting them into
// gaps, and takes the mex of what they lead to.
func TestStripEqualsWholeStripPlay(t *testing.T) {
	const length = 7
	values := map[string]int{}
	var value func(strip string) int
	value = func(strip string) int {
		if v, ok := values[strip]; ok {
			return v
		}
		reached := map[int]bool{}
		for i := range strip {
			for _, piece := range []string{"O", "X"} {
				if strip[i] != '.' || strings.HasSuffix(strip[:i], piece) || strings.HasPrefix(strip[i+1:], piece) {
					continue
				}
				reached[value(strip[:i]+piece+strip[i+1:])] = true
			}
		}
		v := 0
		for reached[v] {
			v++
		}
		values[strip] = v
		return v
	}
	rows := stripRows(t, length)
	if want := 9 * (length + 1); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	for gap, got := range rows {
		strip := strings.Trim(string(gap.Left), ".") + strings.Repeat(".", gap.Length) + strings.Trim(string(gap.Right), ".")
		if want := value(strip); got != want {
			t.Errorf("%s: got %d, want %d", gap, got, want)
		}
	}
}

func TestStripObeysTheClosedForm(t *testing.T) {
	const length = 1000
	rows := stripRows(t, length)
	if want := 9 * (length + 1); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	for gap, got := range rows {
		want := 0
		switch free := gap.Left == game.Edge; {
		case gap.Length == 0:
		case free && gap.Right == game.Edge:
			want = gap.Length % 2
		case free || gap.Right == game.Edge:
			want = gap.Length
		case gap.Left == gap.Right:
			want = 1
		}
		if got != want {
			t.Errorf("%s: got %d, want %d", gap, got, want)
		}
	}
}

func TestStripReturnsTheFirstError(t *testing.T) {
	full, calls := errors.New("disk full"), 0
	err := Strip(5, func(game.GapRow) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("%d calls, error %v; want one call and %v", calls, err, full)
	}
}

func BenchmarkStrip1000(b *testing.B) {
	for b.Loop() {
		if err := Strip(1000, func(game.GapRow) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
