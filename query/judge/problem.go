package judge

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// problem is a format's reading, answering and writing, apart from each other. C is one case.
type problem[C any] struct {
	// single says that the input is one case; otherwise their number comes first.
	single bool

	// read reads a case over whatever *C held before. It begins at the case's first character.
	read func(r *reader, c *C) error

	// answer appends the answer to a case, with its last newline. number counts from 1.
	answer func(dst []byte, number int, c *C, t Tablebase) ([]byte, error)

	// asked returns a case that was read, and write appends one as it is read.
	asked func(c *C) Case
	write func(dst []byte, c Case) []byte
}

// run answers a whole input. Answers are buffered; what precedes an error is written before
// run returns it.
func (p problem[C]) run(in io.Reader, out io.Writer, t Tablebase) error {
	w := bufio.NewWriterSize(out, bufferSize)
	var text []byte
	err := p.each(newReader(in), func(number, line int, c *C) (err error) {
		if text, err = p.answer(text[:0], number, c, t); err != nil {
			return placed(err, number, line)
		}
		if _, err = w.Write(text); err != nil {
			return fmt.Errorf("writing the answers: %w", err)
		}
		return nil
	})
	if flushErr := w.Flush(); flushErr != nil && err == nil {
		err = fmt.Errorf("writing the answers: %w", flushErr)
	}
	return err
}

// each reads a whole input and calls visit for each case, with its number from 1 and the line
// on which it begins. It stops at the first error. The case is read over after visit returns.
func (p problem[C]) each(r *reader, visit func(number, line int, c *C) error) error {
	count := 1
	if !p.single {
		var err error
		if count, err = r.count(); err != nil {
			return err
		}
	}
	var c C
	for number := 1; number <= count; number++ {
		var err error
		ended := r.skipWhite() == end
		line := r.line
		if ended && !p.single {
			err = r.wrong("the input ends after %d of %d cases", number-1, count)
		} else {
			err = p.read(r, &c)
		}
		// An input that can't be read on may have cut the case short: that goes first.
		if broken := r.broken(); broken != nil {
			return broken
		}
		if err != nil {
			return placed(err, number, line)
		}
		if err := visit(number, line, &c); err != nil {
			return err
		}
	}
	if r.skipWhite() != end {
		return r.wrong("%q is left over after %d cases", r.word(), count)
	}
	return r.broken()
}

// placed adds to an error the case at fault and the line, unless it has one of its own.
func placed(err error, number, line int) error {
	if wrong, ok := errors.AsType[*InputError](err); ok {
		wrong.Case = number
		if wrong.Line == 0 {
			wrong.Line = line
		}
		return wrong
	}
	return fmt.Errorf("case %d, line %d: %w", number, line, err)
}
