package judge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"oxbase/game"
	"oxbase/query"
)

// TestInputErrors has every kind of bad input with its exact text and with what is printed
// before it.
func TestInputErrors(t *testing.T) {
	const hrbustCase = ". . .\n. . .\n. o x\nx\n"
	long := strings.Repeat("7", 40)
	tests := []struct{ name, format, input, output, want string }{
		{"nothing", "hrbust", "", "", "line 1: the input ends: want the number of cases"},
		{"blank lines only", "csp", "\n\r\n \n", "", "line 4: the input ends: want the number of cases"},
		{"byte-order mark only", "algospot", "\ufeff", "", "line 1: the input ends: want the number of cases"},
		{"board instead of the count", "algospot", "...\n...\n...\n", "", `line 1: "..." is not a number of cases: want 0 to 9223372036854775807`},
		{"count after blank lines", "hrbust", "\n\nx\n", "", `line 3: "x" is not a number of cases: want 0 to 9223372036854775807`},
		{"negative count", "hrbust", "-1\n", "", `line 1: "-1" is not a number of cases: want 0 to 9223372036854775807`},
		{"count with a sign", "hrbust", "+1\n" + hrbustCase, "", `line 1: "+1" is not a number of cases: want 0 to 9223372036854775807`},
		{"count with a point", "lightoj", "1.0\n...\n", "", `line 1: "1.0" is not a number of cases: want 0 to 9223372036854775807`},
		{"count beyond every number", "lightoj", "9223372036854775808\n", "", `line 1: "9223372036854775808" is not a number of cases: want 0 to 9223372036854775807`},
		{"endless count", "lightoj", long, "", `line 1: "77777777777777777777777777777777..." is not a number of cases: want 0 to 9223372036854775807`},
		{"second mark", "lightoj", "\ufeff\ufeff1\n...\n", "", `line 1: "\ufeff1" is not a number of cases: want 0 to 9223372036854775807`},
		{"text after the count", "lightoj", "1 ...\n", "", `line 1: "." after the number of cases: want the end of the line`},
		{"count larger than the input", "hrbust", "2\n" + hrbustCase, "x win!\n", "case 2, line 6: the input ends after 1 of 2 cases"},
		{"count much larger than the input", "lightoj", "1000000000000000000\n...", "Case 1: Yes\n", "case 2, line 2: the input ends after 1 of 1000000000000000000 cases"},
		{"count larger than the input", "csp", "1", "", "case 1, line 1: the input ends after 0 of 1 cases"},
		{"count smaller than the input", "lightoj", "1\n...\n\nXO\n", "Case 1: Yes\n", `line 4: "XO" is left over after 1 cases`},
		{"count of 0 before a case", "lightoj", "0\n...\n", "", `line 2: "..." is left over after 0 cases`},
		{"text after the board", "luogu", "---\n-O-\n---\n\n1\n", "Dont know.\n1\n", `line 5: "1" is left over after 1 cases`},
		{"NUL after the last case", "algospot", "1\n...\n...\n...\n\x00", "TIE\n", `line 5: "\x00" is left over after 1 cases`},

		{"unknown cell", "hrbust", "2\n" + hrbustCase + "z . .\n. . .\n. . .\nx\n", "x win!\n", `case 2, line 6: "z" is not a cell: want o, x or .`},
		{"upper case", "hrbust", "1\n. . .\n. X .\n. . .\nx\n", "", `case 1, line 3: "X" is not a cell: want o, x or .`},
		{"character of many bytes", "hrbust", "1\n. . .\n. ○ .\n. . .\nx\n", "", `case 1, line 3: "○" is not a cell: want o, x or .`},
		{"no character at all", "hrbust", "1\n. . .\n. \xff", "", `case 1, line 3: "\xff" is not a cell: want o, x or .`},
		{"too few cells", "hrbust", "1\n. . .\n. . .\n. .\n", "", "case 1, line 5: the input ends after 8 cells: want 9 and the side to move"},
		{"too few cells before the side", "hrbust", "1\n...\n...\n..\nx\n", "", "case 1, line 6: the input ends after the cells: want the side to move"},
		{"no side to move", "hrbust", "1\n...\n...\n...", "", "case 1, line 4: the input ends after the cells: want the side to move"},
		{"unknown side", "hrbust", "1\n...\n...\n...\nX\n", "", `case 1, line 5: "X" is not a side: want o or x`},
		{"too many cells", "hrbust", "1\n....\n...\n...\nx\n", "", `case 1, line 4: "." after 9 cells: want white space and the side to move`},
		{"too many cells, with blanks", "hrbust", "1\n. . .\n. . . .\n. . .\nx\n", "", `case 1, line 4: "." is not a side: want o or x`},
		{"side in the last row", "hrbust", "1\n...\n...\n...x\no\n", "", `case 1, line 4: "x" after 9 cells: want white space and the side to move`},
		{"two sides", "hrbust", "1\n...\n...\n...\nxo\n", "", `case 1, line 5: "xo" is not a side: want o or x`},
		{"both sides have a line", "hrbust", "2\n" + hrbustCase + "\nxxx\n...\nooo\nx\n", "x win!\n", `case 2, line 7: board "xxx/.../ooo": both sides have a line, which can't arise`},

		{"unknown cell", "lightoj", "2\n...\n..Z.\n", "Case 1: Yes\n", `case 2, line 3: "Z" is not a cell: want O, X or .`},
		{"lower case", "lightoj", "1\nx..\n", "", `case 1, line 2: "x" is not a cell: want O, X or .`},
		{"two strips on a line", "lightoj", "2\n... X..\n", "", `case 1, line 2: "X" after the strip: want the end of the line`},
		{"longer than the tablebase", "lightoj", "2\nX\n" + strings.Repeat(".", 121) + "\n", "Case 1: Yes\n", "case 2, line 3: the strip has 121 cells: the tablebase has shorter ones only"},
		{"longer than the tablebase, with pieces", "lightoj", "1\n" + strings.Repeat(".O.X", 31) + "\n", "", "case 1, line 2: the strip has 124 cells: the tablebase has shorter ones only"},
		{"longer than any tablebase", "lightoj", "1\n" + strings.Repeat("X", maxStrip+1) + "\n", "", "case 1, line 2: the strip has more than 1048576 cells"},

		{"unknown cell", "csp", "1\n1 2 1\n2 3 2\n0 0 0\n", "", `case 1, line 3: "3" is not a cell: want 0, 1 or 2`},
		{"negative number", "csp", "1\n1 2 1\n2 -1 2\n0 0 0\n", "", `case 1, line 3: "-1" is not a cell: want 0, 1 or 2`},
		{"larger number", "csp", "1\n1 2 1\n2 1 20\n0 0 0\n", "", `case 1, line 3: "20" is not a cell: want 0, 1 or 2`},
		{"cells without blanks", "csp", "1\n121\n212\n000\n", "", `case 1, line 2: "121" is not a cell: want 0, 1 or 2`},
		{"two cells in a row", "csp", "1\n1 2 1\n2 1\n0 0 0\n", "", "case 1, line 3: the row has 2 cells: want 3"},
		{"four cells in a row", "csp", "1\n1 2 1\n2 1 0 0\n0 0 0\n", "", `case 1, line 3: "0" after the last cell of the row: want the end of the line`},
		{"two rows", "csp", "1\n1 2 1\n2 1 0\n", "", "case 1, line 4: the input ends after 2 rows: want 3"},
		{"Bob to move", "csp", "2\n0 0 0\n0 0 0\n0 0 0\n1 0 0\n0 0 0\n0 0 0\n", "0\n", `case 2, line 5: board "100/000/000": 2 is to move: want a board with 1 to move, or a finished one`},
		{"Bob moved first", "csp", "1\n0 0 0\n0 2 0\n0 0 0\n", "", `case 1, line 2: board "000/020/000": 1 moves first, so it must have as many 1 as 2 or one more 1`},
		{"both sides have a line", "csp", "1\n1 1 1\n0 0 0\n2 2 2\n", "", `case 1, line 2: board "111/000/222": both sides have a line, which can't arise`},
		{"a move after the line", "csp", "1\n1 1 1\n2 0 0\n2 0 2\n", "", `case 1, line 2: board "111/200/202": play can't reach it: it stops at the first line`},

		{"unknown cell", "luogu", "---\n-0-\n---\n", "", `case 1, line 2: "0" is not a cell: want O, X or -`},
		{"nothing", "luogu", "", "", "case 1, line 1: the input ends after 0 rows: want 3"},
		{"short last row", "luogu", "---\n-O-\n--", "", "case 1, line 3: the row has 2 cells: want 3"},
		{"uim moved first", "luogu", "---\n-X-\n---\n", "", `case 1, line 1: board "---/-X-/---": O moves first, so it must have as many O as X or one more O`},
		{"both sides have a line", "luogu", "OOO\n...\nXXX\n", "", `case 1, line 1: board "OOO/---/XXX": both sides have a line, which can't arise`},
		{"a move after the line", "luogu", "XXX\nOO-\nOO-\n", "", `case 1, line 1: board "XXX/OO-/OO-": play can't reach it: it stops at the first line`},

		{"unknown cell", "algospot", "2\n...\n...\n...\nxx.\noo.\n..-\n", "TIE\n", `case 2, line 7: "-" is not a cell: want o, x or .`},
		{"blanks between cells", "algospot", "1\n. . .\n...\n...\n", "", `case 1, line 2: " " is not a cell: want o, x or .`},
		{"four cells in a row", "algospot", "1\n...\n....\n...\n", "", `case 1, line 3: "." after the last cell of the row: want the end of the line`},
		{"two rows on a line", "algospot", "1\n... ...\n...\n", "", `case 1, line 2: "." after the last cell of the row: want the end of the line`},
		{"two cells in a row", "algospot", "1\n...\n...\n.. \r\n", "", "case 1, line 4: the row has 2 cells: want 3"},
		{"three x and one o", "algospot", "1\nxxo\nx..\n...\n", "", `case 1, line 2: board "xxo/x../...": x moves first, so it must have as many x as o or one more x`},
		{"both sides have a line", "algospot", "1\nxxx\nooo\n...\n", "", `case 1, line 2: board "xxx/ooo/...": both sides have a line, which can't arise`},
		{"a move after the line", "algospot", "1\nxxx\noo.\n..o\n", "", `case 1, line 2: board "xxx/oo./..o": play can't reach it: it stops at the first line`},
	}
	tb := search()
	for _, test := range tests {
		t.Run(test.format+"/"+test.name, func(t *testing.T) {
			wantError(t, find(t, test.format), test.input, test.output, test.want, tb)
		})
	}
}

