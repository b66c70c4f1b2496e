package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/query/verify"
)

// verifyReport is what verify --json prints of a file.
type verifyReport struct {
	File string `json:"file"`
	verify.Report
}

// verified returns the report on a file that has to pass.
func verified(t *testing.T, path string) verifyReport {
	t.Helper()
	var r verifyReport
	if err := json.Unmarshal([]byte(mustOxbase(t, "", "verify", "--json", path)), &r); err != nil {
		t.Fatal(err)
	}
	if r.File != path || !r.OK || r.Wrong != "" || len(r.Checks) == 0 {
		t.Fatalf("the report is of %s, ok %t, wrong %q, with %d checks", r.File, r.OK, r.Wrong, len(r.Checks))
	}
	for _, c := range r.Checks {
		if !c.OK || c.Got != c.Expected {
			t.Errorf("%s: ok %t, expected %s, got %s", c.Name, c.OK, c.Expected, c.Got)
		}
	}
	return r
}

// TestVerifyPasses verifies files of small games in every variant.
func TestVerifyPasses(t *testing.T) {
	sizes := []string{"1x1x1", "1x4x2", "4x1x2", "2x2x1", "2x2x2", "2x2x3", "3x2x2", "2x3x2", "3x2x3", "3x3x2", "3x3x3", "3x3x4", "2x4x3", "4x2x3"}
	for i, size := range sizes {
		if i%min(3, positionStride) != 0 {
			continue
		}
		for _, variant := range []string{"", "-drop", "-misere", "-drop-misere"} {
			t.Run(size+variant, func(t *testing.T) {
				t.Parallel()
				for _, turns := range []string{"any", "alternate"} {
					for _, symmetry := range []string{"none", "canonical"} {
						path := filepath.Join(t.TempDir(), "a.db")
						mustOxbase(t, "", "build", size+variant, "--db", path, "--strip-length", "4", "--turns", turns, "--symmetry", symmetry)
						if r := verified(t, path); r.Game != size+variant {
							t.Errorf("the report is of game %s", r.Game)
						}
					}
				}
			})
		}
	}
}

// TestVerifyComparesPublishedNumbers verifies a file of each game with published numbers, but for
// the ones that take long to build, and wants each number to be compared with one file at least.
func TestVerifyComparesPublishedNumbers(t *testing.T) {
	plainOnly(t)
	if testing.Short() {
		t.Skip("builds larger games")
	}
	large := map[string]bool{"5x4x4-drop": true, "5x5x4-drop": true, "4x5x4": true}
	compared := map[[2]string]verify.Check{}
	for _, args := range [][]string{
		nil,
		{"3x3x3", "--turns", "alternate", "--symmetry", "canonical"},
		{"3x3x3-misere"},
		{"2x2x2"},
		{"4x4x3"},
		{"4x4x4"},
		{"3x4x4-drop"},
		{"4x4x4-drop"},
		{"4x5x4-drop"},
	} {
		r := verified(t, built(t, args...))
		for _, c := range r.Checks {
			compared[[2]string{r.Game, c.Name}] = c
		}
	}
	text, err := os.ReadFile("../../query/verify/published.csv")
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		games := []string{record[0]}
		switch record[0] {
		case "strip":
			games = []string{"3x3x3", "3x3x3-misere", "4x4x4-drop"}
		case "*":
			games = []string{"2x2x2", "3x3x3", "4x4x3", "4x4x4"}
		}
		for _, name := range games {
			if large[name] {
				continue
			}
			want := verify.Check{Name: record[1], Expected: record[2], Got: record[2], Source: record[3], OK: true}
			if diff := cmp.Diff(want, compared[[2]string{name, record[1]}]); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", record[1], name, diff)
			}
		}
	}
}

// A canonical file answers what a file of all positions answers, number for number.
func TestVerifyCountsClasses(t *testing.T) {
	plainOnly(t)
	numbers := func(args ...string) map[string]string {
		found := map[string]string{}
		for _, c := range verified(t, built(t, args...)).Checks {
			if strings.HasPrefix(c.Name, "reachable.") || strings.HasPrefix(c.Name, "classes") || strings.HasPrefix(c.Name, "positions.any") {
				found[c.Name] = c.Got
			}
		}
		return found
	}
	want := numbers()
	for _, turns := range []string{"any", "alternate"} {
		if turns == "alternate" {
			delete(want, "positions.any")
		}
		got := numbers("3x3x3", "--turns", turns, "--symmetry", "canonical")
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 10 {
			t.Errorf("turns %s (-all positions +canonical):\n%s", turns, diff)
		}
	}
}

