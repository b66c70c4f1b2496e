package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"oxbase/game"
	"oxbase/query"
	"oxbase/query/judge"
	"oxbase/store"
)

func newQuery(s streams, db *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query",
		Short: "Answer questions from a tablebase by key lookup",
		Long: `Answer questions from a tablebase by key lookup. Each problem of an online judge is
a command of its own that reads the judge's input and prints exactly its output.`,
		Example: `  oxbase query hrbust-2320 cases.txt
  echo '1 ..O' | oxbase query lightoj`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBoardQuery(s, db), newStripQuery(s, db))
	for _, format := range judge.Formats() {
		cmd.AddCommand(newJudgeQuery(s, db, format))
	}
	return cmd
}

func newJudgeQuery(s streams, db *string, format judge.Format) *cobra.Command {
	return &cobra.Command{
		Use:     format.Name + " [FILE...]",
		Aliases: []string{format.Alias},
		Short:   fmt.Sprintf("%s: %s", format.Judge, format.Title),
		Long: fmt.Sprintf("Answers %s.\n\nReads the judge's input from the files, each a whole input, or from standard input,\nand prints exactly the judge's output.",
			format.Summary),
		Example:     judgeExample(format),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, files []string) error {
			return runJudgeQuery(cmd.Context(), s, dbPath(*db, defaultDB), format, files)
		},
	}
}

// completeProblem lets a shell complete the name of a problem as the first argument.
func completeProblem(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, format := range judge.Formats() {
		names = append(names, format.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func judgeExample(format judge.Format) string {
	lines := strings.ReplaceAll(strings.TrimSuffix(format.Example, "\n"), "\n", `\n`)
	return fmt.Sprintf("  printf -- '%s\\n' | oxbase query %s", lines, format.Name)
}

func runJudgeQuery(ctx context.Context, s streams, path string, format judge.Format, files []string) error {
	t, err := judgesTablebase(ctx, path, format)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return format.Run(interruptible(ctx, s.in), s.out, t)
	}
	for _, file := range files {
		if err := runFile(file, s.out, format, t); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// judgesTablebase reads the file that a format's answers come from into memory.
func judgesTablebase(ctx context.Context, path string, format judge.Format) (*query.Preloaded, error) {
	d, err := openDB(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := holds(d, path, format); err != nil {
		return nil, err
	}
	t, err := query.Preload(ctx, d.Game(), d.Info().Turns, d.Info().Symmetry, d.Whole())
	if err != nil && !errors.Is(err, store.ErrDamaged) { // which names the file
		err = fmt.Errorf("%s: %w", path, err)
	}
	return t, err
}

func runFile(file string, out io.Writer, format judge.Format, t *query.Preloaded) error {
	in, err := os.Open(file)
	if err != nil {
		return &usageError{errors.Unwrap(err)}
	}
	defer in.Close()
	return format.Run(in, out, t)
}

// holds checks that a file has what a format needs.
func holds(d *store.DB, path string, format judge.Format) error {
	if format.Game == nil {
		return nil
	}
	info := d.Info()
	if d.Game().Spec != *format.Game {
		return fmt.Errorf("%s holds %s and %s needs %s: build it with %q: %w",
			path, info.Name, format.Name, format.Game, "oxbase build "+format.Game.String(), query.ErrMissing)
	}
	if format.Turns == game.AnyTurns && info.Turns != game.AnyTurns {
		return fmt.Errorf("%s holds turns %s and %s needs either side to move on every board: build it with %q: %w",
			path, info.Turns, format.Name, "oxbase build --turns any", query.ErrMissing)
	}
	return nil
}
