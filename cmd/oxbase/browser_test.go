package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// patience is how long a test waits for what must happen before it gives up.
const patience = 30 * time.Second

// serving runs "oxbase serve" until the test ends and returns the address that it printed.
func serving(t testing.TB, args ...string) (url string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, write := io.Pipe()
	var stderr strings.Builder
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), streams{strings.NewReader(""), write, &stderr})
		write.Close()
	}()
	t.Cleanup(func() {
		stop()
		if got := <-status; got != exitDone {
			t.Errorf("oxbase serve: exit status %d, %s", got, stderr.String())
		}
	})
	if _, err := fmt.Fscanln(out, &url); err != nil {
		t.Fatalf("oxbase serve printed no address: %v", err)
	}
	go io.Copy(io.Discard, out)
	return strings.TrimSuffix(url, "/")
}

// browser is one tab of a real browser with a page of a server.
type browser struct {
	testing.TB
	ctx    context.Context
	server string
	faults *faults
}

// faults are what the tab's console complained about.
type faults struct {
	sync.Mutex
	lines []string
}

// newBrowser starts a browser with an empty profile. It skips the test where there is none.
func newBrowser(t *testing.T, server string) *browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("there is no browser to look at the page with: install Debian's package chromium")
	}
	profile, err := os.MkdirTemp("", "oxbase-browser-*")
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.WindowSize(1280, 1000), chromedp.WSURLReadTimeout(patience))
	allocated, free := chromedp.NewExecAllocator(context.Background(), options...)
	noted := new(faults)
	ctx, closeTab := chromedp.NewContext(allocated, chromedp.WithListener(noted.listen))
	t.Cleanup(func() {
		closeTab()
		free()
		os.RemoveAll(profile)
	})
	if err := chromedp.Do(ctx); err != nil { // the browser lives as long as this call's context
		t.Fatalf("starting %s: %v", program, err)
	}
	return &browser{TB: t, ctx: ctx, server: server, faults: noted}
}

// listen remembers complaints of a tab's console: errors of scripts, of requests, and of the
// content security policy.
func (f *faults) listen(event any) {
	var line string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		line = e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			line += ": " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			line = fmt.Sprintf("console %s: %v", e.Type, e.Args)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			line = fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	}
	if line != "" {
		f.Lock()
		defer f.Unlock()
		f.lines = append(f.lines, line)
	}
}

// quiet checks that the console complained about nothing but what is expected, and forgets it.
func (b *browser) quiet(want ...string) {
	b.Helper()
	b.is("1", 1) // what the tab has said comes before its answer
	b.faults.Lock()
	defer b.faults.Unlock()
	fits := len(b.faults.lines) == len(want)
	for i := 0; fits && i < len(want); i++ {
		fits = strings.Contains(b.faults.lines[i], want[i])
	}
	if !fits {
		b.Errorf("the console says %q, want %q", b.faults.lines, want)
	}
	b.faults.lines = nil
}

// newTab opens another tab of the same browser.
func (b *browser) newTab() *browser {
	b.Helper()
	ctx, closeTab := chromedp.NewContext(b.ctx, chromedp.WithListener(b.faults.listen))
	b.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		b.Fatalf("opening a tab: %v", err)
	}
	return &browser{TB: b.TB, ctx: ctx, server: b.server, faults: b.faults}
}

// in is the same tab for a part of the test.
func (b *browser) in(t *testing.T) *browser {
	tab := *b
	tab.TB = t
	return &tab
}

// do carries out actions in the tab. what says in words what they are.
func (b *browser) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.screenshot("failed")
		b.Fatalf("%s: %v", what, err)
	}
}

// open loads a page of the server and waits until it is complete.
func (b *browser) open(path string) {
	b.Helper()
	b.do("opening "+path, chromedp.Navigate(b.server+path))
	b.ready()
}

// ready waits until the page shows what it was asked for.
func (b *browser) ready() {
	b.Helper()
	b.until("document.body.dataset.state === 'ready'")
}

// until waits for a condition in the page.
func (b *browser) until(condition string) {
	b.Helper()
	b.do("waiting for "+condition, chromedp.Poll[chromedp.Void](condition))
}

// click clicks in the middle of an element, as a mouse does, and waits for what comes of it.
func (b *browser) click(selector string) {
	b.Helper()
	b.do("clicking "+selector, chromedp.Click(chromedp.CSS(selector)))
	b.ready()
}

// cell clicks on a cell of the board.
func (b *browser) cell(name string) {
	b.Helper()
	b.click(fmt.Sprintf("#board [data-name=%q]", name))
}

// keys presses keys one after the other and waits for what comes of each: a letter, or a name
// that the package of keys has.
func (b *browser) keys(keys ...string) {
	b.Helper()
	for _, key := range keys {
		b.do("pressing "+key, chromedp.KeyEvent(key))
		b.ready()
	}
}

// write goes to the page's field for a text by its key and writes there.
func (b *browser) write(id, text string) {
	b.Helper()
	b.keys("p")
	b.is("document.activeElement.id", id)
	// The key itself is written, since a key that is only played isn't held back.
	b.script("selecting", "document.activeElement.select()")
	b.do("writing "+text, chromedp.KeyEvent(text+enter))
}

const (
	enter = kb.Enter
	left  = kb.ArrowLeft
	right = kb.ArrowRight
	up    = kb.ArrowUp
	down  = kb.ArrowDown
)

// value computes an expression in the page.
func (b *browser) value(expression string, to any) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression))
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		b.screenshot("failed")
		b.Fatalf("computing %s: %v", expression, err)
	}
}

// script runs statements in the page.
func (b *browser) script(what, statements string) {
	b.Helper()
	b.do(what, chromedp.Evaluate[chromedp.Void]("{"+statements+"}"))
	b.ready()
}

// choose chooses from a list, as a person does with the mouse.
func (b *browser) choose(id, value string) {
	b.Helper()
	b.script("choosing "+value, fmt.Sprintf(`
		const choice = document.getElementById(%q);
		choice.value = %q;
		choice.dispatchEvent(new Event('change', {bubbles: true}));`, id, value))
}

// is checks the value of an expression in the page, which can be written as JSON.
func (b *browser) is(expression string, want any) {
	b.Helper()
	var gotValue, wantValue any
	b.value(expression, &gotValue)
	text, err := json.Marshal(want)
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(text, &wantValue); err != nil {
		b.Fatal(err)
	}
	if diff := cmp.Diff(wantValue, gotValue); diff != "" {
		b.screenshot("failed")
		b.Errorf("%s (-want +got):\n%s", expression, diff)
	}
}

// headline checks the sentence about the position or strip.
func (b *browser) headline(want string) {
	b.Helper()
	b.is("document.getElementById('headline').textContent", want)
}

// screenshot writes a picture of the tab beside the other artifacts of the test.
func (b *browser) screenshot(name string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Logf("no screenshot %s: %v", name, err)
		return
	}
	path := filepath.Join(b.ArtifactDir(), name+".png")
	if err := os.WriteFile(path, png, 0o666); err != nil {
		b.Error(err)
	}
}
