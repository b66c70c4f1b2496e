package main

import (
	"strings"
	"testing"
)

// TestShellCompletion asks what a shell would offer.
func TestShellCompletion(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  []string
	}{
		{[]string{"build", "4x4x4"}, []string{"4x4x4", "4x4x4-drop"}},
		{[]string{"build", "--turns", ""}, []string{"any", "alternate"}},
		{[]string{"build", "--symmetry", "c"}, []string{"canonical"}},
		{[]string{"query", "lu"}, []string{"luogu-p1917"}},
		{[]string{"check", "hr"}, []string{"hrbust-2320"}},
		{[]string{"cases", "cs"}, []string{"csp-201803-4"}},
	} {
		t.Run(strings.Join(test.words, " "), func(t *testing.T) {
			out := mustOxbase(t, "", append([]string{"__complete"}, test.words...)...)
			var got []string
			for line := range strings.Lines(out) {
				word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				// The shell keeps what fits the word begun.
				if begun := test.words[len(test.words)-1]; !strings.HasPrefix(word, ":") && strings.HasPrefix(word, begun) {
					got = append(got, word)
				}
			}
			if strings.Join(got, " ") != strings.Join(test.want, " ") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if out := mustOxbase(t, "", "completion", shell); !strings.Contains(out, "oxbase") {
			t.Errorf("%s: %q", shell, out)
		}
	}
}
