package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
)

const (
	// maxLine is the longest line of an input of many questions, in bytes.
	maxLine = 1 << 20

	// batchLines is how many lines are answered in one go at most.
	batchLines = 32
)

// whole writes what answer prints in one go, and nothing if it fails.
func whole(out io.Writer, answer func(io.Writer) error) error {
	var text bytes.Buffer
	if err := answer(&text); err != nil {
		return err
	}
	_, err := out.Write(text.Bytes())
	return err
}

// eachLine answers the lines of an input that aren't blank, without the white space around them,
// on all cores: answer is called concurrently. The answers are written in the order of the lines,
// with a text between them, and none waits for more input. It ends at the first error, which gets
// the number of its line, from 1, and when ctx is cancelled; what comes before that is written.
func eachLine(ctx context.Context, in io.Reader, out io.Writer, between string, answer func(out io.Writer, line string) error) error {
	var running sync.WaitGroup
	defer running.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan chan replies, runtime.GOMAXPROCS(0))
	running.Go(func() {
		defer close(batches)
		r := &lineReader{in: interruptible(ctx, in)}
		r.hand = func(b batch) {
			ready := make(chan replies, 1)
			select {
			case batches <- ready:
				running.Go(func() { ready <- b.answer(ctx, between, answer) })
			case <-ctx.Done():
			}
		}
		r.read()
	})
	for ready := range batches {
		a := <-ready
		if len(a.text) > 0 {
			if _, err := out.Write(a.text); err != nil {
				return err
			}
		}
		if a.err != nil {
			return a.err
		}
	}
	return ctx.Err()
}

// question is a line of an input of many.
type question struct {
	line int // its number
	text string
}

// batch is some questions in a row.
type batch struct {
	questions []question
	first     bool  // nothing was asked before
	err       error // what follows the questions
}

// replies are what a batch has come to.
type replies struct {
	text []byte
	err  error // what ended them
}

func (b batch) answer(ctx context.Context, between string, answer func(io.Writer, string) error) replies {
	var out bytes.Buffer
	for i, q := range b.questions {
		if err := ctx.Err(); err != nil {
			return replies{out.Bytes(), err}
		}
		good := out.Len()
		if i > 0 || !b.first {
			out.WriteString(between)
		}
		if err := answer(&out, q.text); err != nil {
			out.Truncate(good)
			return replies{out.Bytes(), fmt.Errorf("line %d: %w", q.line, err)}
		}
	}
	return replies{out.Bytes(), b.err}
}

// lineReader hands on the lines of an input in batches. It hands on what it has before it waits for
// more, since whoever writes the input may wait for the answers.
type lineReader struct {
	in    io.Reader
	hand  func(batch)
	batch batch
	asked bool // a batch was handed on
}

// read reads up to the end or the first error.
func (r *lineReader) read() {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, blockSize), maxLine)
	number := 1
	for ; lines.Scan(); number++ {
		text := lines.Text()
		if number == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		r.batch.questions = append(r.batch.questions, question{number, text})
		if len(r.batch.questions) == batchLines {
			r.handOn()
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.batch.err = usagef("line %d is longer than %d bytes", number, maxLine)
	case err != nil:
		r.batch.err = fmt.Errorf("line %d: reading the input: %w", number, err)
	}
	r.handOn()
}

// handOn hands on what was read.
func (r *lineReader) handOn() {
	if len(r.batch.questions) == 0 && r.batch.err == nil {
		return
	}
	r.batch.first = !r.asked
	r.hand(r.batch)
	r.batch, r.asked = batch{}, true
}

// Read hands on what was read before it waits for more.
func (r *lineReader) Read(p []byte) (int, error) {
	r.handOn()
	return r.in.Read(p)
}
