package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is the longest line of an input of many questions, in bytes.
const maxLine = 1 << 20

// eachLine hands on the lines of an input that aren't blank, without the white space around them.
// It stops at the first error and adds the number of the line, from 1, and when ctx is cancelled.
// Before it waits for more input, and at the end, it writes what out has buffered.
func eachLine(ctx context.Context, in io.Reader, out *bufio.Writer, answer func(line string) error) error {
	lines := bufio.NewScanner(flushingReader{interruptible(ctx, in), out})
	lines.Buffer(make([]byte, 64<<10), maxLine)
	number := 1
	for ; lines.Scan(); number++ {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, out.Flush())
		}
		line := lines.Text()
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := answer(line); err != nil {
			return errors.Join(fmt.Errorf("line %d: %w", number, err), out.Flush())
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return errors.Join(usagef("line %d is longer than %d bytes", number, maxLine), out.Flush())
	case err != nil:
		return errors.Join(fmt.Errorf("line %d: reading the input: %w", number, err), out.Flush())
	}
	return out.Flush()
}

// flushingReader writes what is buffered before a read, which may have to wait for someone who
// wants to see it first.
type flushingReader struct {
	in  io.Reader
	out *bufio.Writer
}

func (r flushingReader) Read(p []byte) (int, error) {
	// The writer keeps its error and returns it when it is used next.
	_ = r.out.Flush()
	return r.in.Read(p)
}
