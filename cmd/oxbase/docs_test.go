package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// docs writes the pages and completions and returns the files.
func docs(t *testing.T) (folder string, files map[string]string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "new", "docs")
	if out := mustOxbase(t, "", "docs", folder); out != "" {
		t.Errorf("docs prints %q", out)
	}
	files = map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder, files
}

// Each command that a help names has a page with what its help says, and nothing else has one.
func TestManPages(t *testing.T) {
	_, files := docs(t)
	if _, again := docs(t); !maps.Equal(files, again) {
		t.Error("a second run writes other bytes")
	}
	want := []string{"completions/bash/oxbase", "completions/fish/oxbase.fish", "completions/zsh/_oxbase"}
	var walk func(words []string)
	walk = func(words []string) {
		path := "man1/" + strings.Join(append([]string{"oxbase"}, words...), "-") + ".1"
		want = append(want, path)
		page := plain(files[path])
		help := mustOxbase(t, "", append(words[:len(words):len(words)], "--help")...)
		_, flags, _ := strings.Cut(help, "\nFlags:\n")
		flags, statuses, _ := strings.Cut(flags, "\nExit status:\n")
		for line := range strings.Lines(flags) {
			if i := strings.Index(line, "--"); i >= 0 && strings.TrimSpace(line[:min(i, 6)]) == strings.TrimSpace(line[:i]) {
				if flag, _, _ := strings.Cut(line[i:], " "); !strings.Contains(page, flag) {
					t.Errorf("%s doesn't have the flag %s", path, flag)
				}
			}
		}
		for line := range strings.Lines(statuses) {
			if _, meaning, _ := strings.Cut(strings.TrimSpace(line), "  "); !strings.Contains(page, meaning) {
				t.Errorf("%s doesn't have the exit status %q", path, line)
			}
		}
		_, commands, _ := strings.Cut(help, "\nAvailable Commands:\n")
		commands, _, _ = strings.Cut(commands, "\n\n")
		for line := range strings.Lines(commands) {
			if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name != "" && name != "help" {
				walk(append(words[:len(words):len(words)], name))
			}
		}
	}
	walk(nil)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("docs writes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for shell, path := range map[string]string{"bash": want[0], "fish": want[1], "zsh": want[2]} {
		if files[path] != mustOxbase(t, "", "completion", shell) {
			t.Errorf("%s isn't what oxbase completion %s prints", path, shell)
		}
	}
	golden(t, "docs/oxbase-query-strip.1", files["man1/oxbase-query-strip.1"])
}

// plain takes the marks of roff from a page.
func plain(page string) string {
	return strings.NewReplacer(`\-`, "-", `\fB`, "", `\fI`, "", `\fR`, "", `\(aq`, "'", `\&`, "").Replace(page)
}

// groff has no complaint about any page, and shows the examples as the help has them.
func TestManPagesInGroff(t *testing.T) {
	plainOnly(t)
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("there is no groff")
	}
	_, files := docs(t)
	for path, page := range files {
		if !strings.HasPrefix(path, "man1/") {
			continue
		}
		cmd := exec.Command(groff, "-Kutf8", "-Tutf8", "-ww", "-man", "-P-cbou", "-rLL=100n")
		cmd.Stdin = strings.NewReader(page)
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		if err := cmd.Run(); err != nil || complaints.Len() > 0 {
			t.Errorf("%s: %v\n%s", path, err, complaints.String())
		}
		words := strings.Split(strings.TrimSuffix(filepath.Base(path), ".1"), "-")
		if len(words) != 2 || words[1] == "completion" {
			continue
		}
		_, examples, _ := strings.Cut(mustOxbase(t, "", words[1], "--help"), "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		for line := range strings.Lines(examples) {
			if line = strings.TrimSpace(line); !strings.Contains(out.String(), line) {
				t.Errorf("%s doesn't show the example %s", path, line)
			}
		}
	}
}

func TestDocsFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := oxbase(t, "", "docs", filepath.Join(file, "docs")); r.Status != exitOther || !strings.Contains(r.Err, file) {
		t.Errorf("exit status %d, %q", r.Status, r.Err)
	}
	if r := oxbase(t, "", "docs"); r.Status != exitInput {
		t.Errorf("without a folder: exit status %d, %q", r.Status, r.Err)
	}
}
