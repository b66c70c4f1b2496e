package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// source is one Go file: the folder of its package, from the top of the module, and what it imports.
type source struct {
	folder  string
	name    string
	imports []string
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// The rooms of the module are the folders at its top that hold packages.
const (
	module  = "oxbase/"
	rooms   = "builder cmd game migrations query store"
	testKit = "game/gametest" // for tests of all rooms, and for nothing else
)

// complaint says what is wrong with a file's import, or nothing:
//
//	cmd          imports everyone
//	builder      imports game
//	store        imports game and migrations
//	query        imports game; query/... imports game and query
//	migrations   imports none of us
//	game         imports the standard library only
//
// and SQLite is known to store, migrations and cmd only. Tests are under the same rules, but in
// every room they may use the kit for tests and, in game too, libraries.
func complaint(s source, imported string) string {
	room := topmost(s.folder)
	ours, isOurs := strings.CutPrefix(imported, module)
	switch {
	case room == "cmd":
	case isOurs && ours == testKit:
		if !s.isTest() && s.folder != testKit {
			return "is for tests only"
		}
	case isOurs && !mayImport(s.folder, ours):
		return "is behind a wall"
	case isOurs:
	case s.folder == testKit && !isStandard(imported):
		return "is not in the standard library"
	case room == "game" && !s.isTest() && !isStandard(imported):
		return "is not in the standard library"
	case room != "store" && room != "migrations" && isDatabase(imported):
		return "is a matter of the store"
	}
	return ""
}

// mayImport reports whether one package of ours may import another.
func mayImport(from, to string) bool {
	room := topmost(from)
	switch {
	case from == to: // its tests, from outside
		return true
	case room == "query":
		return to == "game" || to == "query"
	case room == "builder":
		return to == "game"
	case room == "store":
		return to == "game" || to == "migrations"
	}
	return false
}

func topmost(folder string) string {
	top, _, _ := strings.Cut(folder, "/")
	return top
}

// isStandard reports whether an import path is the standard library's: its first part has no dot.
func isStandard(imported string) bool { return !strings.Contains(topmost(imported), ".") }

func isDatabase(imported string) bool {
	return strings.Contains(imported, "sql") || strings.Contains(imported, "goose")
}

// TestImports keeps the walls between the rooms: it reads the import declarations of every Go
// file of the module, for whatever system it is built.
func TestImports(t *testing.T) {
	sources := readSources(t, os.DirFS("../.."))
	var found []string
	for _, s := range sources {
		room := topmost(s.folder)
		if !slices.Contains(found, room) {
			found = append(found, room)
		}
		for _, imported := range s.imports {
			if wrong := complaint(s, imported); wrong != "" {
				t.Errorf("%s imports %s, which %s", path.Join(s.folder, s.name), imported, wrong)
			}
		}
	}
	slices.Sort(found)
	if got := strings.Join(found, " "); got != rooms {
		t.Errorf("the folders at the top with Go files are %q, want %q", got, rooms)
	}
}

// readSources reads the imports of all Go files that belong to the module.
func readSources(t *testing.T, module fs.FS) []source {
	t.Helper()
	var sources []source
	err := fs.WalkDir(module, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if ignored := name == "testdata" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "."); ignored && file != "." {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(module, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		s := source{folder: path.Dir(file), name: name}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			s.imports = append(s.imports, imported)
		}
		sources = append(sources, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// The rules themselves, on imports that are allowed and on each kind that isn't.
func TestImportRules(t *testing.T) {
	for _, test := range []struct{ folder, name, imported, want string }{
		{"game", "game.go", "math/bits", ""},
		{"game", "game.go", "github.com/google/go-cmp/cmp", "is not in the standard library"},
		{"game", "game.go", "oxbase/query", "is behind a wall"},
		{"game", "game.go", "oxbase/game/gametest", "is for tests only"},
		{"game", "game.go", "database/sql", "is a matter of the store"},
		{"game", "game_test.go", "oxbase/game", ""},
		{"game", "game_test.go", "oxbase/game/gametest", ""},
		{"game", "game_test.go", "github.com/google/go-cmp/cmp", ""},
		{"game", "game_test.go", "oxbase/builder", "is behind a wall"},
		{"game", "game_test.go", "modernc.org/sqlite", "is a matter of the store"},
		{"game/gametest", "search.go", "math/bits", ""},
		{"game/gametest", "search.go", "oxbase/game", "is behind a wall"},
		{"game/gametest", "search_test.go", "oxbase/game/gametest", ""},
		{"game/gametest", "search.go", "github.com/google/go-cmp/cmp", "is not in the standard library"},
		{"builder", "builder.go", "oxbase/game", ""},
		{"builder", "builder.go", "golang.org/x/sync/errgroup", ""},
		{"builder", "builder.go", "oxbase/store", "is behind a wall"},
		{"builder", "builder.go", "oxbase/migrations", "is behind a wall"},
		{"builder", "builder.go", "oxbase/cmd/oxbase", "is behind a wall"},
		{"builder", "builder.go", "database/sql", "is a matter of the store"},
		{"builder", "builder.go", "modernc.org/sqlite", "is a matter of the store"},
		{"builder", "builder.go", "oxbase/game/gametest", "is for tests only"},
		{"builder", "builder_test.go", "oxbase/builder", ""},
		{"builder", "builder_test.go", "oxbase/game/gametest", ""},
		{"builder", "builder_test.go", "oxbase/store", "is behind a wall"},
		{"store", "store.go", "oxbase/game", ""},
		{"store", "store.go", "oxbase/migrations", ""},
		{"store", "store.go", "modernc.org/sqlite", ""},
		{"store", "store.go", "oxbase/builder", "is behind a wall"},
		{"store", "store.go", "oxbase/query/judge", "is behind a wall"},
		{"store", "store_test.go", "oxbase/builder", "is behind a wall"},
		{"store", "store_test.go", "oxbase/store", ""},
		{"query", "query.go", "oxbase/game", ""},
		{"query", "query.go", "oxbase/store", "is behind a wall"},
		{"query", "query.go", "oxbase/query/judge", "is behind a wall"},
		{"query", "query.go", "database/sql", "is a matter of the store"},
		{"query/judge", "judge.go", "oxbase/game", ""},
		{"query/judge", "judge.go", "oxbase/query", ""},
		{"query/judge", "judge.go", "oxbase/query/web", "is behind a wall"},
		{"query/judge", "judge_test.go", "oxbase/query/judge", ""},
		{"query/judge", "judge_test.go", "oxbase/store", "is behind a wall"},
		{"migrations", "migrations.go", "database/sql", ""},
		{"migrations", "migrations.go", "github.com/pressly/goose/v3", ""},
		{"migrations", "migrations.go", "oxbase/game", "is behind a wall"},
		{"migrations", "migrations_test.go", "oxbase/store", "is behind a wall"},
		{"cmd/oxbase", "main.go", "oxbase/store", ""},
		{"cmd/oxbase", "main.go", "oxbase/query/judge", ""},
		{"cmd/oxbase", "main.go", "github.com/spf13/cobra", ""},
		{"cmd/oxbase", "main.go", "database/sql", ""},
		{"cmd/oxbase", "build_test.go", "oxbase/game/gametest", ""},
		{"elsewhere", "new.go", "oxbase/game", "is behind a wall"},
	} {
		t.Run(path.Join(test.folder, test.name)+" imports "+test.imported, func(t *testing.T) {
			if got := complaint(source{folder: test.folder, name: test.name}, test.imported); got != test.want {
				t.Errorf("the complaint is %q, want %q", got, test.want)
			}
		})
	}
}
