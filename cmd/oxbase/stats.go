package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/shirou/gopsutil/v4/mem"
	"github.com/spf13/cobra"

	"oxbase/game"
	"oxbase/query"
	"oxbase/query/stats"
	"oxbase/store"
)

// statsOptions are the flags of stats.
type statsOptions struct {
	db     string
	asJSON bool
	asCSV  bool
}

func newStats(s streams, db *string) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count the positions of a tablebase by outcome, distance and stones",
		Long: `Count the positions of a tablebase: by outcome and distance, with an example of
each; by stones; by the way in which the game ended; the longest wins; and the
positions in which only one move keeps the outcome.

Outcomes are from x's point of view. Distances are plies, which are single moves,
to the end of the game under best play. An example is the position with the
smallest key. An only move is the only legal one that keeps the outcome.

A canonical file stores one position of each symmetry class, so there are two
numbers: the classes, which are the rows of the file, and the positions that they
stand for. In other files the two are the same.

--json prints one object: "total", "start", and a list for each section. --csv
prints one table: the section, which is one of total, start, outcome, distance,
stones, terminal, longest_win, longest_reachable_win and only_move; what tells its
lines apart, empty where it doesn't apply; and the counts
  stored, reachable_stored        rows of the file, and those that are reachable
  positions, reachable_positions  the positions that those rows stand for
The lines of longest_reachable_win count reachable positions alone.

Memory: up to 30 bytes for each row of the file, beside some 80 MB.`,
		Example: `  oxbase stats
  oxbase stats --db 4x4x4.db --json
  oxbase stats --csv > stats.csv`,
		Args:        usage(cobra.NoArgs),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.db = dbPath(*db, defaultDB)
			return runStats(cmd.Context(), s, o)
		},
	}
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.asCSV, "csv", false, "print one table of comma-separated values")
	return cmd
}

func runStats(ctx context.Context, s streams, o statsOptions) error {
	if o.asJSON && o.asCSV {
		return usagef("--json and --csv exclude each other")
	}
	d, err := openDB(o.db)
	if err != nil {
		return err
	}
	defer d.Close()
	t, rows, err := loadTable(ctx, o.db, d)
	if err != nil {
		return err
	}
	progress, end := rowProgress(s.err, "count", rows)
	report, err := stats.Collect(ctx, t, rows, progress)
	end()
	if err != nil {
		return fmt.Errorf("%s: %w", o.db, err)
	}
	switch {
	case o.asJSON:
		return writeJSON(s.out, report)
	case o.asCSV:
		return writeStatsCSV(s.out, report)
	}
	return writeStats(s.out, report)
}

// loadTable reads the rows of the file under a path into memory, and returns a tablebase that answers
// from them.
func loadTable(ctx context.Context, path string, d *store.DB) (*query.Tablebase, *query.Loaded, error) {
	info := d.Info()
	need := query.LoadedSize(info.Positions) + runtimeMemory
	if m, err := mem.VirtualMemory(); err == nil && m.Available < need {
		return nil, nil, fmt.Errorf("the rows of %s need %s of memory and %s are free", d.Game(), byteSize(need), byteSize(m.Available))
	}
	rows, err := query.Load(ctx, info.Positions, d.Whole())
	if errors.Is(err, query.ErrDamaged) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return &query.Tablebase{Game: d.Game(), Turns: info.Turns, Symmetry: info.Symmetry, Source: rows}, rows, nil
}

// rowProgress returns what shows how many rows are done, on a terminal only, and what ends it.
func rowProgress(out io.Writer, doing string, rows *query.Loaded) (report func(done int64), end func()) {
	if !isTerminal(out) {
		return func(int64) {}, func() {}
	}
	bar := &phaseBar{out: out, began: time.Now()}
	return func(done int64) { bar.show(doing, doing, done, int64(rows.Len())) }, bar.end
}

// statsSection is one list of the report with its name in CSV.
type statsSection struct {
	name  string
	lines []stats.Line
}

func statsSections(r *stats.Report) []statsSection {
	return []statsSection{
		{"outcome", r.Outcomes},
		{"distance", r.Distances},
		{"stones", r.Stones},
		{"terminal", r.Terminal},
		{"longest_win", r.LongestWins},
		{"longest_reachable_win", r.LongestReachableWins},
		{"only_move", r.OnlyMoves},
	}
}

func writeStatsCSV(out io.Writer, r *stats.Report) error {
	w := csv.NewWriter(out)
	// The writer keeps its first error for Flush.
	_ = w.Write([]string{"section", "outcome", "score", "distance", "stones", "terminal", "legal_moves",
		"stored", "positions", "reachable_stored", "reachable_positions", "key", "board", "to_move"})
	write := func(section, score string, line stats.Line, counts []string) {
		key := ""
		if line.Example != nil {
			key = fmt.Sprint(line.Key)
		}
		cells := []string{section, optional(line.Outcome), score, optional(line.Distance), optional(line.Stones),
			line.Terminal, line.LegalMoves}
		_ = w.Write(append(append(cells, counts...), key, exampleOf(line).Board, exampleOf(line).ToMove))
	}
	write("total", "", stats.Line{}, countCells(r.Total))
	write("start", fmt.Sprint(r.Start.Score), startLine(r), make([]string, 4))
	for _, section := range statsSections(r) {
		for _, line := range section.lines {
			write(section.name, "", line, countCells(line.Count))
		}
	}
	w.Flush()
	return w.Error()
}

