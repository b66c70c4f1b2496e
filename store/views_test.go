package store

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// sqliteProgram returns the output of the sqlite3 program for a statement, and skips the test if there
// is no such program.
func sqliteProgram(t *testing.T, path, statement string) string {
	t.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 program isn't installed")
	}
	output, err := exec.Command(program, "-readonly", "-batch", path, statement).CombinedOutput()
	if err != nil {
		t.Fatalf("sqlite3 %s: %v\n%s", statement, err, output)
	}
	return string(output)
}

// queryLines returns the rows of a query as the sqlite3 program prints them.
func queryLines(t *testing.T, db *DB, query string) []string {
	t.Helper()
	rows, err := db.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	texts, to := make([]string, len(columns)), make([]any, len(columns))
	for i := range texts {
		to[i] = &texts[i]
	}
	var lines []string
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		lines = append(lines, strings.Join(texts, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return lines
}

// cellName names a cell as the schema describes it, on boards of up to 26 columns.
func (s *search) cellName(cell int) string {
	return fmt.Sprintf("%c%d", 'a'+cell%s.width, s.height-cell/s.width)
}

// boardLines returns what the view boards has to hold.
func (s *search) boardLines() []string {
	var lines []string
	for _, p := range s.sorted() {
		v := s.values[p]
		_, over := s.over(p.board)
		lines = append(lines, fmt.Sprintf("%d|%s|%c|%d|%d|%s|%d|%d|%d", p.key(), s.text(p.board), p.side,
			len(p.board)-strings.Count(p.board, "."), digit(over), v.result(), v.score, v.distance, digit(v.reachable)))
	}
	return lines
}

// moveLines returns what the view moves has to hold, by the keys before and after.
func (s *search) moveLines() []string {
	var lines []string
	for _, p := range s.sorted() {
		if _, over := s.over(p.board); over {
			continue
		}
		moves := s.moves(p)
		var cells, scores []int
		for cell, to := range moves {
			cells, scores = append(cells, cell), append(scores, s.values[to].score)
		}
		slices.SortFunc(cells, func(a, b int) int { return cmp.Compare(moves[a].key(), moves[b].key()) })
		bestScore := slices.Max(scores)
		if p.side == 'o' {
			bestScore = slices.Min(scores)
		}
		for _, cell := range cells {
			to := moves[cell]
			v := s.values[to]
			lines = append(lines, fmt.Sprintf("%d|%s|%c|%s|%d|%s|%d|%d|%d|%d", p.key(), s.text(p.board), p.side,
				s.cellName(cell), to.key(), s.text(to.board), v.outcome(), v.score, v.distance, digit(v.score == bestScore)))
		}
	}
	return lines
}

// countLines returns what the view outcome_counts has to hold.
func (s *search) countLines() []string {
	type group struct {
		outcome, distance int
		side              byte
	}
	counts := map[group][2]int{}
	for p, v := range s.values {
		g := group{v.outcome(), v.distance, p.side}
		n := counts[g]
		counts[g] = [2]int{n[0] + 1, n[1] + digit(v.reachable)}
	}
	var lines []string
	for outcome := 1; outcome >= -1; outcome-- {
		for distance := range s.width*s.height + 1 {
			for _, side := range []byte{'x', 'o'} {
				if n, ok := counts[group{outcome, distance, side}]; ok {
					lines = append(lines, fmt.Sprintf("%s|%d|%c|%d|%d", value{score: outcome}.result(), distance, side, n[0], n[1]))
				}
			}
		}
	}
	return lines
}

func TestViews(t *testing.T) {
	for _, spec := range []game.Spec{
		{Width: 2, Height: 2, InRow: 2},
		{Width: 1, Height: 1, InRow: 1},
		{Width: 3, Height: 2, InRow: 2, Drop: true},
		{Width: 2, Height: 4, InRow: 3, Drop: true, Misere: true},
		{Width: 4, Height: 2, InRow: 3},
		{Width: 3, Height: 3, InRow: 3},
	} {
		if underRace && spec.Width*spec.Height > 8 {
			continue
		}
		t.Run(spec.String(), func(t *testing.T) {
			s := newSearch(spec)
			path := filepath.Join(t.TempDir(), "a.db")
			build(t, path, metaOf(spec), s.rows())
			db := open(t, path)
			for _, view := range []struct {
				query string
				want  []string
			}{
				{"SELECT * FROM boards ORDER BY key", s.boardLines()},
				{"SELECT * FROM moves ORDER BY key, to_key", s.moveLines()},
				{"SELECT * FROM outcome_counts", s.countLines()},
			} {
				if diff := gocmp.Diff(view.want, queryLines(t, db, view.query)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", view.query, diff)
				}
				t.Run("sqlite3", func(t *testing.T) {
					got := strings.TrimSuffix(sqliteProgram(t, path, view.query), "\n")
					if diff := gocmp.Diff(strings.Join(view.want, "\n"), got); diff != "" {
						t.Errorf("%s (-want +got):\n%s", view.query, diff)
					}
				})
			}
		})
	}
}

// TestCells holds the table cells against a board that is not square and has more columns than
// there are letters.
func TestCells(t *testing.T) {
	for _, test := range []struct {
		spec        game.Spec
		first, last string
	}{
		{game.Spec{Width: 3, Height: 2, InRow: 3}, "0|a2|2|1|486", "5|c1|1|3|2"},
		{game.Spec{Width: 28, Height: 1, InRow: 3}, "0|a1|1|1|15251194969974", "27|ab1|1|28|2"},
	} {
		path := filepath.Join(t.TempDir(), "a.db")
		build(t, path, metaOf(test.spec), nil)
		lines := queryLines(t, open(t, path), "SELECT * FROM cells ORDER BY cell")
		if n := test.spec.Width * test.spec.Height; len(lines) != n || lines[0] != test.first || lines[n-1] != test.last {
			t.Errorf("%s: got %d cells, %s to %s, want %d, %s to %s", test.spec, len(lines), lines[0], lines[len(lines)-1], n, test.first, test.last)
		}
	}
}

// TestMovesOfCanonicalFile: a file that doesn't hold where each move leads lists no moves.
func TestMovesOfCanonicalFile(t *testing.T) {
	spec := game.Spec{Width: 2, Height: 2, InRow: 2}
	meta := metaOf(spec)
	meta.Symmetry = game.Canonical
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, meta, newSearch(spec).rows())
	if lines := queryLines(t, open(t, path), "SELECT count(*) FROM moves"); lines[0] != "0" {
		t.Errorf("the view moves has %s rows, want none", lines[0])
	}
}

// TestViewsUseTheKey: what the views say of one position costs a look-up, not a pass.
func TestViewsUseTheKey(t *testing.T) {
	spec := game.Spec{Width: 2, Height: 2, InRow: 2}
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(spec), newSearch(spec).rows())
	db := open(t, path)
	for _, view := range []string{"boards", "moves"} {
		query := "EXPLAIN QUERY PLAN SELECT * FROM " + view + " WHERE key = 4"
		for name, plan := range map[string]string{"driver": strings.Join(queryLines(t, db, query), "\n"), "program": ""} {
			t.Run(view+"/"+name, func(t *testing.T) {
				if name == "program" {
					plan = sqliteProgram(t, path, query)
				}
				if !strings.Contains(plan, "SEARCH positions USING INTEGER PRIMARY KEY (rowid=?)") || strings.Contains(plan, "SCAN positions") {
					t.Errorf("plan:\n%s", plan)
				}
			})
		}
	}
}
