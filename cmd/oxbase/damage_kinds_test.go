package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// changeFile lets other hands change a file through SQL.
func changeFile(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rwc")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// rehash gives the row of game the hash of its columns.
func rehash(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var text string
	err = db.QueryRow(`SELECT name||'|'||width||'|'||height||'|'||in_row||'|'||is_drop||'|'||is_misere||'|'||turns||'|'||
		symmetry||'|'||strip_length||'|'||positions||'|'||content_hash||'|'||built_by FROM game`).Scan(&text)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(text + "\n"))
	if _, err := db.Exec("UPDATE game SET row_hash = ?", hex.EncodeToString(sum[:])); err != nil {
		t.Fatal(err)
	}
}

// forge gives the file the content hash of the rows that it holds, and says how many they are.
func forge(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sum := sha256.New()
	for _, query := range []string{
		"SELECT key||'|'||outcome||'|'||score||'|'||distance||'|'||reachable FROM positions ORDER BY key",
		"SELECT length||'|'||left||'|'||right||'|'||sg FROM strip_sg ORDER BY length, left, right",
	} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(sum, line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	if _, err := db.Exec("UPDATE game SET positions = (SELECT count(*) FROM positions), content_hash = ?", hex.EncodeToString(sum.Sum(nil))); err != nil {
		t.Fatal(err)
	}
}

// forgeSchema lets the schema say other words than those that made a table or view.
func forgeSchema(name, old, new string) []string {
	return []string{
		"PRAGMA writable_schema = ON",
		fmt.Sprintf("UPDATE sqlite_schema SET sql = replace(sql, '%s', '%s') WHERE name = '%s'", old, new, name),
	}
}

// handmade are statements that make the tables of a file anew, as a hand would that knows their
// columns only. define makes positions from the table p.
func handmade(define ...string) []string {
	statements := []string{"CREATE TABLE p AS SELECT * FROM positions",
		"DROP VIEW moves", "DROP VIEW boards", "DROP VIEW outcome_counts", "DROP TABLE positions"}
	return append(statements, define...)
}

const never = `SELECT n AS key, 0 AS outcome, 0 AS score, 0 AS distance, 1 AS reachable FROM (
	WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a WHERE n < 0)`

// TestDamage makes files that are wrong in all kinds of ways, by accident or by intent, and runs
// every command on them.
func TestDamage(t *testing.T) {
	plainOnly(t)
	t.Parallel()
	base := built(t, damageBase...)
	content := mustRead(t, base)
	answers, want := soundAnswers(t, base), dump(t, base)
	patch := func(offset int, value uint32) []byte {
		data := append([]byte(nil), content...)
		binary.BigEndian.PutUint32(data[offset:], value)
		return data
	}
	for i, test := range []struct {
		name       string
		data       []byte   // instead of the sound file
		statements []string // that change it
		wrong      wrongness
		verified   bool // nothing is wrong
	}{
		{name: "untouched", verified: true},
		{name: "an empty file", data: []byte{}},
		{name: "a text", data: []byte(strings.Repeat("x.o/.x./...\n", 1000))},
		{name: "one letter", data: []byte("x")},
		{name: "a header and noise", data: append(append([]byte(nil), content[:100]...), []byte(strings.Repeat("noise", 10_000))...)},
		{name: "another program's database", data: []byte{}, statements: []string{"CREATE TABLE positions(key INTEGER PRIMARY KEY)"}},
		{name: "an empty database that claims to be ours", data: []byte{}, statements: []string{"PRAGMA application_id = 1870160994", "PRAGMA user_version = 1", "CREATE TABLE t(x)"}},

		{name: "a schema from the future", data: patch(60, 2)},
		{name: "a schema from the far future", data: patch(60, 1<<31-1)},
		{name: "a schema from the past", data: patch(60, 0)},
		{name: "a negative schema", data: patch(60, 1<<32-1)},
		{name: "a page size of 0", data: patch(16, 0x00000101)},
		{name: "a page size of 16", data: patch(16, 0x00100101)},
		{name: "another page size", data: patch(16, 0x04000101)},
		{name: "a file format of the future", data: patch(16, 0x10000303)},
		{name: "a log", statements: []string{"PRAGMA journal_mode = WAL"}},
		{name: "a reserved area", data: patch(20, 0xff402020)},
		{name: "a stray free page", data: patch(32, 3), verified: true},
		{name: "larger pages", statements: []string{"PRAGMA page_size = 65536", "VACUUM"}, verified: true},
		{name: "smaller pages", statements: []string{"PRAGMA page_size = 512", "VACUUM"}, verified: true},
		{name: "auto_vacuum", statements: []string{"PRAGMA auto_vacuum = FULL", "VACUUM"}, verified: true},

		{name: "handmade tables", statements: handmade("CREATE TABLE positions(key INTEGER PRIMARY KEY, outcome, score, distance, reachable)",
			"INSERT INTO positions SELECT * FROM p", "DROP TABLE p")},
		{name: "positions without row ids", statements: handmade("CREATE TABLE positions(key INTEGER PRIMARY KEY, outcome INTEGER, score INTEGER, distance INTEGER, reachable INTEGER) WITHOUT ROWID",
			"INSERT INTO positions SELECT * FROM p")},
		{name: "positions are a view", statements: handmade("CREATE VIEW positions AS SELECT * FROM p")},
		{name: "positions are a view without end", statements: handmade("CREATE VIEW positions AS " + never)},
		{name: "positions are a virtual table", statements: handmade("CREATE VIRTUAL TABLE positions USING fts5(key, outcome, score, distance, reachable)",
			"INSERT INTO positions SELECT * FROM p")},
		{name: "positions has computed columns", statements: handmade(`CREATE TABLE positions(key INTEGER PRIMARY KEY, outcome INTEGER, score INTEGER,
			distance INTEGER AS (length(replace(hex(zeroblob(100000000)), '00', 'ab'))), reachable INTEGER AS (1)) STRICT`,
			"INSERT INTO positions(key, outcome, score) SELECT key, outcome, score FROM p")},
		{name: "positions are of text", statements: handmade("CREATE TABLE positions(key INTEGER PRIMARY KEY, outcome TEXT, score TEXT, distance TEXT, reachable TEXT)",
			"INSERT INTO positions SELECT * FROM p")},
		{name: "game is a view without end", statements: []string{"ALTER TABLE game RENAME TO g", "CREATE VIEW game AS SELECT g.* FROM g, (" + never + ")"}},
		{name: "strip_sg is a view without end", statements: []string{"ALTER TABLE strip_sg RENAME TO s", "CREATE VIEW strip_sg AS SELECT s.* FROM s, (" + never + ")"}},
		{name: "cells is a view without end", statements: []string{"ALTER TABLE cells RENAME TO c", "CREATE VIEW cells AS SELECT c.* FROM c, (" + never + ")"}},
		{name: "another view of boards", statements: []string{"DROP VIEW moves", "DROP VIEW boards", "CREATE VIEW boards AS SELECT 'x' AS board, * FROM positions"}},
		{name: "a view of outcomes without end", statements: []string{"DROP VIEW outcome_counts", "CREATE VIEW outcome_counts AS " + never}},
		{name: "a schema that can't be parsed", statements: forgeSchema("cells", "CREATE", "CREA")},
		{name: "a column renamed in the schema", statements: forgeSchema("positions", "outcome INTEGER", "outcomes INTEGER")},
		{name: "columns exchanged in the schema", statements: forgeSchema("game", "width INTEGER", "height1 INTEGER")},
		{name: "a table that claims another's pages", statements: []string{"PRAGMA writable_schema = ON",
			"UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'cells') WHERE name = 'positions'"}, wrong: rowsWrong},
		{name: "a table without pages", statements: []string{"PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'positions'"}},
		{name: "a table beyond the file", statements: []string{"PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = 1000000 WHERE name = 'strip_sg'"}},
		{name: "a name of SQLite's own", statements: []string{"CREATE VIEW a AS SELECT 1 AS pgno, x'00' AS data",
			"PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET name = 'sqlite_dbpage', tbl_name = 'sqlite_dbpage', sql = replace(sql, 'VIEW a', 'VIEW sqlite_dbpage') WHERE name = 'a'"}},

		{name: "a trigger", statements: []string{"CREATE TRIGGER a AFTER INSERT ON positions BEGIN DELETE FROM positions; END"}},
		{name: "a further view without end", statements: []string{"CREATE VIEW more AS " + never}},
		{name: "views that need each other", statements: []string{"CREATE VIEW a AS SELECT 1 AS n", "CREATE VIEW b AS SELECT * FROM a", "DROP VIEW a", "CREATE VIEW a AS SELECT * FROM b"}},
		{name: "an index", statements: []string{"CREATE INDEX a ON positions(outcome)"}},
		{name: "an index of a part", statements: []string{"CREATE INDEX a ON positions(abs(score)) WHERE length(hex(score)) > 2"}},
		{name: "an index of strips", statements: []string{"CREATE INDEX a ON strip_sg(length, left, right, sg)"}},
		{name: "a check that takes for ever", statements: []string{
			"CREATE TABLE slow(a TEXT)", "INSERT INTO slow VALUES (printf('%.*c', 100000, 'a'))", "PRAGMA writable_schema = ON",
			"UPDATE sqlite_schema SET sql = 'CREATE TABLE slow(a TEXT CHECK (a || a || a || a LIKE ''" + strings.Repeat("%a", 30) + "%b''))' WHERE name = 'slow'"}},
		{name: "a large blob", statements: []string{"CREATE TABLE large(b)", "INSERT INTO large VALUES (zeroblob(30000000))"}},
		{name: "a virtual table", statements: []string{"CREATE VIRTUAL TABLE a USING fts5(b)", "INSERT INTO a VALUES ('x o x')"}},
		{name: "statistics that lie", statements: []string{"ANALYZE", "UPDATE sqlite_stat1 SET stat = '1 1 1 1 1 1 1'"}},
		{name: "a name on two lines", statements: []string{"CREATE TABLE \"a\nb\x1b[31m\"(x)"}},

		{name: "a row too many", statements: []string{"INSERT INTO positions VALUES (18, 0, 0, 8, 0)"}, wrong: rowsWrong},
		{name: "a row too many, forged", statements: []string{"INSERT INTO positions VALUES (18, 0, 0, 8, 0)"}, wrong: forged},
		{name: "a row of a larger board", statements: []string{"INSERT INTO positions VALUES (1000000, 0, 0, 0, 0)"}, wrong: rowsWrong},
		{name: "a negative row", statements: []string{"INSERT INTO positions VALUES (-1, 0, 0, 0, 0)"}, wrong: rowsWrong},
		{name: "a row missing", statements: []string{"DELETE FROM positions WHERE key = 2"}, wrong: rowsWrong},
		{name: "a row missing, forged", statements: []string{"DELETE FROM positions WHERE key = (SELECT max(key) FROM positions)"}, wrong: forged},
		{name: "the start missing, forged", statements: []string{"DELETE FROM positions WHERE key < 2"}, wrong: forged},
		{name: "no rows", statements: []string{"DELETE FROM positions"}, wrong: rowsWrong},
		{name: "no rows, forged", statements: []string{"DELETE FROM positions"}, wrong: forged},
		{name: "a value that can't be", statements: []string{"UPDATE positions SET score = 127 WHERE key = 0"}, wrong: rowsWrong},
		{name: "a value that might be", statements: []string{"UPDATE positions SET outcome = 1, score = 2, distance = 8 WHERE key = 0"}, wrong: rowsWrong},
		{name: "a value that might be, forged", statements: []string{"UPDATE positions SET outcome = 1, score = 2, distance = 8 WHERE key = 0"}, wrong: forged},
		{name: "reachable all around", statements: []string{"UPDATE positions SET reachable = 1 - reachable"}, wrong: forged},
		{name: "wrong types under the right schema", statements: append(append(forgeSchema("positions", "STRICT", "      "),
			"PRAGMA writable_schema = RESET", "UPDATE positions SET outcome = 'tie', score = x'00', distance = 1.5"), forgeSchema("positions", "      ", "STRICT")...)},
		{name: "NULL", statements: append(append(forgeSchema("positions", "NOT NULL", "        "),
			"PRAGMA writable_schema = RESET", "UPDATE positions SET outcome = NULL WHERE key < 100"), forgeSchema("positions", "        ", "NOT NULL")...)},
		{name: "an SG value", statements: []string{"UPDATE strip_sg SET sg = 5 WHERE length = 2"}, wrong: rowsWrong},
		{name: "an SG value, forged", statements: []string{"UPDATE strip_sg SET sg = 5 WHERE length = 2"}, wrong: forged},
		{name: "an SG value of nothing, forged", statements: []string{"UPDATE strip_sg SET sg = 1 WHERE length = 0 AND left = 'X' AND right = 'O'"}, wrong: forged},
		{name: "a negative SG value", statements: []string{"UPDATE strip_sg SET sg = -1 WHERE length = 2"}, wrong: forged},
		{name: "a large SG value", statements: []string{"UPDATE strip_sg SET sg = 1 << 40 WHERE length = 2"}, wrong: forged},
		{name: "a gap missing", statements: []string{"DELETE FROM strip_sg WHERE length = 2"}, wrong: forged},
		{name: "a gap too many", statements: []string{"INSERT INTO strip_sg VALUES (2, 'Z', 'Z', 1)"}, wrong: forged},
		{name: "no gaps", statements: []string{"DELETE FROM strip_sg"}, wrong: forged},

		{name: "no cells", statements: []string{"DELETE FROM cells"}},
		{name: "a cell missing", statements: []string{"DELETE FROM cells WHERE cell = 8"}},
		{name: "a cell too many", statements: []string{"INSERT INTO cells VALUES (9, 'd1', 1, 4, 0)"}},
		{name: "a cell of another name", statements: []string{"UPDATE cells SET name = 'b4' WHERE cell = 0"}},
		{name: "a cell of another weight", statements: []string{"UPDATE cells SET weight = 0 WHERE cell = 4"}},

		{name: "another game", statements: []string{"UPDATE game SET name = '3x3x3-misere', is_misere = 1"}, wrong: forged},
		{name: "a smaller game", statements: []string{"UPDATE game SET name = '3x2x3', height = 2"}, wrong: forged},
		{name: "turns that alternate", statements: []string{"UPDATE game SET turns = 'alternate'"}, wrong: forged},
		{name: "no symmetry", statements: []string{"UPDATE game SET symmetry = 'none'"}, wrong: forged},
		{name: "a name that isn't the game's", statements: []string{"UPDATE game SET name = '3x3x2'"}, wrong: forged},
		{name: "a shorter strip", statements: []string{"UPDATE game SET strip_length = 40"}, wrong: forged},
		{name: "a longer strip", statements: []string{"UPDATE game SET strip_length = 60"}, wrong: forged},
		{name: "a strip without end", statements: []string{"UPDATE game SET strip_length = 9223372036854775807"}, wrong: forged},
		{name: "a hash that isn't one", statements: []string{"UPDATE game SET content_hash = char(27) || '[31m'"}},
		{name: "a builder on two lines", statements: []string{"UPDATE game SET built_by = 'oxbase' || char(10) || char(27) || '[31m'"}},
		{name: "a huge builder", statements: []string{"UPDATE game SET built_by = hex(zeroblob(1000000))"}},
		{name: "countless positions", statements: []string{"UPDATE game SET positions = 1 << 60"}},
		{name: "fewer positions", statements: []string{"UPDATE game SET positions = 7"}, wrong: rowsWrong},
		{name: "two games", statements: []string{"INSERT INTO game SELECT * FROM game"}},
		{name: "no game", statements: []string{"DELETE FROM game"}},
	} {
		if leftOut(i) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.data == nil {
				test.data = content
			}
			path := fileWith(t, test.data)
			if len(test.statements) > 0 {
				changeFile(t, path, test.statements...)
				if test.wrong == forged {
					forge(t, path)
				}
				if test.wrong == forged || strings.HasPrefix(test.statements[0], "UPDATE game") {
					rehash(t, path)
				}
			}
			if r := runDamaged(t.Context(), path, "verify", ""); (r.Status == exitDone) != test.verified {
				t.Errorf("verify: exit status %d, but %s", r.Status, choose(test.verified, "nothing is wrong", "something is wrong"))
			}
			tryAll(t, path, answers, want, test.wrong)
		})
	}
}

