package migrations

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// TestSchemaSum computes the sum from a new database.
func TestSchemaSum(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "new.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("SELECT type || ' ' || name, sql FROM sqlite_schema ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sum := sha256.New()
	for rows.Next() {
		var name, statement string
		if err := rows.Scan(&name, &statement); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s\x00%s\x00", name, statement)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != SchemaSum {
		t.Errorf("SchemaSum is %q: the schema's is %q", SchemaSum, got)
	}
}
