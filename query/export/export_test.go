package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/query"
	"oxbase/query/export"
)

// fixture is a tablebase as a plain forward search fills it, and what is to be written of it.
type fixture struct {
	spec     game.Spec
	turns    game.Turns
	symmetry game.Symmetry
	rows     []game.Row
	records  []export.Record
}

// newFixture searches a game. Of a symmetry class it keeps the position with the smallest key if
// mirrored is given, which returns the cells of a board as each symmetry but the identity shows it.
func newFixture(spec game.Spec, turns game.Turns, mirrored func(board string) []string) *fixture {
	f := &fixture{spec: spec, turns: turns, symmetry: game.NoSymmetry}
	if mirrored != nil {
		f.symmetry = game.Canonical
	}
	s := gametest.New(spec.Width, spec.Height, spec.InRow, spec.Drop, spec.Misere)
	for key := range s.Keys() {
		if !s.Reachable(key) && (turns == game.Alternate || !s.Possible(key)) {
			continue
		}
		board, toMove := s.Board(key)
		isLeast := true
		if mirrored != nil {
			for _, image := range mirrored(board) {
				isLeast = isLeast && keyOf(image, toMove) >= key
			}
		}
		if !isLeast {
			continue
		}
		score, distance := s.Value(key)
		outcome := int8(min(1, max(-1, score)))
		r := export.Record{
			Key: game.Key(key), Board: separated(board, spec.Width), ToMove: string(rune(toMove)),
			Stones: int32(len(board) - strings.Count(board, ".")), Terminal: distance == 0,
			Outcome: int32(outcome), Score: int32(score), Distance: int32(distance), Reachable: s.Reachable(key),
			BestMoves: bestMoves(s, spec, board, toMove, distance),
		}
		f.records = append(f.records, r)
		f.rows = append(f.rows, game.Row{Key: r.Key, Value: game.Value{
			Outcome: outcome, Score: int8(score), Distance: int8(distance), Reachable: r.Reachable}})
	}
	return f
}

// bestMoves compares the scores to which all legal moves lead.
func bestMoves(s *gametest.Search, spec game.Spec, board string, toMove byte, distance int) []string {
	best, bestScore := []string{}, 0
	for cell, c := range board {
		below := cell + spec.Width
		if distance == 0 || c != '.' || spec.Drop && below < len(board) && board[below] == '.' {
			continue
		}
		other := "xo"[1-strings.IndexByte("xo", toMove)]
		score, _ := s.Value(keyOf(board[:cell]+string(rune(toMove))+board[cell+1:], other))
		if toMove == 'o' {
			score = -score
		}
		if len(best) == 0 || score > bestScore {
			best, bestScore = []string{}, score
		}
		if score == bestScore {
			best = append(best, fmt.Sprintf("%c%d", 'a'+cell%spec.Width, spec.Height-cell/spec.Width))
		}
	}
	return best
}

func keyOf(board string, toMove byte) int {
	number := 0
	for _, c := range board {
		number = 3*number + strings.IndexRune(".xo", c)
	}
	return 2*number + strings.IndexByte("xo", toMove)
}

func separated(board string, width int) string {
	var rows []string
	for row := range slices.Chunk([]byte(board), width) {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "/")
}

// turned returns the images of a board of three rows of four cells.
func turned(board string) []string {
	reversed := []byte(board)
	slices.Reverse(reversed)
	upsideDown := board[8:] + board[4:8] + board[:4]
	mirrored := []byte(upsideDown)
	slices.Reverse(mirrored)
	return []string{string(reversed), upsideDown, string(mirrored)}
}

// Rows hands on the rows some at a time.
func (f *fixture) Rows(_ context.Context, yield func([]game.Row) error) error {
	for rows := range slices.Chunk(f.rows, 1000) {
		if err := yield(rows); err != nil {
			return err
		}
	}
	return nil
}

// Gaps hands on nothing.
func (f *fixture) Gaps(context.Context, func([]game.GapRow) error) error { return nil }

// table returns the tablebase and its rows.
func (f *fixture) table(t *testing.T) (*query.Tablebase, *query.Loaded) {
	t.Helper()
	g, err := game.New(f.spec)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := query.Load(t.Context(), int64(len(f.rows)), f)
	if err != nil {
		t.Fatal(err)
	}
	return &query.Tablebase{Game: g, Turns: f.turns, Symmetry: f.symmetry, Source: rows}, rows
}

