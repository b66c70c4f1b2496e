package verify

import (
	"context"
	"fmt"

	"oxbase/game"
)

// strips checks that each SG value is the least number that no move leads to (mex). A move cuts a
// gap in two, which are worth the XOR of their values. Time: quadratic in the strip length.
func (v *verifier) strips(ctx context.Context) error {
	gaps := 9 * (v.row.stripLength + 1)
	total := fmt.Sprintf("%d gaps", gaps)
	found, err := inParallel(ctx, v.options, "checking strips", gaps, 9, func() func(int64, *finding) {
		// when[n] is the number, from 1, of the last gap of which a move leads to n. With two
		// moves at most for each cell the mex is never more than twice the length.
		when := make([]int64, 2*v.row.stripLength+2)
		return func(i int64, f *finding) {
			v.moves(i, when)
			want := 0
			for when[want] == i+1 {
				want++
			}
			if got := int(v.sg[i]); got != want {
				f.note(0, i, func() string {
					return fmt.Sprintf("%s: SG value is %d, want %d: the least that none of its moves leads to", gapNumber(i), got, want)
				})
			}
		}
	})
	if err != nil {
		return err
	}
	if found.wrong != "" {
		return v.compare(Check{Name: "strips by mex", Expected: total, Got: "a wrong one", Source: "their moves' rows"},
			"strip_sg: "+found.wrong)
	}
	v.pass("strips by mex", total, "their moves' rows")
	return nil
}

// moves notes in when what each move in the gap with number i leads to.
func (v *verifier) moves(i int64, when []int64) {
	ends := game.Ends()
	length, left, right := i/9, i/3%3, i%3
	for piece := range int64(len(ends)) {
		if ends[piece] == game.Edge {
			continue
		}
		from, to := int64(0), length // the cells that don't touch an equal piece
		if left == piece {
			from++
		}
		if right == piece {
			to--
		}
		for at := from; at < to; at++ {
			value := v.sg[9*at+3*left+piece] ^ v.sg[9*(length-1-at)+3*piece+right]
			if int(value) < len(when) {
				when[value] = i + 1
			}
		}
	}
}

// stripForm checks one of the formulas that are published for a kind of gap of at least one
// cell, and returns it if all rows obey it, else a row that doesn't.
func (v *verifier) stripForm(formula string, isKind func(game.Gap) bool) (got string, err error) {
	formulas := map[string]func(length int) int{
		"n mod 2": func(length int) int { return length % 2 },
		"n":       func(length int) int { return length },
		"1":       func(int) int { return 1 },
		"0":       func(int) int { return 0 },
	}
	want, known := formulas[formula]
	if !known {
		return "", fmt.Errorf("unknown formula %q", formula)
	}
	for i := int64(9); i < 9*(v.row.stripLength+1); i++ {
		if gap := gapNumber(i); isKind(gap) && int(v.sg[i]) != want(gap.Length) {
			return fmt.Sprintf("%d for a %s", v.sg[i], gap), nil
		}
	}
	return formula, nil
}
