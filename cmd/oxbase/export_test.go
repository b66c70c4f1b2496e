package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"oxbase/query/export"
)

// exported returns the records that a command line writes as CSV, each as its fields.
func exported(t *testing.T, args ...string) [][]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(mustOxbase(t, "", append([]string{"export"}, args...)...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records[1:]
}

// The places of columns in CSV.
const (
	toMoveField    = 2
	stonesField    = 3
	terminalField  = 4
	outcomeField   = 5
	reachableField = 8
)

// Each flag lets through what its name says of the columns.
func TestExportFilters(t *testing.T) {
	plainOnly(t)
	path := built(t, "3x3x3")
	all := exported(t, "--db", path)
	if len(all) != 38742 {
		t.Errorf("%d positions without a filter, want 38742", len(all))
	}
	for _, test := range []struct {
		flags  string
		count  int // 0 where no one has published it
		passes func(record []string) bool
	}{
		{"--reachable", 5478, func(r []string) bool { return r[reachableField] == "1" }},
		{"--reachable=false", 33264, func(r []string) bool { return r[reachableField] == "0" }},
		{"--terminal", 0, func(r []string) bool { return r[terminalField] == "1" }},
		{"--terminal=false", 0, func(r []string) bool { return r[terminalField] == "0" }},
		{"--to-move x", 19371, func(r []string) bool { return r[toMoveField] == "x" }},
		{"--to-move O", 19371, func(r []string) bool { return r[toMoveField] == "o" }},
		{"--outcome x", 0, func(r []string) bool { return r[outcomeField] == "1" }},
		{"--outcome tie", 0, func(r []string) bool { return r[outcomeField] == "0" }},
		{"--outcome o", 0, func(r []string) bool { return r[outcomeField] == "-1" }},
		{"--stones 0", 2, func(r []string) bool { return r[stonesField] == "0" }},
		{"--stones 2-3", 1632, func(r []string) bool { return r[stonesField] == "2" || r[stonesField] == "3" }},
		{"--reachable --terminal", 958, func(r []string) bool { return r[reachableField] == "1" && r[terminalField] == "1" }},
		{"--reachable --terminal --outcome x", 626, func(r []string) bool {
			return r[reachableField] == "1" && r[terminalField] == "1" && r[outcomeField] == "1"
		}},
		{"--reachable --terminal=false --to-move o --stones 5-7", 0, func(r []string) bool {
			return r[reachableField] == "1" && r[terminalField] == "0" && r[toMoveField] == "o" && r[stonesField] >= "5" && r[stonesField] <= "7"
		}},
	} {
		t.Run(test.flags, func(t *testing.T) {
			var want [][]string
			for _, record := range all {
				if test.passes(record) {
					want = append(want, record)
				}
			}
			if len(want) == 0 || test.count != 0 && len(want) != test.count {
				t.Errorf("%d of all positions pass, want %d", len(want), test.count)
			}
			got := exported(t, append([]string{"--db", path}, strings.Fields(test.flags)...)...)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%d positions were written, want %d; (-want +got):\n%s", len(got), len(want), cmp.Diff(want, got))
			}
		})
	}
}

func TestExportColumns(t *testing.T) {
	golden(t, "export/columns.txt", mustOxbase(t, "", "export", "--columns"))
	if help := mustOxbase(t, "", "export", "--help"); !strings.Contains(help, mustOxbase(t, "", "export", "--columns")) {
		t.Errorf("the help lacks the columns:\n%s", help)
	}
}

// The format is the flag's, else what the name of the file ends with, else CSV.
func TestExportFormats(t *testing.T) {
	plainOnly(t)
	path := built(t, "3x3x3")
	folder := t.TempDir()
	beginnings := map[export.Format]string{
		export.CSV: "key,board,to_move", export.JSONL: `{"key":0,"board":".../.../..."`, export.Parquet: "PAR1",
	}
	for _, test := range []struct {
		name, flag string
		want       export.Format
	}{
		{"a.csv", "", export.CSV},
		{"a.jsonl", "", export.JSONL},
		{"a.parquet", "", export.Parquet},
		{"a.txt", "", export.CSV},
		{"a", "", export.CSV},
		{"b.parquet", "jsonl", export.JSONL},
		{"b.csv", "parquet", export.Parquet},
		{"", "", export.CSV},
		{"", "csv", export.CSV},
		{"", "jsonl", export.JSONL},
		{"", "parquet", export.Parquet},
	} {
		args := []string{"export", "--db", path, "--stones", "0"}
		if test.flag != "" {
			args = append(args, "--format", test.flag)
		}
		if test.name != "" {
			args = append(args, "--out", filepath.Join(folder, test.name))
		}
		out := mustOxbase(t, "", args...)
		if test.name != "" {
			if out != "" {
				t.Errorf("%v also writes to standard output: %q", args, out)
			}
			data, err := os.ReadFile(filepath.Join(folder, test.name))
			if err != nil {
				t.Fatal(err)
			}
			out = string(data)
		}
		if !strings.HasPrefix(out, beginnings[test.want]) {
			t.Errorf("%v writes %.40q, want %s", args, out, test.want)
		}
	}
}

