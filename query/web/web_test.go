package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
	"oxbase/game/gametest"
	"oxbase/query"
)

var update = flag.Bool("update", false, "rewrite golden files")

// searched is a source that answers from a search of the game instead of a file.
type searched struct {
	*gametest.Search
	gaps map[game.Gap]int
}

func (s searched) Lookup(key game.Key) (game.Value, bool, error) {
	if !s.Possible(int(key)) {
		return game.Value{}, false, nil
	}
	score, distance := s.Value(int(key))
	v := game.Value{Score: int8(score), Distance: int8(distance), Reachable: s.Reachable(int(key))}
	switch {
	case score > 0:
		v.Outcome = 1
	case score < 0:
		v.Outcome = -1
	}
	return v, true, nil
}

func (s searched) Gap(gap game.Gap) (int, bool, error) {
	sg, ok := s.gaps[gap]
	return sg, ok, nil
}

// onlyReachable leaves out what play can't reach.
type onlyReachable struct{ searched }

func (s onlyReachable) Lookup(key game.Key) (game.Value, bool, error) {
	if !s.Reachable(int(key)) {
		return game.Value{}, false, nil
	}
	return s.searched.Lookup(key)
}

// longestGap is the length of the longest gap that the test's games know.
const longestGap = 12

// gapValues returns SG values by the published formula.
func gapValues() map[game.Gap]int {
	values := map[game.Gap]int{}
	for length := range longestGap + 1 {
		for _, left := range game.Ends() {
			for _, right := range game.Ends() {
				sg := 0
				switch {
				case length == 0:
				case left == game.Edge && right == game.Edge:
					sg = length % 2
				case left == game.Edge || right == game.Edge:
					sg = length
				case left == right:
					sg = 1
				}
				values[game.Gap{Length: length, Left: left, Right: right}] = sg
			}
		}
	}
	return values
}

// testGames returns 3x3x3 with every position, and 3x3x3 with those alone that play can reach.
func testGames(t testing.TB) []Game {
	t.Helper()
	g, err := game.Parse("3x3x3")
	if err != nil {
		t.Fatal(err)
	}
	source := searched{gametest.New(3, 3, 3, false, false), gapValues()}
	count := func(context.Context) (any, error) {
		return map[string]any{"name": g.String(), "counted": true}, nil
	}
	return []Game{
		{&query.Tablebase{Game: g, Turns: game.AnyTurns, Symmetry: game.NoSymmetry, Source: source}, longestGap, 38742, "hash-of-any", count},
		{&query.Tablebase{Game: g, Turns: game.Alternate, Symmetry: game.NoSymmetry, Source: onlyReachable{source}}, longestGap, 5478, "hash-of-alternate", nil},
	}
}