func TestInputErrorUnwraps(t *testing.T) {
	_, err := run(t, find(t, "hrbust"), "1\nxxx\n...\nooo\nx\n", search())
	if both, ok := errors.AsType[*game.BothLinesError](err); !ok || both.Text != "xxx/.../ooo" {
		t.Errorf("error %v: want one that unwraps to the BothLinesError of xxx/.../ooo", err)
	}
}

// brokenTable can't be read.
type brokenTable struct{ err error }

func (b brokenTable) Value(game.Position) (game.Value, error) { return game.Value{}, b.err }
func (b brokenTable) Gap(game.Gap) (int, error)               { return 0, b.err }
func (b brokenTable) Strip([]byte) (int, error)               { return 0, b.err }

// TestTablebaseErrors makes sure that what isn't the input's fault isn't called so.
func TestTablebaseErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, f := range Formats() {
		first := "case 1, line 2: "
		if f.Alias == "luogu" {
			first = "case 1, line 1: "
		}
		t.Run(f.Alias, func(t *testing.T) {
			out, err := run(t, f, readFile(t, f.Name+".in"), brokenTable{broken})
			if _, ok := errors.AsType[*InputError](err); ok || !errors.Is(err, broken) || out != "" {
				t.Errorf("output %q and %T %v: want no output, and the table's error, not an InputError", out, err, err)
			}
			if want := first + broken.Error(); err == nil || err.Error() != want {
				t.Errorf("error is %v: want %s", err, want)
			}
		})
	}
	t.Run("hrbust/position that a file of reachable ones doesn't have", func(t *testing.T) {
		tb := search()
		tb.alternate = true
		_, err := run(t, find(t, "hrbust"), "1\n...\n...\n...\no\n", tb)
		if _, ok := errors.AsType[*InputError](err); ok || !errors.Is(err, query.ErrMissing) {
			t.Errorf("error is %T %v: want ErrMissing, not an InputError", err, err)
		}
	})
}