func countCells(c stats.Count) []string {
	var cells []string
	for _, n := range []int64{c.Stored, c.Positions, c.ReachableStored, c.ReachablePositions} {
		cells = append(cells, strconv.FormatInt(n, 10))
	}
	return cells
}

// startLine returns the line of the empty board, without counts.
func startLine(r *stats.Report) stats.Line {
	distance := int(r.Start.Distance)
	return stats.Line{Outcome: &r.Start.Outcome, Distance: &distance}
}

// optional writes a number, or nothing if there is none.
func optional[T int | int8](n *T) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// statsColumn is a column of a section's table.
type statsColumn struct {
	heading string // as newAligned wants it
	text    func(stats.Line) string
}

func writeStats(out io.Writer, r *stats.Report) error {
	fmt.Fprintf(out, "%s, turns %s, symmetry %s\n\n", r.Name, r.Turns, r.Symmetry)
	counts := countColumns(r)
	if err := writeLines(out, []stats.Line{{Count: r.Total}}, counts); err != nil {
		return err
	}
	fmt.Fprint(out, "\noutcome: who wins under best play; plies: single moves to the end of the game;\n")
	if r.Symmetry == game.Canonical {
		fmt.Fprint(out, "classes: positions that differ by turning or mirroring the board count once;\n")
	}
	if r.Turns == game.Alternate {
		fmt.Fprint(out, "positions: all of them reachable from the empty board;\n")
	}
	fmt.Fprint(out, "example: the position with the smallest key\n")

	result := statsColumn{"outcome", func(l stats.Line) string { return query.Result(*l.Outcome) }}
	plies := statsColumn{"#plies", func(l stats.Line) string { return strconv.Itoa(*l.Distance) }}
	stones := statsColumn{"#stones", func(l stats.Line) string { return strconv.Itoa(*l.Stones) }}
	end := statsColumn{"end", func(l stats.Line) string { return l.Terminal }}
	legal := statsColumn{"legal moves", func(l stats.Line) string { return l.LegalMoves }}
	example := []statsColumn{
		{"example", func(l stats.Line) string { return exampleOf(l).Board }},
		{"to move", func(l stats.Line) string { return exampleOf(l).ToMove }},
	}
	sections := []struct {
		title   string
		lines   []stats.Line
		columns []statsColumn
	}{
		{"From the empty board, x to move", []stats.Line{startLine(r)}, []statsColumn{result, plies,
			{"#score", func(stats.Line) string { return query.SignedScore(r.Start.Score) }}}},
		{"By outcome", r.Outcomes, slices.Concat([]statsColumn{result}, counts, example)},
		{"By outcome and distance", r.Distances, slices.Concat([]statsColumn{result, plies}, counts, example)},
		{"By stones on the board", r.Stones, slices.Concat([]statsColumn{stones}, counts, example)},
		{"By the way in which the game ended", r.Terminal, slices.Concat([]statsColumn{end}, counts, example)},
		{"Longest wins", r.LongestWins, slices.Concat([]statsColumn{result, plies}, counts, example)},
		{"Longest wins of reachable positions", r.LongestReachableWins, slices.Concat([]statsColumn{result, plies}, counts, example)},
		{"Only moves: a single legal move keeps the outcome, of one or of several", r.OnlyMoves,
			slices.Concat([]statsColumn{result, legal}, counts, example)},
	}
	for _, section := range sections {
		fmt.Fprintf(out, "\n%s\n", section.title)
		if err := writeLines(out, section.lines, section.columns); err != nil {
			return err
		}
	}
	return nil
}

// countColumns returns columns for those counts that differ in a file.
func countColumns(r *stats.Report) []statsColumn {
	count := func(heading string, of func(stats.Count) int64) statsColumn {
		return statsColumn{"#" + heading, func(l stats.Line) string { return thousands(of(l.Count)) }}
	}
	classes, anyTurns := r.Symmetry == game.Canonical, r.Turns == game.AnyTurns
	var columns []statsColumn
	if classes {
		columns = append(columns, count("classes", func(c stats.Count) int64 { return c.Stored }))
	}
	columns = append(columns, count("positions", func(c stats.Count) int64 { return c.Positions }))
	if anyTurns && classes {
		columns = append(columns, count("reachable classes", func(c stats.Count) int64 { return c.ReachableStored }))
	}
	if anyTurns {
		columns = append(columns, count("reachable positions", func(c stats.Count) int64 { return c.ReachablePositions }))
	}
	return columns
}

// writeLines writes lines of a report as a table.
func writeLines(out io.Writer, lines []stats.Line, columns []statsColumn) error {
	var headings []string
	for _, c := range columns {
		headings = append(headings, c.heading)
	}
	table := newAligned(headings...)
	for _, line := range lines {
		var cells []string
		for _, c := range columns {
			cells = append(cells, c.text(line))
		}
		table.add(cells...)
	}
	return table.write(out)
}

// exampleOf returns the example of a line, an empty one if the line counts nothing.
func exampleOf(l stats.Line) stats.Example {
	if l.Example == nil {
		return stats.Example{}
	}
	return *l.Example
}
