package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// TestFunctionsOnEveryPosition holds the functions against boards as texts, on boards that are
// square, that are not, and with stones that fall.
func TestFunctionsOnEveryPosition(t *testing.T) {
	for _, spec := range []game.Spec{
		{Width: 2, Height: 2, InRow: 2},
		{Width: 3, Height: 2, InRow: 2},
		{Width: 2, Height: 4, InRow: 3, Drop: true, Misere: true},
		{Width: 3, Height: 3, InRow: 3},
	} {
		if underRace && spec.Width*spec.Height > 8 {
			continue
		}
		if underRace && spec.Width*spec.Height > 8 {
			continue
		}
		t.Run(spec.String(), func(t *testing.T) {
			search := newSearch(spec)
			path := filepath.Join(t.TempDir(), "a.db")
			build(t, path, metaOf(spec), search.rows())
			s := openSession(t, path)
			var want []string
			for _, p := range search.sorted() {
				text := search.text(p.board)
				inferred := "NULL"
				switch strings.Count(p.board, "x") - strings.Count(p.board, "o") {
				case 0:
					inferred = fmt.Sprint(position{p.board, 'x'}.key())
				case 1:
					inferred = fmt.Sprint(position{p.board, 'o'}.key())
				}
				want = append(want, fmt.Sprintf("%d|%s|%d|%s|%d|%s", p.key(), text, p.key(), inferred, search.canonical(p),
					strings.ReplaceAll(text, "/", "\n")))
			}
			got := ask(t, s, `SELECT key, board_text(key), board_key(board, to_move),
				CASE WHEN length(replace(board, 'o', '')) - length(replace(board, 'x', '')) IN (0, 1) THEN board_key(board) END,
				canonical_key(key), picture(key) FROM boards ORDER BY key`)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			want = nil
			for cell := range spec.Width * spec.Height {
				name := search.cellName(cell)
				want = append(want, fmt.Sprintf("%d|%s|%d|%d", cell, name, cell, cell))
			}
			got = ask(t, s, "SELECT cell, cell_name(cell), cell_number(name), cell_number(upper(name)) FROM cells ORDER BY cell")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
		})
	}
}

// canonical returns the smallest key among the boards that turning and mirroring make of one.
func (s *search) canonical(p position) int64 {
	type grid = [][]byte
	mirror := func(g grid) grid {
		var image grid
		for _, row := range g {
			var reversed []byte
			for i := range row {
				reversed = append(reversed, row[len(row)-1-i])
			}
			image = append(image, reversed)
		}
		return image
	}
	turn := func(g grid) grid { // a quarter to the right
		image := make(grid, len(g[0]))
		for i := range g {
			for j := range g[0] {
				image[j] = append(image[j], g[len(g)-1-i][j])
			}
		}
		return image
	}
	var board grid
	for row := range strings.SplitSeq(s.text(p.board), "/") {
		board = append(board, []byte(row))
	}
	least := p.key()
	for range 2 {
		for turns := range 4 {
			fits := len(board) == s.height && len(board[0]) == s.width
			if fits && (!s.drop || turns == 0) {
				text := ""
				for _, row := range board {
					text += string(row)
				}
				least = min(least, position{text, p.side}.key())
			}
			board = turn(board)
		}
		board = mirror(board)
	}
	return least
}

