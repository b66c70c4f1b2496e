package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestJSONFitsSchema validates what the commands print against the schemas that describe it, and
// makes sure that these reject a report without one of its fields, or with another one.
func TestJSONFitsSchema(t *testing.T) {
	for _, test := range []struct {
		schema, stdin string
		args          []string
	}{
		{"board", "......... x\nx.o.x....\nxxxoo....\nooo...... o\nxoxxoxoxo\nxoxxoxo.o\nxx....... x\nxx....... o\n.......ox x\n", []string{"board", "-", "--json", "--db", built(t)}},
		{"board", "xxx......\nxx.......", []string{"board", "-", "--json", "--to-move", "x", "--db", built(t, "3x3x3-misere")}},
		{"board", "............\n....x....oxo", []string{"board", "-", "--json", "--db", built(t, "4x3x3", "--symmetry", "canonical")}},
		{"strip", "O.O\n..X....O.\n...\nOX\n", []string{"strip", "-", "--json", "--db", built(t)}},
	} {
		schema, err := jsonschema.NewCompiler().Compile("../../query/schema/" + test.schema + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		out := mustOxbase(t, test.stdin, append([]string{"query"}, test.args...)...)
		for line := range strings.Lines(out) {
			report, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(report); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			fields := report.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(fields)) {
				less := maps.Clone(fields)
				delete(less, name)
				if schema.Validate(less) == nil {
					t.Errorf("the schema %s does without %q", test.schema, name)
				}
			}
			fields["more"] = true
			if schema.Validate(fields) == nil {
				t.Errorf("the schema %s takes any field", test.schema)
			}
		}
	}
}

// TestJSONNames fixes the names of the fields: those of the columns of the file and its views.
func TestJSONNames(t *testing.T) {
	path := built(t)
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	columns := func(table string) (names []string) {
		rows, err := db.Query("SELECT name FROM pragma_table_info(?) ORDER BY cid", table)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		return names
	}
	var report struct {
		Moves []map[string]any
		Gaps  []map[string]any
	}
	var top map[string]any
	board := []byte(mustOxbase(t, "", "query", "board", "x.o/.x./...", "--json", "--db", path))
	strip := []byte(mustOxbase(t, "", "query", "strip", "..X", "--json", "--db", path))
	for _, err := range []error{json.Unmarshal(board, &report), json.Unmarshal(board, &top), json.Unmarshal(strip, &report)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		table  string
		object map[string]any
		parent []string // columns that are those of the object around it
	}{
		{"positions", top, nil},
		{"boards", top, nil},
		{"moves", report.Moves[0], []string{"key", "board", "to_move"}},
		{"strip_sg", report.Gaps[0], nil},
	} {
		names := columns(test.table)
		if len(names) < 4 {
			t.Errorf("%s has the columns %q: want at least 4", test.table, names)
		}
		for _, name := range names {
			if _, ok := test.object[name]; !ok && !slices.Contains(test.parent, name) {
				t.Errorf("no field has the name of the column %s.%s", test.table, name)
			}
		}
	}
}

