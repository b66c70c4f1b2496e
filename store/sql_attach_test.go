package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// TestAttachedFiles asks two files at once, under names that need quotes too.
func TestAttachedFiles(t *testing.T) {
	folder := t.TempDir()
	normal, misere := game.Spec{Width: 3, Height: 2, InRow: 3}, game.Spec{Width: 3, Height: 2, InRow: 3, Misere: true}
	path, other := filepath.Join(folder, "a.db"), filepath.Join(folder, "it's \"odd\"?#.db")
	build(t, path, metaOf(normal), newSearch(normal).rows())
	build(t, other, metaOf(misere), newSearch(misere).rows())
	list, err := ParseAttachments([]string{other, "m=" + other})
	if err != nil {
		t.Fatal(err)
	}
	s := openSession(t, path, list...)

	want := 0
	a, b := newSearch(normal), newSearch(misere)
	for p, v := range a.values {
		if v.score == 0 && b.values[p].score < 0 {
			want++
		}
	}
	for _, schema := range []string{"m", `"it's ""odd""?#"`} {
		query := "SELECT count(*) FROM boards JOIN " + schema + ".boards AS other USING (key, board) WHERE boards.result = 'tie' AND other.result = 'o wins'"
		if got := ask(t, s, query)[0]; got != fmt.Sprint(want) || want == 0 {
			t.Errorf("%s: got %s, want %d", query, got, want)
		}
	}
	if got := ask(t, s, "SELECT name FROM m.game")[0]; got != "3x2x3-misere" {
		t.Errorf("the attached game is %s", got)
	}
	if err := s.Query(t.Context(), "DELETE FROM m.positions", &recorder{}); err == nil {
		t.Error("an attached file can be changed")
	}
}

func TestParseAttachments(t *testing.T) {
	many := make([]string, maxAttached+1)
	for i := range many {
		many[i] = fmt.Sprintf("a%d.db", i)
	}
	for _, test := range []struct {
		name  string
		texts []string
		want  []Attachment
		fails string
	}{
		{"none", nil, nil, ""},
		{"file", []string{"3x3x3-misere.db"}, []Attachment{{"3x3x3-misere", "3x3x3-misere.db"}}, ""},
		{"folder", []string{"../some.where/b.c.db"}, []Attachment{{"b.c", "../some.where/b.c.db"}}, ""},
		{"named", []string{"m=3x3x3-misere.db"}, []Attachment{{"m", "3x3x3-misere.db"}}, ""},
		{"named path", []string{"m=a/b=c.db"}, []Attachment{{"m", "a/b=c.db"}}, ""},
		{"equals sign in a path", []string{"./a=b.db"}, []Attachment{{"a=b", "./a=b.db"}}, ""},
		{"two", []string{"a.db", "b=a.db"}, []Attachment{{"a", "a.db"}, {"b", "a.db"}}, ""},
		{"no extension", []string{"a"}, []Attachment{{"a", "a"}}, ""},
		{"empty", []string{""}, nil, "no file"},
		{"no file", []string{"m="}, nil, "no file"},
		{"no name", []string{"=a.db"}, nil, "no name"},
		{"extension only", []string{".db"}, nil, "no name"},
		{"main", []string{"Main.db"}, nil, "for itself"},
		{"temp", []string{"temp=a.db"}, nil, "for itself"},
		{"twice", []string{"a.db", "b/A.db"}, nil, "a.db is already called A"},
		{"too many", many, nil, "11 files to attach"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseAttachments(test.texts)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (err != nil) != (test.fails != "") || err != nil && !strings.Contains(err.Error(), test.fails) {
				t.Errorf("the error is %v, want one with %q", err, test.fails)
			}
		})
	}
}
