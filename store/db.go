package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"

	"modernc.org/sqlite"

	"oxbase/game"
	"oxbase/migrations"
)

// DB is a tablebase opened for reading. It is safe for concurrent use. It goes on reading the
// file that it opened when a build replaces it meanwhile, and leaves nothing beside it. (On
// Windows nothing can replace a file that is open.)
type DB struct {
	path string
	info Info
	game *game.Game
	pool *sql.DB

	// The file itself, whose pages are read while conn keeps it from being changed. It is closed
	// last, since that ends the locks that SQLite holds for the process, on Unix also those of
	// another DB of the same file.
	pages pageFile
	root  uint32 // the root page of the table positions

	kept keptPages

	// Look-ups hold looking for reading, whoever uses conn holds mu, and Close holds both.
	looking sync.RWMutex
	mu      sync.Mutex
	conn    *conn // in a read transaction, so that a look-up needn't lock the file; nil when closed
	gaps    *lookup
}

// Open opens a file for reading; it never creates or changes one. The error is [ErrNotFound],
// [ErrForeign], [ErrVersion] or [ErrDamaged], or what the system says.
func Open(path string) (*DB, error) {
	all, err := migrations.All()
	if err != nil {
		return nil, err
	}
	return openWith(path, all)
}

// errMoved says that what was opened isn't what SQLite has opened, or has changed since.
var errMoved = errors.New("it was replaced or changed while it was opened")

// openWith opens a file that is to have the schema that a set of migrations makes. It opens it
// twice, by itself and through SQLite, and what stands there may be replaced or changed before
// SQLite has locked it: then it begins anew.
func openWith(path string, set migrations.Set) (*DB, error) {
	const tries = 1000
	for range tries {
		file, h, err := openHeader(path)
		if err != nil {
			return nil, err
		}
		d, err := openFile(path, pageFile{file, h.pageSize}, h, set)
		if !errors.Is(err, errMoved) {
			return d, err
		}
	}
	return nil, fmt.Errorf("%s: %w, each of %d times", path, errMoved, tries)
}

// openFile opens a file that has a header. It closes the file if it fails. The error may be
// [errMoved].
func openFile(path string, pages pageFile, h header, set migrations.Set) (_ *DB, err error) {
	d := &DB{path: path, pages: pages}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := h.check(path, set.Version()); err != nil {
		return nil, err
	}
	if err := checkSchemaPages(pages); err != nil {
		return nil, d.failed(err)
	}
	dsn, err := readerSource(path)
	if err != nil {
		return nil, err
	}
	d.pool = sql.OpenDB(sameFile{connector{new(sqlite.Driver), dsn}, d})
	if d.conn, err = openConn(dsn); err != nil {
		return nil, d.failed(err)
	}
	if err := pages.standsAt(path); err != nil {
		return nil, d.failed(err)
	}
	if err := d.conn.exec(context.Background(), "BEGIN"); err != nil {
		return nil, d.failed(err)
	}
	if err := checkSchema(context.Background(), d.conn, set, set.Version()); err != nil {
		return nil, d.failed(err)
	}
	if err := pages.has(h); err != nil { // now that SQLite has locked the file
		return nil, d.failed(err)
	}
	root, err := d.conn.number(context.Background(), "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'positions'")
	if err == nil && (root < 1 || root > math.MaxUint32) {
		err = damaged("positions can't begin on page %d", root)
	}
	if err != nil {
		return nil, d.failed(err)
	}
	d.root = uint32(root)
	d.info.SchemaVersion, d.info.Size = set.Version(), h.size
	if err := d.readGame(); err != nil {
		return nil, d.failed(err)
	}
	if d.gaps, err = newLookup(d.conn, "SELECT sg FROM strip_sg WHERE length = ? AND left = ? AND right = ?"); err != nil {
		return nil, d.failed(err)
	}
	return d, nil
}

// readerSource returns the name under which SQLite opens a file for reading only.
func readerSource(path string) (string, error) {
	return dataSource(path, "ro", "query_only(1)", "trusted_schema(0)", "cell_size_check(1)", "cache_size(-65536)")
}

// failed says which file an error is about, and marks it if the file is to blame.
func (d *DB) failed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		err = sql.ErrConnDone
	}
	if err = damage(err); err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", d.path, err)
}

// damaged returns an [ErrDamaged] with a reason.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
}

// readGame reads the row of the game table.
func (d *DB) readGame() error {
	values, err := d.conn.row(context.Background(), `SELECT name, width, height, in_row, is_drop, is_misere, turns,
		symmetry, strip_length, positions, content_hash, built_by, row_hash FROM game`)
	if err != nil {
		return fmt.Errorf("reading the table game: %w", err)
	}
	row := gameRow{values: values}
	i := &d.info
	i.Name, i.Width, i.Height, i.InRow = row.text(), int(row.number()), int(row.number()), int(row.number())
	i.Drop, i.Misere = row.number() == 1, row.number() == 1
	i.Turns, i.Symmetry, i.StripLength = game.Turns(row.text()), game.Symmetry(row.text()), int(row.number())
	i.Positions, i.ContentHash, i.BuiltBy = row.number(), row.text(), row.text()
	hash := row.text()
	if row.bad {
		return damaged("the table game has columns of the wrong type")
	}
	if hash != d.info.rowHash() {
		return damaged("the row of the table game doesn't fit its row_hash")
	}
	spec := game.Spec{Width: d.info.Width, Height: d.info.Height, InRow: d.info.InRow, Drop: d.info.Drop, Misere: d.info.Misere}
	if d.game, err = game.New(spec); err != nil {
		return damaged("the table game: %w", err)
	}
	_, errTurns := game.ParseTurns(string(d.info.Turns))
	_, errSymmetry := game.ParseSymmetry(string(d.info.Symmetry))
	if err := errors.Join(errTurns, errSymmetry); err != nil {
		return damaged("the table game: %w", err)
	}
	if d.info.Name != d.game.String() || d.info.StripLength < 0 || d.info.Positions < 0 {
		return damaged("the columns of the table game contradict each other")
	}
	return d.checkPlausible()
}

