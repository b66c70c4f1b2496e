package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/query"
)

// fetch returns the body of an answer that must be good.
func fetch(t testing.TB, url string) []byte {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, url, answer)
}

func bodyOf(t testing.TB, url string, answer *http.Response) []byte {
	t.Helper()
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s %v", url, answer.Status, body, err)
	}
	return body
}

// TestServeEveryPosition asks the API for every position of 3x3x3, for those that play can reach
// one by one and for all of them many at a time, and compares each report with what the search says.
func TestServeEveryPosition(t *testing.T) {
	plainOnly(t)
	t.Parallel()
	judge := newBoardJudge(3, 3, 3, false, false)
	server := serving(t, built(t))
	var keys []int
	reachable := 0
	for key := range judge.Keys() {
		if !judge.Possible(key) {
			continue
		}
		keys = append(keys, key)
		if !judge.Reachable(key) {
			continue
		}
		reachable++
		board, toMove := judge.Board(key)
		got := fetch(t, fmt.Sprintf("%s/api/position?board=%s&to_move=%c", server, board, toMove))
		sameReport(t, judge, key, bytes.TrimSuffix(got, []byte("\n")))
	}
	if reachable != 5478 || len(keys) != 38742 {
		t.Fatalf("asked for %d and %d positions, want 5478 and 38742", reachable, len(keys))
	}
	for len(keys) > 0 {
		n := min(1000, len(keys))
		var asked struct {
			Positions []map[string]string `json:"positions"`
		}
		for _, key := range keys[:n] {
			board, toMove := judge.Board(key)
			asked.Positions = append(asked.Positions, map[string]string{"board": board, "to_move": string(toMove)})
		}
		var answered struct {
			Positions []json.RawMessage `json:"positions"`
		}
		if err := json.Unmarshal(post(t, server, asked), &answered); err != nil {
			t.Fatal(err)
		}
		if len(answered.Positions) != n {
			t.Fatalf("%d answers to %d positions", len(answered.Positions), n)
		}
		for i, key := range keys[:n] {
			sameReport(t, judge, key, answered.Positions[i])
		}
		keys = keys[n:]
	}
}

func post(t testing.TB, server string, asked any) []byte {
	t.Helper()
	body, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(server+"/api/positions", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, server, answer)
}

func sameReport(t *testing.T, judge boardJudge, key int, got []byte) {
	t.Helper()
	want, err := json.Marshal(judge.report(key))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		var report query.Report
		if err := json.Unmarshal(got, &report); err != nil {
			t.Fatalf("key %d: %v in %s", key, err, got)
		}
		t.Fatalf("key %d (-want +got):\n%s", key, diff.Diff(judge.report(key), report))
	}
}

// What the API says is what the commands say.
func TestServeAsCommands(t *testing.T) {
	t.Parallel()
	first, second := built(t), built(t, "4x3x3-drop")
	server := serving(t, first, second)
	for _, test := range []struct {
		path string
		args []string
	}{
		{"/api/position?board=x.o/.x./...", []string{"query", "board", "x.o/.x./...", "--json", "--db", first}},
		{"/api/position?game=4x3x3-drop&board=..../..../.xo.", []string{"query", "board", "..../..../.xo.", "--json", "--db", second}},
		{"/api/strip?strip=" + url.QueryEscape("..x....o."), []string{"query", "strip", "..x....o.", "--json", "--db", first}},
		{"/api/stats", []string{"stats", "--json", "--db", first}},
		{"/api/stats?game=4x3x3-drop", []string{"stats", "--json", "--db", second}},
	} {
		var got, want any
		if err := json.Unmarshal(fetch(t, server+test.path), &got); err != nil {
			t.Fatalf("%s: %v", test.path, err)
		}
		if err := json.Unmarshal([]byte(mustOxbase(t, "", test.args...)), &want); err != nil {
			t.Fatalf("%s: %v", test.path, err)
		}
		if diff := diff.Diff(want, got); diff != "" {
			t.Errorf("%s, and oxbase %s (-command +API):\n%s", test.path, strings.Join(test.args, " "), diff)
		}
	}
}

