// Package store keeps a tablebase in one SQLite file. A [Writer] builds the file in one go
// beside its place and moves it there when it is complete and checked; a [DB] reads it.
//
// The tables and columns, with their units and points of view, are described in the schema
// itself: ".schema" in the sqlite3 program prints it.
//
// # Content hash
//
// The content hash of a file is a SHA-256 over its rows in key order, whatever the layout of
// the pages, and stands in the game table. Stock tools reproduce it:
//
//	sqlite3 ox.db "SELECT * FROM positions ORDER BY key;
//	    SELECT * FROM strip_sg ORDER BY length, left, right;" | sha256sum
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"oxbase/game"
)

var (
	// ErrNotFound comes back when there is no file under the path that was to be opened.
	ErrNotFound = errors.New("no such file")

	// ErrForeign comes back when there is something else under the path than an oxbase file: a
	// folder, a text, another program's database.
	ErrForeign = errors.New("not an oxbase file")

	// ErrVersion comes back when an oxbase file has another schema version than this program.
	ErrVersion = errors.New("other schema version")

	// ErrReplaced comes back when another file has taken the place of the one that was opened, and
	// would have to be opened too.
	ErrReplaced = errors.New("a build has replaced it since it was opened: begin again")

	// ErrDamaged comes back when an oxbase file is cut off, or when what it holds can't be right.
	ErrDamaged = errors.New("damaged")
)

// Info is what a file says of itself.
type Info struct {
	Name          string        `json:"name"`           // the game's name
	Width         int           `json:"width"`          // columns
	Height        int           `json:"height"`         // rows
	InRow         int           `json:"in_row"`         // stones that make a line
	Drop          bool          `json:"is_drop"`        // a stone falls to the lowest free cell of its column
	Misere        bool          `json:"is_misere"`      // whoever completes a line loses
	Turns         game.Turns    `json:"turns"`          // which positions are stored
	Symmetry      game.Symmetry `json:"symmetry"`       // how many of a symmetry class
	StripLength   int           `json:"strip_length"`   // longest gap with an SG value, in cells
	Positions     int64         `json:"positions"`      // number of positions stored
	ContentHash   string        `json:"content_hash"`   // SHA-256 of the rows, in hex
	BuiltBy       string        `json:"built_by"`       // program and version that wrote the file
	SchemaVersion int           `json:"schema_version"` // number of the last migration
	Size          int64         `json:"size"`           // of the file, in bytes
}

// rowHash returns the hash that guards the row of the game table.
func (i Info) rowHash() string {
	columns := make([]string, 0, 12)
	for _, value := range i.columns() {
		columns = append(columns, fmt.Sprint(value))
	}
	sum := sha256.Sum256([]byte(strings.Join(columns, "|") + "\n"))
	return hex.EncodeToString(sum[:])
}

// columns returns the values of the game table's columns, in their order, without row_hash.
func (i Info) columns() []any {
	return []any{i.Name, i.Width, i.Height, i.InRow, digit(i.Drop), digit(i.Misere), string(i.Turns),
		string(i.Symmetry), i.StripLength, i.Positions, i.ContentHash, i.BuiltBy}
}

// digit returns a truth value as it is stored.
func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}
