package check

import (
	"context"

	"oxbase/query/judge"
)

// narrow returns a failure on as few cases as can be: on the first case that fails alone, or else on
// the cases that it takes to fail, which stand side by side in the input. Each step is a run that
// failed, so the result is one even if the program does something else each time.
func (s *session) narrow(ctx context.Context, failed *attempt) (*attempt, error) {
	if len(failed.cases) > 1 {
		var err error
		if failed, err = s.fewest(ctx, failed); err != nil {
			return nil, err
		}
	}
	return s.canonical(ctx, failed)
}

// fewest finds the first case that fails alone, or else the fewest that fail together. Runs: about
// twice the logarithm of the number of cases.
func (s *session) fewest(ctx context.Context, failed *attempt) (*attempt, error) {
	cases := failed.cases
	if alone, err := s.fails(ctx, cases[failed.wrong:failed.wrong+1]); alone != nil || err != nil {
		return alone, err
	}
	// The first 0 cases pass and the first len(failed.cases) fail.
	for passing := 0; len(failed.cases)-passing > 1; {
		middle := (passing + len(failed.cases)) / 2
		a, err := s.fails(ctx, cases[:middle])
		switch {
		case err != nil:
			return nil, err
		case a != nil:
			failed = a
		default:
			passing = middle
		}
	}
	cases = failed.cases
	last := len(cases) - 1
	if last == 0 {
		return failed, nil
	}
	if alone, err := s.fails(ctx, cases[last:]); alone != nil || err != nil {
		return alone, err
	}
	// Those from 0 on fail and the last one alone passes.
	for passing := last; passing-(len(cases)-len(failed.cases)) > 1; {
		middle := (passing + len(cases) - len(failed.cases)) / 2
		a, err := s.fails(ctx, cases[middle:])
		switch {
		case err != nil:
			return nil, err
		case a != nil:
			failed = a
		default:
			passing = middle
		}
	}
	return failed, nil
}

// fails runs the program on an input and returns the attempt if it fails, else nil.
func (s *session) fails(ctx context.Context, cases []judge.Case) (*attempt, error) {
	a, err := s.try(ctx, cases)
	if err != nil || a.verdict == Accepted {
		return nil, err
	}
	return a, nil
}

// canonical returns the failure on the canonical case of the same symmetry class if the program
// fails there too.
func (s *session) canonical(ctx context.Context, failed *attempt) (*attempt, error) {
	if len(failed.cases) > 1 {
		return failed, nil
	}
	c := s.Format.Canonical(failed.cases[0])
	if c == failed.cases[0] {
		return failed, nil
	}
	if a, err := s.fails(ctx, []judge.Case{c}); a != nil || err != nil {
		return a, err
	}
	return failed, nil
}

// shrink makes a failing case smaller as long as the smaller one fails too.
func (s *session) shrink(ctx context.Context, failed *attempt) (*attempt, error) {
	s.Progress = nil
	defer func(passed int) { s.passed = passed }(s.passed)
	for len(failed.cases) == 1 {
		smaller, err := s.search(ctx, s.Format.Smaller(failed.cases[0]))
		if err != nil {
			return nil, err
		}
		if smaller == nil || len(smaller.cases) > 1 {
			break
		}
		failed = smaller
	}
	return failed, nil
}
