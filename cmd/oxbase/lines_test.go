package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestEachLine answers many lines on all cores: the answers come in the order of the lines, up to
// the first error.
func TestEachLine(t *testing.T) {
	const lines = 10 * batchLines
	errBad, errRead := errors.New("bad"), errors.New("unreadable")
	input := func(bad int) string {
		var in strings.Builder
		for line := 1; line <= lines; line++ {
			switch {
			case line == bad:
				in.WriteString("bad\n")
			case line%7 == 0:
				in.WriteString(" \n")
			default:
				fmt.Fprintf(&in, "\t%d\r\n", line)
			}
		}
		return in.String()
	}
	answered := func(last int) string {
		var want []string
		for line := 1; line <= last; line++ {
			if line%7 != 0 {
				want = append(want, fmt.Sprintf("<%d>", line))
			}
		}
		return strings.Join(want, ", ")
	}
	for _, test := range []struct {
		name string
		in   io.Reader
		want string
		err  string // "" for none
	}{
		{"nothing", strings.NewReader(""), "", ""},
		{"only blank lines", strings.NewReader("\ufeff \n\n"), "", ""},
		{"one line without end", strings.NewReader("\ufeff1"), "<1>", ""},
		{"many lines", strings.NewReader(input(0)), answered(lines), ""},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(input(0))), answered(lines), ""},
		{"first line is bad", strings.NewReader(input(1)), "", "line 1: bad"},
		{"last line of a batch is bad", strings.NewReader(input(batchLines)), answered(batchLines - 1), fmt.Sprintf("line %d: bad", batchLines)},
		{"last line is bad", strings.NewReader(input(lines)), answered(lines - 1), fmt.Sprintf("line %d: bad", lines)},
		{"two lines are bad", strings.NewReader(input(100) + "bad"), answered(99), "line 100: bad"},
		{"unreadable", io.MultiReader(strings.NewReader(input(0)), iotest.ErrReader(errRead)), answered(lines), fmt.Sprintf("line %d: reading the input: unreadable", lines+1)},
		{"endless line", strings.NewReader("1\n" + strings.Repeat("x", maxLine+1)), "<1>", fmt.Sprintf("line 2 is longer than %d bytes", maxLine)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			err := eachLine(t.Context(), test.in, &out, ", ", func(out io.Writer, line string) error {
				fmt.Fprintf(out, "<%s>", line)
				if line == "bad" {
					return errBad
				}
				return nil
			})
			if message := fmt.Sprint(err); message != test.err && (err != nil || test.err != "") {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if out.String() != test.want {
				t.Errorf("got %q, want %q", out.String(), test.want)
			}
		})
	}
}

// TestEachLineCannotWrite ends when the answers can't be written, though there is more to answer.
func TestEachLineCannotWrite(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	go fmt.Fprintln(out, "a line, and no end")
	closed, answers := io.Pipe()
	closed.Close()
	err := eachLine(t.Context(), in, answers, "", func(out io.Writer, line string) error {
		_, err := io.WriteString(out, line)
		return err
	})
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want %v", err, io.ErrClosedPipe)
	}
}
