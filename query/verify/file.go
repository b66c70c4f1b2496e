package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxbase/game"
)

// integrity lets SQLite check its pages: whether each is used once, keys ascend, and each column
// holds what its type says.
func (v *verifier) integrity(ctx context.Context) error {
	v.options.Progress(Progress{Phase: "SQLite's check"})
	var said []string
	err := v.db.Query(ctx, "PRAGMA integrity_check(1)", func(columns []any) error {
		said = append(said, fmt.Sprint(columns[0]))
		return nil
	})
	if err != nil {
		return err
	}
	got := strings.Join(strings.Fields(strings.Join(said, " ")), " ")
	return v.compare(Check{Name: "integrity check", Expected: "ok", Got: got, Source: "SQLite"},
		"SQLite's integrity check says: "+got)
}

// schema compares each table, view, index and trigger with what an empty database has.
func (v *verifier) schema(ctx context.Context) error {
	got, err := readSchema(ctx, v.db)
	if err != nil {
		return err
	}
	want, err := readSchema(ctx, v.empty)
	if err != nil {
		return fmt.Errorf("an empty database: %w", err)
	}
	check := Check{Name: "schema", Expected: strconv.Itoa(len(want)) + " as migrated", Source: "the migrations"}
	for _, name := range slices.Sorted(mapsKeys(want, got)) {
		wantText, isWanted := want[name]
		gotText, isThere := got[name]
		switch {
		case !isThere:
			check.Got = name + " is missing"
		case !isWanted:
			check.Got = name + " is not of this schema"
		case gotText != wantText:
			check.Got = name + " is another"
		default:
			continue
		}
		return v.compare(check, "schema: "+check.Got)
	}
	check.Got = check.Expected
	return v.compare(check, "")
}

// mapsKeys goes through the keys of two maps, each once.
func mapsKeys(a, b map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range a {
			if !yield(key) {
				return
			}
		}
		for key := range b {
			if _, both := a[key]; !both && !yield(key) {
				return
			}
		}
	}
}

// readSchema returns the statement that made each thing in a database, by its type and name.
func readSchema(ctx context.Context, db Database) (map[string]string, error) {
	schema := make(map[string]string)
	err := db.Query(ctx, "SELECT type, name, tbl_name, sql FROM sqlite_schema", func(columns []any) error {
		name := fmt.Sprint(columns[0], " ", columns[1])
		if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
			name = quoted // it isn't for a terminal
		}
		if _, twice := schema[name]; twice {
			return fmt.Errorf("%s is there twice", name)
		}
		schema[name] = fmt.Sprintf("%v\n%v", columns[2], columns[3])
		return nil
	})
	return schema, err
}

// gameRow is what a file says of itself, as far as other checks need it.
type gameRow struct {
	turns       game.Turns
	symmetry    game.Symmetry
	stripLength int64
	positions   int64
	contentHash string
}

// gameRow checks that the table game has one row, whose columns agree with each other and with
// their hash.
func (v *verifier) gameRow(ctx context.Context) error {
	var row []any
	count := 0
	err := v.db.Query(ctx, `SELECT name, width, height, in_row, is_drop, is_misere, turns, symmetry,
		strip_length, positions, content_hash, built_by, row_hash FROM game`, func(columns []any) error {
		row = slices.Clone(columns)
		count++
		return nil
	})
	if err != nil {
		return err
	}
	if count != 1 {
		got := strconv.Itoa(count)
		return v.compare(Check{Name: "rows of game", Expected: "1", Got: got, Source: "the schema"},
			"the table game has "+got+" rows: want 1")
	}
	if wrong := v.readGame(row); wrong != "" {
		return v.compare(Check{Name: "row of game", Expected: "consistent", Got: wrong, Source: "the rules"},
			"the table game: "+wrong)
	}
	v.report.Game = v.game.String()
	v.pass("row of game", fmt.Sprintf("%s, turns %s, symmetry %s", v.game, v.row.turns, v.row.symmetry), "its name")

	texts := make([]string, len(row)-1)
	for i := range texts {
		texts[i] = fmt.Sprint(row[i])
	}
	sum := sha256.Sum256([]byte(strings.Join(texts, "|") + "\n"))
	want, got := hex.EncodeToString(sum[:]), row[len(row)-1].(string)
	return v.compareHash(Check{Name: "hash of game", Expected: want, Got: got, Source: "its other columns"},
		"the row of the table game doesn't fit its row_hash")
}