// written returns what is written of the positions that a filter lets through.
func (f *fixture) written(t *testing.T, format export.Format, filter export.Filter) []byte {
	t.Helper()
	table, rows := f.table(t)
	var out bytes.Buffer
	w := export.NewWriter(&out, format, table.Game)
	var last int64
	err := export.Each(t.Context(), table, rows, filter, func(records []export.Record, done int64) error {
		if done <= last {
			t.Errorf("after %d rows %d are done", last, done)
		}
		last = done
		return w.Write(records)
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != int64(rows.Len()) {
		t.Errorf("at the end %d rows of %d are done", last, rows.Len())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readers read each format back. What they share with the writers is the type of a record.
func readers() map[export.Format]func(*testing.T, []byte) []export.Record {
	return map[export.Format]func(*testing.T, []byte) []export.Record{
		export.CSV: readCSV, export.JSONL: readJSONL, export.Parquet: readParquet,
	}
}

func readCSV(t *testing.T, data []byte) []export.Record {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const names = "key,board,to_move,stones,terminal,outcome,score,distance,reachable,best_moves"
	if got := strings.Join(lines[0], ","); got != names {
		t.Errorf("the columns are %s, want %s", got, names)
	}
	var records []export.Record
	for _, line := range lines[1:] {
		r := export.Record{Board: line[1], ToMove: line[2], BestMoves: strings.Fields(line[9])}
		var terminal, reachable int
		text := strings.Join([]string{line[0], line[3], line[4], line[5], line[6], line[7], line[8]}, " ")
		if _, err := fmt.Sscan(text, &r.Key, &r.Stones, &terminal, &r.Outcome, &r.Score, &r.Distance, &reachable); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if terminal|reachable > 1 {
			t.Fatalf("line %q: a boolean is neither 0 nor 1", line)
		}
		r.Terminal, r.Reachable = terminal == 1, reachable == 1
		records = append(records, r)
	}
	return records
}

func readJSONL(t *testing.T, data []byte) []export.Record {
	t.Helper()
	var records []export.Record
	for line := range bytes.Lines(data) {
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		var r export.Record
		if err := decoder.Decode(&r); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		records = append(records, r)
	}
	return records
}

func readParquet(t *testing.T, data []byte) []export.Record {
	t.Helper()
	records, err := parquet.Read[export.Record](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		if records[i].BestMoves == nil {
			records[i].BestMoves = []string{}
		}
	}
	return records
}

func wantRecords(t *testing.T, want, got []export.Record) {
	t.Helper()
	if !reflect.DeepEqual(want, got) { // which is much faster than cmp.Diff
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

// Each format, read back, holds each position with the values that a forward search gives it.
func TestFormatsEqualSearch(t *testing.T) {
	for _, f := range []*fixture{
		newFixture(game.Spec{Width: 3, Height: 3, InRow: 3}, game.AnyTurns, nil),
		newFixture(game.Spec{Width: 3, Height: 3, InRow: 3, Misere: true}, game.Alternate, nil),
		newFixture(game.Spec{Width: 4, Height: 3, InRow: 3, Drop: true}, game.Alternate, nil),
		newFixture(game.Spec{Width: 4, Height: 3, InRow: 3}, game.Alternate, turned),
	} {
		for format, read := range readers() {
			t.Run(fmt.Sprintf("%s, turns %s, symmetry %s as %s", f.spec, f.turns, f.symmetry, format), func(t *testing.T) {
				got := read(t, f.written(t, format, export.Filter{}))
				wantRecords(t, f.records, got)
			})
		}
	}
}

// Filters let through what a look at each record lets through, alone and all together.
func TestFilters(t *testing.T) {
	f := newFixture(game.Spec{Width: 3, Height: 3, InRow: 3}, game.AnyTurns, nil)
	table, rows := f.table(t)
	yes, no, x, o := true, false, game.X, game.O
	win, tie, loss := int8(1), int8(0), int8(-1)
	for _, test := range []struct {
		name   string
		filter export.Filter
		passes func(export.Record) bool
	}{
		{"reachable", export.Filter{Reachable: &yes}, func(r export.Record) bool { return r.Reachable }},
		{"unreachable", export.Filter{Reachable: &no}, func(r export.Record) bool { return !r.Reachable }},
		{"terminal", export.Filter{Terminal: &yes}, func(r export.Record) bool { return r.Terminal }},
		{"not terminal", export.Filter{Terminal: &no}, func(r export.Record) bool { return !r.Terminal }},
		{"x to move", export.Filter{ToMove: &x}, func(r export.Record) bool { return r.ToMove == "x" }},
		{"o to move", export.Filter{ToMove: &o}, func(r export.Record) bool { return r.ToMove == "o" }},
		{"x wins", export.Filter{Outcome: &win}, func(r export.Record) bool { return r.Score > 0 }},
		{"tie", export.Filter{Outcome: &tie}, func(r export.Record) bool { return r.Score == 0 }},
		{"o wins", export.Filter{Outcome: &loss}, func(r export.Record) bool { return r.Score < 0 }},
		{"one number of stones", export.Filter{Stones: &export.Range{From: 4, To: 4}}, func(r export.Record) bool { return r.Stones == 4 }},
		{"no stones", export.Filter{Stones: &export.Range{}}, func(r export.Record) bool { return r.Stones == 0 }},
		{"some stones", export.Filter{Stones: &export.Range{From: 2, To: 5}}, func(r export.Record) bool { return r.Stones >= 2 && r.Stones <= 5 }},
		{"all filters", export.Filter{Reachable: &yes, Terminal: &no, ToMove: &o, Outcome: &tie, Stones: &export.Range{From: 3, To: 5}},
			func(r export.Record) bool {
				return r.Reachable && !r.Terminal && r.ToMove == "o" && r.Outcome == 0 && r.Stones >= 3 && r.Stones <= 5
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want []export.Record
			for _, r := range f.records {
				if test.passes(r) {
					want = append(want, r)
				}
			}
			if len(want) == 0 || len(want) == len(f.records) {
				t.Fatalf("%d of %d positions pass: the case shows nothing", len(want), len(f.records))
			}
			var got []export.Record
			err := export.Each(t.Context(), table, rows, test.filter, func(records []export.Record, _ int64) error {
				got = append(got, records...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			wantRecords(t, want, got)
		})
	}
}

// A file of which nothing passes is complete in each format.
func TestNothingPasses(t *testing.T) {
	f := newFixture(game.Spec{Width: 3, Height: 3, InRow: 3}, game.Alternate, nil)
	for format, read := range readers() {
		data := f.written(t, format, export.Filter{Stones: &export.Range{From: 10, To: 12}})
		if got := read(t, data); len(got) != 0 {
			t.Errorf("%s holds %d positions with 10 stones or more", format, len(got))
		}
	}
}

// The dictionary has the columns of each format, in their order.
func TestColumns(t *testing.T) {
	var names []string
	for _, column := range export.Columns() {
		names = append(names, column.Name)
		if column.Type == "" || column.Meaning == "" {
			t.Errorf("column %s lacks a type or a meaning", column.Name)
		}
	}
	f := newFixture(game.Spec{Width: 2, Height: 2, InRow: 2}, game.Alternate, nil)
	file, err := parquet.OpenFile(bytes.NewReader(f.written(t, export.Parquet, export.Filter{})),
		int64(len(f.written(t, export.Parquet, export.Filter{}))))
	if err != nil {
		t.Fatal(err)
	}
	var inParquet []string
	for _, field := range file.Schema().Fields() {
		inParquet = append(inParquet, field.Name())
	}
	var inJSON []string
	for field := range reflect.TypeFor[export.Record]().Fields() {
		inJSON = append(inJSON, field.Tag.Get("json"))
	}
	for format, got := range map[string][]string{"Parquet": inParquet, "JSON Lines": inJSON} {
		if diff := cmp.Diff(names, got); diff != "" {
			t.Errorf("the dictionary and %s (-want +got):\n%s", format, diff)
		}
	}
	if name, ok := file.Lookup("game"); !ok || name != "2x2x2" {
		t.Errorf("the metadata of the Parquet file name the game %q, want 2x2x2", name)
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range export.Formats() {
		if got, err := export.ParseFormat(name); err != nil || string(got) != name {
			t.Errorf("ParseFormat(%q) = %q, %v", name, got, err)
		}
	}
	if _, err := export.ParseFormat("xml"); err == nil || !strings.Contains(err.Error(), "csv, jsonl, parquet") {
		t.Errorf("the error for xml is %v, want one that lists the formats", err)
	}
}

func TestEachErrors(t *testing.T) {
	f := newFixture(game.Spec{Width: 3, Height: 3, InRow: 3}, game.AnyTurns, nil)
	table, rows := f.table(t)
	t.Run("of yield", func(t *testing.T) {
		calls := 0
		err := export.Each(t.Context(), table, rows, export.Filter{}, func([]export.Record, int64) error {
			calls++
			return io.ErrShortWrite
		})
		if !errors.Is(err, io.ErrShortWrite) || calls != 1 {
			t.Errorf("after %d calls the error is %v, want %v after the first", calls, err, io.ErrShortWrite)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		calls := 0
		err := export.Each(ctx, table, rows, export.Filter{}, func([]export.Record, int64) error {
			calls++
			stop()
			return nil
		})
		if !errors.Is(err, context.Canceled) || calls != 1 {
			t.Errorf("after %d calls the error is %v, want %v after the first", calls, err, context.Canceled)
		}
	})
	t.Run("a row is missing", func(t *testing.T) {
		cut := *f
		cut.rows = slices.DeleteFunc(slices.Clone(f.rows), func(r game.Row) bool { return r.Key == game.Key(keyOf("....x....", 'o')) })
		table, rows := cut.table(t)
		err := export.Each(t.Context(), table, rows, export.Filter{}, func([]export.Record, int64) error { return nil })
		if !errors.Is(err, query.ErrDamaged) || !strings.Contains(err.Error(), ".../.x./...") {
			t.Errorf("the error is %v, want %v of the board that is missing", err, query.ErrDamaged)
		}
	})
}
