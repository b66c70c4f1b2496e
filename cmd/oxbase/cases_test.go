package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game/gametest"
)

// TestCasesAreAnswered feeds what cases prints to query, which must print the answers.
func TestCasesAreAnswered(t *testing.T) {
	db := built(t)
	for _, args := range [][]string{
		{"hrbust", "--count", "300"},
		{"csp", "--all"},
		{"algospot", "--adversarial"},
		{"lightoj", "--count", "200", "--seed", "9"},
		{"lightoj", "--all", "--length", "4", "--canonical"},
		{"lightoj", "--adversarial"},
		{"luogu", "--count", "1"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			command := append([]string{"cases", "--db", db}, args...)
			in := mustOxbase(t, "", command...)
			want := mustOxbase(t, in, "query", args[0], "--db", db)
			if diff := cmp.Diff(want, mustOxbase(t, "", append(command, "--answers")...)); diff != "" {
				t.Errorf("the answers (-want +got):\n%s", diff)
			}
			if again := mustOxbase(t, "", command...); again != in {
				t.Error("the same command prints something else the second time")
			}
			if !slices.Contains(args, "--all") && mustOxbase(t, "", append(command, "--seed", "1234")...) == in {
				t.Error("another seed gives the same cases")
			}
		})
	}
}

// TestCasesFilters expects the boards that a search finds for some filters together.
func TestCasesFilters(t *testing.T) {
	search := gametest.New(3, 3, 3, false, false)
	var want []string
	for key := range search.Keys() {
		board, toMove := search.Board(key)
		if !search.Reachable(key) || toMove != 'x' || strings.Count(board, ".") != 5 {
			continue
		}
		if score, distance := search.Value(key); score == 3 && distance == 3 {
			want = append(want, grid(board, "012", " "))
		}
	}
	got := mustOxbase(t, "", "cases", "csp", "--db", built(t), "--all", "--stones", "4,9", "--outcome", "x,tie", "--score", "3,1", "--distance", "3")
	if diff := cmp.Diff(fmt.Sprintf("%d\n%s", len(want), strings.Join(want, "")), got); diff != "" || len(want) == 0 {
		t.Errorf("%d boards (-want +got):\n%s", len(want), diff)
	}
}

