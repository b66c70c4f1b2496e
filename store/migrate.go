package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	"oxbase/game"
	"oxbase/migrations"
)

// SchemaStatus holds the schema version of a file against that of a program.
type SchemaStatus struct {
	Version int      `json:"schema_version"`         // number of the last migration of the file
	Program int      `json:"program_schema_version"` // number of the program's last migration
	Pending []string `json:"pending"`                // migrations that the file lacks, in their order
}

// ReadSchemaStatus reads which migrations a file lacks; it looks no further into it. A file of a
// newer schema than the set's lacks none. The error is [ErrNotFound], [ErrForeign] or
// [ErrVersion], or what the system says.
func ReadSchemaStatus(path string, set migrations.Set) (SchemaStatus, error) {
	h, err := readHeader(path)
	if err != nil {
		return SchemaStatus{}, err
	}
	s := SchemaStatus{Version: h.version, Program: set.Version(), Pending: []string{}}
	switch {
	case h.version < 1:
		return SchemaStatus{}, h.check(path, set.Version())
	case h.version < s.Program:
		s.Pending = set.After(h.version)
	}
	return s, nil
}

// Migrate brings a file of an older schema version to that of a set of migrations: it migrates a
// copy beside the file, checks the copy, and lets it replace the file in one step. A file that
// has the version already stays as it is. Whatever goes wrong, including the end of ctx, leaves
// the file as it was and nothing beside it. It returns what the file lacked. The error is that
// of [Open], or says what failed.
//
// Time: linear in the rows. Memory: constant.
func Migrate(ctx context.Context, path string, set migrations.Set) (SchemaStatus, error) {
	status, err := ReadSchemaStatus(path, set)
	if err != nil {
		return status, err
	}
	if len(status.Pending) == 0 {
		d, err := openWith(path, set)
		if err != nil {
			return status, err
		}
		return status, d.Close()
	}
	if err := migrateFile(ctx, path, set); err != nil {
		return status, fmt.Errorf("migrating %s, which stays as it was: %w", path, err)
	}
	return status, nil
}

func migrateFile(ctx context.Context, path string, set migrations.Set) (err error) {
	p, err := createPending(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.remove()) }()
	if err := copyFile(ctx, p.temp, path); err != nil {
		return err
	}
	if err := checkCopy(ctx, p.temp, set); err != nil {
		return err
	}
	dsn, err := p.dataSource()
	if err != nil {
		return err
	}
	if err := migrate(ctx, dsn, set); err != nil {
		return damage(err)
	}
	p.startSync()
	if err := checkMigrated(ctx, p.temp, set); err != nil {
		return fmt.Errorf("checking the copy: %w", err)
	}
	return p.publish(ctx)
}

// copyFile fills a file with what another holds.
func copyFile(ctx context.Context, to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	const step = 64 << 20
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch _, err := io.CopyN(out, in, step); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// checkCopy returns an error unless a file of an older schema version is as the migrations up to
// there made it, so that those which follow do to it what they are meant to.
func checkCopy(ctx context.Context, path string, set migrations.Set) (err error) {
	file, h, err := openHeader(path)
	if err != nil {
		return err
	}
	if err = h.check(path, h.version); err == nil {
		err = checkSchemaPages(pageFile{file, h.pageSize})
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	dsn, err := readerSource(path)
	if err != nil {
		return err
	}
	c, err := openConn(dsn)
	if err != nil {
		return damage(err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := checkSchema(ctx, c, set, h.version); err != nil {
		return damage(err)
	}
	triggers, err := c.number(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
	if err == nil && triggers > 0 {
		err = damaged("it has triggers, which would run when it is changed")
	}
	return damage(err)
}

// checkMigrated returns an error unless SQLite finds nothing wrong with a file and its rows are
// those that its content hash speaks of.
func checkMigrated(ctx context.Context, path string, set migrations.Set) (err error) {
	d, err := openWith(path, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := integrityCheck(ctx, d.conn, ""); err != nil {
		return err
	}
	rows := d.Whole()
	if err := rows.Rows(ctx, func([]game.Row) error { return nil }); err != nil {
		return err
	}
	return rows.Gaps(ctx, func([]game.GapRow) error { return nil })
}

// migrate applies migrations to a file.
func migrate(ctx context.Context, dsn string, set migrations.Set) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	return errors.Join(set.UpTo(ctx, db, set.Version()), db.Close())
}