// TestReadError breaks every sample off at each byte: only the answers before the case at
// which it breaks are printed, and the reader's error is returned.
func TestReadError(t *testing.T) {
	broken := errors.New("the pipe broke")
	tb := search()
	for _, f := range Formats() {
		in, whole := readFile(t, f.Name+".in"), readFile(t, f.Name+".out")
		for cut := range len(in) + 1 {
			reader := io.MultiReader(iotest.OneByteReader(strings.NewReader(in[:cut])), iotest.ErrReader(broken))
			var out bytes.Buffer
			err := f.Run(reader, &out, tb)
			if _, ok := errors.AsType[*InputError](err); ok || !errors.Is(err, broken) {
				t.Errorf("%s cut after %d bytes: error is %T %v: want the reader's", f.Alias, cut, err, err)
			}
			if !strings.HasPrefix(whole, out.String()) {
				t.Errorf("%s cut after %d bytes prints %q: want a beginning of %q", f.Alias, cut, out.String(), whole)
			}
		}
	}
}

// TestSmallReads hands the samples over in small pieces.
func TestSmallReads(t *testing.T) {
	tb := search()
	for _, f := range Formats() {
		var out bytes.Buffer
		in := "\ufeff" + readFile(t, f.Name+".in")
		if err := f.Run(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(in))), &out, tb); err != nil {
			t.Errorf("%s: %v", f.Alias, err)
		}
		if want := readFile(t, f.Name+".out"); out.String() != want {
			t.Errorf("%s prints %q: want %q", f.Alias, out.String(), want)
		}
	}
}

