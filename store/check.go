package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// integrityCheck lets SQLite check a table, or the whole file if no table is named. ctx
// interrupts it.
func integrityCheck(ctx context.Context, c *conn, table string) error {
	what := "1" // report one thing that is wrong
	if table != "" {
		what = table
	}
	var found error
	err := c.rows(ctx, "PRAGMA integrity_check("+what+")", func(values []driver.Value) error {
		if values[0] != "ok" && found == nil {
			found = fmt.Errorf("%w: SQLite's integrity check says: %v", ErrDamaged, values[0])
		}
		return nil
	})
	return errors.Join(err, found)
}

// damage marks an error of SQLite that comes from what the file holds as [ErrDamaged].
func damage(err error) error {
	const (
		generic = 1  // a table or column isn't there, or an expression can't be computed
		ioError = 10 // of these only the short read
		corrupt = 11
		notADB  = 26

		shortRead = ioError | 2<<8
		rollback  = 8 | 3<<8 // a journal would have to be applied to the file
	)
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch code := e.Code(); {
		case code == rollback:
			return damaged("another program died while it changed the file: open it once with the sqlite3 program, which takes the change back")
		case code == shortRead, code&0xff == generic, code&0xff == corrupt, code&0xff == notADB:
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return err
}