// testSite serves games. What it logs is an error, unless the test reads it itself.
func testSite(t testing.TB, games []Game, logged io.Writer) *Site {
	t.Helper()
	site, err := New("1.2.3", games, log.New(logged, "", 0))
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// silent is a log in which nothing may be written.
type silent struct{ testing.TB }

func (s silent) Write(text []byte) (int, error) {
	s.Errorf("logged %q, want nothing", text)
	return len(text), nil
}

// ask sends a request to a handler.
func ask(h http.Handler, method, target string, body io.Reader, header ...string) *http.Response {
	r := httptest.NewRequest(method, target, body)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func readAll(t testing.TB, r io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// golden compares a text with a file in testdata, or writes that when asked to.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// transcript writes an answer: status, headers, and the body with JSON indented.
func transcript(t *testing.T, request string, r *http.Response) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%s\n", request, r.Status)
	for _, name := range []string{"Content-Type", "Etag", "Cache-Control", "Allow", "Access-Control-Allow-Origin",
		"Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Location"} {
		for _, value := range r.Header.Values(name) {
			fmt.Fprintf(&out, "%s: %s\n", name, value)
		}
	}
	body := readAll(t, r.Body)
	if strings.HasSuffix(r.Header.Get("Content-Type"), "json") {
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(body), "", "  "); err != nil {
			t.Fatalf("%s: %v in %q", request, err, body)
		}
		body = indented.String()
	}
	fmt.Fprintf(&out, "\n%s", body)
	return out.String()
}

// The answer of each endpoint, and each way of asking wrongly.
func TestAnswers(t *testing.T) {
	site := testSite(t, testGames(t), silent{t})
	tag := site.games[0].ETag
	// They change with each file of the page.
	tags := strings.NewReplacer(tag, "TAG", site.games[1].ETag, "OTHER-TAG", site.list.etag, "LIST-TAG")
	many := `{"positions":[` + strings.Repeat(`{"board":"........."},`, maxBatch) + `{"board":"........."}]}`
	for _, test := range []struct {
		name, method, target, body string
		header                     []string
	}{
		{name: "games", target: "/api/games"},
		{name: "games-known", target: "/api/games", header: []string{"If-None-Match", `"other", W/"` + site.list.etag + `"`}},
		{name: "games-parameter", target: "/api/games?game=3x3x3"},
		{name: "position", target: "/api/position?game=3x3x3&board=xx./oo./...&to_move=x"},
		{name: "position-first-game", target: "/api/position?board=xx.oo...."},
		{name: "position-terminal", target: "/api/position?board=xxx/oo./..."},
		{name: "position-tag", target: "/api/position?board=xxx/oo./...&etag=" + tag},
		{name: "position-other-tag", target: "/api/position?board=xxx/oo./...&etag=abc"},
		{name: "position-known", target: "/api/position?board=xxx/oo./...", header: []string{"If-None-Match", `"` + tag + `"`}},
		{name: "position-no-board", target: "/api/position"},
		{name: "position-no-cell", target: "/api/position?board=xx./zz./..."},
		{name: "position-size", target: "/api/position?board=xx./oo."},
		{name: "position-turn", target: "/api/position?board=xxx/.../..."},
		{name: "position-side", target: "/api/position?board=.../.../...&to_move=z"},
		{name: "position-both-lines", target: "/api/position?board=xxx/ooo/...&to_move=x"},
		{name: "position-unreachable", target: "/api/position?game=3x3x3~2&board=xx./.../...&to_move=x"},
		{name: "position-no-game", target: "/api/position?game=9x9x9&board=........."},
		{name: "position-parameter", target: "/api/position?board=.........&sql=1"},
		{name: "position-twice", target: "/api/position?board=.........&board=x........"},
		{name: "position-encoding", target: "/api/position?board=%zz"},
		{name: "position-semicolon", target: "/api/position?board=.........;to_move=x"},
		{name: "position-post", method: "POST", target: "/api/position"},
		{name: "positions", method: "POST", target: "/api/positions",
			body: `{"game":"3x3x3","positions":[{"board":"xxx/oo./..."},{"board":"xo"},{"board":"oox/xxo/oxx","to_move":"o"},{"board":"xxx/ooo/...","to_move":"x"}]}`},
		{name: "positions-missing", method: "POST", target: "/api/positions",
			body: `{"game":"3x3x3~2","positions":[{"board":"xx./.../...","to_move":"o"}]}`},
		{name: "positions-options", method: "OPTIONS", target: "/api/positions"},
		{name: "positions-get", target: "/api/positions"},
		{name: "positions-none", method: "POST", target: "/api/positions", body: `{"positions":[]}`},
		{name: "positions-no-game", method: "POST", target: "/api/positions", body: `{"game":"nosuch","positions":[{"board":"x"}]}`},
		{name: "positions-many", method: "POST", target: "/api/positions", body: many},
		{name: "positions-field", method: "POST", target: "/api/positions", body: `{"positions":[{"key":0}]}`},
		{name: "positions-rest", method: "POST", target: "/api/positions", body: `{"positions":[{"board":"........."}]} {}`},
		{name: "positions-text", method: "POST", target: "/api/positions", body: `.........`},
		{name: "positions-empty", method: "POST", target: "/api/positions"},
		{name: "positions-long", method: "POST", target: "/api/positions", body: `{"game":"` + strings.Repeat("x", maxBody) + `"}`},
		{name: "positions-type", method: "POST", target: "/api/positions", body: `{}`, header: []string{"Content-Type", "text/plain"}},
		{name: "positions-parameter", method: "POST", target: "/api/positions?x=y", body: `{}`},
		{name: "strip", target: "/api/strip?strip=..x....o."},
		{name: "strip-lost", target: "/api/strip?strip=O.X"},
		{name: "strip-empty", target: "/api/strip"},
		{name: "strip-cell", target: "/api/strip?strip=.a."},
		{name: "strip-gap", target: "/api/strip?strip=............."},
		{name: "strip-long", target: "/api/strip?strip=" + strings.Repeat(".", maxStrip+1)},
		{name: "stats", target: "/api/stats?game=3x3x3"},
		{name: "stats-known", target: "/api/stats", header: []string{"If-None-Match", `"` + tag + `"`}},
		{name: "stats-none", target: "/api/stats?game=3x3x3~2"},
		{name: "nowhere", target: "/nowhere"},
		{name: "nowhere-api", target: "/api/"},
		{name: "nowhere-post", method: "POST", target: "/nowhere"},
		{name: "page-post", method: "POST", target: "/"},
		{name: "asset-above", target: "/assets/../web.go"},
		{name: "asset-encoded", target: "/assets/..%2fweb.go"},
		{name: "asset-folder", target: "/assets/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.method == "" {
				test.method = "GET"
			}
			if test.method == "POST" && test.header == nil {
				test.header = []string{"Content-Type", "application/json; charset=utf-8"}
			}
			request := test.method + " " + test.target
			if test.body != "" {
				request += "\n" + test.body
			}
			if len(request) > 1000 {
				request = fmt.Sprintf("%s… (%d bytes)", request[:60], len(request))
			}
			answer := ask(site, test.method, test.target, strings.NewReader(test.body), test.header...)
			golden(t, test.name+".txt", tags.Replace(transcript(t, request, answer)))
		})
	}
}

