package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/shirou/gopsutil/v4/mem"
	"github.com/spf13/cobra"

	"oxbase/migrations"
	"oxbase/query"
	"oxbase/query/verify"
	"oxbase/store"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	jobs int
	json bool
}

func newVerify(s streams, db *string) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [FILE...]",
		Short: "Check tablebase files against the rules",
		Long: `Check that tablebase files are what they should be, with a second implementation
that knows nothing of how they are built: it reads a file through SQL and derives
each row anew from the rules and from the rows that its moves lead to. It checks

  - the schema, and the pages, by SQLite's integrity check
  - the tables game and cells
  - that no position is missing and none is one too many
  - each position's outcome, score, distance and reachable
  - that symmetric positions agree
  - the SG value of each gap, by the mex rule and by formula
  - the content hash
  - published numbers of that game, where there are any

and prints each check with what was expected, what was got, and the source of the
expectation. It ends at the first file that fails and names the first wrong row. With
--json it prints one JSON object a file.`,
		Example: `  oxbase verify
  oxbase verify 4x4x4.db 5x4x4-drop.db
  oxbase verify --json`,
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, files []string) error {
			if o.jobs < 1 {
				return usagef("--jobs %d: want at least 1", o.jobs)
			}
			if len(files) == 0 {
				files = []string{dbPath(*db, defaultDB)}
			}
			for i, file := range files {
				if i > 0 && !o.json {
					fmt.Fprintln(s.out)
				}
				if err := runVerify(cmd.Context(), s, file, o); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many cores to use")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object a file")
	return cmd
}

// runVerify verifies one file and prints the report. A file that fails is a [store.ErrDamaged].
func runVerify(ctx context.Context, s streams, path string, o verifyOptions) error {
	report, err := verifyFile(ctx, s, path, o.jobs)
	if err != nil {
		return err
	}
	if o.json {
		err = writeJSON(s.out, struct {
			File string `json:"file"`
			verify.Report
		}{path, report})
	} else {
		err = writeReport(s.out, path, report)
	}
	if err == nil && !report.OK {
		err = fmt.Errorf("%s: %w: %s", path, store.ErrDamaged, report.Wrong)
	}
	return err
}

func verifyFile(ctx context.Context, s streams, path string, jobs int) (verify.Report, error) {
	d, err := openDB(path)
	if err != nil {
		return verify.Report{}, err
	}
	defer d.Close()
	need := query.LoadedSize(d.Info().Positions) + runtimeMemory
	if m, err := mem.VirtualMemory(); err == nil && m.Available < need {
		return verify.Report{}, fmt.Errorf("%s: verifying it needs up to %s of memory and %s are free", path, byteSize(need), byteSize(m.Available))
	}
	empty, err := emptyDB(ctx)
	if err != nil {
		return verify.Report{}, err
	}
	defer empty.Close()
	options := verify.Options{Jobs: jobs}
	if isTerminal(s.err) {
		bar := &phaseBar{out: s.err, began: time.Now()}
		defer bar.end()
		options.Progress = func(p verify.Progress) { bar.show(p.Phase, p.Phase, p.Done, p.Total) }
	}
	var report verify.Report
	err = withDatabase(ctx, d.SQL(), func(db verify.Database) error {
		return withDatabase(ctx, empty, func(empty verify.Database) error {
			report, err = verify.Run(ctx, db, empty, options)
			return err
		})
	})
	return report, err
}

// emptyDB returns a database in memory that has the schema and no rows.
func emptyDB(ctx context.Context) (*sql.DB, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // another one would be another database
	if err := migrations.Up(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// withDatabase lends a connection of a pool, in one read transaction, so that all queries see
// the same file. It does without the pool's rows, which take half as long again.
func withDatabase(ctx context.Context, pool *sql.DB, use func(verify.Database) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	return conn.Raw(func(c any) error {
		return use(driverConn{c.(driver.QueryerContext)})
	})
}

// driverConn reads rows from the driver.
type driverConn struct{ driver.QueryerContext }

var _ verify.Database = driverConn{}

// Query implements [verify.Database].
func (c driverConn) Query(ctx context.Context, query string, row func([]any) error) (err error) {
	rows, err := c.QueryContext(ctx, query, nil)
	if err != nil {
		return err
	}
	defer func() {
		// Closing repeats the error of the last row.
		if closing := rows.Close(); err == nil {
			err = closing
		}
	}()
	values := make([]driver.Value, len(rows.Columns()))
	columns := make([]any, len(values))
	for {
		switch err := rows.Next(values); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
		for i, value := range values {
			columns[i] = value
		}
		if err := row(columns); err != nil {
			return err
		}
	}
}

// writeReport prints a table of checks.
func writeReport(out io.Writer, path string, r verify.Report) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\n", path)
	fmt.Fprintf(table, "\tcheck\texpected\tgot\tsource\n")
	for _, c := range r.Checks {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", choose(c.OK, "ok", "FAIL"), c.Name, c.Expected, c.Got, c.Source)
	}
	return table.Flush()
}
