package migrations

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	_ "modernc.org/sqlite"
)

// TestVersion: Version is the number of the last migration.
func TestVersion(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if all.Version() != Version {
		t.Errorf("%d migrations, Version is %d", all.Version(), Version)
	}
	if list := all.After(Version); len(list) != 0 {
		t.Errorf("after the last migration come %q", list)
	}
	if list := all.After(0); len(list) != Version || list[0] != "00001_schema.sql" {
		t.Errorf("an empty database lacks %q", list)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string
		want  string
	}{
		{"none", nil, "there are none"},
		{"a gap", []string{"00001_a.sql", "00003_b.sql"}, "00003_b.sql comes where 00002_name.sql was wanted"},
		{"a number twice", []string{"00001_a.sql", "00001_b.sql"}, "00001_b.sql comes where 00002_name.sql was wanted"},
		{"no number", []string{"a.sql"}, "a.sql comes where 00001_name.sql was wanted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for _, name := range test.files {
				files[name] = &fstest.MapFile{}
			}
			if _, err := New(files); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestUp: a new database gets the schema and says so in its header only; a second Up finds
// nothing to do.
func TestUp(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2 {
		if err := Up(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			query string
			want  int64
		}{
			{"PRAGMA user_version", Version},
			{"PRAGMA application_id", ApplicationID},
			{"SELECT count(*) FROM sqlite_schema WHERE type = 'table'", 4},
			{"SELECT count(*) FROM sqlite_schema WHERE type = 'view'", 3},
			{"SELECT count(*) FROM sqlite_schema WHERE name LIKE '%goose%' OR name LIKE 'sqlite_%'", 0},
			// Each table and view says in a comment what it is.
			{"SELECT count(*) FROM sqlite_schema WHERE sql NOT LIKE '%--%'", 0},
		} {
			var got int64
			if err := db.QueryRow(test.query).Scan(&got); err != nil || got != test.want {
				t.Errorf("%s: got %d, %v, want %d", test.query, got, err, test.want)
			}
		}
	}
}
