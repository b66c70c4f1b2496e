package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"oxbase/store"
)

// typed is a lineSource of lines that someone types; "^C" gives up a line.
type typed struct {
	lines      []string
	prompts    []string
	remembered []string
}

func (l *typed) line(prompt string) (string, error) {
	l.prompts = append(l.prompts, prompt)
	if len(l.lines) == 0 {
		return "", io.EOF
	}
	line := l.lines[0]
	l.lines = l.lines[1:]
	if line == "^C" {
		return "", errAborted
	}
	return line + "\n", nil
}

func (l *typed) remember(line string) { l.remembered = append(l.remembered, line) }

// typeInto runs the shell on lines as they would be typed.
func typeInto(t *testing.T, begin func() (context.Context, context.CancelFunc), lines ...string) (out, errs string, l *typed) {
	t.Helper()
	var o, e bytes.Buffer
	l = &typed{lines: lines}
	if begin == nil {
		begin = func() (context.Context, context.CancelFunc) { return t.Context(), func() {} }
	}
	shell := &sqlShell{session: openTestSession(t, built(t, "3x3x3")), lines: l, out: &o, err: &e, mode: "table",
		interactive: true, begin: begin}
	if err := shell.run(); err != nil {
		t.Errorf("the shell ends with %v", err)
	}
	return o.String(), e.String(), l
}

