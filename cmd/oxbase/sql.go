package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"oxbase/query"
	"oxbase/store"
)

// sqlOptions are the flags of sql.
type sqlOptions struct {
	db     string
	mode   string
	attach []string
}

func newSQL(s streams, db *string) *cobra.Command {
	var o sqlOptions
	var asCSV, asJSON, asJSONL bool
	cmd := &cobra.Command{
		Use:   "sql [STATEMENT]",
		Short: "Ask a tablebase in SQL, once or in a shell",
		Long: `Ask a tablebase in SQL. Several statements, a semicolon between them, are run one
after the other until one fails. Without STATEMENT they are read from standard
input; on a terminal that is a shell, where Tab completes names, Ctrl-C ends a
statement, the history is kept from one time to the next, and .help lists more.

The tables and views, and what their columns mean, are printed by .schema. Beside
SQLite's functions there are, for boards of the game that the file holds:
` + functionHelp("  ") + `
--attach FILE shows the tables of another tablebase file beside those of the first
one, under a name: that of the file without folder and extension, or NAME with
--attach NAME=FILE. Names that aren't plain words need double quotes in SQL, as
"3x3x3-misere".positions does. The functions stay with the game of the first file.

SQL only reads here: SQLite itself refuses whatever would write or open a file.

Results are written as the rows come. A table takes its widths from the first ` + fmt.Sprint(measuredRows) + `
rows. In --csv NULL is an empty field and an empty text is ""; lines end with a
line feed. In --json and --jsonl a column whose name is taken is called NAME:1.
Blobs are written as X'...'.`,
		Example: `  oxbase sql "SELECT result, count(*) FROM boards WHERE reachable GROUP BY result"
  oxbase sql --csv 'SELECT * FROM boards' > boards.csv
  oxbase sql .examples                 # a dozen questions; run one with '.example 3'
  oxbase sql --attach 3x3x3-misere.db  # a shell on two files`,
		Args:        usage(cobra.MaximumNArgs(1)),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.db = dbPath(*db, defaultDB)
			o.mode = "table"
			chosen := 0
			for mode, flag := range map[string]bool{"csv": asCSV, "json": asJSON, "jsonl": asJSONL} {
				if flag {
					o.mode = mode
					chosen++
				}
			}
			if chosen > 1 {
				return usagef("--csv, --json and --jsonl exclude each other")
			}
			return runSQL(cmd.Context(), s, o, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asCSV, "csv", false, "print comma-separated values with a header")
	flags.BoolVar(&asJSON, "json", false, "print an array of objects")
	flags.BoolVar(&asJSONL, "jsonl", false, "print an object a line")
	flags.StringArrayVar(&o.attach, "attach", nil, "`[NAME=]FILE` of another tablebase to show too; may be repeated")
	return cmd
}

// functionHelp lists the SQL functions, one a line.
func functionHelp(indent string) string {
	var text strings.Builder
	for _, f := range store.Functions() {
		fmt.Fprintf(&text, "%s%s\n%s    %s\n", indent, f.Signature, indent, f.Summary)
	}
	return text.String()
}

func runSQL(ctx context.Context, s streams, o sqlOptions, args []string) (err error) {
	attach, err := store.ParseAttachments(o.attach)
	if err != nil {
		return &usageError{err}
	}
	session, err := store.OpenSession(ctx, o.db, attach, query.Picture)
	if err != nil {
		return withBuildHint(err, o.db)
	}
	defer func() { err = errors.Join(err, session.Close()) }()

	shell := &sqlShell{session: session, out: s.out, err: s.err, mode: o.mode}
	switch {
	case len(args) > 0:
		shell.lines = script{bufio.NewReader(strings.NewReader(args[0]))}
	case isTerminal(s.out) && isTerminalInput(s.in):
		return runSQLTerminal(ctx, shell)
	default:
		shell.lines = script{bufio.NewReader(interruptible(ctx, s.in))}
	}
	shell.begin = func() (context.Context, context.CancelFunc) { return ctx, func() {} }
	return shell.run()
}

func isTerminalInput(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && isTerminal(file)
}

// runSQLTerminal runs the shell on a terminal. An interrupt ends a statement there, not the program.
func runSQLTerminal(ctx context.Context, shell *sqlShell) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	defer stop()
	names := &sqlNames{session: shell.session}
	terminal := newTerminal(ctx, historyPath(), names.complete)
	defer terminal.close()
	shell.lines = terminal
	shell.interactive = true
	shell.begin = func() (context.Context, context.CancelFunc) { return signal.NotifyContext(ctx, os.Interrupt) }
	fmt.Fprintf(shell.out, "%s: SQL ends with a semicolon, .help lists more, .examples has questions.\n", shell.session.Game())
	return shell.run()
}
