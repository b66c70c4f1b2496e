package main

import "strings"

// splitter cuts SQL that comes line by line into statements at each semicolon that is no part of
// a text, a quoted name or a comment. It reads each byte once.
type splitter struct {
	text    strings.Builder
	within  byte // the quote, or the kind of comment, that the last byte is part of, else 0
	last    byte // the byte before
	content bool // there is something else than blanks and comments
	before  bool // there was, before the last byte that is no blank
}

// The kinds of comments, beside the quotes ' " ` and [.
const (
	lineComment  = '-'
	blockComment = '*'
)

// next takes text up to the end of a statement and returns that and the rest of the text. ok is
// false if the statement goes on after the text, which is all taken then.
func (s *splitter) next(text string) (statement, rest string, ok bool) {
	for i := range len(text) {
		if s.take(text[i]) {
			s.text.WriteString(text[:i+1])
			return s.cut(), text[i+1:], true
		}
	}
	s.text.WriteString(text)
	return "", "", false
}

// take notes one byte and reports whether it ends the statement.
func (s *splitter) take(c byte) bool {
	last := s.last
	s.last = c
	switch s.within {
	case 0:
	case lineComment:
		if c == '\n' {
			s.within = 0
		}
		return false
	case blockComment:
		if last == '*' && c == '/' {
			s.within, s.last = 0, 0
		}
		return false
	default:
		// A doubled quote within a text ends it and starts it again.
		if c == s.within || s.within == '[' && c == ']' {
			s.within = 0
		}
		return false
	}
	switch {
	case last == '-' && c == '-':
		s.within, s.content = lineComment, s.before
	case last == '/' && c == '*':
		s.within, s.last, s.content = blockComment, 0, s.before
	case c == ';':
		return true
	case !isBlank(c):
		s.before, s.content = s.content, true
		if strings.IndexByte("'\"`[", c) >= 0 {
			s.within = c
		}
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// pending reports whether a statement has begun.
func (s *splitter) pending() bool { return s.content || s.within != 0 }

// cut returns the statement so far, empty if there is none, and forgets it.
func (s *splitter) cut() string {
	text := s.text.String()
	if !s.content {
		text = ""
	}
	*s = splitter{}
	return text
}

// size returns the length of the statement so far, in bytes.
func (s *splitter) size() int { return s.text.Len() }
