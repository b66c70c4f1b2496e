package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"oxbase/game"
)

// SQLiteVersion is the version of the SQLite that reads and writes files.
const SQLiteVersion = lib.SQLITE_VERSION

// Session is a connection for SQL that someone types: it reads the file and those attached to
// it, and SQLite refuses whatever would write or reach another file. Beside SQLite's functions
// it has those of [Functions]. It is not safe for concurrent use.
type Session struct {
	path   string
	game   *game.Game
	pool   *sql.DB
	conn   *sql.Conn
	policy policy
	job    func() error // what the function run does
}

// Attachment is another oxbase file whose tables a session shows under a schema name.
type Attachment struct {
	Schema string // as in "Schema".positions
	Path   string
}

// ParseAttachments reads texts of the form FILE or NAME=FILE. Without a name the schema is called
// as the file without its folder and its extension. A path with a "=" in it needs a name, or a
// "./" before it. The error says which text is wrong and what was wanted.
func ParseAttachments(texts []string) ([]Attachment, error) {
	if len(texts) > maxAttached {
		return nil, fmt.Errorf("%d files to attach: SQLite takes at most %d", len(texts), maxAttached)
	}
	var list []Attachment
	for _, text := range texts {
		a, err := parseAttachment(text)
		if err != nil {
			return nil, fmt.Errorf("attach %q: %w: want FILE or NAME=FILE", text, err)
		}
		for _, earlier := range list {
			if strings.EqualFold(a.Schema, earlier.Schema) {
				return nil, fmt.Errorf("attach %q: %s is already called %s: want NAME=FILE with another name", text, earlier.Path, a.Schema)
			}
		}
		list = append(list, a)
	}
	return list, nil
}

