package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxbase/cmd/oxbase/internal/check"
	"oxbase/cmd/oxbase/internal/program"
	"oxbase/query"
	"oxbase/query/judge"
)

const (
	longestListed = 12  // cells: half a million strips
	longestDrawn  = 100 // cells: the longest that the judge gives
)

// checkOptions are the flags of check.
type checkOptions struct {
	format  judge.Format
	program []string
	limits  program.Limits
	memory  int // MiB
	output  int // MiB
	scope   judge.Scope
	count   int
	seed    uint64
	save    string
	asJSON  bool
}

func newCheck(s streams, db *string) *cobra.Command {
	o := checkOptions{scope: judge.Scope{Shortest: 1, Longest: longestDrawn}}
	cmd := &cobra.Command{
		Use:   "check PROBLEM -- PROGRAM [ARG...]",
		Short: "Find where a program that solves a judge's problem goes wrong",
		Long: `Run a program on inputs of a judge's problem and compare what it prints with the tablebase:
on the judge's samples, then on every legal input, smallest first, with no more cases in one
input than the judge has. The strips of lightoj are all those of up to --length cells, then
--count random ones of up to 100. The first failure is narrowed to the smallest case that
shows it, and printed with what the position is worth and the command that runs it again.

The verdicts are accepted, wrong answer, presentation error (only white space, or upper and
lower case, differ), runtime error, and time, memory or output limit exceeded. White space at
the end of a line or of the output never matters. The exit status is 0 if the program is
accepted and 1 if it isn't.

The limits hold for each run of the program. Time is by the clock on the wall; memory is that
of its largest process, looked at every hundredth of a second and again at its end (on macOS
only then; on Windows no process gets more). When a run ends, so do all processes that it
started, except, on systems other than Linux and Windows, those that left its process group.`,
		Example: `  oxbase check csp -- ./solution
  oxbase check luogu --all -- python3 solution.py
  oxbase check hrbust --time 1s --memory 64 --save failing -- java -cp build Main`,
		Args:              usage(checkArguments),
		ValidArgsFunction: completeProblem,
		Annotations:       exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.format, err = judge.Find(args[0]); err != nil {
				return &usageError{err}
			}
			o.program = args[1:]
			if err := o.validate(cmd); err != nil {
				return err
			}
			return runCheck(cmd.Context(), s, dbPath(*db, defaultDB), o)
		},
	}
	cmd.Flags().DurationVar(&o.limits.Time, "time", 5*time.Second, "how long a run may take")
	cmd.Flags().IntVar(&o.memory, "memory", 512, "how much memory a run may use, in MiB")
	cmd.Flags().IntVar(&o.output, "output", 16, "how much a run may print, in MiB")
	cmd.Flags().BoolVar(&o.scope.All, "all", false, "every board that play can reach, not only the judge's (luogu)")
	cmd.Flags().IntVar(&o.scope.Listed, "length", 8, "check all strips of up to this many cells (lightoj)")
	cmd.Flags().IntVar(&o.count, "count", 1000, "how many random strips to check (lightoj)")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "draw other random strips (lightoj)")
	cmd.Flags().StringVar(&o.save, "save", "", "keep the failing input and the expected output in this folder")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	return cmd
}

// checkArguments wants the problem before the dashes and the program behind them.
func checkArguments(cmd *cobra.Command, args []string) error {
	if cmd.ArgsLenAtDash() != 1 || len(args) < 2 {
		return errors.New("want a problem, then --, then the program and its arguments")
	}
	return nil
}

// validate checks the flags and works out the limits.
func (o *checkOptions) validate(cmd *cobra.Command) error {
	switch {
	case o.limits.Time <= 0:
		return usagef("--time %s: want more than 0, such as 2s", o.limits.Time)
	case o.memory < 1 || o.memory > 1<<20:
		return usagef("--memory %d: want 1 to %d MiB", o.memory, 1<<20)
	case o.output < 1 || o.output > 1<<10:
		return usagef("--output %d: want 1 to %d MiB", o.output, 1<<10)
	case o.count < 0:
		return usagef("--count %d: want at least 0", o.count)
	}
	o.limits.Memory = uint64(o.memory) << 20
	o.limits.Output = o.output << 20
	return wantsStrips(cmd, o.format, o.scope, "length", "count", "seed")
}

// wantsStrips checks the length of the strips to list, and that flags for strips are used with
// nothing else.
func wantsStrips(cmd *cobra.Command, format judge.Format, scope judge.Scope, flags ...string) error {
	if scope.Listed < 1 || scope.Listed > longestListed {
		return usagef("--length %d: want 1 to %d", scope.Listed, longestListed)
	}
	for _, flag := range flags {
		if format.Game != nil && cmd.Flags().Changed(flag) {
			return usagef("--%s is for strips: %s has none", flag, format.Name)
		}
	}
	return nil
}

// notAccepted says that a program isn't accepted.
type notAccepted struct{ verdict check.Verdict }

func (e *notAccepted) Error() string { return string(e.verdict) }

func runCheck(ctx context.Context, s streams, path string, o checkOptions) error {
	found, err := exec.LookPath(o.program[0])
	if err != nil {
		return &usageError{err}
	}
	t, err := judgesTablebase(ctx, path, o.format)
	if err != nil {
		return err
	}
	plan, err := o.plan(t)
	if err != nil {
		return err
	}
	args := append([]string{found}, o.program[1:]...)
	checker := check.Checker{
		Format:    o.format,
		Tablebase: t,
		Run: func(ctx context.Context, input string) (program.Result, error) {
			return program.Run(ctx, args, input, o.limits)
		},
	}
	if isTerminal(s.err) {
		bar := &phaseBar{out: s.err, began: time.Now()}
		defer bar.end()
		checker.Progress = func(done, total int) { bar.show("check", "cases", int64(done), int64(total)) }
	}
	result, err := checker.Check(ctx, plan)
	if err != nil {
		return err
	}
	r, err := newCheckReport(o, t, result)
	if err != nil {
		return err
	}
	if o.asJSON {
		err = writeJSON(s.out, r)
	} else {
		err = r.write(s.out, t.Game)
	}
	if err == nil && result.Verdict != check.Accepted {
		err = &notAccepted{result.Verdict}
	}
	return err
}

// plan returns what to run the program on.
func (o checkOptions) plan(t *query.Preloaded) (check.Plan, error) {
	var plan check.Plan
	for _, sample := range o.format.Samples {
		cases, err := o.format.Parse(strings.NewReader(sample))
		if err != nil {
			return plan, fmt.Errorf("the sample of %s: %w", o.format.Name, err)
		}
		plan.Samples = append(plan.Samples, cases)
	}
	var err error
	if plan.Listed, err = o.format.Cases(o.scope, t); err != nil {
		return plan, err
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	for range o.count {
		if c, ok := o.format.Random(random, o.scope); ok {
			plan.Drawn = append(plan.Drawn, c)
		}
	}
	return plan, nil
}

// saveFailure writes a failing input and the expected output, and returns the names of the files.
func saveFailure(folder string, format judge.Format, f *check.Failure) ([]string, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	var names []string
	for _, file := range []struct{ ending, text string }{{".in", f.Input}, {".out", f.Expected}} {
		name := filepath.Join(folder, format.Name+file.ending)
		if err := os.WriteFile(name, []byte(file.text), fs.FileMode(0o666)); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}