// All formats say the same of a canonical file, too.
func TestExportFormatsAgree(t *testing.T) {
	plainOnly(t)
	path := built(t, "4x3x3")
	var want [][]string
	data := mustOxbase(t, "", "export", "--db", path, "--format", "parquet")
	records, err := parquet.Read[export.Record](strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		digit := map[bool]string{false: "0", true: "1"}
		want = append(want, []string{fmt.Sprint(r.Key), r.Board, r.ToMove, fmt.Sprint(r.Stones), digit[r.Terminal],
			fmt.Sprint(r.Outcome), fmt.Sprint(r.Score), fmt.Sprint(r.Distance), digit[r.Reachable], strings.Join(r.BestMoves, " ")})
	}
	if len(want) != 28275 {
		t.Errorf("%d classes, want 28275", len(want))
	}
	if got := exported(t, "--db", path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Parquet and CSV differ (-Parquet +CSV):\n%s", cmp.Diff(want, got))
	}
}

func TestExportUCI(t *testing.T) {
	want := mustOxbase(t, "", "export", "--preset", "uci-tic-tac-toe", "--db", built(t, "3x3x3"))
	lines := strings.SplitAfter(want, "\n")
	if positive := strings.Count(want, ",positive\n"); len(lines) != 959 || lines[958] != "" || positive != 626 {
		t.Errorf("%d lines, %d of them positive, want 958 and 626", len(lines)-1, positive)
	}
	if first := "x,x,x,x,o,o,x,o,o,positive\n"; lines[0] != first {
		t.Errorf("the first line is %q, want %q", lines[0], first)
	}
	classes := built(t, "3x3x3", "--turns", "alternate", "--symmetry", "canonical")
	if got := mustOxbase(t, "", "export", "--preset", "uci-tic-tac-toe", "--db", classes); got != want {
		t.Errorf("a canonical file gives other lines (-all positions +canonical):\n%s", cmp.Diff(want, got))
	}
	out := filepath.Join(t.TempDir(), "tic-tac-toe.data")
	mustOxbase(t, "", "export", "--preset", "uci-tic-tac-toe", "--db", classes, "--out", out)
	if got, err := os.ReadFile(out); err != nil || string(got) != want {
		t.Errorf("--out holds something else (-standard output +file): %v\n%s", err, cmp.Diff(want, string(got)))
	}
}

func TestExportErrors(t *testing.T) {
	path := built(t, "3x3x3")
	folder := t.TempDir()
	for _, test := range []struct {
		name   string
		args   []string
		status int
		say    string
	}{
		{"format", []string{"--format", "xml"}, exitInput, "want csv, jsonl, parquet"},
		{"side", []string{"--to-move", "z"}, exitInput, `--to-move: "z"`},
		{"outcome", []string{"--outcome", "win"}, exitInput, "want x, o or tie"},
		{"stones", []string{"--stones", "many"}, exitInput, `--stones "many"`},
		{"stones backwards", []string{"--stones", "5-3"}, exitInput, `--stones "5-3"`},
		{"negative stones", []string{"--stones=-3"}, exitInput, `--stones "-3"`},
		{"three numbers of stones", []string{"--stones", "1-2-3"}, exitInput, `--stones "1-2-3"`},
		{"preset", []string{"--preset", "iris"}, exitInput, "want uci-tic-tac-toe"},
		{"preset and filter", []string{"--preset", "uci-tic-tac-toe", "--reachable"}, exitInput, "--reachable doesn't go with it"},
		{"preset and format", []string{"--preset", "uci-tic-tac-toe", "--format", "csv"}, exitInput, "--format doesn't go with it"},
		{"an argument", []string{"out.csv"}, exitInput, "export --help"},
		{"no name", []string{"--out", ""}, exitInput, "want the name of a file"},
		{"a folder", []string{"--out", folder}, exitInput, "not a plain file"},
		{"a device", []string{"--out", os.DevNull}, exitInput, "not a plain file"},
		{"the database", []string{"--out", path}, exitInput, "the tablebase itself"},
		{"no folder", []string{"--out", filepath.Join(folder, "none", "out.csv")}, exitInput, "none/out.csv: no such"},
		{"no database", []string{"--db", filepath.Join(folder, "none.db"), "--out", filepath.Join(folder, "out.csv")}, exitMissing, "oxbase build"},
		{"preset of another game", []string{"--preset", "uci-tic-tac-toe", "--db", built(t, "4x3x3")}, exitMissing, `build it with "oxbase build 3x3x3"`},
		{"preset of misere", []string{"--preset", "uci-tic-tac-toe", "--db", built(t, "3x3x3-misere")}, exitMissing, "holds 3x3x3-misere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := fileState(t, path)
			args := append([]string{"export", "--db", path}, test.args...)
			r := oxbase(t, "", args...)
			if r.Status != test.status || !strings.Contains(r.Err, test.say) || strings.Count(r.Err, "\n") != 1 || r.Out != "" {
				t.Errorf("status %d, error %q, output %.40q: want status %d and one line with %q", r.Status, r.Err, r.Out, test.status, test.say)
			}
			if after := fileState(t, path); after != before {
				t.Error("the tablebase has changed")
			}
			wantNames(t, folder)
		})
	}
}

