package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// recorder is a Sink that keeps what it gets as the sqlite3 program would print it, and calls
// onRow, if there is one, after each row.
type recorder struct {
	columns []string
	lines   []string
	onRow   func() error
}

func (r *recorder) Columns(names []string) error {
	r.columns = names
	return nil
}

func (r *recorder) Row(values []any) error {
	var texts []string
	for _, value := range values {
		text := "NULL"
		if value != nil {
			text = fmt.Sprint(value)
		}
		texts = append(texts, text)
	}
	r.lines = append(r.lines, strings.Join(texts, "|"))
	if r.onRow != nil {
		return r.onRow()
	}
	return nil
}

// drawn stands for a picture of a board.
func drawn(g *game.Game, b game.Board) string {
	return strings.ReplaceAll(g.Text(b), "/", "\n") + "\n"
}

func openSession(t testing.TB, path string, attach ...Attachment) *Session {
	t.Helper()
	s, err := OpenSession(t.Context(), path, attach, drawn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask returns the lines of a query that has to succeed.
func ask(t testing.TB, s *Session, query string) []string {
	t.Helper()
	var r recorder
	if err := s.Query(t.Context(), query, &r); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return r.lines
}

func TestSessionReads(t *testing.T) {
	spec := game.Spec{Width: 3, Height: 2, InRow: 2}
	search := newSearch(spec)
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(spec), search.rows())
	s := openSession(t, path)
	if s.Game().Spec != spec {
		t.Errorf("the game is %s, want %s", s.Game(), spec)
	}
	for query, want := range map[string][]string{
		"SELECT * FROM boards ORDER BY key":        search.boardLines(),
		"SELECT * FROM moves ORDER BY key, to_key": search.moveLines(),
		"SELECT * FROM outcome_counts":             search.countLines(),
		"SELECT 1, 1.5, 'a', NULL, x'00ff'":        {"1|1.5|a|NULL|[0 255]"},
		"WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a LIMIT 3) SELECT n FROM a": {"1", "2", "3"},
		"PRAGMA user_version": {"1"},
		"SELECT name FROM pragma_table_info('cells') LIMIT 2":                                        {"cell", "name"},
		"PRAGMA integrity_check":                                                                     {"ok"},
		"SELECT count(*) > 0 FROM sqlite_dbpage":                                                     {"1"},
		"SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1 LIMIT 1":                     {"cells"},
		"SELECT value FROM json_each('[7]')":                                                         {"7"},
		"SELECT count(*), count(DISTINCT a.key) FROM positions AS a JOIN positions AS b USING (key)": {fmt.Sprintf("%d|%[1]d", len(search.values))},
		"-- nothing": nil,
		"":           nil,
		";":          nil,
	} {
		if diff := cmp.Diff(want, ask(t, s, query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestSessionColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(small()), nil)
	s := openSession(t, path)
	for query, want := range map[string][]string{
		"SELECT key, outcome AS \"who wins\" FROM positions": {"key", "who wins"}, // no rows, but columns
		"SELECT 1 AS a, 2 AS a":                              {"a", "a"},
		"-- nothing":                                         nil,
	} {
		var r recorder
		if err := s.Query(t.Context(), query, &r); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if diff := cmp.Diff(want, r.columns); diff != "" {
			t.Errorf("%s: columns (-want +got):\n%s", query, diff)
		}
	}
}

// TestSessionOnlyReads tries every kind of statement that writes, or that reaches another file.
func TestSessionOnlyReads(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	build(t, "a.db", metaOf(small()), newSearch(small()).rows())
	build(t, "other.db", metaOf(small()), nil)
	before := contents(t, folder)
	s := openSession(t, "a.db", Attachment{"other", "other.db"})
	for _, test := range []struct{ statement, want string }{
		{"INSERT INTO positions VALUES (9999, 0, 0, 0, 0)", "INSERT INTO positions is refused"},
		{"INSERT INTO other.positions VALUES (9999, 0, 0, 0, 0)", "INSERT INTO positions is refused"},
		{"INSERT INTO positions SELECT * FROM positions RETURNING key", "INSERT INTO positions is refused"},
		{"REPLACE INTO positions VALUES (0, 0, 0, 0, 0)", "INSERT INTO positions is refused"},
		{"INSERT INTO positions VALUES (0, 0, 0, 0, 0) ON CONFLICT DO UPDATE SET score = 1", "is refused"},
		{"INSERT INTO boards VALUES (1)", "INSERT INTO boards is refused"},
		{"WITH a AS (SELECT 1) DELETE FROM positions", "DELETE FROM positions is refused"},
		{"UPDATE positions SET outcome = 1", "UPDATE positions is refused"},
		{"UPDATE sqlite_schema SET sql = ''", "table sqlite_master may not be modified"},
		{"DELETE FROM positions", "DELETE FROM positions is refused"},
		{"EXPLAIN DELETE FROM positions", "DELETE FROM positions is refused"},
		{"CREATE TABLE t(x)", "changing the schema is refused"},
		{"CREATE TABLE t AS SELECT * FROM positions", "changing the schema is refused"},
		{"CREATE TEMP TABLE t(x)", "changing the schema is refused"},
		{"CREATE TABLE other.t(x)", "changing the schema is refused"},
		{"CREATE INDEX i ON positions(score)", "changing the schema is refused"},
		{"CREATE VIEW v AS SELECT 1", "changing the schema is refused"},
		{"CREATE TEMP VIEW v AS SELECT 1", "changing the schema is refused"},
		{"CREATE TRIGGER t AFTER INSERT ON positions BEGIN SELECT 1; END", "changing the schema is refused"},
		{"CREATE VIRTUAL TABLE t USING fts5(x)", "changing the schema is refused"},
		{"CREATE VIRTUAL TABLE temp.t USING rtree(a, b, c)", "changing the schema is refused"},
		{"DROP TABLE positions", "changing the schema is refused"},
		{"DROP VIEW boards", "changing the schema is refused"},
		{"ALTER TABLE positions RENAME TO p", "changing the schema is refused"},
		{"ALTER TABLE positions ADD COLUMN x", "changing the schema is refused"},
		{"ALTER TABLE cells DROP COLUMN name", "changing the schema is refused"},
		{"INSERT INTO sqlite_dbpage(pgno, data) VALUES (1, zeroblob(4096))", "INSERT INTO sqlite_dbpage is refused"},
		{"UPDATE sqlite_dbpage SET data = NULL", "UPDATE sqlite_dbpage is refused"},
		{"DELETE FROM sqlite_dbpage", "DELETE FROM sqlite_dbpage is refused"},
		{"ANALYZE", "ANALYZE is refused"},
		{"REINDEX", "REINDEX is refused"},
		{"VACUUM", "VACUUM is refused"},
		{"VACUUM INTO 'copy.db'", "VACUUM is refused"},
		{"VACUUM other INTO 'copy.db'", "VACUUM is refused"},
		{"ATTACH 'other.db' AS w", "ATTACH is refused"},
		{"ATTACH 'new.db' AS w", "ATTACH is refused"},
		{"ATTACH ':memory:' AS w", "ATTACH is refused"},
		{"ATTACH 'file:other.db?mode=rwc' AS w", "ATTACH is refused"},
		{"EXPLAIN ATTACH 'new.db' AS w", "ATTACH is refused"},
		{"DETACH other", "DETACH is refused"},
		{"BEGIN", "BEGIN is refused"},
		{"BEGIN IMMEDIATE", "BEGIN is refused"},
		{"BEGIN EXCLUSIVE", "BEGIN is refused"},
		{"COMMIT", "COMMIT is refused"},
		{"ROLLBACK", "ROLLBACK is refused"},
		{"SAVEPOINT s", "SAVEPOINT is refused"},
		{"RELEASE s", "SAVEPOINT is refused"},
		{"PRAGMA writable_schema = ON", "PRAGMA writable_schema is refused"},
		{"PRAGMA writable_schema = RESET", "PRAGMA writable_schema is refused"},
		{"PRAGMA journal_mode = WAL", "PRAGMA journal_mode is refused"},
		{"PRAGMA journal_mode", "PRAGMA journal_mode is refused"},
		{"PRAGMA other.journal_mode = WAL", "PRAGMA journal_mode is refused"},
		{"SELECT * FROM pragma_journal_mode", "PRAGMA journal_mode is refused"},
		{"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA locking_mode is refused"},
		{"PRAGMA query_only = 0", "PRAGMA query_only is refused"},
		{"PRAGMA trusted_schema = 1", "PRAGMA trusted_schema is refused"},
		{"PRAGMA user_version = 9", "PRAGMA user_version is refused"},
		{"PRAGMA user_version = ''", "attempt to write a readonly database"},
		{"PRAGMA application_id(9)", "PRAGMA application_id is refused"},
		{"PRAGMA schema_version = 9", "PRAGMA schema_version is refused"},
		{"PRAGMA encoding = 'UTF-16'", "PRAGMA encoding is refused"},
		{"PRAGMA page_size = 512", "PRAGMA page_size is refused"},
		{"PRAGMA auto_vacuum = FULL", "PRAGMA auto_vacuum is refused"},
		{"PRAGMA incremental_vacuum", "PRAGMA incremental_vacuum is refused"},
		{"PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint is refused"},
		{"PRAGMA optimize", "PRAGMA optimize is refused"},
		{"PRAGMA temp_store_directory = '.'", "PRAGMA temp_store_directory is refused"},
		{"PRAGMA hard_heap_limit = 1", "PRAGMA hard_heap_limit is refused"},
		{"PRAGMA mmap_size = 1000000", "PRAGMA mmap_size is refused"},
		{"SELECT load_extension('evil')", "load_extension"},
		{"SELECT LOAD_EXTENSION('evil', 'entry')", "load_extension"},
		{"SELECT fts3_tokenizer('a')", "fts3_tokenizer"},
		{"SELECT writefile('new.txt', 'x')", "no such function: writefile"},
		{"SELECT readfile('a.db')", "no such function: readfile"},
		{"SELECT edit('x')", "no such function: edit"},
		{"SELECT oxbase_run()", "oxbase_run"},
		{"SELECT zeroblob(100000000)", "string or blob too big"},
		{"SELECT '" + strings.Repeat("x", 2<<20) + "'", "string or blob too big"},
		{"SELECT * FROM absent", "no such table: absent"},
		{`SELECT "x wins"`, `no such column: "x wins"`},
		{"SELECT ?", "missing argument"},
		{"SELECT :name", "missing named argument"},
		{"SELEC 1", `near "SELEC": syntax error`},
		{"SELECT 1 +", "incomplete input"},
		{"SELECT abs(-9223372036854775808)", "integer overflow"},
	} {
		err := s.Query(t.Context(), test.statement, &recorder{})
		name := test.statement[:min(len(test.statement), 60)]
		var wrong *StatementError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: got %v, want a StatementError", name, err)
			continue
		}
		if !strings.Contains(wrong.Reason, test.want) || strings.Contains(wrong.Reason, "\n") {
			t.Errorf("%s: got %q, want one line with %q", name, wrong.Reason, test.want)
		}
		if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
			t.Fatalf("%s: the folder (-before +after):\n%s", name, diff)
		}
	}
	if got := ask(t, s, "SELECT count(*) FROM positions")[0]; got != fmt.Sprint(len(newSearch(small()).values)) {
		t.Errorf("afterwards there are %s positions", got)
	}
}

// endless has one row, and then SQLite goes on looking for the next for ever.
const endless = `SELECT 1 AS n UNION ALL SELECT n FROM (
	WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a WHERE n < 0)`

func TestSessionInterrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(small()), newSearch(small()).rows())
	s := openSession(t, path)
	t.Run("between two rows", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := recorder{onRow: func() error { cancel(); return nil }}
		if err := s.Query(ctx, endless, &r); !errors.Is(err, context.Canceled) || len(r.lines) != 1 {
			t.Errorf("got %v after %d rows, want %v after one", err, len(r.lines), context.Canceled)
		}
	})
	t.Run("before the first row", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		r := recorder{}
		if err := s.Query(ctx, "SELECT * FROM ("+endless+") WHERE n > 1", &r); !errors.Is(err, context.DeadlineExceeded) || len(r.lines) != 0 {
			t.Errorf("got %v after %d rows, want %v after none", err, len(r.lines), context.DeadlineExceeded)
		}
	})
	t.Run("before the start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := recorder{}
		if err := s.Query(ctx, "SELECT 1", &r); !errors.Is(err, context.Canceled) || len(r.lines) != 0 {
			t.Errorf("got %v after %d rows, want %v after none", err, len(r.lines), context.Canceled)
		}
	})
	t.Run("by the sink", func(t *testing.T) {
		full := errors.New("full")
		r := recorder{onRow: func() error { return full }}
		if err := s.Query(t.Context(), endless, &r); err != full || len(r.lines) != 1 {
			t.Errorf("got %v after %d rows, want %v after one", err, len(r.lines), full)
		}
	})
	if got := ask(t, s, "SELECT key FROM positions LIMIT 2"); len(got) != 2 {
		t.Errorf("afterwards a query has %d rows, want 2", len(got))
	}
}

