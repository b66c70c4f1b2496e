package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"oxbase/migrations"
)

const schemaQuery = "SELECT type || ' ' || name, sql FROM sqlite_schema ORDER BY 1"

// wantedSchema returns the statement that makes each thing of a schema version, by its type and
// name, as an empty database has them after the migrations.
func wantedSchema(ctx context.Context, set migrations.Set, version int) (_ map[string]string, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // another one would be another database
	if err := set.UpTo(ctx, db, version); err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, schemaQuery)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	schema := make(map[string]string)
	for rows.Next() {
		var name, statement string
		if err := rows.Scan(&name, &statement); err != nil {
			return nil, err
		}
		schema[name] = statement
	}
	return schema, rows.Err()
}

// checkSchema returns an [ErrDamaged] unless a database has each table and view of a schema
// version as the migrations make it. So nothing that is read later computes anything: a view in
// place of a table might never end. What else there is doesn't matter, since nobody reads it.
func checkSchema(ctx context.Context, c *conn, set migrations.Set, version int) error {
	type statement struct {
		name string
		sql  driver.Value
	}
	var found []statement
	sum := sha256.New()
	err := c.rows(ctx, schemaQuery, func(values []driver.Value) error {
		name, _ := values[0].(string)
		found = append(found, statement{name, values[1]})
		fmt.Fprintf(sum, "%s\x00%v\x00", name, values[1])
		return nil
	})
	if err != nil || version == migrations.Version && hex.EncodeToString(sum.Sum(nil)) == migrations.SchemaSum {
		return err
	}
	missing, err := wantedSchema(ctx, set, version)
	if err != nil {
		return err
	}
	for _, s := range found {
		want, isOurs := missing[s.name]
		if isOurs && s.sql != want {
			return damaged("the %s is not as oxbase makes it", s.name)
		}
		delete(missing, s.name)
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		return damaged("the %s is missing", name)
	}
	return nil
}

// checkSchemaPages returns an [ErrDamaged] if a page of the table sqlite_schema is reached twice.
// SQLite reads that table when it opens a file, and with a few such pages would never be done.
// Whatever else is wrong is left for SQLite to find. Time: linear in the pages reached.
func checkSchemaPages(pages pageFile) error {
	seen := map[uint32]bool{}
	next := []uint32{1}
	for len(next) > 0 {
		number := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[number] {
			return damaged("its schema uses page %d twice", number)
		}
		seen[number] = true
		page, err := pages.page(number)
		if err != nil {
			continue // the page isn't there
		}
		header := page
		if number == 1 {
			header = page[100:]
		}
		cells := int(binary.BigEndian.Uint16(header[3:]))
		if header[0] != interiorType || interiorHeader+2*cells > len(header) {
			continue
		}
		for i := range cells {
			at := int(binary.BigEndian.Uint16(header[interiorHeader+2*i:]))
			if at+4 <= len(page) {
				next = append(next, binary.BigEndian.Uint32(page[at:]))
			}
		}
		next = append(next, binary.BigEndian.Uint32(header[8:]))
	}
	return nil
}
