package check

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzCompare: an output is accepted exactly if it is what was expected but for white space at the
// ends of lines and of the output, and else one of the answers is named.
func FuzzCompare(f *testing.F) {
	f.Add("1\n", "2\n", "1\n2\n")
	f.Add("x wins\n", "Tie\n", "x  wins \r\nTIE")
	f.Add("a\n", "b\n", "")
	f.Add("a\n\n", "\n", "a\n\n\n")
	f.Add("a\n", "b\n", "a\n\nb\nc\n")
	f.Fuzz(func(t *testing.T, first, second, got string) {
		answers := []string{strings.TrimRight(first, "\n") + "\n", strings.TrimRight(second, "\n") + "\n"}
		expected := answers[0] + answers[1]
		verdict, wrong := compare(answers, got)
		if wrong < 0 || wrong >= len(answers) {
			t.Errorf("answer %d is wrong: there are %d", wrong, len(answers))
		}
		if same := trimmed(expected) == trimmed(got); same != (verdict == Accepted) {
			t.Errorf("%q for %q is %s, but they are the same: %t", got, expected, verdict, same)
		}
		for _, accepted := range []string{expected, strings.TrimRight(expected, "\n"), strings.ReplaceAll(expected, "\n", " \r\n") + "\n\n"} {
			if verdict, _ := compare(answers, accepted); verdict != Accepted {
				t.Errorf("%q for %q is %s, want %s", accepted, expected, verdict, Accepted)
			}
		}
	})
}

// trimmed removes the white space that doesn't matter, byte by byte from the end.
func trimmed(text string) string {
	var out, pending []string
	for text += "\n"; text != ""; {
		c, size := utf8.DecodeRuneInString(text)
		char := text[:size] // which may be a byte that is no character
		text = text[size:]
		switch {
		case c == '\n':
			// What stands before a line feed on its line doesn't count.
			for len(pending) > 0 && pending[len(pending)-1] != "\n" {
				pending = pending[:len(pending)-1]
			}
			pending = append(pending, char)
		case unicode.IsSpace(c):
			pending = append(pending, char)
		default:
			out = append(append(out, pending...), char)
			pending = pending[:0]
		}
	}
	return strings.Join(out, "")
}
