package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/query"
	"oxbase/store"
)

func openTestSession(t *testing.T, path string, attach ...string) *store.Session {
	t.Helper()
	list, err := store.ParseAttachments(attach)
	if err != nil {
		t.Fatal(err)
	}
	session, err := store.OpenSession(t.Context(), path, list, query.Picture)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

func TestCompletion(t *testing.T) {
	names := &sqlNames{session: openTestSession(t, built(t, "2x2x2"), "3x3x3-misere="+built(t, "3x3x3-misere"))}
	for _, test := range []struct {
		line string // with | at the cursor
		want []string
	}{
		{"sel|", []string{"select"}},
		{"SEL|", []string{"SELECT"}},
		{"SELECT reach|able", []string{"reachable"}},
		{"SELECT * FROM pos|", []string{"positions"}},
		{"SELECT * FROM outc|", []string{"outcome_counts", "outcome"}},
		{"SELECT weig|", []string{"weight"}},
		{"SELECT col|", []string{`"column"`, "column"}},
		{"SELECT canon|", []string{"canonical_key("}},
		{"SELECT b.ke|", nil},
		{"SELECT boards.ke|", []string{"key"}},
		{"SELECT boards.|", []string{"key", "board", "to_move", "stones", "terminal", "result", "score", "distance", "reachable"}},
		{"SELECT BOARDS.to|", []string{"to_move"}},
		{"SELECT * FROM main.ga|", []string{"game"}},
		{`SELECT * FROM "3x3|`, []string{`"3x3x3-misere"`}},
		{`SELECT * FROM 3x3|`, []string{`"3x3x3-misere"`}},
		{`SELECT * FROM "3x3x3-misere".stri|`, []string{"strip_sg"}},
		{`SELECT "a", mov|`, []string{"moves", "move"}},
		{"", nil},
		{"SELECT |", nil},
		{".ex|", []string{".examples", ".example"}},
		{"  .he|", []string{".help"}},
		{".|", []string{".tables", ".schema", ".examples", ".example", ".mode", ".help", ".quit"}},
		{".mode js|", []string{"json", "jsonl"}},
		{".schema out|", []string{"outcome_counts"}},
		{".help xyz|", nil},
		{"SELECT 日本, outcome_c|", []string{"outcome_counts"}},
	} {
		t.Run(test.line, func(t *testing.T) {
			before, after, _ := strings.Cut(test.line, "|")
			head, got, tail := names.complete(before+after, len([]rune(before)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !strings.HasPrefix(before, head) || tail != after {
				t.Errorf("head %q and tail %q don't stand around the cursor", head, tail)
			}
		})
	}
}

// TestCompletedNamesWork: each name of a table or column that is offered can be used as it is.
func TestCompletedNamesWork(t *testing.T) {
	session := openTestSession(t, built(t, "2x2x2"), "odd \"name\"="+built(t, "3x3x3-misere"))
	all, err := readCatalog(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.objects) != 2*7 || !slices.Equal(all.schemas, []string{"main", `odd "name"`}) {
		t.Errorf("got %d tables and views in %q", len(all.objects), all.schemas)
	}
	for _, o := range all.objects {
		columns := all.under(o.name)
		if len(columns) == 0 {
			t.Errorf("%s has no columns", o.qualified())
		}
		statement := "SELECT " + strings.Join(columns[:len(o.columns)], ", ") + " FROM " + o.qualified() + " LIMIT 1"
		if rows, err := collect(t.Context(), session, statement); err != nil || len(rows) != 1 {
			t.Errorf("%s: %d rows, %v", statement, len(rows), err)
		}
	}
}

func FuzzCompletion(f *testing.F) {
	for _, seed := range []string{"SELECT boards.", `"3x3`, ".", ".mode ", "日本", "\xff", `"`, `"".`, "..", "a.b.c"} {
		f.Add(seed, 3)
	}
	all := catalog{schemas: []string{"main", `a"b`}, objects: []sqlObject{{schema: "main", name: "t", columns: []string{"a", "b c"}}}}
	f.Fuzz(func(t *testing.T, line string, pos int) {
		if pos < 0 || pos > len([]rune(line)) {
			return
		}
		before, after := string([]rune(line)[:pos]), string([]rune(line)[pos:])
		head, _, tail := completeSQL(all, before, after)
		if !strings.HasPrefix(before, head) || tail != after {
			t.Errorf("%q: head %q and tail %q don't stand around the cursor", line, head, tail)
		}
	})
}
