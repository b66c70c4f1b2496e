package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFlippedBytes changes one byte at random places of files and runs commands on them: none
// panics or runs on, whatever is wrong is told as damage, and a file that passes verify holds
// what it held.
func TestFlippedBytes(t *testing.T) {
	plainOnly(t)
	const parts = 10 // that run beside each other
	for _, test := range []struct {
		name  string
		file  []string
		flips int
	}{
		{"3x3x3", []string{"3x3x3", "--strip-length", "50"}, 1000},
		{"4x2x3-drop-misere", []string{"4x2x3-drop-misere", "--strip-length", "9", "--turns", "alternate", "--symmetry", "canonical"}, 300},
	} {
		path := built(t, test.file...)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := dump(t, path)
		for part := range parts {
			t.Run(fmt.Sprintf("%s/part %d", test.name, part), func(t *testing.T) {
				t.Parallel()
				flips := max(1, test.flips/parts/positionStride)
				if testing.Short() {
					flips = max(1, flips/10)
				}
				random := rand.New(rand.NewPCG(uint64(part), 7))
				changed := filepath.Join(t.TempDir(), "changed.db")
				for flip := range flips {
					damaged := slices.Clone(content)
					at, by := random.IntN(len(damaged)), byte(1+random.IntN(255))
					damaged[at] ^= by
					if err := os.WriteFile(changed, damaged, 0o666); err != nil {
						t.Fatal(err)
					}
					tryDamaged(t, changed, want, flip, fmt.Sprintf("byte %d changed from %#02x to %#02x", at, content[at], damaged[at]))
				}
			})
		}
	}
}

// flippedCommands are the command lines of which TestFlippedBytes runs another one on each file,
// beside those that read all of it.
var flippedCommands = [][]string{
	{"export"},
	{"sql", "SELECT * FROM positions"},
	{"query", "board", "-", "--json"},
	{"sql", "SELECT * FROM boards LIMIT 999"},
	{"query", "strip", "-"},
	{"sql", "SELECT * FROM strip_sg, game, cells"},
	{"migrate"},
	{"serve"},
}

// tryDamaged runs commands on a file that may be damaged, one of flippedCommands by its number.
// want is the dump of the sound file.
func tryDamaged(t *testing.T, path, want string, number int, what string) {
	t.Helper()
	command := ""
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Fatalf("%s: %s panics: %v", what, command, panicked)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	try := func(stdin string, args ...string) result {
		command = strings.Join(args, " ")
		r := oxbaseContext(ctx, stdin, append(args, "--db", path)...)
		if ctx.Err() != nil {
			t.Fatalf("%s: %s runs on: %v", what, command, ctx.Err())
		}
		if r.Status != exitDone && r.Status != exitDamaged {
			t.Errorf("%s: %s: exit status %d, want %d or %d: %s", what, command, r.Status, exitDone, exitDamaged, r.Err)
		}
		return r
	}
	ticTacToe := strings.Contains(want, "3x3x3")
	switch other := flippedCommands[number%len(flippedCommands)]; {
	case other[0] == "serve" && ticTacToe: // of which askServer asks
		command = "serve"
		if r := runDamaged(ctx, path, "serve", ""); r.panicked != nil || r.late || r.Status != exitDone && r.Status != exitDamaged {
			t.Errorf("%s: serve: %+v", what, r)
		}
	case other[0] == "query" && other[1] == "board" && !ticTacToe:
		try("........\n", other...)
	case other[0] == "query":
		try(".........\n", other...)
	case other[0] != "serve":
		try("", other...)
	}
	try("", "info")
	if ticTacToe {
		try("2\n...\n...\n.ox\nx\nxo.\n.x.\n...\no\n", "query", "hrbust")
		try("2\nO.O\n..X....O\n", "query", "lightoj")
	}
	try("", "stats")
	if try("", "verify").Status != exitDone {
		return
	}
	if got := dump(t, path); got != want {
		t.Errorf("%s: verify passes, but the file holds something else: %s", what, firstDifference(want, got))
	}
}

// firstDifference returns the first lines that differ.
func firstDifference(want, got string) string {
	wantLines, gotLines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range wantLines {
		if i >= len(gotLines) || gotLines[i] != line {
			return fmt.Sprintf("line %d of the dump was %q and is %q", i+1, line, gotLines[min(i, len(gotLines)-1)])
		}
	}
	return fmt.Sprintf("the dump has %d lines more", len(gotLines)-len(wantLines))
}

// dump returns all that the tables of a file hold, and its schema.
func dump(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var text strings.Builder
	for _, query := range []string{
		"SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
		"SELECT * FROM game",
		"SELECT * FROM cells ORDER BY cell",
		"SELECT * FROM strip_sg ORDER BY length, left, right",
		"SELECT * FROM positions ORDER BY key",
	} {
		text.WriteString(printed(t, db, query))
	}
	return text.String()
}
