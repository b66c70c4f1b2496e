package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What Go recorded in a program is told apart from what it didn't.
func TestVersionOfBuild(t *testing.T) {
	text := func(s string) *string { return &s }
	yes, no := true, false
	settings := func(pairs ...string) (list []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	for _, test := range []struct {
		name       string
		build      *debug.BuildInfo
		want       versionReport
		commitText string
	}{
		{"nothing recorded", nil, versionReport{}, "unknown"},
		{"go build without version control",
			&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: settings("CGO_ENABLED", "0")},
			versionReport{ModuleVersion: text("(devel)")}, "unknown"},
		{"go build in a clean checkout",
			&debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}, Settings: settings("vcs.revision", "c0ffee", "vcs.modified", "false")},
			versionReport{ModuleVersion: text("v0.1.0"), Commit: text("c0ffee"), Modified: &no}, "c0ffee"},
		{"go build in a changed checkout",
			&debug.BuildInfo{Main: debug.Module{Version: "v0.1.0+dirty"}, Settings: settings("vcs.revision", "c0ffee", "vcs.modified", "true")},
			versionReport{ModuleVersion: text("v0.1.0+dirty"), Commit: text("c0ffee"), Modified: &yes}, "c0ffee, with changes"},
		{"go install of a release", &debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}},
			versionReport{ModuleVersion: text("v0.1.0")}, "unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := newVersionReport(test.build, test.build != nil)
			same := cmpopts.IgnoreFields(versionReport{}, "Version", "Go", "SQLite", "SchemaVersion", "Platform")
			if diff := cmp.Diff(test.want, got, same); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if text := got.commitText(); text != test.commitText {
				t.Errorf("the commit is %q, want %q", text, test.commitText)
			}
		})
	}
}

// The versions are those that SQLite, Go and a file that is built say; the flag prints what the command does.
func TestVersion(t *testing.T) {
	db := built(t, "3x3x3")
	var got map[string]any
	if err := json.Unmarshal([]byte(mustOxbase(t, "", "version", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	var info map[string]any
	if err := json.Unmarshal([]byte(mustOxbase(t, "", "info", "--json", "--db", db)), &info); err != nil {
		t.Fatal(err)
	}
	_, sqlite, _ := strings.Cut(mustOxbase(t, "", "sql", "--csv", "--db", db, "SELECT sqlite_version()"), "\n")
	_, schema, _ := strings.Cut(mustOxbase(t, "", "sql", "--csv", "--db", db, "PRAGMA user_version"), "\n")
	for name, want := range map[string]string{
		"sqlite":         strings.TrimSpace(sqlite),
		"schema_version": strings.TrimSpace(schema),
		"go":             runtime.Version(),
		"platform":       runtime.GOOS + "/" + runtime.GOARCH,
	} {
		value := got[name]
		if n, ok := value.(float64); ok {
			value = strconv.FormatFloat(n, 'f', -1, 64)
		}
		if value != want {
			t.Errorf("%s is %v, want %v", name, value, want)
		}
	}
	if want := "oxbase " + got["version"].(string); info["built_by"] != want {
		t.Errorf("a file is built by %q, want the release alone, %q", info["built_by"], want)
	}
	text := mustOxbase(t, "", "version")
	for _, want := range []string{got["version"].(string), strings.TrimSpace(sqlite), runtime.Version()} {
		if !strings.Contains(text, want) {
			t.Errorf("%q doesn't say %s", text, want)
		}
	}
	if flag := mustOxbase(t, "", "--version"); flag != text {
		t.Errorf("--version prints\n%s and the command\n%s", flag, text)
	}
}

// A program that is stripped still says from which commit it comes, if Go recorded that.
func TestVersionOfCheckout(t *testing.T) {
	plainOnly(t)
	program := filepath.Join(t.TempDir(), "oxbase.exe")
	build := func(vcs string) ([]byte, error) {
		return exec.Command("go", "build", "-buildvcs="+vcs, "-ldflags=-s -w", "-o", program, ".").CombinedOutput()
	}
	if _, err := build("true"); err != nil { // it isn't a checkout
		if out, err := build("false"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	recorded, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := "unknown"
	for line := range strings.Lines(string(recorded)) {
		if _, revision, ok := strings.Cut(line, "vcs.revision="); ok {
			want = strings.TrimSpace(revision)
		}
	}
	out, err := exec.Command(program, "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^commit +` + want + `(, with changes)?$`).Match(out) {
		t.Errorf("the program says\n%s of the commit %s", out, want)
	}
}