// Every answer forbids the browser whatever the page doesn't need.
func TestHeaders(t *testing.T) {
	site := testSite(t, testGames(t), silent{t})
	for _, target := range []string{"/", "/strip", "/assets/style.css", "/api/games", "/nowhere"} {
		answer := ask(site, "GET", target, nil)
		policy := answer.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
			"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy %q lacks %s", target, policy, want)
			}
		}
		if got := answer.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options is %q, want nosniff", target, got)
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy %q allows something unsafe", target, policy)
		}
	}
}

// The pages are served under their paths, each asset with its kind, and the pages ask for nothing
// that isn't served and hold no script or style of their own.
func TestAssets(t *testing.T) {
	site := testSite(t, testGames(t), silent{t})
	kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
	for _, page := range []string{"/", "/strip"} {
		answer := ask(site, "GET", page, nil)
		html := readAll(t, answer.Body)
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %s, %s", page, answer.Status, answer.Header.Get("Content-Type"))
		}
		for _, forbidden := range []string{"<style", " style=", "javascript:", " onclick", "http://", "https://"} {
			if strings.Contains(html, forbidden) {
				t.Errorf("%s holds %q", page, forbidden)
			}
		}
		if n, src := strings.Count(html, "<script"), strings.Count(html, `<script type="module" src="/assets/`); n != src {
			t.Errorf("%s has %d scripts, %d of them from the assets", page, n, src)
		}
		if got := ask(site, "GET", page, nil, "If-None-Match", answer.Header.Get("Etag")); got.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %s for the tag that it has, want 304", page, got.Status)
		}
	}
	entries, err := os.ReadDir("assets")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		extension := filepath.Ext(entry.Name())
		if extension == ".html" {
			continue
		}
		answer := ask(site, "GET", "/assets/"+entry.Name(), nil)
		want, err := os.ReadFile(filepath.Join("assets", entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, answer.Body); got != string(want) || answer.Header.Get("Content-Type") != kinds[extension] {
			t.Errorf("%s: %d bytes of %s, want %d of %s", entry.Name(), len(got), answer.Header.Get("Content-Type"), len(want), kinds[extension])
		}
	}
}

// faulty is a source that fails.
type faulty struct {
	searched
	fail func() error
}

func (f faulty) Lookup(game.Key) (game.Value, bool, error) { return game.Value{}, false, f.fail() }

// What goes wrong on this side is for the log. The client learns that it isn't its fault, and
// nothing of files or code.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		fail   func() error
		detail string
		logged string
	}{
		{"no row", func() error { return nil }, "the tablebase is damaged or incomplete: the server's log says more",
			"it has no row for board .../.../... with x to move"},
		{"unreadable", func() error { return errors.New("/secret/ox.db: I/O error") }, "the tablebase can't be read: the server's log says more", "/secret/ox.db: I/O error"},
		{"panic", func() error { panic("at line 7") }, "the server made a mistake: its log says more", "panic: "},
	} {
		for _, request := range []struct{ method, target, body string }{
			{"GET", "/api/position?board=.........", ""},
			{"POST", "/api/positions", `{"positions":[{"board":"........."}]}`},
		} {
			t.Run(test.name+request.target, func(t *testing.T) {
				games := testGames(t)
				games[0].Tablebase.Source = faulty{searched{gametest.New(3, 3, 3, false, false), nil}, test.fail}
				var logged bytes.Buffer
				answer := ask(testSite(t, games, &logged), request.method, request.target, strings.NewReader(request.body), "Content-Type", "application/json")
				want := fmt.Sprintf(`{"type":"about:blank","title":"Internal Server Error","status":500,"detail":%q}`+"\n", test.detail)
				if got := readAll(t, answer.Body); got != want || answer.StatusCode != http.StatusInternalServerError {
					t.Errorf("%s %q, want %q", answer.Status, got, want)
				}
				if cache := answer.Header.Get("Cache-Control"); cache != "no-store" {
					t.Errorf("Cache-Control is %q, want no-store", cache)
				}
				if !strings.Contains(logged.String(), test.logged) {
					t.Errorf("logged %q, want %q in it", logged.String(), test.logged)
				}
			})
		}
	}
}

// Statistics are counted once, for whoever asks first, and again if that failed.
func TestStatsOnce(t *testing.T) {
	games := testGames(t)
	calls := 0
	games[0].Count = func(context.Context) (any, error) {
		if calls++; calls == 1 {
			return nil, context.Canceled
		}
		return calls, nil
	}
	site := testSite(t, games, silent{t})
	for i, want := range []string{"503 Service Unavailable", "2\n", "2\n"} {
		answer := ask(site, "GET", "/api/stats", nil)
		got := readAll(t, answer.Body)
		if answer.StatusCode != http.StatusOK {
			got = answer.Status
		}
		if got != want {
			t.Errorf("answer %d is %q, want %q", i+1, got, want)
		}
	}
}
