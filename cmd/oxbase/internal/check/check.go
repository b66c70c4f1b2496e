// Package check finds where a program that solves one of the judges' problems goes wrong: it runs
// the program on inputs, compares what it prints with what a tablebase says, and narrows the first
// failure down to one small case.
package check

import (
	"context"
	"strings"
	"time"

	"oxbase/cmd/oxbase/internal/program"
	"oxbase/query/judge"
)

// Verdict is what a judge says of a program.
type Verdict string

// The verdicts.
const (
	Accepted          Verdict = "accepted"
	WrongAnswer       Verdict = "wrong answer"
	PresentationError Verdict = "presentation error" // only white space or upper and lower case differ
	RuntimeError      Verdict = "runtime error"      // an exit status other than 0, or a signal
	TimeLimit         Verdict = "time limit exceeded"
	MemoryLimit       Verdict = "memory limit exceeded"
	OutputLimit       Verdict = "output limit exceeded"
)

// Checker checks one program.
type Checker struct {
	Format    judge.Format
	Tablebase judge.Tablebase
	// Run runs the program on an input. An error of it ends the check.
	Run func(ctx context.Context, input string) (program.Result, error)
	// Progress is called after each run with the number of cases that passed, of all that there
	// are. It may be nil.
	Progress func(done, total int)
}

// Plan is what a program is run on, in this order.
type Plan struct {
	Samples [][]judge.Case // the judge's, each an input of its own
	Listed  []judge.Case   // every small one, smallest first
	Drawn   []judge.Case   // some of the larger ones
}

// Report is what came out.
type Report struct {
	Verdict Verdict
	Cases   int           // that passed
	Runs    int           // of the program
	Slowest time.Duration // of the runs that passed
	Failure *Failure      // nil if the program is accepted
}

// Failure is the smallest input found on which the program fails.
type Failure struct {
	Verdict  Verdict
	Cases    []judge.Case // one, unless each passes alone
	Input    string
	Expected string
	Result   program.Result
}

// Check runs the program on the plan until it fails. The failure that it reports is the first one
// of the listed cases if one of them fails. Otherwise it is the sample's or the drawn one, and made
// smaller as far as that goes.
func (c Checker) Check(ctx context.Context, plan Plan) (Report, error) {
	s := &session{Checker: c, total: len(plan.Listed) + len(plan.Drawn)}
	for _, sample := range plan.Samples {
		s.total += len(sample)
	}
	failed, err := s.check(ctx, plan)
	if err != nil {
		return Report{}, err
	}
	r := Report{Verdict: Accepted, Cases: s.passed, Runs: s.runs, Slowest: s.slowest}
	if failed != nil {
		r.Verdict = failed.verdict
		r.Failure = &Failure{failed.verdict, failed.cases, failed.input, strings.Join(failed.answers, ""), failed.result}
	}
	return r, nil
}

// session is one check under way.
type session struct {
	Checker
	total, passed, runs int
	slowest             time.Duration
}

func (s *session) check(ctx context.Context, plan Plan) (*attempt, error) {
	for _, sample := range plan.Samples {
		a, err := s.try(ctx, sample)
		if err != nil {
			return nil, err
		}
		if a.verdict == Accepted {
			s.pass(len(sample))
			continue
		}
		if a, err = s.narrow(ctx, a); err != nil {
			return nil, err
		}
		smaller, err := s.search(ctx, noLarger(plan.Listed, a.cases))
		if smaller != nil || err != nil {
			return smaller, err
		}
		return a, nil
	}
	a, err := s.search(ctx, plan.Listed)
	if a != nil || err != nil {
		return a, err
	}
	if a, err = s.search(ctx, plan.Drawn); a == nil || err != nil {
		return a, err
	}
	return s.shrink(ctx, a)
}

// noLarger returns those of some cases, smallest first, that aren't larger than a failing one; all
// if several are needed to fail.
func noLarger(cases, failing []judge.Case) []judge.Case {
	if len(failing) == 1 {
		for i, c := range cases {
			if c.Size() > failing[0].Size() {
				return cases[:i]
			}
		}
	}
	return cases
}

// pass notes that cases passed.
func (s *session) pass(cases int) {
	s.passed += cases
	if s.Progress != nil {
		s.Progress(s.passed, s.total)
	}
}

// search runs the program on cases until it fails, and returns that failure narrowed, or nil. The
// first inputs have few cases, so that a program that fails soon is found out soon.
func (s *session) search(ctx context.Context, cases []judge.Case) (*attempt, error) {
	all := cases
	for size := 1; len(cases) > 0; size = min(2*size, s.Format.Most) {
		n := min(size, len(cases))
		a, err := s.try(ctx, cases[:n])
		if err != nil {
			return nil, err
		}
		if a.verdict != Accepted {
			return s.smallest(ctx, a, all)
		}
		s.pass(n)
		cases = cases[n:]
	}
	return nil, nil
}

// smallest narrows a failure that search found among cases. If it takes several cases to fail, as
// many of the smallest may do.
func (s *session) smallest(ctx context.Context, failed *attempt, all []judge.Case) (*attempt, error) {
	failed, err := s.narrow(ctx, failed)
	if err != nil || len(failed.cases) == 1 {
		return failed, err
	}
	if first, err := s.fails(ctx, all[:len(failed.cases)]); first != nil || err != nil {
		return first, err
	}
	return failed, nil
}

// attempt is one run of the program.
type attempt struct {
	cases   []judge.Case
	input   string
	answers []string
	result  program.Result
	verdict Verdict
	wrong   int // the case at which the output goes wrong, if it does
}

// try runs the program on one input.
func (s *session) try(ctx context.Context, cases []judge.Case) (*attempt, error) {
	a := &attempt{cases: cases, input: s.Format.Input(cases...)}
	var err error
	if a.answers, err = s.Format.Answers(cases, s.Tablebase); err != nil {
		return nil, err
	}
	if a.result, err = s.Run(ctx, a.input); err != nil {
		return nil, err
	}
	s.runs++
	a.verdict, a.wrong = compare(a.answers, string(a.result.Output))
	if v := verdictOf(a.result); v != Accepted {
		a.verdict = v
	}
	if a.verdict == Accepted {
		s.slowest = max(s.slowest, a.result.Elapsed)
	}
	return a, nil
}

// verdictOf says what a judge says of how a run ended.
func verdictOf(r program.Result) Verdict {
	switch r.Ending {
	case program.OutOfTime:
		return TimeLimit
	case program.OutOfMemory:
		return MemoryLimit
	case program.OutOfOutput:
		return OutputLimit
	case program.Signalled:
		return RuntimeError
	}
	if r.Status != 0 {
		return RuntimeError
	}
	return Accepted
}
