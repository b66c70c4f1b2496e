package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"oxbase/game"
	"oxbase/query"
)

// stripOptions are the arguments and flags of query strip.
type stripOptions struct {
	strip  string // or "-" for many strips from standard input
	asJSON bool
}

func newStripQuery(s streams, db *string) *cobra.Command {
	var o stripOptions
	cmd := &cobra.Command{
		Use:   "strip STRIP|-",
		Short: "Show the gaps of a strip, who wins, and every winning move",
		Long: `Show each gap of a strip with its SG value (Sprague-Grundy value, nimber), their
XOR, who wins, and every winning move with the strip after it.

A move puts an O or an X on an empty cell, never beside an equal piece, and who can't
move loses. STRIP is . for an empty cell, O and X for pieces, in either case; its cells
are numbered from 1 at the left. The side to move wins exactly if the XOR of the gaps'
SG values isn't 0, and a move wins exactly if it makes it 0.

With - each line of standard input is a STRIP. --json prints an object a line for each
strip.`,
		Example: `  oxbase query strip ..X....O.
  oxbase query strip ..X....O. --json
  printf '%s\n' O.O ..X.. | oxbase query strip -`,
		Args:        usage(cobra.ExactArgs(1)),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.strip = args[0]
			return runStripQuery(cmd.Context(), s, dbPath(*db, defaultDB), o)
		},
	}
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object a strip, each on a line")
	return cmd
}

func runStripQuery(ctx context.Context, s streams, path string, o stripOptions) error {
	d, err := openDB(path)
	if err != nil {
		return err
	}
	defer d.Close()
	show, between := printStrip, "\n"
	if o.asJSON {
		show, between = printJSON[query.StripReport], ""
	}
	strips := query.NewStrips(tablebaseOf(d))
	answer := func(out io.Writer, text string) error {
		strip, err := query.ParseStrip(text)
		if err != nil {
			return &usageError{err}
		}
		r, err := strips.Report(strip)
		if errors.Is(err, query.ErrMissing) {
			return fmt.Errorf("%w: %s has gaps of up to %d cells, build it anew with a greater --strip-length", err, path, d.Info().StripLength)
		}
		if err != nil {
			return err
		}
		return show(out, r)
	}
	if o.strip != "-" {
		return whole(s.out, func(out io.Writer) error { return answer(out, o.strip) })
	}
	return eachLine(ctx, s.in, s.out, between, answer)
}

// printStrip prints a report on a strip for people.
func printStrip(out io.Writer, r query.StripReport) error {
	fmt.Fprintf(out, "%s\n\n", r.Strip)
	values := make([]string, len(r.Gaps))
	if len(r.Gaps) > 0 {
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "gap\tlength\tleft\tright\tSG value")
		for i, gap := range r.Gaps {
			cells := fmt.Sprint(gap.Cell)
			if gap.Length > 1 {
				cells = fmt.Sprintf("%d-%d", gap.Cell, gap.Cell+gap.Length-1)
			}
			fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%d\n", cells, gap.Length, endWord(gap.Left), endWord(gap.Right), gap.SG)
			values[i] = fmt.Sprint(gap.SG)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	sum := ""
	if len(values) > 1 {
		sum = strings.Join(values, " xor ") + " = "
	}
	fmt.Fprintf(out, "SG value %s%d: %s.\n", sum, r.SG, r.Result)
	if len(r.WinningMoves) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nwinning move\tpiece\tstrip after it")
	for _, m := range r.WinningMoves {
		fmt.Fprintf(table, "cell %d\t%s\t%s\n", m.Cell, m.Piece, m.ToStrip)
	}
	return table.Flush()
}

// endWord names what stands at the end of a gap.
func endWord(end string) string {
	if end == string(rune(game.Edge)) {
		return "edge"
	}
	return end
}
