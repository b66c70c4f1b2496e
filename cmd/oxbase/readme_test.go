package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadmeSessions runs every session of README: what stands behind "$" in a block of kind
// console, up to the line of output that follows, and compares the output.
func TestReadmeSessions(t *testing.T) {
	plainOnly(t)
	const path = "../../README.md"
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	shell := func(script string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir = folder
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, errs.String())
		}
		return out.String()
	}
	shell("oxbase build && oxbase build 3x3x3-misere")

	const open, closing = "```console\n$ ", "```\n"
	parts := strings.Split(string(readme), open)
	if len(parts) < 15 {
		t.Fatalf("only %d sessions found", len(parts)-1)
	}
	for i, part := range parts[1:] {
		session, rest, ok := strings.Cut(part, closing)
		if !ok {
			t.Fatalf("a session isn't closed: %s", part)
		}
		script, want := splitSession(session)
		got := shell(script)
		if *update {
			parts[i+1] = script + got + closing + rest
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s(-want +got):\n%s", script, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(parts, open)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// splitSession parts a command, which goes on over lines as long as a quotation is open, from
// its output.
func splitSession(session string) (script, output string) {
	end := 0
	for line := range strings.Lines(session) {
		end += len(line)
		if strings.Count(session[:end], `"`)%2 == 0 && strings.Count(session[:end], `'`)%2 == 0 {
			break
		}
	}
	return session[:end], session[end:]
}

// TestReadmeNamesEveryCommand fails when a command, or a flag of the build, isn't documented.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range newRoot(streams{}).Commands() {
		if !cmd.Hidden && cmd.Name() != "help" && !strings.Contains(string(readme), "oxbase "+cmd.Name()) {
			t.Errorf("README doesn't name oxbase %s", cmd.Name())
		}
	}
}