func TestVerifyTable(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	mustOxbase(t, "", "build", "2x2x2", "--db", "a.db", "--strip-length", "3")
	mustOxbase(t, "", "build", "2x1x1-misere", "--db", "b.db", "--strip-length", "0")
	want := `a.db
    check                     expected                         got                              source
ok  schema                    7 as migrated                    7 as migrated                    the migrations
ok  integrity check           ok                               ok                               SQLite
ok  row of game               2x2x2, turns any, symmetry none  2x2x2, turns any, symmetry none  its name
`
	got := mustOxbase(t, "", "verify", "a.db", "b.db")
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "\n\nb.db\n") || strings.Contains(got, "FAIL") {
		t.Errorf("the report is\n%s\nwant it to begin with\n%s\nand then a blank line and b.db", got, want)
	}
}

func TestVerifyRefuses(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.db")
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte("no tablebase"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		want result
	}{
		{"no file", []string{missing}, result{Status: exitMissing, Err: fmt.Sprintf("oxbase: %s: no such file: build it with \"oxbase build --db %[1]s\"\n", missing)}},
		{"not ours", []string{text}, result{Status: exitDamaged, Err: fmt.Sprintf("oxbase: %s: not an oxbase file: it is no SQLite database\n", text)}},
		{"no jobs", []string{"--jobs", "0", text}, result{Status: exitInput, Err: "oxbase: --jobs 0: want at least 1\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, oxbase(t, "", append([]string{"verify"}, test.args...)...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The first file that fails ends the command; the ones before it have been told.
func TestVerifyEndsAtTheFirstWrongFile(t *testing.T) {
	good := built(t, "2x2x2", "--strip-length", "3")
	bad := changedCopy(t, good, noHash, "DELETE FROM cells WHERE cell = 3")
	r := oxbase(t, "", "verify", good, bad, good)
	wantErr := "oxbase: " + bad + ": damaged: the table cells: got none, want a row for b1\n"
	if r.Status != exitDamaged || r.Err != wantErr {
		t.Errorf("exit status %d, %q, want %d, %q", r.Status, r.Err, exitDamaged, wantErr)
	}
	if strings.Count(r.Out, good) != 1 || strings.Count(r.Out, bad) != 1 || strings.Count(r.Out, "\nFAIL  cells ") != 1 {
		t.Errorf("the reports are\n%s\nwant one of the good file and one that fails", r.Out)
	}
}

// hashes says which hashes of a changed file are made right again, so that they can't tell.
type hashes int

const (
	noHash    hashes = iota
	rowHash          // of the row of game
	allHashes        // of the rows, too
)

// changedCopy returns a copy of a file on which statements were run, and then hashes made right.
func changedCopy(t *testing.T, path string, rehash hashes, statements ...string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed.db")
	if err := os.WriteFile(changed, content, 0o666); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+changed+"?mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if rehash == allHashes {
		rows := printed(t, db, "SELECT * FROM positions ORDER BY key") + printed(t, db, "SELECT * FROM strip_sg ORDER BY length, left, right")
		setHash(t, db, "content_hash", rows)
	}
	if rehash != noHash {
		row := printed(t, db, `SELECT name, width, height, in_row, is_drop, is_misere, turns, symmetry, strip_length, positions, content_hash, built_by FROM game`)
		setHash(t, db, "row_hash", row)
	}
	return changed
}

func setHash(t *testing.T, db *sql.DB, column, text string) {
	t.Helper()
	if _, err := db.Exec("UPDATE game SET "+column+" = ?", fmt.Sprintf("%x", sha256.Sum256([]byte(text)))); err != nil {
		t.Fatal(err)
	}
}

// printed returns what the sqlite3 program prints for a query.
func printed(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	columns, places := make([]any, len(names)), make([]any, len(names))
	for i := range columns {
		places[i] = &columns[i]
	}
	var text strings.Builder
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		for i, column := range columns {
			if i > 0 {
				text.WriteByte('|')
			}
			fmt.Fprint(&text, column)
		}
		text.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
