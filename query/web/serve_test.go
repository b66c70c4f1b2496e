package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

// running serves a site as Serve does, with other timeouts, and returns its address.
func running(t *testing.T, site http.Handler, timeout time.Duration) string {
	t.Helper()
	server := newServer(site, log.New(io.Discard, "", 0))
	if timeout > 0 {
		server.ReadHeaderTimeout, server.ReadTimeout, server.IdleTimeout = timeout, timeout, timeout
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, server) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	return listener.Addr().String()
}

// dial opens a connection that the test may use for as long as its patience lasts.
func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// Requests that no client of good will sends get an answer that says so, or none.
func TestHostileRequests(t *testing.T) {
	addr := running(t, testSite(t, testGames(t), silent{t}), 200*time.Millisecond)
	const post = "POST /api/positions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
	for _, test := range []struct{ name, sent, want string }{
		{"a header that is too long", "GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 2*maxHeader) + "\r\n\r\n", "431 Request Header Fields Too Large"},
		{"an address that is too long", "GET /?" + strings.Repeat("x", 2*maxHeader) + " HTTP/1.1\r\nHost: a\r\n\r\n", "431 Request Header Fields Too Large"},
		{"an announced body that is too long", post + "Content-Length: 10000000\r\n\r\n" + strings.Repeat("x", maxBody+1), "413 Request Entity Too Large"},
		{"an endless body", post + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1000\r\n"+strings.Repeat("x", 0x1000)+"\r\n", maxBody/0x1000+1), "413 Request Entity Too Large"},
		{"a body that doesn't come", post + "Content-Length: 100\r\n\r\n{", "408 Request Timeout"},
		{"a body that is cut into nonsense", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "400 Bad Request"},
		{"a negative length", post + "Content-Length: -1\r\n\r\n", "400 Bad Request"},
		{"an unknown encoding", post + "Transfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"},
		{"no host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request"},
		{"no protocol", "GET /\r\n\r\n", "400 Bad Request"},
		{"an unknown method", "BREW /api/games HTTP/1.1\r\nHost: a\r\n\r\n", "405 Method Not Allowed"},
		{"a broken escape", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
		{"a zero byte", "GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
		{"another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400 Bad Request"},
		{"a header that doesn't end", "GET / HTTP/1.1\r\nHost: a\r\nX: ", ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, addr)
			// The server may have answered and hung up before it has read everything.
			_, _ = io.WriteString(conn, test.sent)
			answer, _ := io.ReadAll(conn)
			status, _, _ := strings.Cut(string(answer), "\r\n")
			if got := strings.TrimPrefix(strings.TrimPrefix(status, "HTTP/1.1 "), "HTTP/1.0 "); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("the answer is %q, want %q", got, test.want)
			}
		})
	}
}

// randomAddress returns an address under which there is nothing, or that asks for it wrongly.
func randomAddress(random *rand.Rand) string {
	text := func(alphabet string, most int) string {
		runes := []rune(alphabet)
		out := make([]rune, 1+random.IntN(most))
		for i := range out {
			out[i] = runes[random.IntN(len(runes))]
		}
		return string(out)
	}
	const (
		pathBytes  = "abz019./%\\~_-+:;@&=?#é\u202e\"'<>{}|^`$!*(),[]"
		queryBytes = "abz019./%\\~_-+:;@&=?é\u202e\"'<>{}|^`$!*(),[]xo"
		cells      = ".xoXO-_"
	)
	endpoint := []string{"games", "position", "positions", "strip", "stats"}[random.IntN(5)]
	switch random.IntN(6) {
	case 0:
		return "/x" + text(pathBytes, 60)
	case 1:
		return "/assets/" + strings.Repeat("../", random.IntN(4)) + text(pathBytes, 30)
	case 2:
		return "/api/" + endpoint + "/" + text(pathBytes, 20)
	case 3:
		return "/api/" + endpoint + "?q" + text(queryBytes, 200)
	case 4:
		return "/api/position?board=" + url.QueryEscape(strings.Repeat(text(cells, 1), 10)+text(cells+"/", 60))
	default:
		return "/api/strip?strip=" + url.QueryEscape(text("OX.", 40)+"é"+text(queryBytes, 20))
	}
}

// None of 10 000 random addresses gets anything but an error that says that it is the client's.
func TestRandomAddresses(t *testing.T) {
	addr := running(t, testSite(t, testGames(t), silent{t}), 0)
	random := rand.New(rand.NewPCG(6, 2320))
	var conn net.Conn
	var answers *bufio.Reader
	for range 10_000 {
		address := randomAddress(random)
		if conn == nil {
			conn = dial(t, addr)
			answers = bufio.NewReader(conn)
		}
		if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", address); err != nil {
			t.Fatalf("%q: %v", address, err)
		}
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("%q: %v", address, err)
		}
		body := readAll(t, answer.Body)
		if answer.StatusCode < 400 || answer.StatusCode > 499 {
			t.Fatalf("%q: %s %q, want an error of the client", address, answer.Status, body)
		}
		if answer.Close {
			conn.Close()
			conn = nil
		}
	}
}

