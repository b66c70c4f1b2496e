package migrations

import (
	"context"
	"fmt"

	"github.com/pressly/goose/v3/database"
)

// userVersion keeps the schema version in the database header's user_version: all migrations
// up to that number are applied, none above it.
type userVersion struct{}

var _ database.StoreExtender = userVersion{}

// Tablename names the place of the version, which is no table.
func (userVersion) Tablename() string { return "user_version" }

// TableExists is always true: each SQLite file has a user_version, 0 in a new one.
func (userVersion) TableExists(context.Context, database.DBTxConn) (bool, error) { return true, nil }

// CreateVersionTable has nothing to do.
func (userVersion) CreateVersionTable(context.Context, database.DBTxConn) error { return nil }

// Insert notes that a migration was applied.
func (userVersion) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	return setUserVersion(ctx, db, req.Version)
}

// Delete notes that a migration was taken back.
func (userVersion) Delete(ctx context.Context, db database.DBTxConn, version int64) error {
	return setUserVersion(ctx, db, version-1)
}

func setUserVersion(ctx context.Context, db database.DBTxConn, version int64) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// GetMigration reports a migration as applied, or [database.ErrVersionNotFound].
func (s userVersion) GetMigration(ctx context.Context, db database.DBTxConn, version int64) (*database.GetMigrationResult, error) {
	latest, err := s.GetLatestVersion(ctx, db)
	if err != nil {
		return nil, err
	}
	if version > latest {
		return nil, database.ErrVersionNotFound
	}
	return &database.GetMigrationResult{IsApplied: true}, nil
}

// GetLatestVersion returns the number of the last migration applied, 0 if none was.
func (userVersion) GetLatestVersion(ctx context.Context, db database.DBTxConn) (int64, error) {
	var version int64
	err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}

// ListMigrations lists the migrations applied, the last one first, down to number 0, which
// stands for the empty database.
func (s userVersion) ListMigrations(ctx context.Context, db database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	latest, err := s.GetLatestVersion(ctx, db)
	if err != nil {
		return nil, err
	}
	var list []*database.ListMigrationsResult
	for version := latest; version >= 0; version-- {
		list = append(list, &database.ListMigrationsResult{Version: version, IsApplied: true})
	}
	return list, nil
}
