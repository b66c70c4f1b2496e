// Package migrations holds the schema of an oxbase file as numbered SQL files, and applies them.
// The number of the last one applied is the file's schema version, which SQLite keeps in the
// file's header as user_version, so that a file needs no table of migrations.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	"github.com/pressly/goose/v3"
)

// FS holds the migrations, NNNNN_name.sql.
//
//go:embed *.sql
var FS embed.FS

// Version is the schema version of this program: the number of the last migration.
const Version = 1

// ApplicationID is the application_id in the header of every oxbase file, "oxdb" in ASCII.
const ApplicationID = 0x6f786462

// Up brings a database to the schema version of this program, one transaction a migration.
func Up(ctx context.Context, db *sql.DB) error {
	provider, err := goose.NewProvider(goose.DialectCustom, db, FS,
		goose.WithStore(userVersion{}), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("applying the schema: %w", err)
	}
	return nil
}