// compareHash compares two hashes and notes the beginning of each.
func (v *verifier) compareHash(c Check, wrong string) error {
	const digits = 16
	same := c.Expected == c.Got
	c.Expected, c.Got = c.Expected[:digits], c.Got[:min(digits, len(c.Got))]
	if !same && c.Expected == c.Got {
		c.Got += ", then another end"
	}
	return v.compare(c, wrong)
}

// readGame takes the columns of the row of game, and returns what is wrong with them.
func (v *verifier) readGame(row []any) (wrong string) {
	const textColumns = "name turns symmetry content_hash built_by row_hash"
	names := strings.Fields(`name width height in_row is_drop is_misere turns symmetry strip_length positions
		content_hash built_by row_hash`)
	texts, numbers := make(map[string]string), make(map[string]int64)
	for i, name := range names {
		var ok bool
		if slices.Contains(strings.Fields(textColumns), name) {
			texts[name], ok = row[i].(string)
		} else {
			numbers[name], ok = row[i].(int64)
		}
		if !ok {
			return fmt.Sprintf("%s is of the wrong type", name)
		}
	}
	for _, name := range []string{"width", "height", "in_row"} {
		if numbers[name] < 1 || numbers[name] > math.MaxInt32 {
			return fmt.Sprintf("%s is %d", name, numbers[name])
		}
	}
	for _, name := range []string{"is_drop", "is_misere"} {
		if numbers[name] != 0 && numbers[name] != 1 {
			return fmt.Sprintf("%s is %d: want 0 or 1", name, numbers[name])
		}
	}
	for _, name := range []string{"strip_length", "positions"} {
		if numbers[name] < 0 || name == "strip_length" && numbers[name] > math.MaxInt32 {
			return fmt.Sprintf("%s is %d", name, numbers[name])
		}
	}
	spec := game.Spec{
		Width: int(numbers["width"]), Height: int(numbers["height"]), InRow: int(numbers["in_row"]),
		Drop: numbers["is_drop"] == 1, Misere: numbers["is_misere"] == 1,
	}
	if texts["name"] != spec.String() {
		return fmt.Sprintf("name is %q: want %s, as the other columns say", texts["name"], spec)
	}
	var err error
	if v.game, err = game.New(spec); err != nil {
		return err.Error()
	}
	v.row = gameRow{stripLength: numbers["strip_length"], positions: numbers["positions"], contentHash: texts["content_hash"]}
	if v.row.turns, err = game.ParseTurns(texts["turns"]); err != nil {
		return err.Error()
	}
	if v.row.symmetry, err = game.ParseSymmetry(texts["symmetry"]); err != nil {
		return err.Error()
	}
	return ""
}

// cells compares the table cells with the game's cells.
func (v *verifier) cells(ctx context.Context) error {
	const source = "the size of the board"
	next := 0
	wrong := func(expected, got string) error {
		return v.compare(Check{Name: "cells", Expected: expected, Got: got, Source: source},
			fmt.Sprintf("the table cells: got %s, want %s", got, expected))
	}
	err := v.db.Query(ctx, `SELECT cell, name, row, "column", weight FROM cells ORDER BY cell`, func(columns []any) error {
		got, expected := inWords(columns...), "no more rows"
		if next < v.game.Cells() {
			column, row := next%v.game.Width, next/v.game.Width
			expected = inWords(next, v.game.CellName(next), v.game.Height-row, column+1, v.game.Weight(next))
		}
		if got != expected {
			return wrong(expected, got)
		}
		next++
		return nil
	})
	if err != nil {
		return err
	}
	if next < v.game.Cells() {
		return wrong(fmt.Sprintf("a row for %s", v.game.CellName(next)), "none")
	}
	v.pass("cells", strconv.Itoa(next)+" rows", source)
	return nil
}

// inWords writes the columns of a row, with blanks between.
func inWords(columns ...any) string { return strings.TrimSuffix(fmt.Sprintln(columns...), "\n") }
