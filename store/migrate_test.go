package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"oxbase/migrations"
)

// all returns the migrations of the program.
func all(t testing.TB) migrations.Set {
	t.Helper()
	set, err := migrations.All()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// with returns the migrations of the program and one more.
func with(t testing.TB, statements string) migrations.Set {
	t.Helper()
	schema, err := migrations.FS.ReadFile("00001_schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	set, err := migrations.New(fstest.MapFS{
		"00001_schema.sql": {Data: schema},
		"00002_more.sql":   {Data: []byte("-- +goose Up\n" + statements)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

const ties = "CREATE VIEW ties AS SELECT key FROM positions WHERE outcome = 0;\n"

// readBytes returns what a file holds.
func readBytes(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestMigrate(t *testing.T) {
	folder := t.TempDir()
	path, twin := filepath.Join(folder, "a.db"), filepath.Join(folder, "b.db")
	rows := newSearch(small()).rows()
	build(t, path, metaOf(small()), rows)
	build(t, twin, metaOf(small()), rows)
	set := with(t, ties)
	want := SchemaStatus{Version: 1, Program: 2, Pending: []string{"00002_more.sql"}}
	if got, err := ReadSchemaStatus(path, set); err != nil || !cmp.Equal(got, want) {
		t.Errorf("the status is %+v, %v, want %+v", got, err, want)
	}
	if _, err := openWith(path, set); !errors.Is(err, ErrVersion) ||
		!strings.Contains(err.Error(), `the file has 1 and this oxbase needs 2: bring it there with "oxbase migrate"`) {
		t.Errorf("opening the old file: got %v, want it to name what helps", err)
	}
	reader := open(t, path)
	for _, path := range []string{path, twin} {
		if got, err := Migrate(t.Context(), path, set); err != nil || !cmp.Equal(got, want) {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	}
	migrated := readBytes(t, path)
	if !bytes.Equal(migrated, readBytes(t, twin)) {
		t.Error("two equal files differ after migrating")
	}
	if diff := cmp.Diff([]string{"a.db", "b.db"}, listing(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if _, ok, err := reader.Lookup(0); !ok || err != nil {
		t.Errorf("a reader of the old file: got %t, %v", ok, err)
	}

	db, err := openWith(path, set)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var count, tied int
	for _, row := range rows {
		v, ok, err := db.Lookup(row.Key)
		if v != row.Value || !ok || err != nil {
			t.Fatalf("key %d: got %+v, %t, %v, want %+v", row.Key, v, ok, err, row.Value)
		}
		if row.Outcome == 0 {
			tied++
		}
	}
	if err := db.SQL().QueryRow("SELECT count(*) FROM ties").Scan(&count); err != nil || count != tied {
		t.Errorf("the new view has %d rows, %v, want %d", count, err, tied)
	}
	if got := db.Info().SchemaVersion; got != 2 {
		t.Errorf("the schema version is %d, want 2", got)
	}

	want = SchemaStatus{Version: 2, Program: 2, Pending: []string{}}
	if got, err := Migrate(t.Context(), path, set); err != nil || !cmp.Equal(got, want) {
		t.Errorf("again: got %+v, %v, want %+v", got, err, want)
	}
	want = SchemaStatus{Version: 2, Program: 1, Pending: []string{}}
	if got, err := ReadSchemaStatus(path, all(t)); err != nil || !cmp.Equal(got, want) {
		t.Errorf("the older program: got %+v, %v, want %+v", got, err, want)
	}
	if _, err := Migrate(t.Context(), path, all(t)); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "update oxbase") {
		t.Errorf("the older program: got %v, want it to say that it is old", err)
	}
	if !bytes.Equal(migrated, readBytes(t, path)) {
		t.Error("migrating again changes bytes")
	}
}

// TestMigrateLink: a link goes on leading to the file.
func TestMigrateLink(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "a.db"), filepath.Join(folder, "link.db")
	build(t, path, metaOf(small()), nil)
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err) // not everyone may make links on Windows
	}
	if _, err := Migrate(t.Context(), link, with(t, ties)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if h, err := readHeader(path); err != nil || h.version != 2 {
		t.Errorf("the file has version %d, %v, want 2", h.version, err)
	}
}

// TestMigrateFails: whatever is wrong with the file or the migration, the file stays as it was and
// nothing is left beside it.
func TestMigrateFails(t *testing.T) {
	ours := bytesOf(t, small())
	set := with(t, ties)
	cut := changed(t, ours)
	if err := os.Truncate(cut, int64(len(ours)-pageSize)); err != nil {
		t.Fatal(err)
	}
	versionless := changed(t, ours, "PRAGMA user_version = 0")
	ended, end := context.WithCancel(t.Context())
	end()
	for _, test := range []struct {
		name, path string
		set        migrations.Set
		ctx        context.Context
		sentinel   error
		want       string
	}{
		{"interrupted", changed(t, ours), set, ended, context.Canceled, ""},
		{"wrong SQL", changed(t, ours), with(t, "CREATE VIEW ties AS SELEC;"), nil, ErrDamaged, "syntax error"},
		{"the second half fails", changed(t, ours), with(t, "DELETE FROM positions;\nCREATE TABLE game(x);"), nil, ErrDamaged, "already exists"},
		{"rows changed", changed(t, ours), with(t, "UPDATE strip_sg SET sg = sg + 1;"), nil, ErrDamaged, "content_hash"},
		{"rows lost", changed(t, ours), with(t, "DELETE FROM positions WHERE key > 5;"), nil, ErrDamaged, "positions: want"},
		{"cut off", cut, set, nil, ErrDamaged, "cut off"},
		{"of no version", versionless, set, nil, ErrVersion, "which no oxbase has ever made"},
		{"a view in the way", changed(t, ours, "CREATE VIEW ties AS SELECT 1"), set, nil, ErrDamaged, "already exists"},
		{"a view missing", changed(t, ours, "DROP VIEW moves"), set, nil, ErrDamaged, "the view moves is missing"},
		{"a trigger", changed(t, ours, "CREATE TRIGGER a AFTER UPDATE ON positions BEGIN DELETE FROM game; END"), set, nil, ErrDamaged, "triggers"},
		{"a wrong row", changed(t, ours, "UPDATE positions SET score = 0, outcome = 0, distance = 4 WHERE key = 0"), set, nil, ErrDamaged, "content_hash"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.ctx == nil {
				test.ctx = t.Context()
			}
			folder := filepath.Dir(test.path)
			before := contents(t, folder)
			_, err := Migrate(test.ctx, test.path, test.set)
			if !errors.Is(err, test.sentinel) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.path) {
				t.Errorf("got %v, want it to be %v with %q and the path", err, test.sentinel, test.want)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has more than one line", err)
			}
			if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
				t.Errorf("the folder (-before +after):\n%s", diff)
			}
		})
	}
}
