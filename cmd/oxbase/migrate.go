package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"oxbase/migrations"
	"oxbase/store"
)

// migrateOptions are the flags and the argument of migrate.
type migrateOptions struct {
	db     string
	status bool
	asJSON bool
}

func newMigrate(s streams, db *string) *cobra.Command {
	var o migrateOptions
	cmd := &cobra.Command{
		Use:   "migrate [FILE]",
		Short: "Bring a file of an older oxbase to the schema of this one",
		Long: `Bring a tablebase file that an older oxbase has built to the schema of this one, so
that it needn't be built again. A copy beside the file is changed and checked, and
then replaces the file in one step; a migration that fails or is interrupted changes
nothing. A file that has this schema already stays as it is.

--status only prints the schema version of the file, that of this oxbase, and what
would be done; --json prints the same as one JSON object.`,
		Example: `  oxbase migrate --status
  oxbase migrate
  oxbase migrate 4x4x4.db`,
		Args:        usage(cobra.MaximumNArgs(1)),
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.db = dbPath(*db, defaultDB)
			if len(args) > 0 {
				if *db != "" {
					return usagef("migrate takes a file as argument or with --db, not both")
				}
				o.db = args[0]
			}
			all, err := migrations.All()
			if err != nil {
				return err
			}
			return runMigrate(cmd.Context(), s, o, all)
		},
	}
	cmd.Flags().BoolVar(&o.status, "status", false, "only print what would be done")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object")
	return cmd
}

// migration is what is printed of a file.
type migration struct {
	File string `json:"file"`
	store.SchemaStatus
	Migrated bool `json:"migrated"` // the file was changed just now
}

func runMigrate(ctx context.Context, s streams, o migrateOptions, set migrations.Set) error {
	m := migration{File: o.db}
	status, err := store.ReadSchemaStatus(o.db, set)
	if err != nil {
		return withBuildHint(err, o.db)
	}
	m.SchemaStatus = status
	if !o.status {
		if _, err := store.Migrate(ctx, o.db, set); err != nil {
			return err
		}
		m.Migrated = len(m.Pending) > 0
	}
	if o.asJSON {
		err = writeJSON(s.out, m)
	} else {
		err = m.write(s.out)
	}
	if err == nil && m.Version > m.Program {
		err = fmt.Errorf("%s: %w: update oxbase", o.db, store.ErrVersion)
	}
	return err
}

// write prints a migration for people.
func (m migration) write(out io.Writer) (err error) {
	line := func(format string, args ...any) {
		_, failed := fmt.Fprintf(out, format+"\n", args...)
		err = errors.Join(err, failed)
	}
	line("%s: schema version %d, this oxbase has %d", m.File, m.Version, m.Program)
	switch {
	case m.Version > m.Program:
		line("nothing can be done by this oxbase")
	case len(m.Pending) == 0:
		line("nothing is to be done")
	}
	for _, name := range m.Pending {
		line("%s %s", choose(m.Migrated, "applied", "to be applied:"), name)
	}
	return err
}