// TestNoFile runs all commands on what isn't a plain file.
func TestNoFile(t *testing.T) {
	folder := t.TempDir()
	inside := filepath.Join(folder, "ox.db")
	if err := os.Mkdir(inside, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{inside, os.DevNull} {
		words := []string{"serve", "verify"}
		for _, c := range damagedCommands {
			words = append(words, c.words)
		}
		for _, words := range words {
			r := runDamaged(t.Context(), path, words, "")
			if r.panicked != nil || r.late || r.Status != exitDamaged || strings.Count(r.Err, "\n") != 1 {
				t.Errorf("%s of %s: %+v, want exit status %d and a line", words, path, r, exitDamaged)
			}
		}
	}
}

// TestHalfChanged runs all commands on a file that another program was changing when it died: what
// it had changed stands in the file, and beside it the journal with which SQLite would take that
// back. No command does, and none takes the change for what the file holds.
func TestHalfChanged(t *testing.T) {
	plainOnly(t)
	t.Parallel()
	changing := fileWith(t, mustRead(t, built(t, damageBase...)))
	db, err := sql.Open("sqlite", "file:"+changing+"?mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 2", "BEGIN", "UPDATE positions SET score = 0"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	path := fileWith(t, mustRead(t, changing))
	journal := mustRead(t, changing+"-journal")
	if err := os.WriteFile(path+"-journal", journal, 0o666); err != nil {
		t.Fatal(err)
	}
	before := mustRead(t, path)
	words := []string{"serve", "verify"}
	for _, c := range damagedCommands {
		if c.words != "migrate --status --json" {
			words = append(words, c.words)
		}
	}
	for _, words := range words {
		r := runDamaged(t.Context(), path, words, "")
		if r.Status != exitDamaged || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, "another program died while it changed the file") {
			t.Errorf("%s: %+v, want exit status %d and a line that says what happened", words, r, exitDamaged)
		}
	}
	if !bytes.Equal(before, mustRead(t, path)) || !bytes.Equal(journal, mustRead(t, path+"-journal")) {
		t.Error("the file or its journal changed")
	}
}