// HEAD answers with the headers of GET alone.
func TestHead(t *testing.T) {
	addr := "http://" + running(t, testSite(t, testGames(t), silent{t}), 0)
	for _, target := range []string{"/", "/api/games", "/api/position?board=.........", "/api/strip?strip=...", "/api/stats", "/nowhere"} {
		get, err := http.Get(addr + target)
		if err != nil {
			t.Fatal(err)
		}
		body := readAll(t, get.Body)
		head, err := http.Head(addr + target)
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, head.Body); got != "" {
			t.Errorf("%s: the body is %q, want none", target, got)
		}
		if head.StatusCode != get.StatusCode || head.ContentLength != int64(len(body)) || head.Header.Get("Etag") != get.Header.Get("Etag") {
			t.Errorf("%s: %s of %d bytes with tag %s, want %s of %d with %s", target, head.Status, head.ContentLength, head.Header.Get("Etag"),
				get.Status, len(body), get.Header.Get("Etag"))
		}
	}
}

// Serve ends when it is told to, whatever clients leave open.
func TestServeEnds(t *testing.T) {
	games := testGames(t)
	counting := make(chan struct{})
	games[0].Count = func(ctx context.Context) (any, error) {
		close(counting)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	site := testSite(t, games, io.Discard)
	go func() { ended <- Serve(ctx, listener, site) }()
	for _, sent := range []string{"", "GET / HTTP/1.1\r\nHost: a\r\n", "GET /api/stats HTTP/1.1\r\nHost: a\r\n\r\n"} {
		if _, err := io.WriteString(dial(t, listener.Addr().String()), sent); err != nil {
			t.Fatal(err)
		}
	}
	<-counting
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("Serve returned %v, want nothing", err)
		}
	case <-time.After(patience):
		t.Fatal("Serve goes on after it was told to end")
	}
	if _, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		t.Error("the address still answers")
	}
}

// A listener that breaks is an error.
func TestServeBrokenListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := Serve(t.Context(), listener, testSite(t, testGames(t), io.Discard)); err == nil {
		t.Error("no error, want one")
	}
}

// FuzzQuery asks with any query. The answer is JSON, and an error of the client if it is one.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "board=xx./oo./...&to_move=x", "board=.........", "strip=..X....O.", "game=3x3x3~2&board=xx.......&to_move=o",
		"board=%zz", "board=a;b=c", "board=.........&board=.........", "etag=1", "to_move=&board=x.o%2F.x.%2F..."} {
		for endpoint := range 4 {
			f.Add(endpoint, query)
		}
	}
	site := testSite(f, testGames(f), silent{f})
	f.Fuzz(func(t *testing.T, endpoint int, query string) {
		path := []string{"/api/games", "/api/position", "/api/strip", "/api/stats"}[uint(endpoint)%4]
		r := httptest.NewRequest("GET", path, nil)
		r.URL.RawQuery = query
		checkFuzzed(t, site, r)
	})
}

// FuzzBatch asks with any body.
func FuzzBatch(f *testing.F) {
	for _, body := range []string{"", "{}", `{"positions":[{"board":"........."}]}`, `{"game":"3x3x3~2","positions":[{"board":"xx.......","to_move":"o"}]}`,
		`{"positions":[{"board":1}]}`, `{"positions":null}`, `[]`, `{"positions":[{}]}{}`, "\xff"} {
		f.Add([]byte(body))
	}
	site := testSite(f, testGames(f), silent{f})
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest("POST", "/api/positions", bytes.NewReader(body))
		r.Header.Set("Content-Type", jsonKind)
		checkFuzzed(t, site, r)
	})
}

func checkFuzzed(t *testing.T, site http.Handler, r *http.Request) {
	t.Helper()
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	switch w.Code {
	case http.StatusOK, http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge:
	default:
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	wantKind := problemKind
	if w.Code == http.StatusOK {
		wantKind = jsonKind
	}
	if got := w.Header().Get("Content-Type"); got != wantKind || !json.Valid(w.Body.Bytes()) {
		t.Errorf("status %d with %s %q, want valid %s", w.Code, got, w.Body, wantKind)
	}
}
