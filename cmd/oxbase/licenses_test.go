package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const licensesFile = "../../THIRD_PARTY_LICENSES"

// The file with the licences of what the programs for all systems hold is complete and has
// nothing else; -update writes it.
func TestThirdPartyLicenses(t *testing.T) {
	plainOnly(t)
	works := map[string][]string{} // by the text of the licence
	for _, system := range []string{"linux", "darwin", "windows"} {
		for work, folders := range linked(t, system) {
			found := false
			for _, folder := range folders {
				for _, text := range licenseTexts(t, folder) {
					found = true
					if !slices.Contains(works[text], work) {
						works[text] = append(works[text], work)
					}
				}
			}
			if !found {
				t.Errorf("%s is in the program for %s and has no licence", work, system)
			}
		}
	}
	entries := map[string]string{} // by what they start with
	for text, names := range works {
		slices.Sort(names)
		entries[strings.Join(names, "\n")+"\n\n"+text] = text
	}
	var got strings.Builder
	got.WriteString("The programs of oxbase, whose own licence is in the file LICENSE, hold parts of these works.\n")
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(&got, "\n%s\n\n%s", strings.Repeat("=", 80), entry)
	}
	if *update {
		if err := os.WriteFile(licensesFile, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(licensesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("THIRD_PARTY_LICENSES is out of date (-it +what is linked):\n%s"+
			"\"go test ./cmd/oxbase -run TestThirdPartyLicenses -update\" writes it anew", diff)
	}
}

// linked returns the works that are in the program for a system, on either processor, with the
// folders in which their licences can stand: those of their packages and all above up to the module's.
func linked(t *testing.T, system string) map[string][]string {
	t.Helper()
	works := map[string][]string{}
	for _, processor := range []string{"amd64", "arm64"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{.Standard}}|{{with .Module}}{{.Path}}|{{.Dir}}{{end}}|{{.Dir}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		var complaints bytes.Buffer
		list.Stderr = &complaints
		out, err := list.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, complaints.String())
		}
		for line := range strings.Lines(string(out)) {
			fields := strings.Split(strings.TrimSpace(line), "|")
			if fields[0] == "true" || fields[1] == "oxbase" {
				continue
			}
			module, top, folder := fields[1], fields[2], fields[3]
			for ; len(folder) >= len(top); folder = filepath.Dir(folder) {
				if !slices.Contains(works[module], folder) {
					works[module] = append(works[module], folder)
				}
			}
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	works["Go"] = []string{strings.TrimSpace(string(goroot))}
	return works
}

// licenseTexts returns what the files in a folder say that are named like licences.
func licenseTexts(t *testing.T, folder string) (texts []string) {
	t.Helper()
	isLicense := regexp.MustCompile(`(?i)^((?:un)?licen[cs]e|copying|notice)([-.].*)?$`)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() || !isLicense.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for line := range strings.Lines(strings.TrimSpace(string(data))) {
			text.WriteString(strings.TrimRight(line, " \t\r\n") + "\n")
		}
		texts = append(texts, text.String())
	}
	return texts
}