func TestFunctionArguments(t *testing.T) {
	spec := game.Spec{Width: 3, Height: 3, InRow: 3, Drop: true}
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(spec), nil)
	s := openSession(t, path)
	oneStone := fmt.Sprint(position{"......x..", 'o'}.key())
	for _, test := range []struct{ call, want string }{
		{"board_text(NULL)", "NULL"},
		{"board_key(NULL)", "NULL"},
		{"board_key('.../.../...', NULL)", "NULL"},
		{"canonical_key(NULL)", "NULL"},
		{"cell_name(NULL)", "NULL"},
		{"cell_number(NULL)", "NULL"},
		{"picture(NULL)", "NULL"},
		{"board_key('......X--')", oneStone},
		{"board_key('___/___/X__', 'O')", oneStone},
		{"cell_number('B3')", "1"},
	} {
		if got := ask(t, s, "SELECT "+test.call)[0]; got != test.want {
			t.Errorf("%s is %s, want %s", test.call, got, test.want)
		}
	}
	for _, test := range []struct{ call, want string }{
		{"board_text(-1)", "board_text: key -1 is not of 3x3x3-drop"},
		{"board_text(39366)", "board_text: key 39366 is not of 3x3x3-drop: want 0 to 39365"},
		{"board_text('0')", `board_text: "0" is not an integer`},
		{"board_text(1.5)", "board_text: 1.5 is not an integer"},
		{"board_text(x'00')", "board_text: a blob of 1 bytes is not an integer"},
		{"board_text()", "wrong number of arguments to function board_text()"},
		{"canonical_key(39366)", "canonical_key: key 39366"},
		{"picture(39366)", "picture: key 39366"},
		{"board_key()", "board_key: 0 arguments: want a board"},
		{"board_key('...', 'x', 1)", "board_key: 3 arguments: want a board"},
		{"board_key(0)", "board_key: 0 is not a text"},
		{"board_key('.../.../...', 1)", "board_key: 1 is not a text"},
		{"board_key('.../.../...', 'z')", `board_key: "z" is not a side: want x or o`},
		{"board_key('.../.../..')", "board_key: board \".../.../..\" has 8 cells"},
		{"board_key('.../.../..z')", `"z" is not a cell`},
		{"board_key('x../.../...')", "the stone on a3 floats"},
		{"board_key('.../.../oo.')", "the stones don't say who moves: want 'x' or 'o' as second argument"},
		{"cell_name(9)", "cell_name: 3x3x3-drop has no cell 9: want 0 to 8"},
		{"cell_name(-1)", "cell_name: 3x3x3-drop has no cell -1"},
		{"cell_number('d1')", `cell_number: 3x3x3-drop has no cell "d1": want a3 to c1`},
		{"cell_number(1)", "cell_number: 1 is not a text"},
	} {
		err := s.Query(t.Context(), "SELECT "+test.call, &recorder{})
		var wrong *StatementError
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, test.want) {
			t.Errorf("%s: got %v, want a StatementError with %q", test.call, err, test.want)
		}
	}
}

// TestFunctionsOfTwoGames: the functions of two sessions at once are each of its own game.
func TestFunctionsOfTwoGames(t *testing.T) {
	folder := t.TempDir()
	wide, high := filepath.Join(folder, "wide.db"), filepath.Join(folder, "high.db")
	build(t, wide, metaOf(game.Spec{Width: 3, Height: 2, InRow: 2}), nil)
	build(t, high, metaOf(game.Spec{Width: 2, Height: 3, InRow: 2}), nil)
	first := openSession(t, wide, Attachment{"high", high})
	second := openSession(t, high)
	for range 2 {
		if got := ask(t, first, "SELECT board_text(2)")[0]; got != ".../..x" {
			t.Errorf("3x2: got %s", got)
		}
		if got := ask(t, second, "SELECT board_text(2)")[0]; got != "../../.x" {
			t.Errorf("2x3: got %s", got)
		}
	}
}

// TestFunctionsAreListed: what Functions says is what a session has, SQLite's own left out.
func TestFunctionsAreListed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(small()), nil)
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const names = "SELECT DISTINCT name FROM pragma_function_list ORDER BY name"
	plain := queryLines(t, db, names)
	var want []string
	for _, f := range Functions() {
		name, _, _ := strings.Cut(f.Signature, "(")
		want = append(want, name)
		if f.Summary == "" {
			t.Errorf("%s has no summary", f.Signature)
		}
	}
	want = append(want, runFunction)
	slices.Sort(want)
	var got []string
	for _, name := range ask(t, openSession(t, path), names) {
		if !slices.Contains(plain, name) {
			got = append(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
