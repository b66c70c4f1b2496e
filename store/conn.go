package store

import (
	"context"
	"database/sql/driver"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// conn is a connection to SQLite through its driver. It does without the pool of database/sql,
// whose bookkeeping takes longer than looking up a row.
type conn struct{ driver.Conn }

// openConn opens a connection. dsn comes from [dataSource].
func openConn(dsn string) (*conn, error) {
	c, err := new(sqlite.Driver).Open(dsn)
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

// dataSource returns the name under which the driver opens a file: a URI, since only there
// options count, with what would end the path escaped.
func dataSource(path, mode string, pragmas ...string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	query := url.Values{"mode": {mode}, "_pragma": pragmas}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode(), nil
}

// exec runs a statement without a result.
func (c *conn) exec(ctx context.Context, statement string, args ...any) error {
	_, err := c.Conn.(driver.ExecerContext).ExecContext(ctx, statement, named(args...))
	return err
}

// rows runs a query and hands each row to a function. The values are those of the driver, and
// the slice is used again.
func (c *conn) rows(ctx context.Context, query string, each func([]driver.Value) error, args ...any) (err error) {
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, query, named(args...))
	if err != nil {
		return err
	}
	defer closeRows(rows, &err)
	values := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(values); err {
		case nil:
			if err := each(values); err != nil {
				return err
			}
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// closeRows closes the rows of a query and notes the error, unless there is one already: closing
// repeats that of the last row.
func closeRows(rows driver.Rows, err *error) {
	if closing := rows.Close(); *err == nil {
		*err = closing
	}
}

// row runs a query that has exactly one row in a file that isn't damaged.
func (c *conn) row(ctx context.Context, query string, args ...any) ([]driver.Value, error) {
	var only []driver.Value
	count := 0
	err := c.rows(ctx, query, func(values []driver.Value) error {
		if count++; count > 1 {
			return damaged("several rows where one was wanted")
		}
		only = slices.Clone(values)
		return nil
	}, args...)
	if err == nil && count == 0 {
		err = damaged("no row where one was wanted")
	}
	return only, err
}

// number runs a query for one number.
func (c *conn) number(ctx context.Context, query string, args ...any) (int64, error) {
	values, err := c.row(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	n, ok := values[0].(int64)
	if !ok {
		return 0, damaged("%T where a number was wanted", values[0])
	}
	return n, nil
}

// named numbers the arguments of a statement.
func named(args ...any) []driver.NamedValue {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		if n, ok := arg.(int); ok {
			arg = int64(n)
		}
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	return values
}

// placeholders returns the places of arguments in VALUES, for so many rows of so many columns.
func placeholders(columns, rows int) string {
	row := "(?" + strings.Repeat(", ?", columns-1) + ")"
	return row + strings.Repeat(", "+row, rows-1)
}
