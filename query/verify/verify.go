// Package verify checks a tablebase file against the rules, as a second implementation: it
// reads the file through SQL, derives each row anew from the rules and from the rows that its
// moves lead to, and knows nothing of how files are built.
//
// The rows of a game are checked in any order. What a row says is right if every row is what
// its moves' rows make it, since moves come to an end at positions that the rules judge. Where
// rows are wrong, the first wrong one is the wrong one with the most stones (for the value) or
// the fewest (for being reachable, and for being there at all), and of those the one with the
// smallest key: whatever it was derived from has been found right, so that it is at fault.
package verify

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"oxbase/game"
	"oxbase/query"
)

// Database runs a query on an SQLite database and hands each row to a function, which may not
// keep the slice. Columns come as int64, float64, string, []byte or nil. The error is the
// function's, the context's, or says what SQLite couldn't read.
type Database interface {
	Query(ctx context.Context, query string, row func(columns []any) error) error
}

// Options say how to verify.
type Options struct {
	Jobs     int            // how many cores to use; all of them if it is 0
	Progress func(Progress) // called now and then, one call at a time; may be nil
}

// Progress says how far the work has come.
type Progress struct {
	Phase string // what is being done
	Done  int64  // rows
	Total int64  // rows; 0 if it isn't known
}

// Check is one thing that was checked.
type Check struct {
	Name     string `json:"check"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Source   string `json:"source"` // where the expectation comes from
	OK       bool   `json:"ok"`
}

// Report is what became of a file. The checks are in the order in which they were made; the
// first that fails is the last one.
type Report struct {
	Game   string  `json:"game"` // its name, empty if the file doesn't even say that
	OK     bool    `json:"ok"`
	Wrong  string  `json:"wrong,omitempty"` // the first wrong thing in words
	Checks []Check `json:"checks"`
}

// Run verifies a file. A file that is wrong, or that SQLite can't read, is not an error but a
// report that isn't OK. empty is a new database that has the schema and no rows. The error is
// the context's.
//
// Time: linear in the positions times the moves of each, and quadratic in the strip length.
// 4x4x4 with every position stored, 9.7 million, takes about 13 seconds of processor time, most of
// which SQLite's own check and the reading take, on one core; the rest is shared by all jobs.
// Memory: [query.LoadedSize] of the positions, beside what SQLite takes.
func Run(ctx context.Context, db, empty Database, o Options) (Report, error) {
	if o.Jobs < 1 {
		o.Jobs = runtime.NumCPU()
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	v := &verifier{db: db, empty: empty, options: o}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"schema", v.schema}, // first, so that what SQLite computes in its check is what the schema says
		{"integrity", v.integrity},
		{"game", v.gameRow},
		{"cells", v.cells},
		{"rows", v.load},
		{"positions", v.positions},
		{"strips", v.strips},
		{"content hash", v.contentHash},
		{"published numbers", v.published},
	} {
		err := step.run(ctx)
		if ctx.Err() != nil {
			return Report{}, ctx.Err()
		}
		if errors.Is(err, errFailed) {
			return v.report, nil
		}
		if err != nil {
			// SQLite's words for a page that it can't make sense of, or a row's that can't be.
			_ = v.compare(Check{step.name, "readable", "not readable", "SQLite", false}, err.Error())
			return v.report, nil
		}
	}
	v.report.OK = true
	return v.report, nil
}

// verifier is the state of one run: what earlier steps read for later ones.
type verifier struct {
	db, empty Database
	options   Options
	report    Report

	game *game.Game
	row  gameRow
	rows *query.Loaded
	sg   []int32 // SG values in the order of [gapNumber]

	bothLines int64 // boards on which both sides have a line, where turns are any
	tally     tally
}

// errFailed ends a run: the report says why.
var errFailed = errors.New("a check failed")

// pass notes a check whose expectation was met.
func (v *verifier) pass(name, expected, source string) {
	v.report.Checks = append(v.report.Checks, Check{name, expected, expected, source, true})
}

// compare notes a check, which passes if what was got is what was expected. If it isn't, it
// returns [errFailed] and the report says what is wrong.
func (v *verifier) compare(c Check, wrong string) error {
	c.OK = c.Expected == c.Got
	v.report.Checks = append(v.report.Checks, c)
	if c.OK {
		return nil
	}
	v.report.Wrong = wrong
	return errFailed
}

// describe names a position: its board, who is to move, and its key.
func describe(g *game.Game, p game.Position) string {
	return fmt.Sprintf("board %s with %s to move (key %d)", g.Text(p.Board), p.ToMove, g.Key(p))
}
