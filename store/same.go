package store

import (
	"context"
	"database/sql/driver"
	"errors"
)

// sameFile opens connections that read what a [DB] reads.
type sameFile struct {
	connector
	db *DB
}

// Connect implements [driver.Connector].
func (s sameFile) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := s.connector.Connect(ctx)
	if err != nil {
		return nil, s.db.failed(err)
	}
	values, err := (&conn{c}).row(ctx, "SELECT row_hash FROM game")
	if err == nil && values[0] != s.db.info.rowHash() {
		err = ErrReplaced
	}
	if err != nil {
		return nil, errors.Join(s.db.failed(err), c.Close())
	}
	return c, nil
}
