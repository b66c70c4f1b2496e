package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/query/stats"
)

func TestStatsTables(t *testing.T) {
	for _, test := range []struct {
		golden string
		build  []string
	}{
		{"stats/3x3x3.txt", []string{"3x3x3"}},
		{"stats/3x3x3-alternate.txt", []string{"3x3x3", "--turns", "alternate"}},
		{"stats/3x3x3-any-canonical.txt", []string{"3x3x3", "--symmetry", "canonical"}},
		{"stats/4x3x3.txt", []string{"4x3x3"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			golden(t, test.golden, mustOxbase(t, "", "stats", "--db", built(t, test.build...)))
		})
	}
}

// statsOf returns the report of a file, as JSON has it.
func statsOf(t *testing.T, buildArgs ...string) stats.Report {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(mustOxbase(t, "", "stats", "--json", "--db", built(t, buildArgs...))))
	decoder.DisallowUnknownFields()
	var r stats.Report
	if err := decoder.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// Numbers that others have published or counted.
func TestStatsKnownNumbers(t *testing.T) {
	all := statsOf(t, "3x3x3")
	classes := statsOf(t, "3x3x3", "--turns", "alternate", "--symmetry", "canonical")
	reachable := func(lines []stats.Line) []int64 {
		var counts []int64
		for _, line := range lines {
			counts = append(counts, line.ReachablePositions)
		}
		return counts
	}
	stored := func(lines []stats.Line) []int64 {
		var counts []int64
		for _, line := range lines {
			counts = append(counts, line.Stored)
		}
		return counts
	}
	byStones := []int64{1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78}
	for _, test := range []struct {
		name      string
		want, got any
	}{
		{"positions", stats.Count{Stored: 38742, Positions: 38742, ReachableStored: 5478, ReachablePositions: 5478}, all.Total},
		{"classes", stats.Count{Stored: 765, Positions: 5478, ReachableStored: 765, ReachablePositions: 5478}, classes.Total},
		{"start", stats.Start{Distance: 9}, all.Start},
		{"outcomes", []int64{2936, 1068, 1474}, reachable(all.Outcomes)},
		{"outcomes from classes", []int64{2936, 1068, 1474}, reachable(classes.Outcomes)},
		{"stones", byStones, reachable(all.Stones)},
		{"stones from classes", byStones, reachable(classes.Stones)},
		{"classes by stones", []int64{1, 3, 12, 38, 108, 174, 204, 153, 57, 15}, stored(classes.Stones)},
		{"ends", []int64{626, 316, 16, 4520}, reachable(all.Terminal)},
		{"classes by end", []int64{91, 44, 3}, stored(classes.Terminal)[:3]},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// A canonical file tells the same of positions as one that stores all of them.
func TestStatsOfClassesAndPositions(t *testing.T) {
	plainOnly(t)
	for _, build := range [][]string{
		{"3x3x3"},
		{"4x3x3"},
		{"4x4x3-drop", "--turns", "alternate"},
		{"3x3x3-misere", "--turns", "alternate"},
	} {
		t.Run(strings.Join(build, " "), func(t *testing.T) {
			all := statsOf(t, append(build, "--symmetry", "none")...)
			classes := statsOf(t, append(build, "--symmetry", "canonical")...)
			if classes.Total.Stored >= all.Total.Stored {
				t.Errorf("%d classes of %d positions, want fewer", classes.Total.Stored, all.Total.Stored)
			}
			for _, r := range []*stats.Report{&all, &classes} {
				r.Symmetry, r.Total.Stored, r.Total.ReachableStored = "", 0, 0
				for _, section := range statsSections(r) {
					for i := range section.lines {
						section.lines[i].Stored, section.lines[i].ReachableStored = 0, 0
					}
				}
			}
			if diff := cmp.Diff(all, classes); diff != "" {
				t.Errorf("symmetry none and canonical differ (-none +canonical):\n%s", diff)
			}
		})
	}
}

// The one table of --csv says the same as --json.
func TestStatsCSV(t *testing.T) {
	path := built(t, "4x3x3")
	records, err := csv.NewReader(strings.NewReader(mustOxbase(t, "", "stats", "--csv", "--db", path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	r := statsOf(t, "4x3x3")
	want := [][]string{
		{"section", "outcome", "score", "distance", "stones", "terminal", "legal_moves",
			"stored", "positions", "reachable_stored", "reachable_positions", "key", "board", "to_move"},
		{"total", "", "", "", "", "", "", fmt.Sprint(r.Total.Stored), fmt.Sprint(r.Total.Positions),
			fmt.Sprint(r.Total.ReachableStored), fmt.Sprint(r.Total.ReachablePositions), "", "", ""},
		{"start", fmt.Sprint(r.Start.Outcome), fmt.Sprint(r.Start.Score), fmt.Sprint(r.Start.Distance),
			"", "", "", "", "", "", "", "", "", ""},
	}
	for _, section := range []struct {
		name  string
		lines []stats.Line
	}{
		{"outcome", r.Outcomes}, {"distance", r.Distances}, {"stones", r.Stones}, {"terminal", r.Terminal},
		{"longest_win", r.LongestWins}, {"longest_reachable_win", r.LongestReachableWins}, {"only_move", r.OnlyMoves},
	} {
		if len(section.lines) == 0 {
			t.Errorf("section %s has no lines", section.name)
		}
		for _, l := range section.lines {
			record := []string{section.name, "", "", "", "", l.Terminal, l.LegalMoves,
				fmt.Sprint(l.Stored), fmt.Sprint(l.Positions), fmt.Sprint(l.ReachableStored), fmt.Sprint(l.ReachablePositions), "", "", ""}
			if l.Outcome != nil {
				record[1] = fmt.Sprint(*l.Outcome)
			}
			if l.Distance != nil {
				record[3] = fmt.Sprint(*l.Distance)
			}
			if l.Stones != nil {
				record[4] = fmt.Sprint(*l.Stones)
			}
			if l.Example != nil {
				record[11], record[12], record[13] = fmt.Sprint(l.Key), l.Board, l.ToMove
			}
			want = append(want, record)
		}
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Errorf("stats --csv (-want +got):\n%s", diff)
	}
}

func TestStatsErrors(t *testing.T) {
	missing := t.TempDir() + "/none.db"
	foreign := t.TempDir() + "/text.db"
	if err := os.WriteFile(foreign, []byte("some text that is no database"), 0o666); err != nil {
		t.Fatal(err)
	}
	damaged := damagedCopy(t, built(t, "3x3x3"))
	for _, test := range []struct {
		name   string
		args   []string
		status int
		say    string
	}{
		{"two formats", []string{"--json", "--csv", "--db", built(t, "3x3x3")}, exitInput, "--json and --csv"},
		{"an argument", []string{"3x3x3"}, exitInput, "stats --help"},
		{"no file", []string{"--db", missing}, exitMissing, "oxbase build"},
		{"not ours", []string{"--db", foreign}, exitDamaged, foreign},
		{"damaged", []string{"--db", damaged}, exitDamaged, "oxbase: " + damaged + ": damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := oxbase(t, "", append([]string{"stats"}, test.args...)...)
			if r.Status != test.status || !strings.Contains(r.Err, test.say) || r.Out != "" {
				t.Errorf("status %d, error %q, output %q: want status %d and an error with %q", r.Status, r.Err, r.Out, test.status, test.say)
			}
		})
	}
}
