package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// written returns what a mode makes of a result.
func written(t *testing.T, mode string, columns []string, rows ...[]any) string {
	t.Helper()
	var out bytes.Buffer
	w := newResultWriter(mode, &out)
	if err := w.Columns(columns); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.finish(true); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestResultWriters(t *testing.T) {
	columns := []string{"n", "text", "real"}
	rows := [][]any{
		{int64(-5), "a,b", 1.0},
		{int64(1000), "say \"hi\"", 1e300},
		{nil, "two\nlines\r", -0.25},
		{int64(7), "", nil},
		{int64(0), "NULL", math.Inf(-1)},
		{int64(0), "日本", 1e-9},
		{int64(0), "\x1b[31m\u202e <&>", 123456789.0},
		{int64(0), []byte{0, 255}, math.Inf(1)},
		{int64(0), []byte(nil), 0.0},
	}
	for _, test := range []struct{ mode, want string }{
		{"table", `   n  text                       real
----  ------------------  -----------
  -5  a,b                         1.0
1000  say "hi"                 1e+300
NULL  two                       -0.25
      lines\r
   7                             NULL
   0  'NULL'                   -9e999
   0  日本                      1e-09
   0  \x1b[31m\u202e <&>  123456789.0
   0  X'00FF'                   9e999
   0  X''                         0.0
`},
		{"csv", "n,text,real\n-5,\"a,b\",1.0\n1000,\"say \"\"hi\"\"\",1e+300\n,\"two\nlines\r\",-0.25\n7,\"\",\n0,NULL,-9e999\n0,日本,1e-09\n" +
			"0,\x1b[31m\u202e <&>,123456789.0\n0,X'00FF',9e999\n0,X'',0.0\n"},
		{"json", `[
{"n":-5,"text":"a,b","real":1.0},
{"n":1000,"text":"say \"hi\"","real":1e+300},
{"n":null,"text":"two\nlines\r","real":-0.25},
{"n":7,"text":"","real":null},
{"n":0,"text":"NULL","real":-9e999},
{"n":0,"text":"日本","real":1e-09},
{"n":0,"text":"\u001b[31m` + "\u202e" + ` <&>","real":123456789.0},
{"n":0,"text":"X'00FF'","real":9e999},
{"n":0,"text":"X''","real":0.0}
]
`},
	} {
		t.Run(test.mode, func(t *testing.T) {
			if diff := cmp.Diff(test.want, written(t, test.mode, columns, rows...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("jsonl", func(t *testing.T) {
		array := strings.Split(written(t, "json", columns, rows...), "\n")
		var want strings.Builder
		for _, line := range array[1 : len(array)-2] {
			want.WriteString(strings.TrimSuffix(line, ",") + "\n")
		}
		if diff := cmp.Diff(want.String(), written(t, "jsonl", columns, rows...)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestEmptyResults(t *testing.T) {
	for mode, want := range map[string]string{
		"table": "a  b\n-  -\n",
		"csv":   "a,b\n",
		"json":  "[]\n",
		"jsonl": "",
	} {
		if got := written(t, mode, []string{"a", "b"}); got != want {
			t.Errorf("%s of no rows is %q, want %q", mode, got, want)
		}
		var out bytes.Buffer
		if err := newResultWriter(mode, &out).finish(true); err != nil || out.Len() > 0 {
			t.Errorf("%s of no result is %q, %v, want nothing", mode, out.String(), err)
		}
	}
}

func TestColumnsOfTheSameName(t *testing.T) {
	got := written(t, "jsonl", []string{"a", "a:1", "a", "a", "<"}, []any{int64(1), int64(2), int64(3), int64(4), int64(5)})
	if want := `{"a":1,"a:1":2,"a:2":3,"a:3":4,"<":5}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFailedArrayStaysOpen: an array whose statement failed can't be taken for a whole one.
func TestFailedArrayStaysOpen(t *testing.T) {
	var out bytes.Buffer
	w := newResultWriter("json", &out)
	err := errors.Join(w.Columns([]string{"a"}), w.Row([]any{int64(1)}), w.finish(false))
	if got := out.String(); err != nil || got != "[\n{\"a\":1}" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestTableStreams: after the rows that are measured each row is written as it comes, as wide as
// it is.
func TestTableStreams(t *testing.T) {
	var rows [][]any
	for range measuredRows {
		rows = append(rows, []any{"ab", int64(1)})
	}
	rows = append(rows, []any{"a", int64(1)}, []any{"abcdef", int64(1000)}, []any{nil, nil})
	lines := strings.Split(written(t, "table", []string{"x", "y"}, rows...), "\n")
	want := []string{"ab  1", "a   1", "abcdef  1000", "NULL  NULL", ""}
	if diff := cmp.Diff(want, lines[len(lines)-len(want):]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if lines[0] != "x   y" || lines[1] != "--  -" {
		t.Errorf("the heading is %q", lines[:2])
	}
}

func TestLongBlob(t *testing.T) {
	got := written(t, "table", []string{"b"}, []any{bytes.Repeat([]byte{0xab}, 1000)})
	if want := "X'" + strings.Repeat("AB", shownBlob) + "... (1000 bytes)"; strings.Split(got, "\n")[2] != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzResultText: other programs read back what was written, and a table has nothing in it that
// does something to a terminal.
func FuzzResultText(f *testing.F) {
	for _, seed := range []string{"", "a", "a,b", "\"", "\r\n", "\n", "\x1b]0;x\a", "é", "\xff", "NULL", "\u202e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		row := []any{text, int64(1)}
		records, err := csv.NewReader(strings.NewReader(written(t, "csv", []string{"a", "b"}, row))).ReadAll()
		// The reader makes a line feed of each line end within a field.
		if want := strings.ReplaceAll(text, "\r\n", "\n"); err != nil || len(records) != 2 || records[1][0] != want {
			t.Errorf("csv: %q reads back as %q, %v", text, records, err)
		}
		var back struct{ A string }
		if err := json.Unmarshal([]byte(written(t, "jsonl", []string{"a", "b"}, row)), &back); err != nil ||
			utf8.ValidString(text) && back.A != text {
			t.Errorf("jsonl: %q reads back as %q, %v", text, back.A, err)
		}
		if table := written(t, "table", []string{"a", "b"}, row); strings.ContainsAny(table, "\x1b\a\b\r\x00\u202e\u009b") {
			t.Errorf("table: %q is shown as %q", text, table)
		}
	})
}