// A file that is too large for the memory is read as it is asked for, and answers the same.
func TestServedGameFromFile(t *testing.T) {
	t.Parallel()
	path := built(t, "4x3x3-drop")
	d, err := openDB(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	room := query.LoadedSize(d.Info().Positions)
	tooSmall, enough := room-1, room
	onDisk, err := servedGame(t.Context(), path, d, &tooSmall)
	if err != nil {
		t.Fatal(err)
	}
	inMemory, err := servedGame(t.Context(), path, d, &enough)
	if err != nil {
		t.Fatal(err)
	}
	if onDisk.Tablebase.Source != query.Source(d) || onDisk.Count != nil || tooSmall != room-1 {
		t.Errorf("with %d bytes for %d the file was read into memory", room-1, room)
	}
	if inMemory.Tablebase.Source == query.Source(d) || inMemory.Count == nil || enough != 0 {
		t.Errorf("with %d bytes for %[1]d the file was not read into memory, or %d bytes are left", room, enough)
	}
	want, err := inMemory.Tablebase.Report(game.Start())
	if err != nil {
		t.Fatal(err)
	}
	got, err := onDisk.Tablebase.Report(game.Start())
	if err != nil {
		t.Fatal(err)
	}
	if diff := diff.Diff(want, got); diff != "" {
		t.Errorf("the start (-memory +file):\n%s", diff)
	}
}

func TestServeErrors(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	folder := t.TempDir()
	foreign, cut := filepath.Join(folder, "foreign.db"), filepath.Join(folder, "cut.db")
	whole, err := os.ReadFile(built(t))
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{foreign: "not a database\n", cut: string(whole[:len(whole)/2])} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"a taken port", []string{"--addr", taken.Addr().String(), built(t)}, exitOther,
			"another program listens on " + taken.Addr().String() + " already: choose another port with --addr, 0 for any that is free"},
		{"no port", []string{"--addr", "localhost", built(t)}, exitInput, `--addr "localhost": want HOST:PORT, such as 127.0.0.1:8080`},
		{"an unknown port", []string{"--addr", "127.0.0.1:nosuch", built(t)}, exitInput, `--addr "127.0.0.1:nosuch": `},
		{"a port that is too large", []string{"--addr", "127.0.0.1:99999", built(t)}, exitInput, `--addr "127.0.0.1:99999": `},
		{"another computer's address", []string{"--addr", "192.0.2.1:0", built(t)}, exitOther, "listening on 192.0.2.1:0: "},
		{"files twice", []string{"--addr", "127.0.0.1:0", "--db", built(t), built(t)}, exitInput, "serve takes files as arguments or one with --db, not both"},
		{"no file", []string{"--addr", "127.0.0.1:0", filepath.Join(folder, "nosuch.db")}, exitMissing, "nosuch.db: no such file"},
		{"a foreign file", []string{"--addr", "127.0.0.1:0", built(t), foreign}, exitDamaged, "foreign.db: not an oxbase file"},
		{"half a file", []string{"--addr", "127.0.0.1:0", cut}, exitDamaged, "cut.db: damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := oxbase(t, "", append([]string{"serve"}, test.args...)...)
			if r.Status != test.status || !strings.Contains(r.Err, test.want) || r.Out != "" {
				t.Errorf("exit status %d, %q and on standard output %q, want %d, %q and nothing", r.Status, r.Err, r.Out, test.status, test.want)
			}
		})
	}
}

// An interrupt before the files are read ends the program too.
func TestServeInterrupted(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r := oxbaseContext(ctx, "", "serve", "--addr", "127.0.0.1:0", built(t)); r.Status != exitOther || r.Out != "" {
		t.Errorf("exit status %d, %q, want %d", r.Status, r.Err, exitOther)
	}
}

func TestPageURL(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080/",
		"[::1]:8080":     "http://[::1]:8080/",
		"0.0.0.0:80":     "http://localhost:80/",
		"[::]:80":        "http://localhost:80/",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := pageURL(tcp); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