type fullDisk struct{ err error }

func (f fullDisk) Write([]byte) (int, error) { return 0, f.err }

// TestWriteError answers an endless input to a writer that fails.
func TestWriteError(t *testing.T) {
	full := errors.New("the disk is full")
	in := io.MultiReader(strings.NewReader("1000000000000\n"), &repeat{text: "X.O\n"})
	err := find(t, "lightoj").Run(in, fullDisk{full}, search())
	if !errors.Is(err, full) || err.Error() != "writing the answers: the disk is full" {
		t.Errorf("error is %v: want writing the answers: the disk is full", err)
	}
}

// repeat is an input without end.
type repeat struct {
	text  string
	given int64
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], r.text)
	}
	r.given += int64(n)
	return n, nil
}

// TestLongLines gives each format a line without end: it stops soon.
func TestLongLines(t *testing.T) {
	const soon = 4 << 20
	tb := search()
	for _, f := range Formats() {
		for _, text := range []string{".", "X", "x", "1", "0", "-", "\xff", "z"} {
			for _, head := range []string{"", "3\n"} {
				endless := &repeat{text: text}
				err := f.Run(io.MultiReader(strings.NewReader(head), endless), io.Discard, tb)
				if _, ok := errors.AsType[*InputError](err); !ok || len(err.Error()) > 200 || endless.given > soon {
					t.Errorf("%s: %q and then %q without end: %d bytes read and error %.300v: want a short input error soon",
						f.Alias, head, text, endless.given, err)
				}
			}
		}
	}
}

// TestMemory makes sure that what a run allocates grows neither with the number of cases nor
// with white space.
func TestMemory(t *testing.T) {
	cases := map[string]string{
		"hrbust":   ". . .\n. . .\n. o x\nx\n",
		"lightoj":  "..X..\n",
		"csp":      "1 2 1\n2 1 2\n0 0 0\n",
		"algospot": "xx.\noo.\n...\n",
	}
	tb := search().preload(t)
	for alias, text := range cases {
		f := find(t, alias)
		allocations := func(count int, space string) float64 {
			in := fmt.Sprintf("%d\n%s%s", count, space, strings.Repeat(text, count))
			return testing.AllocsPerRun(5, func() {
				if err := f.Run(strings.NewReader(in), io.Discard, tb); err != nil {
					t.Fatal(err)
				}
			})
		}
		few, many, wide := allocations(10, ""), allocations(10_000, ""), allocations(10, strings.Repeat(" \n", 100_000))
		if many > few || wide > few {
			t.Errorf("%s: %v allocations for 10 cases, %v for 10000, %v with much white space: want as many", alias, few, many, wide)
		}
	}
}
