package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// streams are where a command reads and writes: data goes to out, everything else to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// run executes one command line and returns its exit status.
func run(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(s.err, "oxbase: %s\n", describe(err))
	return exitStatus(err)
}

func newRoot(s streams) *cobra.Command {
	var (
		db          string
		showVersion bool
	)
	root := &cobra.Command{
		Use:   "oxbase",
		Short: "Endgame tablebases of tic-tac-toe-like games in one SQLite file",
		Long: `oxbase builds endgame tablebases of tic-tac-toe-like games: every position of a
game with its outcome, score and distance to the end, in one SQLite file, beside
the Sprague-Grundy values of a strip game. It answers questions from the file by
key lookup.`,
		Example: `  oxbase build                     # every position of 3x3x3 into ox.db
  oxbase info                      # what the file holds
  oxbase query hrbust-2320 cases.txt`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return writeVersion(s.out)
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().StringVar(&db, "db", "", `the tablebase file (default $OXBASE_DB, else ox.db)`)
	root.Flags().BoolVar(&showVersion, "version", false, `as the command version`)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w (see %q)", err, cmd.CommandPath()+" --help")}
	})
	// A help template would keep every exported method of the program in the binary.
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help(cmd, args)
		if statuses := cmd.Annotations["exit"]; statuses != "" {
			fmt.Fprintf(s.out, "\nExit status:\n%s", statuses)
		}
	})
	root.AddCommand(newBuild(s, &db), newQuery(s, &db), newInfo(s, &db), newStats(s, &db), newExport(s, &db), newVerify(s, &db), newMigrate(s, &db), newSQL(s, &db), newServe(s, &db),
		newCheck(s, &db), newCases(s, &db), newVersion(s), newDocs())
	return root
}

// usage makes a complaint about the number of arguments a usage error.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{fmt.Errorf("%w (see %q)", err, cmd.CommandPath()+" --help")}
		}
		return nil
	}
}

// completeFlag lets a shell complete the values of a flag.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // there is no such flag
	}
}

// dbPath returns the file to use: the flag's, else the environment's, else the given one.
func dbPath(flag, otherwise string) string {
	if flag != "" {
		return flag
	}
	if path := os.Getenv("OXBASE_DB"); path != "" {
		return path
	}
	return otherwise
}
