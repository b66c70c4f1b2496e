// Package migrations holds the schema of an oxbase file as numbered SQL files, and applies them.
// The number of the last one applied is the file's schema version, which SQLite keeps in the
// file's header as user_version, so that a file needs no table of migrations.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

// FS holds the migrations, NNNNN_name.sql.
//
//go:embed *.sql
var FS embed.FS

// Version is the schema version of this program: the number of the last migration.
const Version = 1

// SchemaSum is the SHA-256, in hex, of the schema of that version: of "type name", a zero byte,
// the statement and a zero byte for each row of sqlite_schema, ordered by type and name. It saves
// those who only want to know whether a file has this schema from making it anew.
const SchemaSum = "9d6dadca8a7a1d8f03ca76048bc62936cfe03cf1141eb5845b701a19af139b4e"

// ApplicationID is the application_id in the header of every oxbase file, "oxdb" in ASCII.
const ApplicationID = 0x6f786462

// Set is a series of migrations, numbered from 1 without a gap.
type Set struct {
	files fs.FS
	names []string // of the files, in order
}

// New returns the migrations NNNNN_name.sql that stand in the root of a file system. It is an
// error if there are none or a number is missing.
func New(files fs.FS) (Set, error) {
	names, err := fs.Glob(files, "*.sql")
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("there are none")
	}
	for i, name := range names {
		if want := fmt.Sprintf("%05d_", i+1); err == nil && !strings.HasPrefix(name, want) {
			err = fmt.Errorf("%s comes where %sname.sql was wanted", name, want)
		}
	}
	if err != nil {
		return Set{}, fmt.Errorf("reading the migrations: %w", err)
	}
	return Set{files, names}, nil
}

// All returns the migrations of this program.
func All() (Set, error) { return New(FS) }

// Version is the schema version that the last of the migrations makes.
func (s Set) Version() int { return len(s.names) }

// After names the migrations that a database of a schema version from 0 to Version lacks, in
// the order in which they are to be applied.
func (s Set) After(version int) []string { return s.names[version:] }

// UpTo brings a database to a schema version from 1 to Version, one transaction a migration. A
// database that has that version or a later one stays as it is.
func (s Set) UpTo(ctx context.Context, db *sql.DB, version int) error {
	provider, err := goose.NewProvider(goose.DialectCustom, db, s.files,
		goose.WithStore(userVersion{}), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	if _, err := provider.UpTo(ctx, int64(version)); err != nil {
		return fmt.Errorf("applying the schema: %w", err)
	}
	return nil
}

// Up brings a database to the schema version of this program, one transaction a migration.
func Up(ctx context.Context, db *sql.DB) error {
	all, err := All()
	if err != nil {
		return err
	}
	return all.UpTo(ctx, db, Version)
}