// checkPlausible returns an error if the row of game would make its readers take more memory than
// the file can be worth, or write more than a line of plain text on their terminals.
func (d *DB) checkPlausible() error {
	const leastGap = 3 // bytes of a row of strip_sg at least; of one of positions more
	i := d.info
	switch {
	case i.Positions > i.Size:
		return damaged("it can't hold %d positions in %d bytes", i.Positions, i.Size)
	case int64(i.StripLength) > i.Size/(9*leastGap):
		return damaged("it can't hold gaps of up to %d cells in %d bytes", i.StripLength, i.Size)
	case strings.Trim(i.ContentHash, "0123456789abcdef") != "" || len(i.ContentHash) != 2*sha256.Size:
		return damaged("game.content_hash is no SHA-256")
	case len(i.BuiltBy) > 100 || strings.ContainsFunc(i.BuiltBy, func(r rune) bool { return !unicode.IsPrint(r) }):
		return damaged("game.built_by is no name of a program")
	}
	return nil
}

// gameRow takes the columns of a row one after the other.
type gameRow struct {
	values []driver.Value
	bad    bool // a column had another type
}

func (r *gameRow) text() string {
	text, ok := r.values[0].(string)
	r.values, r.bad = r.values[1:], r.bad || !ok
	return text
}

func (r *gameRow) number() int64 {
	n, ok := r.values[0].(int64)
	r.values, r.bad = r.values[1:], r.bad || !ok
	return n
}

// Info returns what the file says of itself.
func (d *DB) Info() Info { return d.info }

// Game returns the game whose positions the file holds.
func (d *DB) Game() *game.Game { return d.game }

// SQL returns a pool of read-only connections to the file, for free use. Close closes it. Its
// connections open the file by its path: one that is opened after a build has put another file
// there fails with [ErrReplaced].
func (d *DB) SQL() *sql.DB { return d.pool }

// Close closes the file.
func (d *DB) Close() error {
	d.looking.Lock()
	defer d.looking.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if d.gaps != nil {
		err = d.gaps.stmt.Close()
	}
	d.gaps = nil
	if d.conn != nil {
		err = errors.Join(err, d.conn.Close())
		d.conn = nil
	}
	if d.pool != nil {
		err = errors.Join(err, d.pool.Close())
	}
	if closing := d.pages.Close(); !errors.Is(closing, os.ErrClosed) {
		err = errors.Join(err, closing)
	}
	return err
}

// Lookup returns the value of a position by its key, which in a canonical file must be that of
// the position with the smallest key of its symmetry class. ok is false if the file doesn't
// hold the position. A value that the position can't have is [ErrDamaged].
func (d *DB) Lookup(key game.Key) (v game.Value, ok bool, err error) {
	d.looking.RLock()
	defer d.looking.RUnlock()
	if d.conn == nil {
		return v, false, d.failed(sql.ErrConnDone)
	}
	row, ok, err := d.find(key)
	if err != nil || !ok {
		return v, false, err
	}
	position, err := d.game.Position(key)
	if err == nil {
		err = checkValue(row.Value, d.game.Cells()-position.Stones())
	}
	if err != nil {
		return v, false, d.failed(damaged("key %d: %w", key, err))
	}
	return row.Value, true, nil
}

// Gap returns the SG value of a gap. ok is false if the file isn't to hold it.
func (d *DB) Gap(gap game.Gap) (sg int, ok bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return 0, false, d.failed(sql.ErrConnDone)
	}
	d.gaps.args[0].Value = int64(gap.Length)
	d.gaps.args[1].Value = string(rune(gap.Left))
	d.gaps.args[2].Value = string(rune(gap.Right))
	values, err := d.gaps.run()
	if err != nil {
		return 0, false, d.failed(err)
	}
	if values == nil {
		ends := game.Ends()
		if gap.Length < 0 || gap.Length > d.info.StripLength || !slices.Contains(ends[:], gap.Left) || !slices.Contains(ends[:], gap.Right) {
			return 0, false, nil
		}
		return 0, false, d.failed(damaged("strip_sg has no row for %s", gap))
	}
	n, isNumber := values[0].(int64)
	if !isNumber || n < 0 || n > math.MaxInt32 {
		return 0, false, d.failed(damaged("%s: SG value %v", gap, values[0]))
	}
	return int(n), true, nil
}

// lookup is a prepared query for at most one row.
type lookup struct {
	stmt   driver.Stmt
	query  driver.StmtQueryContext
	args   []driver.NamedValue
	values []driver.Value
}

func newLookup(c *conn, query string) (*lookup, error) {
	stmt, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	l := &lookup{stmt: stmt, query: stmt.(driver.StmtQueryContext)}
	l.args = named(nil, nil, nil)
	return l, nil
}

// run returns the row's values, or nil if there is no row. They are good until the next run.
func (l *lookup) run() (_ []driver.Value, err error) {
	rows, err := l.query.QueryContext(context.Background(), l.args)
	if err != nil {
		return nil, err
	}
	defer closeRows(rows, &err)
	if l.values == nil {
		l.values = make([]driver.Value, len(rows.Columns()))
	}
	switch err := rows.Next(l.values); err {
	case nil:
		return l.values, nil
	case io.EOF:
		return nil, nil
	default:
		return nil, err
	}
}
