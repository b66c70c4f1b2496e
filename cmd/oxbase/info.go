package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"oxbase/store"
)

func newInfo(s streams, db *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Print what a tablebase file says of itself",
		Long: `Print what a tablebase file says of itself: the game, which of its positions are
stored, how many, and the hash of their values. With --json the fields have the
names of the columns of the table game.`,
		Example: `  oxbase info
  oxbase info --db 4x4x4.db --json`,
		Args:        usage(cobra.NoArgs),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(*cobra.Command, []string) error {
			d, err := openDB(dbPath(*db, defaultDB))
			if err != nil {
				return err
			}
			defer d.Close()
			if asJSON {
				return writeJSON(s.out, d.Info())
			}
			return writeInfo(s.out, d.Info())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// openDB opens a tablebase for reading. The error says how to build one where there is none.
func openDB(path string) (*store.DB, error) {
	d, err := store.Open(path)
	return d, withBuildHint(err, path)
}

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

func writeInfo(out io.Writer, i store.Info) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "game\t%s\n", i.Name)
	fmt.Fprintf(table, "board\t%d wide, %d high, %d in a row make a line\n", i.Width, i.Height, i.InRow)
	fmt.Fprintf(table, "stones\t%s\n", choose(i.Drop, "fall to the lowest free cell of their column", "go on any free cell"))
	fmt.Fprintf(table, "a line\t%s\n", choose(i.Misere, "loses", "wins"))
	fmt.Fprintf(table, "turns\t%s\n", i.Turns)
	fmt.Fprintf(table, "symmetry\t%s\n", i.Symmetry)
	fmt.Fprintf(table, "positions\t%d\n", i.Positions)
	fmt.Fprintf(table, "strip length\t%d cells\n", i.StripLength)
	fmt.Fprintf(table, "schema version\t%d\n", i.SchemaVersion)
	fmt.Fprintf(table, "built by\t%s\n", i.BuiltBy)
	fmt.Fprintf(table, "content hash\t%s\n", i.ContentHash)
	fmt.Fprintf(table, "size\t%d bytes\n", i.Size)
	return table.Flush()
}

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}
