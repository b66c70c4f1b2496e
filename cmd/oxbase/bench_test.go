package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"oxbase/store"
)

// builtProgram returns the program as it is released.
func builtProgram(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "oxbase.exe")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

// BenchmarkBuild builds one game after the other, from the smallest to one of 35 million rows.
func BenchmarkBuild(b *testing.B) {
	for _, words := range []string{
		"3x3x3", "4x3x3", "4x4x3", "4x4x4", "4x4x4 --symmetry none", "5x4x4-drop", "5x5x4-drop",
	} {
		b.Run(strings.ReplaceAll(words, " ", "_"), func(b *testing.B) {
			db := filepath.Join(b.TempDir(), "bench.db")
			for b.Loop() {
				mustOxbase(b, "", append([]string{"build", "--db", db}, strings.Fields(words)...)...)
			}
			d, err := store.Open(db)
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			positions := float64(d.Info().Positions)
			b.ReportMetric(positions*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(float64(d.Info().Size)/positions, "bytes/position")
		})
	}
}

// sqlite3 returns what the sqlite3 program prints for commands about a file that it only reads.
func sqlite3(b *testing.B, db string, commands ...string) string {
	out, err := exec.Command("sqlite3", append([]string{"-readonly", db}, commands...)...).CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// BenchmarkBuildAgainstImport compares a whole build with the time that the C sqlite3 program
// takes merely to import the rows of the same positions and gaps from CSV into the same tables. Both
// run as whole processes, in turn.
func BenchmarkBuildAgainstImport(b *testing.B) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		b.Skip("there is no sqlite3 program")
	}
	program := builtProgram(b)
	for _, words := range []string{"3x3x3", "4x4x4 --symmetry none"} {
		b.Run(strings.ReplaceAll(words, " ", "_"), func(b *testing.B) {
			folder := b.TempDir()
			db, imported := filepath.Join(folder, "bench.db"), filepath.Join(folder, "imported.db")
			build := append([]string{"build", "--db", db}, strings.Fields(words)...)
			mustOxbase(b, "", build...)
			importRows := []string{imported}
			for _, table := range []string{"positions", "strip_sg"} {
				csv := filepath.Join(folder, table+".csv")
				schema := sqlite3(b, db, "SELECT sql FROM sqlite_schema WHERE name = '"+table+"'")
				sqlite3(b, db, ".mode csv", ".output "+csv, "SELECT * FROM "+table)
				importRows = append(importRows, schema, fmt.Sprintf(".import --csv %s %s", csv, table))
			}
			var building, importing time.Duration
			for b.Loop() {
				began := time.Now()
				if out, err := exec.Command(program, build...).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				building += time.Since(began)

				if err := os.RemoveAll(imported); err != nil {
					b.Fatal(err)
				}
				began = time.Now()
				if out, err := exec.Command("sqlite3", importRows...).CombinedOutput(); err != nil || len(out) > 0 {
					b.Fatalf("%v: %s", err, out)
				}
				importing += time.Since(began)
			}
			const count = "SELECT (SELECT count(*) FROM positions) + (SELECT count(*) FROM strip_sg)"
			if want, got := sqlite3(b, db, count), sqlite3(b, imported, count); got != want {
				b.Fatalf("%s rows were imported: want %s", got, want)
			}
			b.ReportMetric(building.Seconds()*1000/float64(b.N), "build-ms")
			b.ReportMetric(importing.Seconds()*1000/float64(b.N), "import-ms")
			b.ReportMetric(building.Seconds()/importing.Seconds(), "build/import")
		})
	}
}
