package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"oxbase/query/judge"
)

// casesOptions are the flags of cases.
type casesOptions struct {
	format      judge.Format
	scope       judge.Scope
	wanted      judge.Filter
	count       int // 0 if it isn't given
	adversarial bool
	seed        uint64
	folder      string
	answers     bool
	asJSON      bool
}

func newCases(s streams, db *string) *cobra.Command {
	o := casesOptions{scope: judge.Scope{Shortest: 1, Longest: longestDrawn}}
	cmd := &cobra.Command{
		Use:   "cases PROBLEM",
		Short: "Write test inputs of a judge's problem with their answers",
		Long: `Write test inputs of a judge's problem with their answers: --all legal ones, smallest first;
--count random ones, each another; or --adversarial ones, which usual mistakes get wrong. With
--all too, --count and --adversarial draw from every board that play can reach, and not only
from those that the judge of luogu gives. Random strips of lightoj have 1 to 100 cells.

Standard output gets one input with all cases, or with --answers the answers to it; where an
input is one case, the inputs with an empty line between them. --dir writes 01.in, 01.out and so
on into a new or empty folder, with no more cases in one input than the judge has; with
--adversarial each has a 01.txt that says what it is for. --json prints an object a line for
each of these inputs.

The same command gives the same bytes. Who wins (--outcome) is x, tie or o, and yes or no where
the question is whether the player wins; scores, distances and stones are as in query board.`,
		Example: `  oxbase cases hrbust --count 1000 | oxbase query hrbust
  oxbase cases csp --adversarial --dir tests
  oxbase cases algospot --all --canonical --outcome tie --stones 4,5 --only-move`,
		Args:              usage(cobra.ExactArgs(1)),
		ValidArgsFunction: completeProblem,
		Annotations:       exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.format, err = judge.Find(args[0]); err != nil {
				return &usageError{err}
			}
			if err := o.validate(cmd); err != nil {
				return err
			}
			return runCases(cmd.Context(), s, dbPath(*db, defaultDB), o)
		},
	}
	cmd.Flags().BoolVar(&o.scope.All, "all", false, "all legal inputs")
	cmd.Flags().IntVar(&o.count, "count", 0, "how many random cases, or cases a mistake (default there: an input full, 5 to 100)")
	cmd.Flags().BoolVar(&o.adversarial, "adversarial", false, "cases that usual mistakes get wrong")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "draw other cases")
	cmd.Flags().IntVar(&o.scope.Listed, "length", 8, "with --all: all strips of up to this many cells (lightoj)")
	cmd.Flags().StringSliceVar(&o.wanted.Outcomes, "outcome", nil, "only these outcomes")
	cmd.Flags().IntSliceVar(&o.wanted.Scores, "score", nil, "only these scores")
	cmd.Flags().IntSliceVar(&o.wanted.Distances, "distance", nil, "only these distances to the end, in plies")
	cmd.Flags().IntSliceVar(&o.wanted.Stones, "stones", nil, "only these numbers of stones")
	cmd.Flags().BoolVar(&o.wanted.OnlyMove, "only-move", false, "only where exactly one legal move keeps the outcome")
	cmd.Flags().BoolVar(&o.wanted.Canonical, "canonical", false, "one case of each symmetry class, the canonical one")
	cmd.Flags().StringVar(&o.folder, "dir", "", "write the inputs and answers into this folder")
	cmd.Flags().BoolVar(&o.answers, "answers", false, "print the answers in place of the input")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object an input, each on a line")
	return cmd
}

// validate checks the flags.
func (o *casesOptions) validate(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("count") && o.count < 1:
		return usagef("--count %d: want at least 1", o.count)
	case !o.scope.All && !o.adversarial && o.count == 0:
		return usagef("which cases? want --all, --count or --adversarial")
	case o.folder != "" && (o.answers || o.asJSON) || o.answers && o.asJSON:
		return usagef("--dir, --answers and --json: want one of them at most")
	}
	if err := o.format.Check(o.wanted); err != nil {
		return &usageError{err}
	}
	return wantsStrips(cmd, o.format, o.scope, "length")
}

// caseSet is some cases that belong together, and what they are for.
type caseSet struct {
	cases   []judge.Case
	comment string
}

// testInput is one input as an archive of problems has it.
type testInput struct {
	Name    string `json:"name"`    // 01, 02 and so on
	Cases   int    `json:"cases"`   // in the input
	Input   string `json:"input"`   // as the judge gives it
	Answers string `json:"answers"` // as the judge wants them
	Comment string `json:"comment"` // what the input is for, or ""
}