// TestCasesFolder splits cases as each judge's limit on an input wants it, with the answers beside
// them, and says of adversarial ones what they are for.
func TestCasesFolder(t *testing.T) {
	db := built(t)
	for _, test := range []struct {
		args     []string
		sizes    []int // of the inputs; nil if they may be any up to most
		most     int
		comments bool
	}{
		{[]string{"csp", "--count", "12"}, []int{5, 5, 2}, 5, false},
		{[]string{"algospot", "--count", "101"}, []int{50, 50, 1}, 50, false},
		{[]string{"lightoj", "--count", "10001"}, []int{10000, 1}, 10000, false},
		{[]string{"hrbust", "--count", "150"}, []int{100, 50}, 100, false},
		{[]string{"luogu", "--count", "3"}, []int{1, 1, 1}, 1, false},
		{[]string{"luogu", "--adversarial", "--count", "2", "--all"}, nil, 1, true},
		{[]string{"csp", "--adversarial"}, nil, 5, true},
		{[]string{"hrbust", "--adversarial"}, nil, 100, true},
		{[]string{"lightoj", "--adversarial"}, nil, 10000, true},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "tests")
			command := append([]string{"cases", "--db", db}, test.args...)
			r := oxbase(t, "", append(command, "--dir", folder)...)
			entries, err := os.ReadDir(folder)
			if err != nil || r.Status != exitDone || r.Out != "" {
				t.Fatalf("%+v, %v", r, err)
			}
			read := func(name string) string {
				text, err := os.ReadFile(filepath.Join(folder, name))
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			var want []testInput
			var sizes []int
			var names []string
			var answers strings.Builder
			query := []string{"query", test.args[0], "--db", db}
			lines := strings.Split(strings.TrimSpace(mustOxbase(t, "", append(command, "--json")...)), "\n")
			for i, line := range lines {
				var in testInput
				if err := json.Unmarshal([]byte(line), &in); err != nil {
					t.Fatal(err)
				}
				want = append(want, in)
				sizes = append(sizes, in.Cases)
				name := fmt.Sprintf("%02d", i+1)
				names = append(names, name+".in", name+".out")
				got := testInput{Name: name, Cases: in.Cases, Input: read(name + ".in"), Answers: read(name + ".out")}
				if test.comments {
					names = append(names, name+".txt")
					got.Comment = read(name + ".txt")
				}
				if diff := cmp.Diff(in, got); diff != "" {
					t.Errorf("the files %s (-JSON +files):\n%s", name, diff)
				}
				query = append(query, filepath.Join(folder, name+".in"))
				answers.WriteString(got.Answers)
				counted := test.args[0] != "luogu"
				if counted && !strings.HasPrefix(got.Input, fmt.Sprintf("%d\n", in.Cases)) || in.Cases > test.most || test.comments != (in.Comment != "") {
					t.Errorf("%s has %d cases and the comment %q: %.20q", name, in.Cases, in.Comment, got.Input)
				}
			}
			if diff := cmp.Diff(mustOxbase(t, "", query...), answers.String()); diff != "" {
				t.Errorf("the answers to all inputs (-want +got):\n%s", diff)
			}
			if test.sizes != nil && !slices.Equal(sizes, test.sizes) {
				t.Errorf("the inputs have %v cases, want %v", sizes, test.sizes)
			}
			var found []string
			for _, entry := range entries {
				found = append(found, entry.Name())
			}
			if diff := cmp.Diff(names, found); diff != "" || len(want) == 0 {
				t.Errorf("%d inputs, files (-want +got):\n%s", len(want), diff)
			}
		})
	}
}

// TestCasesOfLuoguAsAStream separates the inputs, each of which is one board.
func TestCasesOfLuoguAsAStream(t *testing.T) {
	got := mustOxbase(t, "", "cases", "luogu", "--db", built(t), "--all", "--stones", "0,1", "--canonical")
	if diff := cmp.Diff("---\n---\n---\n\n---\n---\n--O\n\n---\n---\n-O-\n\n---\n-O-\n---\n", got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCasesErrors(t *testing.T) {
	db, full := built(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "notes"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"which cases", []string{"csp"}, "which cases? want --all, --count or --adversarial"},
		{"no count", []string{"csp", "--count", "0"}, "--count 0: want at least 1"},
		{"too many", []string{"luogu", "--count", "66"}, "--count 66: there are only 65 such cases"},
		{"none", []string{"csp", "--all", "--stones", "1"}, "there are no such cases"},
		{"none of the judge's", []string{"luogu", "--count", "1", "--stones", "9"}, "--count 1: there are only 0 such cases"},
		{"none of the mistakes", []string{"luogu", "--adversarial", "--stones", "9"},
			"there are no such cases among those that the judge gives: --all adds the others that have an answer, if there are any"},
		{"unknown outcome", []string{"lightoj", "--count", "1", "--outcome", "x"}, `outcome "x": lightoj-1401 has yes, no`},
		{"strips have no score", []string{"lightoj", "--count", "1", "--score", "1"}, "the strips of lightoj-1401 have neither score nor distance"},
		{"boards have no length", []string{"hrbust", "--all", "--length", "3"}, "--length is for strips: hrbust-2320 has none"},
		{"two ways to write", []string{"csp", "--all", "--json", "--answers"}, "--dir, --answers and --json: want one of them at most"},
		{"folder in use", []string{"csp", "--count", "1", "--dir", full}, full + " isn't empty: want a new or an empty folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := result{"", "oxbase: " + test.want + "\n", exitInput}
			if diff := cmp.Diff(want, oxbase(t, "", append([]string{"cases", "--db", db}, test.args...)...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
