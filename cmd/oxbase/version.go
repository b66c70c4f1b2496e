package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"oxbase/migrations"
	"oxbase/store"
)

// version is the release. It is all that a tablebase file says of the program that built it: a
// commit would give the files of one release other bytes from each checkout, though nothing in
// them differs. So whatever changes the bytes of files needs a new release.
const version = "0.1.0"

// builtBy is what a tablebase file says of the program that built it.
const builtBy = "oxbase " + version

// versionReport is what the program says of itself. What Go didn't record is nil.
type versionReport struct {
	Version       string  `json:"version"`        // the release
	ModuleVersion *string `json:"module_version"` // as Go named the module when it built it
	Commit        *string `json:"commit"`
	Modified      *bool   `json:"modified"` // whether the checkout held changes beside the commit
	Go            string  `json:"go"`       // version of Go that it was built with
	SQLite        string  `json:"sqlite"`   // version of the SQLite in it
	SchemaVersion int     `json:"schema_version"`
	Platform      string  `json:"platform"` // system and processor
}

func newVersion(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of what is in it",
		Long: `Print the release; the version of the module and the commit from which the program
was built, as far as Go recorded them; the versions of Go and of the SQLite in the
program; and the version of the schema that it writes and reads.

A tablebase file names the release only, so that each build of a release writes the
same bytes.`,
		Example: `  oxbase version
  oxbase version --json`,
		Args:        usage(cobra.NoArgs),
		Annotations: exits(exitDone, exitOther, exitInput),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(s.out, newVersionReport(debug.ReadBuildInfo()))
			}
			return writeVersion(s.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// newVersionReport reads what Go recorded in the program, if it did.
func newVersionReport(build *debug.BuildInfo, recorded bool) versionReport {
	r := versionReport{Version: version, Go: runtime.Version(), SQLite: store.SQLiteVersion,
		SchemaVersion: migrations.Version, Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if !recorded {
		return r
	}
	if build.Main.Version != "" {
		r.ModuleVersion = &build.Main.Version
	}
	for _, setting := range build.Settings {
		switch setting.Key {
		case "vcs.revision":
			r.Commit = &setting.Value
		case "vcs.modified":
			modified := setting.Value == "true"
			r.Modified = &modified
		}
	}
	return r
}

func writeVersion(out io.Writer) error {
	r := newVersionReport(debug.ReadBuildInfo())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "oxbase\t%s\n", r.Version)
	fmt.Fprintf(table, "module version\t%s\n", orUnknown(r.ModuleVersion))
	fmt.Fprintf(table, "commit\t%s\n", r.commitText())
	fmt.Fprintf(table, "Go\t%s\n", r.Go)
	fmt.Fprintf(table, "SQLite\t%s\n", r.SQLite)
	fmt.Fprintf(table, "schema version\t%d\n", r.SchemaVersion)
	fmt.Fprintf(table, "platform\t%s\n", r.Platform)
	return table.Flush()
}

func (r versionReport) commitText() string {
	if r.Modified != nil && *r.Modified {
		return orUnknown(r.Commit) + ", with changes"
	}
	return orUnknown(r.Commit)
}

func orUnknown(text *string) string {
	if text == nil {
		return "unknown"
	}
	return *text
}
