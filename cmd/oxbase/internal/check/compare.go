package check

import (
	"slices"
	"strings"
	"unicode"
)

// compare says what a judge says of an output. wrong is the number of the first answer at which
// it isn't as expected, from 0. White space at the end of lines and of the output doesn't matter.
func compare(answers []string, got string) (v Verdict, wrong int) {
	expected := strings.Join(answers, "")
	if slices.Equal(lines(expected), lines(got)) {
		return Accepted, 0
	}
	if squeeze(expected) == squeeze(got) {
		return PresentationError, firstOther(answers, lines(got), strings.Clone)
	}
	return WrongAnswer, firstOther(answers, filled(got), squeeze)
}

// firstOther returns the number of the first answer whose lines aren't the next ones of the
// output, as a function sees them; the last one's if there are only lines left over.
func firstOther(answers, got []string, see func(string) string) int {
	for i, answer := range answers {
		for _, want := range lines(answer) {
			if len(got) == 0 || see(got[0]) != see(want) {
				return i
			}
			got = got[1:]
		}
	}
	return len(answers) - 1
}

// lines cuts a text into its lines, without the white space at their ends and the blank lines at
// the end.
func lines(text string) []string {
	list := strings.Split(strings.TrimRightFunc(text, unicode.IsSpace), "\n")
	for i, line := range list {
		list[i] = strings.TrimRightFunc(line, unicode.IsSpace)
	}
	return list
}

// filled returns the lines of a text that aren't blank.
func filled(text string) []string {
	return slices.DeleteFunc(lines(text), func(line string) bool { return line == "" })
}

// squeeze returns a text without white space and with its ASCII letters in one case. Bytes that are
// no text stay as they are.
func squeeze(text string) string {
	squeezed := []byte(strings.Join(strings.Fields(text), ""))
	for i, c := range squeezed {
		if 'A' <= c && c <= 'Z' {
			squeezed[i] += 'a' - 'A'
		}
	}
	return string(squeezed)
}