// TestSessionStreams: rows come one by one, however many there are.
func TestSessionStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(small()), nil)
	enough := errors.New("enough")
	rows := 0
	r := recorder{}
	r.onRow = func() error {
		r.lines = nil
		if rows++; rows == 20_000 {
			return enough
		}
		return nil
	}
	err := openSession(t, path).Query(t.Context(), "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a", &r)
	if err != enough || rows != 20_000 {
		t.Errorf("got %v after %d rows of a result without end", err, rows)
	}
}

// TestSessionOfEvilFile opens a file with which someone means harm.
func TestSessionOfEvilFile(t *testing.T) {
	path := changed(t, bytesOf(t, small()),
		"CREATE VIEW endless AS "+endless,
		"CREATE VIEW loads AS SELECT load_extension('evil')",
		"CREATE VIEW a AS SELECT 1 AS n",
		"CREATE VIEW b AS SELECT * FROM a",
		"DROP VIEW a",
		"CREATE VIEW a AS SELECT * FROM b",
		"CREATE VIEW calls AS SELECT board_text(0)",
		"CREATE TABLE large(b)",
		"INSERT INTO large VALUES (zeroblob(20000000))",
		"CREATE TRIGGER strikes AFTER INSERT ON positions BEGIN DELETE FROM positions; END",
		"CREATE TABLE dates(d DATE)",
		"INSERT INTO dates VALUES ('2020-01-02')",
	)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := openSession(t, path)
	for query, want := range map[string]string{
		"SELECT * FROM loads":                    "load_extension",
		"SELECT * FROM calls":                    "unsafe use of board_text()",
		"SELECT * FROM a":                        "view a is circularly defined",
		"SELECT b FROM large":                    "string or blob too big",
		"INSERT INTO positions VALUES (1,1,1,1)": "refused",
	} {
		var wrong *StatementError
		if err := s.Query(t.Context(), query, &recorder{}); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, want) {
			t.Errorf("%s: got %v, want a StatementError with %q", query, err, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Query(ctx, "SELECT count(*) FROM endless", &recorder{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("endless: got %v, want %v", err, context.DeadlineExceeded)
	}
	if got := ask(t, s, "SELECT d FROM dates"); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file changed, %v", err)
	}
}

// TestSessionOfDamagedFile changes bytes at random and reads everything.
func TestSessionOfDamagedFile(t *testing.T) {
	ours := bytesOf(t, small())
	random := rand.New(rand.NewPCG(4, 9))
	path := filepath.Join(t.TempDir(), "a.db")
	rounds := 200
	if underRace {
		rounds = 20
	}
	for range rounds {
		data := append([]byte(nil), ours...)
		offset, b := random.IntN(len(data)), byte(random.IntN(256))
		data[offset] = b
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := OpenSession(t.Context(), path, nil, drawn)
		if err != nil {
			if !decided(err) {
				t.Errorf("byte %d set to %d: opening: %v", offset, b, err)
			}
			continue
		}
		for _, query := range []string{"SELECT * FROM moves", "SELECT * FROM outcome_counts", "SELECT * FROM strip_sg", "SELECT picture(key) FROM positions"} {
			err := s.Query(t.Context(), query, &recorder{})
			var wrong *StatementError
			if !decided(err) && !errors.As(err, &wrong) {
				t.Errorf("byte %d set to %d: %s: %v", offset, b, query, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("byte %d set to %d: closing: %v", offset, b, err)
		}
	}
}

func TestSessionRefusesToOpen(t *testing.T) {
	folder := t.TempDir()
	good, text := filepath.Join(folder, "a.db"), filepath.Join(folder, "text")
	build(t, good, metaOf(small()), nil)
	if err := os.WriteFile(text, []byte("no database"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := contents(t, folder)
	missing := filepath.Join(folder, "missing.db")
	for _, test := range []struct {
		name, path, attached string
		want                 error
		of                   string
	}{
		{"missing", missing, good, ErrNotFound, missing},
		{"foreign", text, good, ErrForeign, text},
		{"missing attachment", good, missing, ErrNotFound, missing},
		{"foreign attachment", good, text, ErrForeign, text},
	} {
		_, err := OpenSession(t.Context(), test.path, []Attachment{{"other", test.attached}}, drawn)
		if !errors.Is(err, test.want) || !strings.HasPrefix(fmt.Sprint(err), test.of+": ") {
			t.Errorf("%s: got %v, want it to be %v of %s", test.name, err, test.want, test.of)
		}
	}
	if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
		t.Errorf("the folder (-before +after):\n%s", diff)
	}
}

// FuzzQuery: whatever is asked, the answer or a reason comes, and the file stays as it is.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"SELECT * FROM moves", "DELETE FROM positions", endless, "PRAGMA journal_mode=WAL", "VACUUM INTO 'x'",
		"SELECT picture(key), board_key(board) FROM boards", "ATTACH 'x' AS y; SELECT 1", "\x00", "SELECT '"} {
		f.Add(seed)
	}
	folder := f.TempDir()
	path := filepath.Join(folder, "a.db")
	build(f, path, metaOf(small()), newSearch(small()).rows())
	before, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query string) {
		s := openSession(t, path)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		r := recorder{}
		r.onRow = func() error { r.lines = nil; return nil }
		err := s.Query(ctx, query, &r)
		var wrong *StatementError
		if err != nil && !errors.As(err, &wrong) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: %v", query, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%q changed the file, %v", query, err)
		}
		if list := listing(t, folder); len(list) != 1 {
			t.Errorf("%q leaves %q", query, list)
		}
	})
}
