package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// splitAll cuts a text, taken line by line, into its statements; what is left at the end counts.
func splitAll(text string) (statements []string, pending bool) {
	var s splitter
	for line := range strings.SplitAfterSeq(text, "\n") {
		for {
			statement, rest, ok := s.next(line)
			if !ok {
				break
			}
			if statement != "" {
				statements = append(statements, statement)
			}
			line = rest
		}
	}
	pending = s.pending()
	if rest := s.cut(); rest != "" {
		statements = append(statements, rest)
	}
	return statements, pending
}

func TestSplitter(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
		pending    bool
	}{
		{"nothing", "", nil, false},
		{"blanks", " \t\n ", nil, false},
		{"one", "SELECT 1;", []string{"SELECT 1;"}, false},
		{"unfinished", "SELECT 1", []string{"SELECT 1"}, true},
		{"two", "SELECT 1; SELECT 2", []string{"SELECT 1;", " SELECT 2"}, true},
		{"lines", "SELECT\n1\n;\nSELECT 2;\n", []string{"SELECT\n1\n;", "\nSELECT 2;"}, false},
		{"empty ones", ";;SELECT 1;;", []string{"SELECT 1;"}, false},
		{"in a text", "SELECT ';';", []string{"SELECT ';';"}, false},
		{"doubled quote", "SELECT 'it''s; ';", []string{"SELECT 'it''s; ';"}, false},
		{"in names", "SELECT \"a;b\", `c;d`, [e;f];", []string{"SELECT \"a;b\", `c;d`, [e;f];"}, false},
		{"bracket in a text", "SELECT '[';x", []string{"SELECT '[';", "x"}, true},
		{"line comment", "SELECT 1 -- a; 'b\n;x", []string{"SELECT 1 -- a; 'b\n;", "x"}, true},
		{"block comment", "SELECT /* ; ' */ 1;x", []string{"SELECT /* ; ' */ 1;", "x"}, true},
		{"block comment of lines", "SELECT /* ;\n;*/ 1;x", []string{"SELECT /* ;\n;*/ 1;", "x"}, true},
		{"slash star slash", "SELECT /*/ ; */ 1;x", []string{"SELECT /*/ ; */ 1;", "x"}, true},
		{"only comments", "-- a\n/* b */", nil, false},
		{"comment and semicolon", "-- a\n;", nil, false},
		{"open comment", "/* a", nil, true},
		{"open text", "SELECT 'a;\n", []string{"SELECT 'a;\n"}, true},
		{"minus and slash", "SELECT 1 - 2 / 3;", []string{"SELECT 1 - 2 / 3;"}, false},
		{"minus alone", "-", []string{"-"}, true},
		{"minus before a comment", "SELECT 1 -/* ; */2;", []string{"SELECT 1 -/* ; */2;"}, false},
		{"comment after minus", "---;\n", nil, false},
		{"quote after a comment", "/**/'a;';", []string{"/**/'a;';"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, pending := splitAll(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("statements (-want +got):\n%s", diff)
			}
			if pending != test.pending {
				t.Errorf("pending is %t, want %t", pending, test.pending)
			}
		})
	}
}

// FuzzSplitter: the statements are the text without what stands between them, and each has its
// only semicolon outside of quotes and comments at its end.
func FuzzSplitter(f *testing.F) {
	for _, seed := range []string{"SELECT 1; SELECT ';' -- ;\n", "/* ; */[;]`;`\";\"", "';''", "- -\n--\n;/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements, _ := splitAll(text)
		rest := text
		for _, statement := range statements {
			at := strings.Index(rest, statement)
			if at < 0 {
				t.Fatalf("%q: statement %q isn't in the rest %q", text, statement, rest)
			}
			rest = rest[at+len(statement):]
			if again, _ := splitAll(statement); len(again) != 1 || again[0] != statement {
				t.Errorf("%q: statement %q is cut again into %q", text, statement, again)
			}
		}
	})
}
