package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// wantStatus fails a test unless a command ended with one of some statuses, and with one line on
// standard error if it isn't done.
func wantStatus(t *testing.T, what string, r result, statuses ...int) {
	t.Helper()
	for _, status := range statuses {
		if r.Status == status && (status == exitDone || strings.HasPrefix(r.Err, "oxbase: ") && strings.Count(r.Err, "\n") == 1) {
			return
		}
	}
	t.Errorf("%s: exit status %d, %q, want one of %d and a line", what, r.Status, r.Err, statuses)
}

// FuzzDamage: every command answers from a damaged file or says that it is damaged, and what
// passes verify holds what it held.
func FuzzDamage(f *testing.F) {
	sound := built(f, "2x2x2", "--strip-length", "3")
	content, err := os.ReadFile(sound)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte("x"))
	f.Add(uint32(28), []byte{0, 0, 0, 1})
	f.Add(uint32(100), []byte{5})
	f.Add(uint32(8200), []byte{5, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, offset uint32, patch []byte) {
		data := bytes.Clone(content)
		copy(data[int(offset)%len(data):], patch)
		path := fileWith(t, data)
		for _, words := range []string{"info", "stats", "export", "query board x./..", "query strip .O.", "query lightoj", "migrate", "sql SELECT*FROM(boards)"} {
			r := oxbase(t, "1\nO..\n", append(strings.Fields(words), "--db", path)...)
			statuses := []int{exitDone, exitDamaged}
			if strings.HasPrefix(words, "sql") {
				statuses = append(statuses, exitInput)
			}
			wantStatus(t, words, r, statuses...)
		}
		r := oxbase(t, "", "verify", path)
		wantStatus(t, "verify", r, exitDone, exitDamaged)
		if r.Status == exitDone {
			if want, got := dump(t, sound), dump(t, path); got != want {
				t.Errorf("verify passes, but the file holds something else: %s", firstDifference(want, got))
			}
		}
	})
}

// FuzzBoardLines: a list of boards is answered up to the first line that is wrong, which is named.
func FuzzBoardLines(f *testing.F) {
	path := built(f, "2x2x2", "--strip-length", "3")
	for _, seed := range []string{"....", "x./.. o\n", "\ufeffxo/..\r\n\r\n\t..xx\n", "x", "xxoo", "....\n?", "x.xx \x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		r := oxbase(t, lines, "query", "board", "-", "--json", "--db", path)
		wantStatus(t, fmt.Sprintf("%q", lines), r, exitDone, exitInput)
		if r.Status != exitDone && !strings.HasPrefix(r.Err, "oxbase: line ") {
			t.Errorf("%q: %q doesn't name a line", lines, r.Err)
		}
		strips := oxbase(t, lines, "query", "strip", "-", "--json", "--db", path)
		wantStatus(t, fmt.Sprintf("strips %q", lines), strips, exitDone, exitInput, exitMissing)
	})
}

// FuzzSQLInput: a script for the shell is run up to what is wrong, and changes nothing.
func FuzzSQLInput(f *testing.F) {
	path := built(f, "2x2x2", "--strip-length", "3")
	before, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{".help", ".schema\nSELECT 1;", ".example 3", ".mode csv\nSELECT * FROM game", ".tables;", "SELECT 1;;\n.x", ".examples\n.example 99", ".schema \"a", "DELETE FROM game"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if strings.Contains(strings.ToLower(script), "recursive") || len(script) > 1000 {
			return // it might take long, which is whoever writes that's wish
		}
		r := oxbase(t, script, "sql", "--db", path)
		if r.Status != exitDone && r.Status != exitInput {
			t.Errorf("%q: exit status %d, %q", script, r.Status, r.Err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%q changed the file: %v", script, err)
		}
	})
}

// FuzzStones: a range of stones is what was written, or refused.
func FuzzStones(f *testing.F) {
	for _, seed := range []string{"4", "4-6", "6-4", "-", "4-", "+4", "65536", "0-65535", " 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRange(text)
		if err != nil {
			return
		}
		from, to, isRange := strings.Cut(text, "-")
		if !isRange {
			to = from
		}
		if got, want := fmt.Sprintf("%d-%d", r.From, r.To), trimZeros(from)+"-"+trimZeros(to); got != want || r.From > r.To {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
	})
}

// trimZeros removes leading zeros from digits.
func trimZeros(digits string) string {
	if trimmed := strings.TrimLeft(digits, "0"); trimmed != "" {
		return trimmed
	}
	return "0"
}
