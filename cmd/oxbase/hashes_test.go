package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/store"
)

// hashesFile lists what files of the standard games hold, and the hash of their bytes. README
// shows the same table.
const hashesFile = "testdata/hashes.csv"

// hashed is a line of it.
type hashed struct {
	game, turns, symmetry string // as build takes them
	positions             int64
	contentHash, sha256   string // in hex; of the rows, and of the bytes of the file
	builtBy               string // is part of the bytes
}

// columns are the headings of the table.
func (hashed) columns() []string {
	return []string{"game", "turns", "symmetry", "positions", "content_hash", "sha256", "built_by"}
}

func (h hashed) record() []string {
	return []string{h.game, h.turns, h.symmetry, strconv.FormatInt(h.positions, 10), h.contentHash, h.sha256, h.builtBy}
}

// readHashes reads the table.
func readHashes(t *testing.T) (list []hashed) {
	t.Helper()
	file, err := os.Open(hashesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if i == 0 {
			if diff := cmp.Diff(hashed{}.columns(), r); diff != "" {
				t.Fatalf("headings (-want +got):\n%s", diff)
			}
			continue
		}
		positions, err := strconv.ParseInt(r[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, hashed{r[0], r[1], r[2], positions, r[4], r[5], r[6]})
	}
	return list
}

// hashesOf builds a file and returns its line. The file is removed.
func hashesOf(t *testing.T, game, turns, symmetry string, more ...string) hashed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	mustOxbase(t, "", append([]string{"build", game, "--turns", turns, "--symmetry", symmetry, "--db", path}, more...)...)
	defer os.Remove(path)
	db, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := file.WriteTo(sum); err != nil {
		t.Fatal(err)
	}
	info := db.Info()
	return hashed{info.Name, string(info.Turns), string(info.Symmetry), info.Positions,
		info.ContentHash, fmt.Sprintf("%x", sum.Sum(nil)), info.BuiltBy}
}

// TestHashes builds the standard games, those with many positions only with -big, and compares
// their bytes with what they were on other days and other machines. A new release, or another
// version of SQLite, gives other bytes; -update writes those down, with -big all of them. The
// content hashes stay as long as the rows do.
func TestHashes(t *testing.T) {
	const many = 2_000_000 // positions
	list := readHashes(t)
	for i, want := range list {
		t.Run(want.game+" "+want.turns+" "+want.symmetry, func(t *testing.T) {
			if want.builtBy != builtBy && !*update {
				t.Errorf("the line is of %s: write that of %s with -update -big", want.builtBy, builtBy)
			}
			if want.positions > many && !*big {
				t.Skip("takes minutes and gigabytes: asked for by -big")
			}
			if want.positions > many/positionStride && !*big {
				t.Skip("takes long under the race detector")
			}
			got := hashesOf(t, want.game, want.turns, want.symmetry)
			if *update {
				list[i] = got
				return
			}
			if diff := cmp.Diff(want.record(), got.record()); diff != "" {
				t.Errorf("%v (-want +got):\n%s", want.columns(), diff)
			}
		})
	}
	if *update {
		var text bytes.Buffer
		out := csv.NewWriter(&text)
		out.Write(hashed{}.columns())
		for _, line := range list {
			out.Write(line.record())
		}
		out.Flush()
		write(t, hashesFile, text.Bytes())
	}
}

// TestSameBytesWithAnyJobs builds games of each kind with several numbers of jobs.
func TestSameBytesWithAnyJobs(t *testing.T) {
	for _, want := range readHashes(t) {
		const many = 100_000
		if want.positions > many/positionStride {
			continue
		}
		for _, jobs := range []string{"1", "2", "3", "16"} {
			if diff := cmp.Diff(want.record(), hashesOf(t, want.game, want.turns, want.symmetry, "--jobs", jobs).record()); diff != "" {
				t.Errorf("%s with %s jobs: %v (-want +got):\n%s", want.game, jobs, want.columns(), diff)
			}
		}
	}
}

// TestReadmeShowsHashes: README's table is that of the file.
func TestReadmeShowsHashes(t *testing.T) {
	readme := string(bytesOf(t, "../../README.md"))
	for _, h := range readHashes(t) {
		line := fmt.Sprintf("| `%s` | %s | %s | %s | `%s` | `%s` |", h.game, h.turns, h.symmetry, thousands(h.positions), h.contentHash, h.sha256)
		if !strings.Contains(readme, line) {
			t.Errorf("README doesn't have the line\n%s", line)
		}
	}
	if !strings.Contains(readme, "These are the files of "+builtBy) {
		t.Errorf("README doesn't say that the hashes are of %s", builtBy)
	}
}
