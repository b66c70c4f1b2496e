package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"oxbase/game"
	"oxbase/query"
	"oxbase/query/export"
	"oxbase/store"
)

// uciPreset is the one value of --preset.
const uciPreset = "uci-tic-tac-toe"

// exportOptions are the flags of export, checked.
type exportOptions struct {
	db      string
	out     string // empty for standard output
	format  export.Format
	filter  export.Filter
	columns bool // print the dictionary of columns, nothing else
	uci     bool // write the UCI data set
}

func newExport(s streams, db *string) *cobra.Command {
	var dictionary strings.Builder
	// A strings.Builder takes everything.
	_ = writeColumns(&dictionary)
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write positions as CSV, JSON Lines or Parquet",
		Long: `Write the positions of a tablebase, or those that pass all filters, in the order of
their keys. What is written are the rows of the file: with turns alternate the
reachable positions only, and with symmetry canonical one position of each symmetry
class, whose best moves are named on its board as it is stored.

The columns, in each format under the same names:

` + dictionary.String() + `
In CSV a boolean is 1 or 0, as in the file, and a blank stands between best moves.

--preset uci-tic-tac-toe writes the UCI Tic-Tac-Toe Endgame data set instead, from a
file of 3x3x3: the 958 boards on which a game can have ended, nine cells from the
top left to the bottom right, x, o or b for blank, then positive if x has a line,
else negative. Order: that of the published file, which has first the boards with a
line of x, then those with a line of o, then the ties, and in each part x before o
before b, cell by cell.

A file of --out is written beside its place and moved there when it is complete.
Memory: up to 30 bytes for each row of the tablebase, beside some 100 MB, however
many positions are written.`,
		Example: `  oxbase export --reachable --out 3x3x3.parquet
  oxbase export --format jsonl --to-move x --stones 4-6 --terminal=false
  oxbase export --preset uci-tic-tac-toe > tic-tac-toe.data`,
		Args:        usage(cobra.NoArgs),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
	}
	flags := cmd.Flags()
	var f exportFlags
	flags.StringVar(&f.format, "format", "", "csv, jsonl or parquet (default what the name of --out ends with, else csv)")
	flags.StringVar(&f.out, "out", "", "the file to write (default standard output)")
	flags.BoolVar(&f.reachable, "reachable", false, "only positions that play from the empty board can reach; =false: only others")
	flags.BoolVar(&f.terminal, "terminal", false, "only positions in which the game is over; =false: only others")
	flags.StringVar(&f.toMove, "to-move", "", "only positions with this side to move: x or o")
	flags.StringVar(&f.outcome, "outcome", "", "only positions with this outcome under best play: x, o or tie")
	flags.StringVar(&f.stones, "stones", "", "only positions with so many pieces on the board: N or N-M")
	flags.BoolVar(&f.columns, "columns", false, "print what the columns mean, and nothing else")
	flags.StringVar(&f.preset, "preset", "", "write a well-known data set: "+uciPreset)
	for flag, values := range map[string][]string{
		"format": export.Formats(), "to-move": {"x", "o"}, "outcome": {"x", "o", "tie"}, "preset": {uciPreset},
	} {
		// It fails for unknown flags only.
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o, err := f.complete(cmd.Flags().Changed)
		if err != nil {
			return &usageError{err}
		}
		o.db = dbPath(*db, defaultDB)
		return runExport(cmd.Context(), s, o)
	}
	return cmd
}

// exportFlags are the flags of export as they are given.
type exportFlags struct {
	format, out, toMove, outcome, stones, preset string
	reachable, terminal, columns                 bool
}

// complete checks the flags, of which given tells the ones that are there.
func (f exportFlags) complete(given func(flag string) bool) (o exportOptions, err error) {
	o = exportOptions{out: f.out, columns: f.columns, uci: given("preset")}
	if given("out") && f.out == "" {
		return o, fmt.Errorf("--out: want the name of a file")
	}
	if o.uci {
		if f.preset != uciPreset {
			return o, fmt.Errorf("--preset %q: want %s", f.preset, uciPreset)
		}
		for _, flag := range []string{"format", "reachable", "terminal", "to-move", "outcome", "stones"} {
			if given(flag) {
				return o, fmt.Errorf("--preset says what is written, so --%s doesn't go with it", flag)
			}
		}
	}
	o.format = export.CSV
	if ending, err := export.ParseFormat(strings.TrimPrefix(filepath.Ext(f.out), ".")); err == nil {
		o.format = ending
	}
	if given("format") {
		if o.format, err = export.ParseFormat(f.format); err != nil {
			return o, err
		}
	}
	if given("reachable") {
		o.filter.Reachable = &f.reachable
	}
	if given("terminal") {
		o.filter.Terminal = &f.terminal
	}
	if given("to-move") {
		side, err := game.ParseSide(f.toMove)
		if err != nil {
			return o, fmt.Errorf("--to-move: %w", err)
		}
		o.filter.ToMove = &side
	}
	if given("outcome") {
		outcomes := []string{"o", "tie", "x"}
		outcome := int8(slices.Index(outcomes, strings.ToLower(f.outcome))) - 1
		if outcome < -1 {
			return o, fmt.Errorf("--outcome %q: want x, o or tie", f.outcome)
		}
		o.filter.Outcome = &outcome
	}
	if given("stones") {
		if o.filter.Stones, err = parseRange(f.stones); err != nil {
			return o, fmt.Errorf("--stones %w", err)
		}
	}
	return o, nil
}