func TestShell(t *testing.T) {
	for _, test := range []struct {
		name      string
		lines     []string
		out, errs string
	}{
		{"one line", []string{"SELECT 1 AS a;"}, "a\n-\n1\n\n", ""},
		{"lines", []string{"SELECT 1 AS a", "  , 2 AS b", ";"}, "a  b\n-  -\n1  2\n\n", ""},
		{"two on a line", []string{"SELECT 1 AS a; SELECT 2 AS b;"}, "a\n-\n1\nb\n-\n2\n\n", ""},
		{"goes on after an error", []string{"SELEC 1;", "SELECT 1 AS a;"}, "a\n-\n1\n\n", "error: near \"SELEC\": syntax error\n"},
		{"an error ends the line", []string{"SELEC 1; SELECT 2;", "SELECT 1 AS a;"}, "a\n-\n1\n\n", "error: near \"SELEC\": syntax error\n"},
		{"refused", []string{"DELETE FROM positions;"}, "\n", "error: DELETE FROM positions is refused: SQL only reads here\n"},
		{"given up", []string{"SELECT 1,", "^C", "SELECT 1 AS a;"}, "a\n-\n1\n\n", ""},
		{"open text given up", []string{"SELECT 'a;", "^C", "SELECT 1 AS a;"}, "a\n-\n1\n\n", ""},
		{"unfinished at the end", []string{"SELECT 1"}, "\n", ""},
		{"quit", []string{".quit", "SELECT 1;"}, "", ""},
		{"modes", []string{".mode csv", ".mode", "SELECT 1 AS a;", ".mode jsonl;", "SELECT 1 AS a;", ".mode json", "SELECT 1 AS a;"},
			"csv\na\n1\n{\"a\":1}\n[\n{\"a\":1}\n]\n\n", ""},
		{"no mode", []string{".mode xml"}, "\n", "error: no mode \"xml\": want table, csv, json, jsonl\n"},
		{"no command", []string{".table"}, "\n", "error: no command \".table\": .help lists them\n"},
		{"point within a statement", []string{"SELECT 1 AS a,", ".5 AS b;"}, "a    b\n-  ---\n1  0.5\n\n", ""},
		{"argument too many", []string{".tables x"}, "\n", "error: .tables takes no argument: got \"x\"\n"},
		{"argument missing", []string{".example"}, "\n", "error: .example needs an argument: want .example N\n"},
		{"no example", []string{".example 0", ".example x", ".example 99"}, "\n",
			"error: no example \"0\": want 1 to 13\nerror: no example \"x\": want 1 to 13\nerror: no example \"99\": want 1 to 13\n"},
		{"no table", []string{".schema x"}, "\n", "error: no table or view \"x\": .tables lists them\n"},
		{"tables", []string{".mode csv", ".tables"},
			"name,kind\npositions,table\nstrip_sg,table\ngame,table\ncells,table\nboards,view\nmoves,view\noutcome_counts,view\n\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, errs, _ := typeInto(t, nil, test.lines...)
			if diff := cmp.Diff(test.out, out); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.errs, errs); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPromptsAndHistory(t *testing.T) {
	_, _, l := typeInto(t, nil, "SELECT 1", "", "-- more", ";", "-- nothing", "SELECT 'a", "^C", ".mode", "SELECT 1; SELECT", "2;")
	const first, next = "oxbase> ", "   ...> "
	want := []string{first, next, next, next, first, first, next, first, first, next, first}
	if diff := cmp.Diff(want, l.prompts); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	want = []string{"SELECT 1", "-- more", ";", "-- nothing", "SELECT 'a", ".mode", "SELECT 1; SELECT", "2;"}
	if diff := cmp.Diff(want, l.remembered); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// TestInterruptedStatement: an interrupt ends a statement and leaves the shell.
func TestInterruptedStatement(t *testing.T) {
	statements := 0
	begin := func() (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		if statements++; statements == 1 {
			cancel()
		}
		return ctx, cancel
	}
	out, errs, _ := typeInto(t, begin,
		"WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a;", "SELECT 1 AS a;")
	if out != "a\n-\n1\n\n" || errs != "error: interrupted\n" {
		t.Errorf("got %q and errors %q", out, errs)
	}
}

func TestShellHelp(t *testing.T) {
	out, _, _ := typeInto(t, nil, ".help", ".examples")
	for _, c := range sqlCommands() {
		if !strings.Contains(out, "\n  "+c.name+" ") {
			t.Errorf(".help doesn't know %s", c.name)
		}
	}
	for _, f := range store.Functions() {
		if !strings.Contains(out, "\n  "+f.Signature+"\n") {
			t.Errorf(".help doesn't know %s", f.Signature)
		}
	}
	for _, e := range sqlExamples() {
		if !strings.Contains(out, "  "+e.question) {
			t.Errorf(".examples doesn't list %q", e.question)
		}
	}
	for line := range strings.Lines(out) {
		if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > textWidth {
			t.Errorf("a line has %d characters: %s", width, line)
		}
	}
}

func TestSchema(t *testing.T) {
	all, _, _ := typeInto(t, nil, ".schema")
	for _, name := range []string{"positions", "strip_sg", "game", "cells"} {
		one, _, _ := typeInto(t, nil, ".schema "+name)
		if !strings.HasPrefix(one, "CREATE TABLE "+name+" (\n") || !strings.Contains(all, strings.TrimSpace(one)) {
			t.Errorf(".schema %s is %q", name, one)
		}
	}
	for _, name := range []string{"boards", "moves", "outcome_counts"} {
		one, _, _ := typeInto(t, nil, ".schema main."+name)
		if !strings.HasPrefix(one, "CREATE VIEW "+name+" AS\n  -- ") {
			t.Errorf(".schema main.%s is without a comment: %q", name, one)
		}
	}
}

func TestExampleWithoutItsFile(t *testing.T) {
	out, errs, _ := typeInto(t, nil, ".example 13")
	want := "error: no such table: misere.boards (the example needs --attach misere=3x3x3-misere.db)\n"
	if !strings.HasPrefix(out, "-- "+sqlExamples()[12].question+"\nSELECT ") || errs != want {
		t.Errorf("got %q and errors %q", out, errs)
	}
}

func TestHistoryPath(t *testing.T) {
	state, home := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", state)
	if got, want := historyPath(), filepath.Join(state, "oxbase", "history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if runtime.GOOS != "linux" {
		return
	}
	for _, unset := range []string{"", "relative"} {
		t.Setenv("XDG_STATE_HOME", unset)
		if got, want := historyPath(), filepath.Join(home, ".local", "state", "oxbase", "history"); got != want {
			t.Errorf("XDG_STATE_HOME=%q: got %s, want %s", unset, got, want)
		}
	}
}

// TestHistoryIsKept writes the history and reads it again; where it can't be written nothing happens.
func TestHistoryIsKept(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "new", "oxbase", "history")
	for _, line := range []string{"SELECT 1;", ".tables"} {
		terminal := newTerminal(t.Context(), path, nil)
		terminal.remember(line)
		terminal.remember("\xff")
		terminal.remember(strings.Repeat("x", 5000))
		terminal.close()
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "SELECT 1;\n.tables\n" {
		t.Errorf("the history is %q, %v", got, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history is open to others: %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the history stands %v, %v", entries, err)
	}
	for _, bad := range []string{"", filepath.Join(path, "below", "a", "file")} {
		terminal := newTerminal(t.Context(), bad, nil)
		terminal.remember("SELECT 1;")
		terminal.close()
	}
}
