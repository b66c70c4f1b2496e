package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSQL(t *testing.T) {
	db := built(t, "3x3x3")
	for _, test := range []struct {
		name, stdin string
		args        []string
		want        result
	}{
		{"table", "", []string{"SELECT board, to_move, result, score FROM boards LIMIT 3"}, result{Out: `board        to_move  result  score
-----------  -------  ------  -----
.../.../...  x        tie         0
.../.../...  o        tie         0
.../.../..x  x        x wins      4
`}},
		{"csv", "", []string{"--csv", "SELECT 1 AS a, NULL AS b, '' AS c, 'x,y' AS d"}, result{Out: "a,b,c,d\n1,,\"\",\"x,y\"\n"}},
		{"json", "", []string{"--json", "SELECT 1 AS a, NULL AS b UNION ALL SELECT 2, 'x'"}, result{Out: "[\n{\"a\":1,\"b\":null},\n{\"a\":2,\"b\":\"x\"}\n]\n"}},
		{"jsonl", "", []string{"--jsonl", "SELECT 1 AS a; SELECT 2 AS b"}, result{Out: "{\"a\":1}\n{\"b\":2}\n"}},
		{"several tables", "", []string{"SELECT 1 AS a; -- and\nSELECT 2 AS b;"}, result{Out: "a\n-\n1\n\nb\n-\n2\n"}},
		{"standard input", "SELECT 1 AS a;\r\nSELECT 2\r\n AS b", []string{"--csv"}, result{Out: "a\n1\nb\n2\n"}},
		{"byte-order mark", "\ufeffSELECT 1 AS a", []string{"--csv"}, result{Out: "a\n1\n"}},
		{"command on standard input", ".mode csv\nSELECT 1 AS a;\n.quit\nSELECT 2;", nil, result{Out: "a\n1\n"}},
		{"nothing", "", nil, result{}},
		{"only a comment", "", []string{"/* nothing */"}, result{}},
		{"functions", "", []string{"--csv", "SELECT board_text(33), board_key('.../.../xox'), cell_name(0)"},
			result{Out: "board_text(33),board_key('.../.../xox'),cell_name(0)\n.../.../xox,33,a3\n"}},

		{"bad SQL", "", []string{"SELEC 1"}, result{Err: "oxbase: near \"SELEC\": syntax error\n", Status: exitInput}},
		{"bad SQL of several lines", "SELECT 1 AS a;\n\n-- two\nSELECT *\nFROM absent;\nSELECT 3", []string{"--csv"},
			result{"a\n1\n", "oxbase: statement 2, line 4: no such table: absent\n", exitInput}},
		{"bad SQL on the first line", "", []string{"--csv", "SELECT 1 AS a; SELECT b"},
			result{"a\n1\n", "oxbase: statement 2, line 1: no such column: b\n", exitInput}},
		{"fails after some rows", "", []string{"--csv", "SELECT 1 AS a UNION ALL SELECT abs(-9223372036854775808)"},
			result{"a\n1\n", "oxbase: integer overflow\n", exitInput}},
		{"writes", "", []string{"DELETE FROM positions"}, result{Err: "oxbase: DELETE FROM positions is refused: SQL only reads here\n", Status: exitInput}},
		{"unknown command", ".nothing", nil, result{Err: "oxbase: no command \".nothing\": .help lists them\n", Status: exitInput}},
		{"two formats", "", []string{"--csv", "--json", "SELECT 1"}, result{Err: "oxbase: --csv, --json and --jsonl exclude each other\n", Status: exitInput}},
		{"two statements as arguments", "", []string{"SELECT 1", "SELECT 2"},
			result{Err: "oxbase: accepts at most 1 arg(s), received 2 (see \"oxbase sql --help\")\n", Status: exitInput}},
		{"bad attachment", "", []string{"--attach", "main=x.db", "SELECT 1"},
			result{Err: "oxbase: attach \"main=x.db\": SQLite keeps the name main for itself: want FILE or NAME=FILE\n", Status: exitInput}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := oxbase(t, test.stdin, append([]string{"sql", "--db", db}, test.args...)...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSQLOfBadFiles(t *testing.T) {
	folder := t.TempDir()
	text, missing, damaged := filepath.Join(folder, "text.db"), filepath.Join(folder, "missing.db"), filepath.Join(folder, "damaged.db")
	data, err := os.ReadFile(built(t, "3x3x3"))
	if err != nil {
		t.Fatal(err)
	}
	copy(data[20*4096:], make([]byte, 4096))
	for path, content := range map[string][]byte{text: []byte("text"), damaged: data} {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"missing", []string{"--db", missing}, exitMissing, "oxbase build --db "},
		{"foreign", []string{"--db", text}, exitDamaged, "it is no SQLite database"},
		{"damaged", []string{"--db", damaged}, exitDamaged, "malformed"},
		{"attached missing", []string{"--db", built(t, "3x3x3"), "--attach", missing}, exitMissing, "missing.db"},
		{"attached foreign", []string{"--db", built(t, "3x3x3"), "--attach", text}, exitDamaged, "text.db: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := oxbase(t, "", append(test.args, "sql", "SELECT sum(score) FROM positions")...)
			if got.Status != test.status || !strings.Contains(got.Err, test.want) || strings.Count(got.Err, "\n") != 1 {
				t.Errorf("status %d, %q, want status %d and one line with %q", got.Status, got.Err, test.status, test.want)
			}
		})
	}
	if _, err := os.Stat(missing); !os.IsNotExist(err) {
		t.Errorf("a missing file was created: %v", err)
	}
}

// TestSQLChangesNothing: whatever is tried, the file keeps its bytes and stays alone.
func TestSQLChangesNothing(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	before, err := os.ReadFile(built(t, "2x2x2"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.db", "b.db"} {
		if err := os.WriteFile(name, before, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{
		"INSERT INTO positions VALUES (1, 1, 1, 1, 1)",
		"INSERT INTO b.positions VALUES (1, 1, 1, 1, 1)",
		"UPDATE positions SET score = 0",
		"DELETE FROM positions",
		"CREATE TABLE t(x)",
		"CREATE TEMP TABLE t(x)",
		"CREATE VIRTUAL TABLE t USING fts5(x)",
		"DROP TABLE positions",
		"ALTER TABLE positions RENAME TO p",
		"INSERT INTO sqlite_dbpage(pgno, data) VALUES (1, zeroblob(4096))",
		"PRAGMA writable_schema = ON",
		"PRAGMA journal_mode = WAL",
		"PRAGMA query_only = OFF",
		"PRAGMA user_version = 3",
		"ATTACH 'b.db' AS w",
		"ATTACH 'new.db' AS w",
		"VACUUM",
		"VACUUM INTO 'new.db'",
		"REINDEX",
		"ANALYZE",
		"BEGIN IMMEDIATE",
		"SELECT load_extension('evil')",
		"SELECT writefile('new.txt', 'x')",
		".output new.txt",
		".import b.db positions",
		".shell touch new.txt",
		".save new.db",
	} {
		got := oxbase(t, "", "sql", "--db", "a.db", "--attach", "b.db", statement)
		if got.Status != exitInput || strings.Count(got.Err, "\n") != 1 || got.Out != "" {
			t.Errorf("%s: status %d, %q, want status %d and one line", statement, got.Status, got.Err, exitInput)
		}
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) != 2 {
			t.Fatalf("%s: beside the two files stands something: %v, %v", statement, entries, err)
		}
		for _, name := range []string{"a.db", "b.db"} {
			if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
				t.Fatalf("%s changed %s, %v", statement, name, err)
			}
		}
	}
}

// blockedReader waits for ever, as a terminal does.
type blockedReader struct{}

func (blockedReader) Read([]byte) (int, error) { select {} }

// cancelingWriter ends a context with the first thing that is written.
type cancelingWriter struct{ cancel context.CancelFunc }

func (w cancelingWriter) Write(p []byte) (int, error) {
	w.cancel()
	return len(p), nil
}

func TestSQLInterrupted(t *testing.T) {
	const numbers = "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a"
	db := built(t, "2x2x2")
	for _, test := range []struct {
		name string
		args []string
		in   io.Reader
	}{
		{"while it prints", []string{"--jsonl", numbers}, strings.NewReader("")},
		{"while it searches", []string{numbers + " WHERE n < 0"}, strings.NewReader("")},
		{"while it waits for a statement", nil, blockedReader{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			defer time.AfterFunc(50*time.Millisecond, interrupt).Stop()
			var errs bytes.Buffer
			status := run(ctx, append([]string{"sql", "--db", db}, test.args...), streams{test.in, cancelingWriter{interrupt}, &errs})
			if status != exitOther || errs.String() != "oxbase: interrupted\n" {
				t.Errorf("status %d, %q", status, errs.String())
			}
		})
	}
}

// TestViewsInSQLite3: the sqlite3 program sees in each table and view what sql prints.
func TestViewsInSQLite3(t *testing.T) {
	plainOnly(t)
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 program isn't installed")
	}
	for _, build := range [][]string{{"3x2x3"}, {"3x2x3-drop", "--symmetry", "canonical"}, {"3x2x2-drop-misere", "--turns", "alternate"}} {
		db := built(t, build...)
		for _, query := range []string{
			"SELECT * FROM positions ORDER BY key",
			"SELECT * FROM strip_sg ORDER BY length, left, right",
			"SELECT * FROM game",
			"SELECT * FROM cells ORDER BY cell",
			"SELECT * FROM boards ORDER BY key",
			"SELECT * FROM moves ORDER BY key, to_key",
			"SELECT * FROM outcome_counts",
			"SELECT * FROM sqlite_schema",
		} {
			theirs, err := exec.Command(program, "-readonly", "-batch", "-json", db, query).Output()
			if err != nil {
				t.Fatalf("sqlite3 %s: %v", query, err)
			}
			want := objects(string(theirs))
			got := objects(mustOxbase(t, "", "sql", "--db", db, "--json", query))
			if len(got) != len(want) {
				t.Errorf("%s: %s: %d rows, sqlite3 has %d", strings.Join(build, " "), query, len(got), len(want))
				continue
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s: %s: row %d (-sqlite3 +oxbase):\n%s", strings.Join(build, " "), query, i, cmp.Diff(want[i], got[i]))
					break
				}
			}
		}
	}
}

// objects returns the objects of an array that has one on each line, without what is between them.
func objects(array string) []string {
	array = strings.Trim(array, "[]\n")
	return strings.Split(strings.ReplaceAll(array, "},\n", "}\n"), "\n")
}

// TestAttachedByFileName: a file is called as its name says, in quotes if need be.
func TestAttachedByFileName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "3x3x3-misere.db")
	data, err := os.ReadFile(built(t, "3x3x3-misere"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o444); err != nil {
		t.Fatal(err)
	}
	const query = `SELECT main.game.name AS ours, other.name AS theirs FROM main.game, "3x3x3-misere".game AS other`
	got := mustOxbase(t, "", "sql", "--db", built(t, "3x3x3"), "--attach", path, "--csv", query)
	if want := "ours,theirs\n3x3x3,3x3x3-misere\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
