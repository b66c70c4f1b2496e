package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/store"
)

// TestBuildStoresEveryPosition compares each row of the default file with a plain search.
func TestBuildStoresEveryPosition(t *testing.T) {
	plainOnly(t)
	d, err := store.Open(built(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	search := gametest.New(3, 3, 3, false, false)
	rows, err := d.SQL().Query("SELECT key, outcome, score, distance, reachable FROM positions ORDER BY key")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	key := -1
	count := 0
	for rows.Next() {
		var got [5]int
		if err := rows.Scan(&got[0], &got[1], &got[2], &got[3], &got[4]); err != nil {
			t.Fatal(err)
		}
		for key++; !search.Possible(key); key++ {
		}
		board, toMove := search.Board(key)
		score, distance := search.Value(key)
		want := [5]int{key, 0, score, distance, 0}
		switch {
		case score > 0:
			want[1] = 1
		case score < 0:
			want[1] = -1
		}
		if search.Reachable(key) {
			want[4] = 1
		}
		if got != want {
			t.Fatalf("board %s with %c to move: key, outcome, score, distance, reachable are %v, want %v", board, toMove, got, want)
		}
		// How long a game lasts follows from how it ends.
		empty := strings.Count(board, ".")
		if score != 0 {
			empty -= max(score, -score) - 1
		}
		if distance != empty {
			t.Fatalf("board %s with %c to move: distance %d with score %d", board, toMove, distance, score)
		}
		count++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if count != 38742 {
		t.Errorf("%d rows, want 38742", count)
	}
}

// TestPublishedNumbers asks the default file, in SQL, for what others have published or counted.
func TestPublishedNumbers(t *testing.T) {
	plainOnly(t)
	d, err := store.Open(built(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	canonical, err := store.Open(built(t, "3x3x3", "--turns", "alternate", "--symmetry", "canonical"))
	if err != nil {
		t.Fatal(err)
	}
	defer canonical.Close()
	line := func(side string) string {
		return "outcome = " + map[string]string{"x": "1", "o": "-1", "tie": "0"}[side] + " AND distance = 0"
	}
	for _, test := range []struct {
		what  string
		db    *store.DB
		query string
		want  string
	}{
		{"positions with turns any", d, "SELECT count(*) FROM positions", "38742"},
		{"boards on which both sides have a line", d, "SELECT 19683 - count(*) / 2 FROM positions", "312"},
		{"reachable", d, "SELECT sum(reachable) FROM positions", "5478"},
		{"reachable non-terminal", d, "SELECT count(*) FROM positions WHERE reachable AND distance > 0", "4520"},
		{"reachable terminal", d, "SELECT count(*) FROM positions WHERE reachable AND distance = 0", "958"},
		{"terminal with x's line", d, "SELECT count(*) FROM positions WHERE reachable AND " + line("x"), "626"},
		{"terminal with o's line", d, "SELECT count(*) FROM positions WHERE reachable AND " + line("o"), "316"},
		{"terminal ties", d, "SELECT count(*) FROM positions WHERE reachable AND " + line("tie"), "16"},
		{"reachable by stones", d, "SELECT group_concat(n, '/') FROM (SELECT count(*) AS n FROM boards WHERE reachable GROUP BY stones ORDER BY stones)",
			"1/9/72/252/756/1260/1520/1140/390/78"},
		{"symmetry classes", canonical, "SELECT count(*) FROM positions", "765"},
		{"symmetry classes by stones", canonical, "SELECT group_concat(n, '/') FROM (SELECT count(*) AS n FROM boards GROUP BY stones ORDER BY stones)",
			"1/3/12/38/108/174/204/153/57/15"},
		{"terminal classes with x's line", canonical, "SELECT count(*) FROM positions WHERE " + line("x"), "91"},
		{"terminal classes with o's line", canonical, "SELECT count(*) FROM positions WHERE " + line("o"), "44"},
		{"terminal tie classes", canonical, "SELECT count(*) FROM positions WHERE " + line("tie"), "3"},
		{"outcome x", d, "SELECT count(*) FROM positions WHERE reachable AND outcome = 1", "2936"},
		{"outcome o", d, "SELECT count(*) FROM positions WHERE reachable AND outcome = -1", "1474"},
		{"outcome tie", d, "SELECT count(*) FROM positions WHERE reachable AND outcome = 0", "1068"},
		{"full boards won by x", d, "SELECT count(*) FROM boards WHERE reachable AND stones = 9 AND score > 0", "62"},
		{"full boards tied", d, "SELECT count(*) FROM boards WHERE reachable AND stones = 9 AND score = 0", "16"},
		{"start", d, "SELECT outcome || ' in ' || distance FROM positions WHERE key = 0", "0 in 9"},
		{"matchboxes of MENACE", canonical, "SELECT count(*) FROM boards WHERE stones IN (0, 2, 4, 6) AND NOT terminal", "304"},
	} {
		t.Run(test.what, func(t *testing.T) {
			var got string
			if err := test.db.SQL().QueryRow(test.query).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %s, want %s from %s", got, test.want, test.query)
			}
		})
	}
}

// TestPublishedNumbersOfOtherGames builds each game with numbers published for it and compares
// its counts, weighting each symmetry class by its size.
func TestPublishedNumbersOfOtherGames(t *testing.T) {
	plainOnly(t)
	tie, xWins, any := int8(0), int8(1), int8(9)
	for _, test := range []struct {
		name      string
		reachable int64
		classes   int64 // 0 where none is published
		terminal  int64 // likewise
		outcomes  [3]int64
		start     int8 // outcome of the empty board; any where none is published
		distance  int8 // of the empty board; 0 where none is published
	}{
		{"2x2x2", 29, 0, 0, [3]int64{}, any, 0},
		{"3x4x4-drop", 6000, 0, 0, [3]int64{}, any, 0},
		{"4x4x4-drop", 161029, 0, 0, [3]int64{}, tie, 0},
		{"4x5x4-drop", 1706255, 0, 0, [3]int64{}, any, 0},
		{"4x4x3", 0, 0, 0, [3]int64{}, xWins, 5},
		{"4x4x4", 9722011, 1217977, 659392, [3]int64{2304458, 1386364, 6031189}, tie, 16},
		{"5x4x4-drop", 3945711, 0, 0, [3]int64{}, any, 0},
		{"5x5x4-drop", 69763700, 0, 0, [3]int64{}, tie, 0},
		{"4x5x4", 674794169, 0, 0, [3]int64{}, tie, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if g, err := game.Parse(test.name); err != nil {
				t.Fatal(err)
			} else if g.Cells() > 20 || test.name == "4x5x4" {
				if !*big {
					t.Skip("takes minutes and gigabytes: asked for by -big")
				}
			}
			d, err := store.Open(built(t, test.name, "--turns", "alternate", "--symmetry", "canonical"))
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			g := d.Game()
			var reachable, classes, terminal int64
			var outcomes [3]int64
			err = d.Rows(t.Context(), func(rows []game.Row) error {
				for _, row := range rows {
					p, err := g.Position(row.Key)
					if err != nil {
						return err
					}
					orbit := int64(g.Orbit(p))
					classes++
					reachable += orbit
					outcomes[1-row.Outcome] += orbit
					if row.Distance == 0 {
						terminal += orbit
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			outcomes[1], outcomes[2] = outcomes[2], outcomes[1]
			same := func(what string, got, want int64) {
				t.Helper()
				if want != 0 && got != want {
					t.Errorf("%s: got %d, want %d", what, got, want)
				}
			}
			same("reachable positions", reachable, test.reachable)
			same("symmetry classes", classes, test.classes)
			same("terminal positions", terminal, test.terminal)
			if test.outcomes != [3]int64{} && outcomes != test.outcomes {
				t.Errorf("outcomes x/o/tie: got %v, want %v", outcomes, test.outcomes)
			}
			start, ok, err := d.Lookup(0)
			if err != nil || !ok {
				t.Fatalf("the empty board: %v, %v", ok, err)
			}
			if test.start != any && start.Outcome != test.start {
				t.Errorf("start: outcome %d, want %d", start.Outcome, test.start)
			}
			same("start: distance", int64(start.Distance), int64(test.distance))
		})
	}
}

// TestNoGameIsLostFromTheStart checks strategy stealing: without -drop and -misere the side that
// moves first never loses.
func TestNoGameIsLostFromTheStart(t *testing.T) {
	plainOnly(t)
	for width := 1; width <= 4; width++ {
		for height := 1; height <= 3; height++ {
			for inRow := 1; inRow <= 4; inRow++ {
				name := fmt.Sprintf("%dx%dx%d", width, height, inRow)
				d, err := store.Open(built(t, name, "--strip-length", "0"))
				if err != nil {
					t.Fatal(err)
				}
				start, ok, err := d.Lookup(0)
				if err != nil || !ok || start.Outcome < 0 {
					t.Errorf("%s: start is %+v (there: %v, error %v), want outcome 0 or 1", name, start, ok, err)
				}
				d.Close()
			}
		}
	}
}

// TestMisereIsHeldByTheCentreAlone checks the known answer of 3x3x3-misere.
func TestMisereIsHeldByTheCentreAlone(t *testing.T) {
	d, err := store.Open(built(t, "3x3x3-misere"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	g := d.Game()
	for cell := range g.Cells() {
		want := int8(-1)
		if g.CellName(cell) == "b2" {
			want = 0
		}
		v, ok, err := d.Lookup(g.Key(game.Start().Play(cell)))
		if err != nil || !ok || v.Outcome != want {
			t.Errorf("after %s: %+v (there: %v, error %v), want outcome %d", g.CellName(cell), v, ok, err, want)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "other.txt")
	if err := os.WriteFile(other, []byte("my notes, not a tablebase\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		args   []string
		want   string // part of the line on standard error
		status int
	}{
		{"no game", []string{"tictactoe"}, `"tictactoe" is not a game`, exitInput},
		{"no columns", []string{"0x3x3"}, "game 0x3x3", exitInput},
		{"too many cells", []string{"8x5x4"}, "at most 39 cells", exitInput},
		{"unknown word", []string{"3x3x3-torus"}, `unexpected word "torus"`, exitInput},
		{"two games", []string{"3x3x3", "4x4x4"}, "accepts at most 1 arg(s)", exitInput},
		{"turns", []string{"--turns", "both"}, `turns "both": want any or alternate`, exitInput},
		{"symmetry", []string{"--symmetry", "full"}, `symmetry "full": want none or canonical`, exitInput},
		{"negative strips", []string{"--strip-length", "-1"}, "--strip-length -1: want 0 to 20000 cells", exitInput},
		{"no jobs", []string{"--jobs", "0"}, "--jobs 0: want at least 1", exitInput},
		{"too large for memory", []string{"6x4x4", "--db", filepath.Join(folder, "large.db")}, "of memory and ", exitOther},
		{"too large for any memory", []string{"39x1x3", "--force", "--db", filepath.Join(folder, "huge.db")}, "more than a program can have", exitOther},
		{"folder missing", []string{"--db", filepath.Join(folder, "none", "ox.db")}, "there is no folder", exitOther},
		{"a folder", []string{"--db", folder}, "folder", exitOther},
		{"another file", []string{"--db", other}, "not an oxbase file", exitDamaged},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := oxbase(t, "", append([]string{"build"}, test.args...)...)
			if r.Status != test.status || !strings.Contains(r.Err, test.want) || r.Out != "" {
				t.Errorf("got %+v, want exit status %d and %q", r, test.status, test.want)
			}
		})
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (error %v)", entries, err)
	}
}

func TestDryRunBuildsNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "ox.db")
	r := oxbase(t, "", "build", "5x4x4-drop", "--dry-run", "--db", db)
	if r.Status != exitDone || r.Out != "" || !strings.Contains(r.Err, "about 1 9") || !strings.Contains(r.Err, "on disk") {
		t.Errorf("got %+v", r)
	}
	if _, err := os.Stat(db); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

// TestInterruptedBuildLeavesTheOldFile cancels builds at many moments.
func TestInterruptedBuildLeavesTheOldFile(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "ox.db")
	mustOxbase(t, "", "build", "2x2x2", "--db", db)
	before, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	interrupted := 0
	for lines := range 14 {
		ctx, cancel := context.WithCancel(t.Context())
		err := &cancelAfter{lines: lines, cancel: cancel}
		status := run(ctx, []string{"build", "4x3x3", "--db", db}, streams{strings.NewReader(""), new(strings.Builder), err})
		cancel()
		if status == exitDone {
			t.Fatalf("cancelled after line %d: done", lines)
		}
		interrupted++
		if !strings.HasSuffix(err.text.String(), "oxbase: interrupted\n") {
			t.Errorf("cancelled after line %d: %s", lines, err.text.String())
		}
		after, errRead := os.ReadFile(db)
		if errRead != nil || string(after) != string(before) {
			t.Fatalf("cancelled after line %d: the old file changed (error %v)", lines, errRead)
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
			t.Fatalf("cancelled after line %d: left behind %v (error %v)", lines, entries, err)
		}
	}
	if interrupted != 14 {
		t.Errorf("%d builds were interrupted", interrupted)
	}
}

// cancelAfter cancels a build once it has written a number of lines.
type cancelAfter struct {
	lines  int
	cancel func()
	text   strings.Builder
}

func (c *cancelAfter) Write(p []byte) (int, error) {
	c.text.Write(p)
	if strings.Count(c.text.String(), "\n") > c.lines {
		c.cancel()
	}
	return len(p), nil
}

func TestInfo(t *testing.T) {
	db := built(t, "4x3x3-drop-misere", "--strip-length", "20")
	human := mustOxbase(t, "", "info", "--db", db)
	for _, want := range []string{
		"game            4x3x3-drop-misere\n", "fall to the lowest free cell", "loses\n", "alternate\n", "canonical\n", "20 cells\n",
	} {
		if !strings.Contains(human, want) {
			t.Errorf("%q is missing in\n%s", want, human)
		}
	}
	d, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	i := d.Info()
	want := fmt.Sprintf(`{
  "name": "4x3x3-drop-misere",
  "width": 4,
  "height": 3,
  "in_row": 3,
  "is_drop": true,
  "is_misere": true,
  "turns": "alternate",
  "symmetry": "canonical",
  "strip_length": 20,
  "positions": %d,
  "content_hash": %q,
  "built_by": "oxbase %s",
  "schema_version": 1,
  "size": %d
}
`, i.Positions, i.ContentHash, version, i.Size)
	if diff := cmp.Diff(want, mustOxbase(t, "", "info", "--db", db, "--json")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHelpIsComplete walks every command: each has an example and the exit statuses it can
// return, and every flag says what it is for.
func TestHelpIsComplete(t *testing.T) {
	var walk func(words []string)
	walk = func(words []string) {
		help := mustOxbase(t, "", append(words, "--help")...)
		for _, part := range []string{"\nUsage:\n", "\nExamples:\n"} {
			if !strings.Contains(help, part) {
				t.Errorf("%v: help has no part %q", words, part)
			}
		}
		_, commands, group := strings.Cut(help, "\nAvailable Commands:\n")
		if !group && !strings.Contains(help, "\nExit status:\n  0  done\n") {
			t.Errorf("%v: help doesn't end with exit statuses", words)
		}
		commands, _, _ = strings.Cut(commands, "\n\n")
		for line := range strings.Lines(commands) {
			if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name != "" && name != "help" && name != "completion" {
				walk(append(words[:len(words):len(words)], name))
			}
		}
	}
	walk(nil)
}
