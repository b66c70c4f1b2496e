package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"oxbase/game"
	"oxbase/query"
	"oxbase/store"
)

// boardOptions are the arguments and flags of query board.
type boardOptions struct {
	board  string // or "-" for many boards from standard input
	toMove string
	asJSON bool
}

func newBoardQuery(s streams, db *string) *cobra.Command {
	var o boardOptions
	cmd := &cobra.Command{
		Use:   "board BOARD|-",
		Short: "Show what a position is worth, every move best first, and the best line",
		Long: `Show what a position is worth, every legal move best first with what becomes of
the outcome, and the best line to the end of the game.

BOARD is the cells in reading order, x or o in either case and . or - or _ for an
empty one, the rows separated by / or not at all. A board that begins with - stands
behind --. Who is to move follows from the number of stones, x having moved first;
--to-move says it where they can't. The score is 0 for a tie, else the empty cells at
the end + 1, positive if x wins and negative if o does; x plays for the highest and o
for the lowest. Moves are ordered by score for the side to move, then as their cells
are read.

With - each line of standard input is a BOARD, then x or o if the side to move has to
be said. For a long input the file is read into memory if that takes at most 256 MiB.

--json prints an object a line for each board. Its fields have the names of the columns
of the file's views: outcome is 1 if x wins, 0 for a tie, -1 if o wins, and key is the
position's own, whichever position of its symmetry class the file stores.`,
		Example: `  oxbase query board x.o/.x./...
  oxbase query board .../.../.ox --to-move o --json
  printf '%s\n' ......... 'xx./.../... o' | oxbase query board -`,
		Args:        usage(cobra.ExactArgs(1)),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.board = args[0]
			return runBoardQuery(cmd.Context(), s, dbPath(*db, defaultDB), o)
		},
	}
	cmd.Flags().StringVar(&o.toMove, "to-move", "", "the side to move, x or o (default: as the number of stones says)")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object a board, each on a line")
	return cmd
}

func runBoardQuery(ctx context.Context, s streams, path string, o boardOptions) error {
	if o.toMove != "" {
		if _, err := game.ParseSide(o.toMove); err != nil {
			return usagef("--to-move: %w", err)
		}
	}
	d, err := openDB(path)
	if err != nil {
		return err
	}
	defer d.Close()
	colour, between := inColour(s.out), "\n"
	q := &boardQuery{path: path, tablebase: tablebaseOf(d), show: func(out io.Writer, r query.Report) error {
		return (&boardText{game: d.Game(), out: out, colour: colour}).print(r)
	}}
	if o.asJSON {
		q.show, between = printJSON[query.Report], ""
	}
	if o.board != "-" {
		return whole(s.out, func(out io.Writer) error {
			return q.answer(out, o.board, o.toMove, "say it with --to-move x or --to-move o")
		})
	}
	lookups := newManyLookups(d)
	defer lookups.stop()
	q.tablebase.Source = lookups
	return eachLine(ctx, s.in, s.out, between, func(out io.Writer, line string) error {
		board, toMove := line, o.toMove
		if blank := strings.IndexAny(line, " \t"); blank >= 0 {
			board, toMove = line[:blank], strings.TrimSpace(line[blank:])
		}
		return q.answer(out, board, toMove, "write it behind the board")
	})
}

// tablebaseOf answers from an open file.
func tablebaseOf(d *store.DB) *query.Tablebase {
	return &query.Tablebase{Game: d.Game(), Turns: d.Info().Turns, Symmetry: d.Info().Symmetry, Source: d}
}

// boardQuery answers for boards. It is safe for concurrent use.
type boardQuery struct {
	path      string
	tablebase *query.Tablebase
	show      func(io.Writer, query.Report) error
}

// answer shows the report on a position. remedy says how to name the side to move.
func (q *boardQuery) answer(out io.Writer, board, toMove, remedy string) error {
	p, err := query.ParsePosition(q.tablebase.Game, board, toMove)
	if err != nil {
		return &usageError{q.explain(err, remedy)}
	}
	r, err := q.tablebase.Report(p)
	if errors.Is(err, query.ErrDamaged) {
		return fmt.Errorf("%s: %w", q.path, err)
	}
	if err != nil {
		return err
	}
	return q.show(out, r)
}

// explain adds to what is wrong with a question how to put it right.
func (q *boardQuery) explain(err error, remedy string) error {
	var turn *query.TurnError
	var size *game.SizeError
	switch {
	case errors.As(err, &turn):
		return fmt.Errorf("%w: %s", err, remedy)
	case errors.As(err, &size):
		err = fmt.Errorf("%w, and that is the game in %s", err, q.path)
		if other, ok := guessGame(size.Text, size.Game); ok {
			err = fmt.Errorf("%w: build the other with %q and ask with --db %s.db",
				err, fmt.Sprintf("oxbase build %s --db %[1]s.db", other), other)
		}
	}
	return err
}

// guessGame names a game that a board text of another size can be of: the size is that of the
// text's rows, or the nearest to a square if it has none, and as many in a row make a line as fit
// both ways, like for the game that was there.
func guessGame(text string, like game.Spec) (name string, ok bool) {
	rows := strings.Split(text, "/")
	spec := game.Spec{Width: len(rows[0]), Height: len(rows), Drop: like.Drop, Misere: like.Misere}
	for _, row := range rows {
		if len(row) != spec.Width {
			return "", false
		}
	}
	if cells := len(text); len(rows) == 1 && cells > 0 && like.Height > 1 {
		spec.Height = int(math.Sqrt(float64(cells)))
		for cells%spec.Height != 0 {
			spec.Height--
		}
		spec.Width = cells / spec.Height
	}
	spec.InRow = max(min(spec.Width, spec.Height), min(3, max(spec.Width, spec.Height)))
	g, err := game.New(spec)
	if err != nil {
		return "", false
	}
	return g.String(), true
}

// printJSON prints a value as JSON on a line.
func printJSON[Value any](out io.Writer, v Value) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
