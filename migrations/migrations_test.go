package migrations

import (
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// TestVersion: the migrations are numbered without a gap, and Version is the last number.
func TestVersion(t *testing.T) {
	files, err := fs.Glob(FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != Version {
		t.Errorf("%d migrations, Version is %d", len(files), Version)
	}
	for i, file := range files {
		if want := fmt.Sprintf("%05d_*.sql", i+1); !match(t, want, file) {
			t.Errorf("migration %d is %s, want %s", i+1, file, want)
		}
	}
}

func match(t *testing.T, pattern, name string) bool {
	t.Helper()
	ok, err := filepath.Match(pattern, name)
	if err != nil {
		t.Fatal(err)
	}
	return ok
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
