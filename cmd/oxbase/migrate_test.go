package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"oxbase/migrations"
)

// nextSchema returns the migrations of an oxbase to come: there is one more.
func nextSchema(t *testing.T) migrations.Set {
	t.Helper()
	schema, err := migrations.FS.ReadFile("00001_schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	set, err := migrations.New(fstest.MapFS{
		"00001_schema.sql": {Data: schema},
		"00002_ties.sql":   {Data: []byte("-- +goose Up\nCREATE VIEW ties AS SELECT key FROM positions WHERE outcome = 0;\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestMigrate brings a file to a schema to come, step by step.
func TestMigrate(t *testing.T) {
	now, err := migrations.All()
	if err != nil {
		t.Fatal(err)
	}
	next := nextSchema(t)
	content := mustRead(t, built(t, "3x2x3", "--strip-length", "9"))
	path := fileWith(t, content)
	step := func(what string, o migrateOptions, set migrations.Set, want string, status int, message string) {
		t.Helper()
		var out bytes.Buffer
		o.db = path
		err := runMigrate(t.Context(), streams{out: &out}, o, set)
		if got := strings.ReplaceAll(out.String(), path, "FILE"); got != want {
			t.Errorf("%s (-want +got):\n%s", what, cmp.Diff(want, got))
		}
		switch {
		case err == nil && status != exitDone:
			t.Errorf("%s: no error, want exit status %d", what, status)
		case err != nil && (exitStatus(err) != status || !strings.Contains(err.Error(), message)):
			t.Errorf("%s: exit status %d, %v, want %d, %q", what, exitStatus(err), err, status, message)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 2 {
			t.Errorf("%s: leaves %v, %v", what, entries, err)
		}
	}
	unchanged := func(content []byte) {
		t.Helper()
		if !bytes.Equal(mustRead(t, path), content) {
			t.Error("the file changed")
		}
	}
	status := migrateOptions{status: true}
	step("nothing to do", migrateOptions{}, now, "FILE: schema version 1, this oxbase has 1\nnothing is to be done\n", exitDone, "")
	step("its status", status, now, "FILE: schema version 1, this oxbase has 1\nnothing is to be done\n", exitDone, "")
	step("what is to come", status, next, "FILE: schema version 1, this oxbase has 2\nto be applied: 00002_ties.sql\n", exitDone, "")
	step("what is to come as JSON", migrateOptions{status: true, asJSON: true}, next, `{
  "file": "FILE",
  "schema_version": 1,
  "program_schema_version": 2,
  "pending": [
    "00002_ties.sql"
  ],
  "migrated": false
}
`, exitDone, "")
	unchanged(content)
	step("migrating", migrateOptions{}, next, "FILE: schema version 1, this oxbase has 2\napplied 00002_ties.sql\n", exitDone, "")
	migrated := mustRead(t, path)
	step("again", migrateOptions{}, next, "FILE: schema version 2, this oxbase has 2\nnothing is to be done\n", exitDone, "")
	step("the older oxbase's status", status, now, "FILE: schema version 2, this oxbase has 1\nnothing can be done by this oxbase\n", exitDamaged, "update oxbase")
	step("the older oxbase", migrateOptions{}, now, "", exitDamaged, "update oxbase")
	unchanged(migrated)
	if got, want := dump(t, path), dump(t, built(t, "3x2x3", "--strip-length", "9")); !strings.Contains(got, "ties") ||
		got[strings.Index(got, "3x2x3"):] != want[strings.Index(want, "3x2x3"):] {
		t.Errorf("the rows or the schema: %s", firstDifference(want, got))
	}
}

// TestMigrateCommand runs the command on files of this oxbase's schema.
func TestMigrateCommand(t *testing.T) {
	path := built(t, "3x2x3", "--strip-length", "9")
	before := mustRead(t, path)
	want := path + ": schema version 1, this oxbase has 1\nnothing is to be done\n"
	for _, args := range [][]string{{"migrate", path}, {"migrate", "--db", path}, {"migrate", "--status", path}} {
		if got := mustOxbase(t, "", args...); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
	var status map[string]any
	if err := json.Unmarshal([]byte(mustOxbase(t, "", "migrate", "--json", path)), &status); err != nil || status["schema_version"] != 1.0 {
		t.Errorf("got %v, %v", status, err)
	}
	if !bytes.Equal(before, mustRead(t, path)) {
		t.Error("the file changed")
	}
	missing := filepath.Join(t.TempDir(), "4x4x4.db")
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"migrate", missing}, exitMissing, "build it with"},
		{[]string{"migrate", "--status", missing}, exitMissing, "build it with"},
		{[]string{"migrate", path, "--db", path}, exitInput, "not both"},
		{[]string{"migrate", path, path}, exitInput, "accepts at most 1 arg"},
		{[]string{"migrate", "migrate_test.go"}, exitDamaged, "it is no SQLite database"},
	} {
		r := oxbase(t, "", test.args...)
		if r.Status != test.status || !strings.Contains(r.Err, test.want) || r.Out != "" {
			t.Errorf("%q: %+v, want exit status %d with %q", test.args, r, test.status, test.want)
		}
	}
}