func runCases(ctx context.Context, s streams, path string, o casesOptions) error {
	t, err := judgesTablebase(ctx, path, o.format)
	if err != nil {
		return err
	}
	sets, err := o.choose(t)
	if err != nil {
		return err
	}
	if o.folder == "" && !o.asJSON {
		return o.stream(s.out, sets, t)
	}
	inputs, err := o.split(sets, t)
	if err != nil {
		return err
	}
	if o.asJSON {
		out := bufio.NewWriter(s.out)
		for _, in := range inputs {
			if err := printJSON(out, in); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	if err := writeFolder(o.folder, inputs); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.err, "%s: %s\n", o.folder, plural(int64(len(inputs)), "input"))
	return err
}

// choose returns the cases that the flags ask for.
func (o casesOptions) choose(t judge.Tablebase) ([]caseSet, error) {
	if o.adversarial {
		return o.trapped(t)
	}
	var cases []judge.Case
	var err error
	if o.count > 0 {
		cases, err = o.format.Draw(o.random(0), o.count, o.scope, o.wanted, t)
		if err == nil && len(cases) < o.count {
			return nil, usagef("--count %d: there are only %d such cases", o.count, len(cases))
		}
	} else if cases, err = o.format.Cases(o.scope, t); err == nil {
		cases, err = o.format.Filter(cases, o.wanted, t)
	}
	if err == nil && len(cases) == 0 {
		err = o.none()
	}
	return []caseSet{{cases: cases}}, err
}

// trapped returns a set of cases for each usual mistake that there are cases for.
func (o casesOptions) trapped(t judge.Tablebase) ([]caseSet, error) {
	count := o.count
	if count == 0 {
		count = min(100, max(5, o.format.Most))
	}
	var sets []caseSet
	for i, trap := range o.format.Traps() {
		cases, err := o.format.DrawTrap(o.random(uint64(i)), trap, count, o.scope, o.wanted, t)
		if err != nil {
			return nil, err
		}
		if len(cases) > 0 {
			sets = append(sets, caseSet{cases, trap.Name + "\n\n" + trap.Why + "\n"})
		}
	}
	if len(sets) == 0 {
		return nil, o.none()
	}
	return sets, nil
}

// none says that no case is as wanted.
func (o casesOptions) none() error {
	if o.scope.All {
		return usagef("there are no such cases")
	}
	return usagef("there are no such cases among those that the judge gives: --all adds the others that have an answer, if there are any")
}

// random returns a source of randomness for one set of cases.
func (o casesOptions) random(set uint64) *rand.Rand { return rand.New(rand.NewPCG(o.seed, set)) }

// stream prints all cases as one input, or the answers to it.
func (o casesOptions) stream(to io.Writer, sets []caseSet, t judge.Tablebase) error {
	var cases []judge.Case
	for _, set := range sets {
		cases = append(cases, set.cases...)
	}
	inputs := [][]judge.Case{cases}
	if o.format.Single() {
		inputs = slices.Collect(slices.Chunk(cases, 1))
	}
	out := bufio.NewWriter(to)
	for i, cases := range inputs {
		if o.answers {
			answers, err := o.format.Answers(cases, t)
			if err != nil {
				return err
			}
			out.WriteString(strings.Join(answers, ""))
			continue
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(o.format.Input(cases...))
	}
	return out.Flush()
}

// split returns inputs with no more cases than the judge has.
func (o casesOptions) split(sets []caseSet, t judge.Tablebase) ([]testInput, error) {
	var inputs []testInput
	for _, set := range sets {
		for cases := range slices.Chunk(set.cases, o.format.Most) {
			answers, err := o.format.Answers(cases, t)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, testInput{
				Cases: len(cases), Input: o.format.Input(cases...), Answers: strings.Join(answers, ""), Comment: set.comment,
			})
		}
	}
	digits := max(2, len(fmt.Sprint(len(inputs))))
	for i := range inputs {
		inputs[i].Name = fmt.Sprintf("%0*d", digits, i+1)
	}
	return inputs, nil
}

// writeFolder writes the files of each input into a folder that has no others.
func writeFolder(folder string, inputs []testInput) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	there, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return usagef("%s isn't empty: want a new or an empty folder", folder)
	}
	for _, in := range inputs {
		for ending, text := range map[string]string{".in": in.Input, ".out": in.Answers, ".txt": in.Comment} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(folder, in.Name+ending), []byte(text), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}
