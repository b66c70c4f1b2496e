package judge

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

const (
	bufferSize = 64 << 10
	end        = -1 // what peek returns when the input has ended
	shownBytes = 32 // how much of a wrong word an error shows
)

// reader reads an input byte by byte and counts its lines. It holds one buffer, however long
// the input and its lines are. A byte-order mark at the beginning is skipped.
type reader struct {
	in         io.Reader
	buf        []byte
	next, stop int   // buf[next:stop] was read from in but not yet taken
	line       int   // the line of buf[next], from 1
	err        error // why in has no more
}

func newReader(in io.Reader) *reader {
	r := &reader{in: in, buf: make([]byte, bufferSize), line: 1}
	const mark = "\ufeff"
	if r.have(len(mark)) && string(r.buf[:len(mark)]) == mark {
		r.next = len(mark)
	}
	return r
}

// have reports whether n more bytes are there, reading on if need be. n is at most 4.
func (r *reader) have(n int) bool {
	for empty := 0; r.stop-r.next < n && r.err == nil; {
		r.stop, r.next = copy(r.buf, r.buf[r.next:r.stop]), 0
		var got int
		got, r.err = r.in.Read(r.buf[r.stop:])
		r.stop += got
		if got == 0 && r.err == nil {
			if empty++; empty == 100 {
				r.err = io.ErrNoProgress
			}
		}
	}
	return r.stop-r.next >= n
}

// peek returns the next character without taking it, or end.
func (r *reader) peek() int {
	if r.next == r.stop && !r.have(1) {
		return end
	}
	return int(r.buf[r.next])
}

// broken returns an error if the input stopped for another reason than that it ended.
func (r *reader) broken() error {
	if r.next < r.stop || r.err == nil || r.err == io.EOF {
		return nil
	}
	return fmt.Errorf("line %d: reading the input: %w", r.line, r.err)
}

// wrong returns an [*InputError] at the current line.
func (r *reader) wrong(format string, args ...any) error {
	return &InputError{Line: r.line, Err: fmt.Errorf(format, args...)}
}

// skipWhite takes blanks and line ends and returns the character after them, or end.
func (r *reader) skipWhite() int {
	for r.next < r.stop || r.have(1) {
		switch c := r.buf[r.next]; c {
		case '\n':
			r.line++
		case ' ', '\t', '\r':
		default:
			return int(c)
		}
		r.next++
	}
	return end
}

// skipBlanks takes blanks up to the end of the line and returns the character after them, or
// end. The carriage return of a line end counts as a blank.
func (r *reader) skipBlanks() int {
	for {
		c := r.peek()
		if c != ' ' && c != '\t' && c != '\r' {
			return c
		}
		r.next++
	}
}

// isWhite reports whether a character that peek returned separates words.
func isWhite(c int) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == end
}

// word takes the characters up to the next white space and returns them, cut off if they are
// many.
func (r *reader) word() string {
	var word []byte
	for c := r.peek(); !isWhite(c); c = r.peek() {
		if len(word) == shownBytes {
			return string(word) + "..."
		}
		word = append(word, byte(c))
		r.next++
	}
	return string(word)
}

// char returns the next character, which need not be a single byte, without taking it.
func (r *reader) char() string {
	r.have(utf8.UTFMax)
	_, size := utf8.DecodeRune(r.buf[r.next:r.stop])
	return string(r.buf[r.next : r.next+size])
}

// lineEnd makes sure that nothing but blanks follows on the line.
func (r *reader) lineEnd(after string) error {
	if c := r.skipBlanks(); c != '\n' && c != end {
		return r.wrong("%q after %s: want the end of the line", r.char(), after)
	}
	return nil
}

// count reads the number of cases, which stands on a line of its own.
func (r *reader) count() (int, error) {
	if r.skipWhite() == end {
		if err := r.broken(); err != nil {
			return 0, err
		}
		return 0, r.wrong("the input ends: want the number of cases")
	}
	word := r.word()
	if err := r.broken(); err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(word, 10, strconv.IntSize-1)
	if err != nil {
		return 0, r.wrong("%q is not a number of cases: want 0 to %d", word, math.MaxInt)
	}
	return int(n), r.lineEnd("the number of cases")
}