func parseAttachment(text string) (Attachment, error) {
	name, path, named := strings.Cut(text, "=")
	if !named || strings.ContainsAny(name, `/\`) {
		base := filepath.Base(text)
		name, path = strings.TrimSuffix(base, filepath.Ext(base)), text
	}
	switch {
	case path == "":
		return Attachment{}, errors.New("no file")
	case name == "" || strings.ContainsRune(name, 0):
		return Attachment{}, errors.New("no name to call it by")
	case strings.EqualFold(name, "main") || strings.EqualFold(name, "temp"):
		return Attachment{}, fmt.Errorf("SQLite keeps the name %s for itself", name)
	}
	return Attachment{Schema: name, Path: path}, nil
}

// What a statement may use. A session holds boards and numbers, so that these bounds are far
// above what a question needs, and keep a strange file or a slip from filling the memory.
const (
	maxStatement = 1 << 20  // bytes of SQL
	maxValue     = 16 << 20 // bytes of a text or blob
	maxAttached  = 10       // as many as SQLite is compiled for
)

// OpenSession opens a file, and those to attach, for free SQL. The attachments come from
// [ParseAttachments], and draw makes the pictures of the function picture. The errors are those
// of [Open].
func OpenSession(ctx context.Context, path string, attach []Attachment, draw Draw) (*Session, error) {
	for {
		s, err := tryOpenSession(ctx, path, attach, draw)
		if !errors.Is(err, ErrReplaced) {
			return s, err
		}
	}
}

// tryOpenSession fails with [ErrReplaced] if the file has become that of another game since the
// functions for its game were made.
func tryOpenSession(ctx context.Context, path string, attach []Attachment, draw Draw) (_ *Session, err error) {
	s := &Session{path: path}
	if s.game, err = gameOf(path); err != nil {
		return nil, err
	}
	dsn, err := dataSource(path, "ro", "query_only(1)", "trusted_schema(0)", "cell_size_check(1)")
	if err != nil {
		return nil, err
	}
	d := new(sqlite.Driver) // one of its own, since functions belong to a driver
	for _, f := range functions(s.game, draw) {
		if err := d.RegisterDeterministicScalarFunction(f.name, f.arguments, f.call); err != nil {
			return nil, err
		}
	}
	if err := d.RegisterScalarFunction(runFunction, 0, s.run); err != nil {
		return nil, err
	}
	s.pool = sql.OpenDB(connector{d, dsn + "&_defensive=1&_dqs=0"})
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.conn, err = s.pool.Conn(ctx); err != nil {
		return nil, s.failed(err)
	}
	if err := s.checkGame(ctx); err != nil {
		return nil, s.failed(err)
	}
	for _, a := range attach {
		if err := s.attach(ctx, a); err != nil {
			return nil, err
		}
	}
	for id, limit := range map[int]int{
		lib.SQLITE_LIMIT_ATTACHED:   len(attach),
		lib.SQLITE_LIMIT_LENGTH:     maxValue,
		lib.SQLITE_LIMIT_SQL_LENGTH: maxStatement,
	} {
		if _, err := sqlite.Limit(s.conn, id, limit); err != nil {
			return nil, s.failed(err)
		}
	}
	return s, s.conn.Raw(func(c any) error {
		return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(s.policy.authorize)
	})
}

// gameOf checks a file and returns its game.
func gameOf(path string) (_ *game.Game, err error) {
	d, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Game(), d.failed(d.checkCells())
}

// checkGame returns an [ErrReplaced] unless the connection reads a file of the session's game.
func (s *Session) checkGame(ctx context.Context) error {
	var name string
	err := s.conn.QueryRowContext(ctx, "SELECT name FROM game").Scan(&name)
	if err == nil && name != s.game.String() {
		err = ErrReplaced
	}
	return err
}

// attach shows another file under its schema name. It must be one of ours too.
func (s *Session) attach(ctx context.Context, a Attachment) error {
	if _, err := gameOf(a.Path); err != nil {
		return err
	}
	uri, err := dataSource(a.Path, "ro")
	if err != nil {
		return err
	}
	if _, err := s.conn.ExecContext(ctx, "ATTACH ? AS ?", uri, a.Schema); err != nil {
		return fmt.Errorf("attaching %s as %s: %w", a.Path, a.Schema, err)
	}
	return nil
}

// Game returns the game of the file, which the functions work on.
func (s *Session) Game() *game.Game { return s.game }

// Close closes the file and those attached.
func (s *Session) Close() error {
	var err error
	if s.conn != nil {
		err = s.conn.Close()
	}
	return errors.Join(err, s.pool.Close())
}

// Sink takes the result of a statement.
type Sink interface {
	// Columns is called once, before the rows, if the statement has a result.
	Columns(names []string) error
	// Row is called for each row. A value is nil, int64, float64, string or []byte. The slice is
	// used again, the values aren't.
	Row(values []any) error
}

// StatementError says why SQLite can't run a statement: it is wrong, or would do more than read.
type StatementError struct{ Reason string }

func (e *StatementError) Error() string { return e.Reason }

// Query runs one statement and hands its rows on as SQLite finds them, however many there are.
// The end of ctx interrupts it, also between two rows. The error is a [*StatementError], an
// [ErrDamaged], the sink's, that of ctx, or what the system says.
func (s *Session) Query(ctx context.Context, statement string, to Sink) error {
	var err error
	s.policy.refused = ""
	outer := s.conn.Raw(func(c any) error {
		// The driver watches the context only until a statement has its first row. So the
		// statement is run whole by an SQL function, within another statement that the driver
		// watches, and with it all that runs on the connection.
		s.job = func() error {
			err = stream(c.(driver.QueryerContext), statement, to)
			return err
		}
		_, err := c.(driver.ExecerContext).ExecContext(ctx, "SELECT "+runFunction+"()", nil)
		return err
	})
	s.policy.inside, s.job = false, nil
	var wrong *sqlite.Error
	switch {
	case errors.Is(outer, context.Canceled), errors.Is(outer, context.DeadlineExceeded):
		return outer
	case err == nil:
		return s.failed(outer)
	case !errors.As(err, &wrong):
		return err
	}
	return s.explain(wrong)
}

// runFunction is the SQL function that runs a session's statements. The policy keeps statements
// from calling it.
const runFunction = "oxbase_run"

// run is what the function does.
func (s *Session) run(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
	s.policy.inside = true
	return nil, s.job()
}

// stream runs a statement and hands its rows on.
func stream(c driver.QueryerContext, statement string, to Sink) (err error) {
	rows, err := c.QueryContext(context.Background(), statement, nil)
	var ofSQLite *sqlite.Error
	switch {
	case errors.As(err, &ofSQLite):
		return err
	case err != nil:
		return &StatementError{err.Error()} // the driver's: a parameter without a value
	}
	defer closeRows(rows, &err)
	names := rows.Columns()
	if len(names) == 0 {
		return nil
	}
	if err := to.Columns(names); err != nil {
		return err
	}
	values := make([]driver.Value, len(names))
	row := make([]any, len(names))
	for {
		if err := rows.Next(values); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for i, value := range values {
			row[i] = value
		}
		if err := to.Row(row); err != nil {
			return err
		}
	}
}

// explain sorts an error of SQLite by whose fault it is.
func (s *Session) explain(err *sqlite.Error) error {
	reason := strings.TrimSuffix(strings.TrimPrefix(err.Error(), "SQL logic error: "), fmt.Sprintf(" (%d)", err.Code()))
	switch code := err.Code() & 0xff; {
	case s.policy.refused != "":
		return &StatementError{s.policy.refused}
	case code == lib.SQLITE_ERROR && strings.HasPrefix(reason, "cannot VACUUM"):
		// SQLite doesn't ask the policy here: no VACUUM can run inside another statement.
		return &StatementError{refusal("VACUUM")}
	case slices.Contains([]int{lib.SQLITE_ERROR, lib.SQLITE_READONLY, lib.SQLITE_TOOBIG, lib.SQLITE_MISMATCH, lib.SQLITE_RANGE}, code):
		return &StatementError{reason}
	}
	return s.failed(err)
}

// failed says which file an error is about, and marks it if the file is to blame.
func (s *Session) failed(err error) error {
	if err = damage(err); err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// connector opens connections of one driver to one file.
type connector struct {
	driver *sqlite.Driver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.driver }