// TestBoardErrors checks the one line and the exit status for what can't be answered, and that
// what comes before it is.
func TestBoardErrors(t *testing.T) {
	any3, reachable3 := built(t), built(t, "3x3x3", "--turns", "alternate")
	const full = `{"key":24239,"canonical_key":21791,"board":"xox/xox/oxo","to_move":"o","stones":9,"terminal":true,"result":"tie",` +
		`"outcome":0,"score":0,"distance":0,"reachable":true,"sentence":"the board is full: tie, score 0","moves":[],"best_line":[]}` + "\n"
	for _, test := range []struct {
		name, stdin, db string
		args            []string
		want            result
	}{
		{"unknown cell", "", any3, []string{"x.z/.../..."},
			result{"", "oxbase: board \"x.z/.../...\": \"z\" is not a cell: want x, o or .\n", exitInput}},
		{"rows of another size", "", any3, []string{"...o/..../..../x..."},
			result{"", "oxbase: board \"...o/..../..../x...\" has 16 cells: 3x3x3 has 3 rows of 3 cells, and that is the game in " + any3 +
				": build the other with \"oxbase build 4x4x4 --db 4x4x4.db\" and ask with --db 4x4x4.db\n", exitInput}},
		{"another size without rows", "", any3, []string{"............"},
			result{"", "oxbase: board \"............\" has 12 cells: 3x3x3 has 3 rows of 3 cells, and that is the game in " + any3 +
				": build the other with \"oxbase build 4x3x3 --db 4x3x3.db\" and ask with --db 4x3x3.db\n", exitInput}},
		{"rows of several sizes", "", any3, []string{"..../...../x"},
			result{"", "oxbase: board \"..../...../x\" has 10 cells: 3x3x3 has 3 rows of 3 cells, and that is the game in " + any3 + "\n", exitInput}},
		{"no cells", "", any3, []string{""},
			result{"", "oxbase: board \"\" has 0 cells: 3x3x3 has 3 rows of 3 cells, and that is the game in " + any3 + "\n", exitInput}},
		{"counts don't say", "", any3, []string{"xxx/o../..."},
			result{"", "oxbase: the counts, 3 x and 1 o, don't say who is to move: x moves first, so there are as many x as o or one more: " +
				"say it with --to-move x or --to-move o\n", exitInput}},
		{"no side", "", any3, []string{".........", "--to-move", "z"},
			result{"", "oxbase: --to-move: \"z\" is not a side: want x or o\n", exitInput}},
		{"both lines", "", any3, []string{"xxx/ooo/..."},
			result{"", "oxbase: board \"xxx/ooo/...\": both sides have a line, which can't arise\n", exitInput}},
		{"floating stone", "", built(t, "4x3x3-drop"), []string{"..../.x../...."},
			result{"", "oxbase: board \"..../.x../....\": the stone on b2 floats: in 4x3x3-drop a stone falls to the lowest free cell of its column\n", exitInput}},
		{"to-move against the counts", "", reachable3, []string{"x........", "--to-move", "x"},
			result{"", "oxbase: board x../.../... with x to move isn't in the tablebase: play from the empty board, x first, can't reach it, " +
				"and only reachable positions are stored\n", exitMissing}},
		{"play after a line", "", reachable3, []string{"xxx/oo./..o"},
			result{"", "oxbase: board xxx/oo./..o with x to move isn't in the tablebase: play from the empty board, x first, can't reach it, " +
				"and only reachable positions are stored\n", exitMissing}},
		{"bad line after a good one", "\nxoxxoxoxo o\nxox/xox/oxo\n\n.........x\n.........\n", any3, []string{"-", "--json"},
			result{full + full,
				"oxbase: line 5: board \".........x\" has 10 cells: 3x3x3 has 3 rows of 3 cells, and that is the game in " + any3 +
					": build the other with \"oxbase build 5x2x3 --db 5x2x3.db\" and ask with --db 5x2x3.db\n", exitInput}},
		{"counts of a line don't say", "ooo......\n", any3, []string{"-"},
			result{"", "oxbase: line 1: the counts, 0 x and 3 o, don't say who is to move: x moves first, so there are as many x as o or one more: " +
				"write it behind the board\n", exitInput}},
		{"words behind a board", "......... x o\n", any3, []string{"-"},
			result{"", "oxbase: line 1: \"x o\" is not a side: want x or o\n", exitInput}},
		{"unreachable line", ".........\to\n", reachable3, []string{"-"},
			result{"", "oxbase: line 1: board .../.../... with o to move isn't in the tablebase: play from the empty board, x first, can't reach it, " +
				"and only reachable positions are stored\n", exitMissing}},
		{"endless line", "\n" + strings.Repeat(".", 1<<20+1), any3, []string{"-"},
			result{"", "oxbase: line 2 is longer than 1048576 bytes\n", exitInput}},
		{"two boards", "", any3, []string{".........", "........."},
			result{"", "oxbase: accepts 1 arg(s), received 2 (see \"oxbase query board --help\")\n", exitInput}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := oxbase(t, test.stdin, append([]string{"query", "board", "--db", test.db}, test.args...)...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestBoardOfDamagedFile takes a row out of a file: whatever needs it is an error, and never
// passes for a tie.
func TestBoardOfDamagedFile(t *testing.T) {
	bytes, err := os.ReadFile(built(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(path, bytes, 0o666); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("DELETE FROM positions WHERE key = (SELECT key FROM boards WHERE board = 'x.o/.x./..o' AND to_move = 'x')"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	const complaint = ": the tablebase is damaged or incomplete: it has no row for board x.o/.x./..o with x to move"
	for board, want := range map[string]string{
		"x.o/.x./..o": complaint + "\n",
		"x.o/.x./...": complaint + ", to which c1 leads from board x.o/.x./... with o to move\n",
	} {
		if diff := cmp.Diff(result{"", "oxbase: " + path + want, exitDamaged}, oxbase(t, "", "query", "board", board, "--db", path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", board, diff)
		}
	}
}

// TestAnswersDontWait asks one question after the other and waits for each answer, as a program
// at the other end of two pipes does.
func TestAnswersDontWait(t *testing.T) {
	path := built(t)
	for _, test := range []struct{ command, question, answer string }{
		{"board", "xoxxoxoxo", `{"key":24239,`},
		{"strip", "O.O", `{"strip":"O.O",`},
	} {
		t.Run(test.command, func(t *testing.T) {
			questions, ask := io.Pipe()
			answer, answers := io.Pipe()
			status := make(chan int)
			go func() {
				status <- run(t.Context(), []string{"query", test.command, "-", "--json", "--db", path}, streams{questions, answers, io.Discard})
				answers.Close()
			}()
			lines := bufio.NewReader(answer)
			for range 3 {
				if _, err := fmt.Fprintln(ask, test.question); err != nil {
					t.Fatal(err)
				}
				got, err := lines.ReadString('\n')
				if err != nil || !strings.HasPrefix(got, test.answer) {
					t.Fatalf("got %q and error %v, want %s...", got, err, test.answer)
				}
			}
			ask.Close()
			if got := <-status; got != exitDone {
				t.Errorf("exit status %d, want %d", got, exitDone)
			}
		})
	}
}

// TestQuestionsAreInterrupted cancels the command while it waits for the next question.
func TestQuestionsAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	questions, ask := io.Pipe()
	defer ask.Close()
	answer, answers := io.Pipe()
	done := make(chan result)
	path := built(t)
	go func() {
		var complaint strings.Builder
		status := run(ctx, []string{"query", "board", "-", "--json", "--db", path}, streams{questions, answers, &complaint})
		done <- result{"", complaint.String(), status}
	}()
	if _, err := fmt.Fprintln(ask, "xoxxoxoxo"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(answer).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	want := result{"", "oxbase: interrupted\n", exitOther}
	if diff := cmp.Diff(want, <-done); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, oxbaseContext(ctx, ".........\n", "query", "board", "-", "--db", path)); diff != "" {
		t.Errorf("before the first question (-want +got):\n%s", diff)
	}
}