// fileState returns what tells whether a file was changed.
func fileState(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime().String() + string(data)
}

// wantNames checks what stands in a folder.
func wantNames(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the folder's files (-want +got):\n%s", diff)
	}
}

// A file is replaced only by a complete one.
func TestExportReplacesFile(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "out.csv"), filepath.Join(folder, "link.csv")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("out.csv", link); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		data, err := os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}

	t.Run("not when interrupted", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		r := oxbaseContext(ctx, "", "export", "--db", built(t, "3x3x3"), "--out", target)
		if r.Status != exitOther || !strings.Contains(r.Err, "interrupted") {
			t.Errorf("status %d, error %q: want status %d and that it was interrupted", r.Status, r.Err, exitOther)
		}
		if got := read(); got != "old" {
			t.Errorf("the file holds %.40q, want what it held before", got)
		}
		wantNames(t, folder, "link.csv", "out.csv")
	})

	t.Run("not by half", func(t *testing.T) {
		damaged := damagedCopy(t, built(t, "3x3x3"))
		r := oxbase(t, "", "export", "--db", damaged, "--out", target)
		if want := "oxbase: " + damaged + ": damaged"; r.Status != exitDamaged || !strings.HasPrefix(r.Err, want) {
			t.Errorf("status %d, error %q: want status %d and %q", r.Status, r.Err, exitDamaged, want)
		}
		if got := read(); got != "old" {
			t.Errorf("the file holds %.40q, want what it held before", got)
		}
		wantNames(t, folder, "link.csv", "out.csv")
	})

	t.Run("where a link leads", func(t *testing.T) {
		want := mustOxbase(t, "", "export", "--db", built(t, "3x3x3"))
		mustOxbase(t, "", "export", "--db", built(t, "3x3x3"), "--out", link)
		if got := read(); got != want {
			t.Errorf("the file holds %.40q, want what goes to standard output", got)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is %v now, %v", info, err)
		}
		if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v now, %v: want the permissions that it had", info, err)
		}
		wantNames(t, folder, "link.csv", "out.csv")
	})
}

// damagedCopy returns a copy of a tablebase whose second half is filled with zeros.
func damagedCopy(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	half := len(data) / 2
	data = append(data[:half], bytes.Repeat([]byte{0}, len(data)-half)...)
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(damaged, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return damaged
}

// Parquet isn't written to a terminal; the dictionary and other formats are.
func TestExportToTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for _, test := range []struct {
		name string
		args []string
		want int
	}{
		{"Parquet", []string{"--format", "parquet"}, exitInput},
		{"the dictionary", []string{"--format", "parquet", "--columns"}, exitDone},
		{"Parquet into a file", []string{"--format", "parquet", "--out", filepath.Join(t.TempDir(), "out")}, exitDone},
		{"CSV", []string{"--stones", "0"}, exitDone},
	} {
		var message bytes.Buffer
		args := append([]string{"export", "--db", built(t, "3x3x3")}, test.args...)
		if got := run(t.Context(), args, streams{strings.NewReader(""), terminal, &message}); got != test.want {
			t.Errorf("%s to a terminal: status %d, %q, want %d", test.name, got, &message, test.want)
		}
	}
}