// parseRange reads N or N-M, numbers of which the second isn't smaller.
func parseRange(text string) (*export.Range, error) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	from, errFrom := strconv.ParseUint(first, 10, 16)
	to, errTo := strconv.ParseUint(last, 10, 16)
	if errFrom != nil || errTo != nil || from > to {
		return nil, fmt.Errorf("%q: want a number, or two such as 4-6", text)
	}
	return &export.Range{From: int(from), To: int(to)}, nil
}

// writeColumns writes the dictionary of columns.
func writeColumns(out io.Writer) error {
	table := newAligned("column", "type", "meaning")
	for _, column := range export.Columns() {
		first, rest, _ := strings.Cut(column.Meaning, "\n")
		table.add(column.Name, column.Type, first)
		if rest != "" {
			table.add("", "", rest)
		}
	}
	return table.write(out)
}

func runExport(ctx context.Context, s streams, o exportOptions) error {
	if o.columns {
		return writeColumns(s.out)
	}
	if o.out == "" && o.format == export.Parquet && isTerminal(s.out) {
		return usagef("Parquet is not for a terminal: name a file with --out, or send it into a pipe")
	}
	d, err := openDB(o.db)
	if err != nil {
		return err
	}
	defer d.Close()
	if spec := export.UCIGame(); o.uci && d.Game().Spec != spec {
		return fmt.Errorf("%s holds %s and --preset %s needs %s: build it with %q: %w",
			o.db, d.Game(), uciPreset, spec, "oxbase build "+spec.String(), query.ErrMissing)
	}
	if o.out == "" {
		out := bufio.NewWriterSize(s.out, 64<<10)
		if err := writeExport(ctx, s, o, d, out); err != nil {
			return err
		}
		return out.Flush()
	}
	return replaceFile(o.out, o.db, func(out io.Writer) error { return writeExport(ctx, s, o, d, out) })
}

// writeExport writes the data.
func writeExport(ctx context.Context, s streams, o exportOptions, d *store.DB, out io.Writer) error {
	t, rows, err := loadTable(ctx, o.db, d)
	if err != nil {
		return err
	}
	if o.uci {
		return export.UCI(out, t.Game, rows)
	}
	bar := s.err
	if o.out == "" && isTerminal(s.out) {
		bar = io.Discard // the data is seen to come
	}
	progress, end := rowProgress(bar, "export", rows)
	defer end()
	w := export.NewWriter(out, o.format, t.Game)
	err = export.Each(ctx, t, rows, o.filter, func(records []export.Record, done int64) error {
		progress(done)
		return w.Write(records)
	})
	if errors.Is(err, query.ErrDamaged) {
		return fmt.Errorf("%s: %w", o.db, err)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// replaceFile writes a file beside its place and moves it there when it is complete. If anything
// fails, what stood there stays and nothing else is left. The database is not replaced.
func replaceFile(path, db string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // so that a link goes on leading to the file
	}
	mode := os.FileMode(0o666)
	if old, err := os.Stat(path); err == nil {
		if !old.Mode().IsRegular() {
			return usagef("--out %s: it is not a plain file that could be replaced", path)
		}
		if info, err := os.Stat(db); err == nil && os.SameFile(old, info) {
			return usagef("--out %s: that is the tablebase itself", path)
		}
		mode = old.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.oxbase-%d.tmp", filepath.Base(path), os.Getpid()))
	file, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return usagef("--out %s: %w", path, errors.Unwrap(err))
	}
	defer func() {
		if err != nil {
			file.Close() // a second time, if that is what failed
			os.Remove(temp)
		}
	}()
	out := bufio.NewWriterSize(file, 64<<10)
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
