package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// shownCell is what a cell of the board shows.
type shownCell struct {
	Name     string `json:"name"`
	Piece    string `json:"piece"`
	Kind     string `json:"kind"`
	Letter   string `json:"letter"`
	Score    string `json:"score"`
	Distance string `json:"distance"`
	Best     bool   `json:"best"`
}

// shown reads the cells of the board, in reading order.
const shown = `[...document.querySelectorAll('#board .cell')].map((cell) => ({
	name: cell.dataset.name,
	piece: cell.querySelector('.stone:not(.ghost)')?.classList[1] ?? '',
	kind: ['win', 'tie', 'loss'].filter((kind) => cell.classList.contains(kind)).join(),
	letter: cell.querySelector('.mark')?.textContent ?? '',
	score: cell.querySelector('.score')?.textContent ?? '',
	distance: cell.querySelector('.distance')?.textContent ?? '',
	best: cell.classList.contains('best'),
}))`

// cellsOf says what the cells must show for a position, as the search knows it.
func (j boardJudge) cellsOf(board string, toMove byte) []shownCell {
	report := j.report(j.key(board, toMove))
	cells := make([]shownCell, len(board))
	for i, c := range board {
		cells[i].Name = fmt.Sprintf("%c%d", 'a'+i%j.width, j.height-i/j.width)
		if c != '.' {
			cells[i].Piece = string(c)
		}
		for _, move := range report.Moves {
			if move.Move != cells[i].Name {
				continue
			}
			own := int(move.Outcome)
			if toMove == 'o' {
				own = -own
			}
			cells[i].Kind = outcomeWord(own, "win", "tie", "loss")
			cells[i].Letter = strings.ToUpper(cells[i].Kind[:1])
			cells[i].Score = strings.ReplaceAll(fmt.Sprintf("%+d", move.Score), "-", "−")
			if move.Score == 0 {
				cells[i].Score = "0"
			}
			cells[i].Distance = "ends"
			if move.Distance > 0 {
				cells[i].Distance = fmt.Sprintf("in %d", move.Distance)
			}
			cells[i].Best = move.Best
		}
	}
	return cells
}

// stones reads the board as text.
const stones = `[...document.querySelectorAll('#board .cell')].map((cell) =>
	cell.querySelector('.stone:not(.ghost)')?.classList[1] ?? '.').join('')`

// played reads the moves of the game so far.
const played = `[...document.querySelectorAll('#played .chip')].slice(1).map((chip) => chip.textContent).join(' ')`

// asked counts the requests to the API since the page was opened.
const asked = `performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/api/')).length`

// TestBrowser uses the page in a real browser. With -artifacts its screenshots are kept.
func TestBrowser(t *testing.T) {
	plainOnly(t)
	server := serving(t, built(t), built(t, "4x3x3", "--symmetry", "canonical"), built(t, "4x3x3-drop"))
	tab := newBrowser(t, server)
	for _, part := range []struct {
		name string
		run  func(*browser)
	}{
		{"values", browseValues},
		{"a game by clicks", browseClicks},
		{"a game by keys", browseKeys},
		{"requests", browseRequests},
		{"history and sharing", browseSharing},
		{"setting up", browseSetUp},
		{"best moves", browseBest},
		{"against the tablebase", browseOpponent},
		{"lists", browseLists},
		{"other games", browseGames},
		{"strips", browseStrips},
		{"phone and dark", browsePhone},
	} {
		t.Run(part.name, func(t *testing.T) {
			b := tab.in(t)
			b.quiet()
			part.run(b)
			b.quiet()
		})
	}
}

func browseValues(b *browser) {
	judge := newBoardJudge(3, 3, 3, false, false)
	b.open("/")
	b.headline("x to move ties in 9 plies")
	b.is(shown, judge.cellsOf(".........", 'x'))
	b.screenshot("empty")
	for _, test := range []struct{ board, toMove, headline string }{
		{"x.o/.x./...", "o", "o to move ties in 6 plies"},
		{"x.o/.../x..", "o", "o to move loses in 4 plies"},
		{"xx./oo./...", "x", "x to move wins in 1 ply"},
		{"xox/.x./.oo", "o", "o to move wins in 1 ply"},
		{".../.../.ox", "x", "x to move wins in 5 plies"},
		{"xxx/oo./...", "o", "x has a line: x wins"},
	} {
		b.open(fmt.Sprintf("/?game=3x3x3&board=%s&to_move=%s", test.board, test.toMove))
		b.is(shown, judge.cellsOf(strings.ReplaceAll(test.board, "/", ""), test.toMove[0]))
		b.headline(test.headline)
	}
	b.open("/?game=3x3x3&board=xx./.o./...&to_move=o")
	b.screenshot("values")
	b.keys("v")
	b.is("document.querySelectorAll('#board .mark').length", 0)
	b.headline("o to move")
	b.is("[document.getElementById('moves').textContent, document.getElementById('plot').textContent]", []string{"Hidden, as values are.", "Hidden, as values are."})
	b.keys("v")
	b.is("document.querySelectorAll('#board .mark').length", 6)
}

func browseClicks(b *browser) {
	b.open("/")
	for _, name := range []string{"a3", "b3", "a2", "b2", "a2", "a1"} { // a2 is taken the second time
		b.cell(name)
	}
	b.headline("x has a line: x wins")
	b.is(stones, "xo.xo.x..")
	b.is(played, "xa3 ob3? xa2 ob2 xa1")
	b.is("[...document.querySelectorAll('#board .in-line')].map((cell) => cell.dataset.name).join(' ')", "a3 a2 a1")
	b.is("document.querySelectorAll('#plot .dot').length", 6)
	b.is("document.querySelectorAll('#plot .dot.thrown').length", 1)
	b.cell("c1") // the game is over
	b.is(stones, "xo.xo.x..")
	b.screenshot("over")
	b.click("#undo")
	b.click("#undo")
	b.is(stones, "xo.x.....")
	b.click("#redo")
	b.is(stones, "xo.xo....")
	b.click("#played li:nth-child(2) .chip")
	b.is(stones, "x........")
	b.click("#restart")
	b.is(stones, ".........")
	b.click("#swap")
	b.headline("o to move ties in 9 plies")
}

func browseKeys(b *browser) {
	b.open("/")
	b.keys(right)
	b.is("document.activeElement.dataset.name", "b2")
	b.is("getComputedStyle(document.activeElement).outlineStyle", "solid")
	b.keys(enter, up, left, enter) // b2, a3
	b.keys(down, down, right, right, enter)
	b.is("document.activeElement.dataset.name", "c1")
	b.is(stones, "o...x...x")
	b.keys("u")
	b.is(stones, "o...x....")
	b.keys("r")
	for range 6 {
		b.keys("b")
	}
	b.headline("The board is full: tie")
	b.is("document.getElementById('headline').parentElement.getAttribute('aria-live')", "polite")
	b.keys("n")
	b.is(stones, ".........")
	b.do("going to the first move of the list", chromedp.Focus(chromedp.CSS("#moves .move")))
	for moves := 1; moves <= 3; moves++ {
		b.keys(enter)
		b.until(fmt.Sprintf("document.querySelectorAll('#board .stone:not(.ghost)').length === %d", moves))
		b.until("document.activeElement.className === 'move'")
	}
	b.keys("n")
	b.keys("?")
	b.is("document.getElementById('help-text').open", true)
	b.screenshot("help")
	b.keys("b") // keys are the dialog's as long as it is open
	b.is(stones, ".........")
	b.do("closing the help", chromedp.KeyEvent("\x1b"))
	b.until("!document.getElementById('help-text').open")
}

func browseRequests(b *browser) {
	b.open("/")
	b.until("document.querySelector('#counts details')")
	count := func() (n int) {
		b.value(asked, &n)
		return n
	}
	start := count()
	for i, step := range []struct {
		what string
		do   func()
		want int
	}{
		{"a click", func() { b.cell("b2") }, 1},
		{"another click", func() { b.cell("a1") }, 1},
		{"undo", func() { b.keys("u") }, 0},
		{"redo", func() { b.keys("r") }, 0},
		{"going back", func() { b.keys("u", "u") }, 0},
		{"the end of the best line", func() { b.click("#line li:last-child .chip") }, 1},
		{"a move of the line before it", func() { b.click("#played li:nth-child(4) .chip") }, 0},
	} {
		step.do()
		if got := count() - start; got != step.want {
			b.Errorf("step %d, %s: %d requests, want %d", i, step.what, got, step.want)
		}
		start = count()
	}
}

func browseSharing(b *browser) {
	b.open("/")
	b.cell("a3")
	b.cell("b2")
	b.cell("c1")
	var address string
	b.value("location.pathname + location.search", &address)
	if want := "/?game=3x3x3&board=x../.o./..x&to_move=o&line=a3+b2+c1"; address != want {
		b.Errorf("the address is %s, want %s", address, want)
	}
	other := b.newTab()
	other.open(address)
	other.is(stones, "x...o...x")
	other.is(played, "xa3 ob2 xc1")
	other.headline("o to move ties in 6 plies")
	other.click("#undo")
	other.is(stones, "x...o....")
	b.do("going back", chromedp.NavigateBack())
	b.until(stones + " === 'x...o....'")
	b.do("going back", chromedp.NavigateBack())
	b.until(stones + " === 'x........'")
	b.do("going forward", chromedp.NavigateForward())
	b.until(stones + " === 'x...o....'")
	b.is(played, "xa3 ob2")
	b.do("loading it again", chromedp.Reload())
	b.ready()
	b.is(stones, "x...o....")
	// What an address can't mean is left out.
	b.open("/?game=nosuch&board=zzz&line=a9&to_move=q")
	b.is(stones, ".........")
	b.open("/?game=3x3x3&board=x......../&line=b2")
	b.is(stones, "x........")
	b.headline("o to move ties in 8 plies")
}

func browseSetUp(b *browser) {
	judge := newBoardJudge(3, 3, 3, false, false)
	b.open("/")
	b.click("#edit")
	b.cell("a1")
	b.cell("b1")
	b.cell("b1")
	b.cell("c3")
	b.cell("c3")
	b.cell("c3")
	b.is(stones, "......xo.")
	b.keys("e")
	b.is(shown, judge.cellsOf("......xo.", 'x'))
	b.keys("s")
	b.is(shown, judge.cellsOf("......xo.", 'o'))
	b.keys("e", "c", "e")
	b.is(stones, ".........")
	write := func(text string) { b.write("board-text", text) }
	write("XX-OO-___")
	b.until(stones + " === 'xx.oo....'")
	b.headline("x to move wins in 1 ply")
	write("xx. / o.. / ...  x")
	b.until(stones + " === 'xx.o.....'")
	b.headline("x to move wins in 1 ply")
	b.quiet()
	write("xx.")
	b.until(`document.getElementById('subline').textContent.includes('has 3 cells: 3x3x3 has 3 rows of 3 cells')`)
	b.quiet("400 (Bad Request)")
	b.do("leaving the field", chromedp.Blur(chromedp.CSS("#board-text")))
	paste := func(text string) {
		b.script("pasting", fmt.Sprintf(`
			const data = new DataTransfer();
			data.setData('text', %q);
			document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));`, text))
	}
	paste("x . o\n. x .\n. . .\n")
	b.until(stones + " === 'x.o.x....'")
	b.headline("o to move ties in 6 plies")
}

func browseBest(b *browser) {
	b.open("/?game=3x3x3&board=x../.o./...&to_move=x")
	b.click("#best")
	b.is(stones, "xx..o....")
	var at struct{ X, Y float64 }
	b.value("(({x, y, width, height}) => ({X: x + width / 2, Y: y + height / 2}))(document.getElementById('best').getBoundingClientRect())", &at)
	mouse := func(kind input.DispatchMouseEventType) chromedp.Action[chromedp.Void] {
		return chromedp.MouseEvent(kind, at.X, at.Y, chromedp.ButtonLeft, chromedp.ClickCount(1))
	}
	b.do("holding the button", mouse(input.DispatchMouseEventTypeMousePressed))
	b.until("document.getElementById('headline').textContent === 'The board is full: tie'")
	b.do("releasing the button", mouse(input.DispatchMouseEventTypeMouseReleased))
	b.open("/?game=3x3x3&board=x../.o./...&to_move=x")
	b.click("#moves tr:last-child .move")
	b.is("document.querySelectorAll('#board .stone:not(.ghost)').length", 3)
}

func browseOpponent(b *browser) {
	for _, side := range []string{"x", "o"} {
		b.open("/")
		b.choose("opponent", map[string]string{"x": "o", "o": "x"}[side])
		for moves := 0; ; moves++ {
			// It is one's turn again, or the game is over.
			b.until(fmt.Sprintf(`document.body.dataset.state === 'ready' &&
				(/line|full/.test(document.getElementById('headline').textContent) || document.getElementById('headline').textContent.startsWith('%s to move'))`, side))
			var over bool
			b.value(`/line|full/.test(document.getElementById('headline').textContent)`, &over)
			if over {
				break
			}
			if moves > 5 {
				b.Fatal("the game doesn't end")
			}
			b.keys("b")
		}
		b.headline("The board is full: tie")
	}
}

func browseLists(b *browser) {
	b.open("/?game=3x3x3&board=x.o/.x./...&to_move=o")
	judge := newBoardJudge(3, 3, 3, false, false)
	report := judge.report(judge.key("x.o.x....", 'o'))
	var moves, line []string
	for _, move := range report.Moves {
		moves = append(moves, move.Move+" "+move.Remark)
	}
	for _, step := range report.BestLine {
		line = append(line, step.ToMove+step.Move)
	}
	b.is(`[...document.querySelectorAll('#moves tbody tr')].map((row) => row.querySelector('.move').textContent + ' ' + row.querySelector('.remark').textContent)`, moves)
	b.is(`[...document.querySelectorAll('#line .chip')].map((chip) => chip.textContent)`, line)
	b.is("document.querySelectorAll('#class .thumbnails button').length", 8)
	b.is("document.querySelector('#class .facts').textContent", fmt.Sprintf("key%dof the class%d", report.Key, report.CanonicalKey))
	b.click("#class .thumbnails button.canonical")
	canonical, _ := judge.Board(int(report.CanonicalKey))
	b.is(stones, canonical)
}

func browseGames(b *browser) {
	b.open("/")
	b.choose("game", "4x3x3")
	b.headline("x to move wins in 7 plies")
	b.is("document.querySelectorAll('#board .cell').length", 12)
	b.is("new URLSearchParams(location.search).get('game')", "4x3x3")
	b.screenshot("4x3x3")
	b.choose("game", "4x3x3-drop")
	judge := newBoardJudge(4, 3, 3, true, false)
	b.is(shown, judge.cellsOf("............", 'x'))
	b.cell("b3") // falls to b1
	b.is(shown, judge.cellsOf(".........x..", 'o'))
	b.cell("b2")
	b.is(stones, ".....o...x..")
	b.screenshot("drop")
	b.until("document.querySelector('#counts details')")
	var report struct{ Text string }
	b.value("({Text: document.querySelector('#counts .hint').textContent})", &report)
	if !strings.HasPrefix(report.Text, "7,157 positions, stored as ") {
		b.Errorf("the counts are %q, want 7,157 positions", report.Text)
	}
	b.do("going back", chromedp.NavigateBack())
	b.do("going back", chromedp.NavigateBack())
	b.do("going back", chromedp.NavigateBack())
	b.until("document.getElementById('game').value === '4x3x3' && new URLSearchParams(location.search).get('game') === '4x3x3'")
	b.ready()
	b.headline("x to move wins in 7 plies")
}

func browseStrips(b *browser) {
	const row = `[...document.querySelectorAll('#strip .square')].map((square) =>
		({o: 'O', x: 'X'})[square.querySelector('.stone')?.classList[1]] ?? '.').join('')`
	const lit = `[...document.querySelectorAll('#strip .winning')].map((half) => half.dataset.piece + (Number(half.dataset.cell) + 1)).join(' ')`
	b.open("/strip?strip=O.O.....X")
	b.headline("The side to move wins")
	// The gaps are worth 1 and 0, so the XOR must become 0.
	b.is("document.getElementById('sum').textContent", "1 ⊕ 0 = 1")
	b.is(`[...document.querySelectorAll('#strip .gap-value')].map((value) => value.textContent).join(' ')`, "1 0")
	b.screenshot("strip")
	var before string
	b.value(lit, &before)
	if !strings.Contains(before, "X2") {
		b.Errorf("the lit moves are %q, want X2 among them", before)
	}
	b.click(`#strip .half[data-cell="1"][data-piece="X"]`)
	b.is(row, "OXO.....X")
	b.headline("The side to move loses")
	b.is(lit, "")
	b.keys("u")
	b.is(row, "O.O.....X")
	b.do("going back", chromedp.NavigateBack())
	b.until(row + " === 'OXO.....X'")
	b.open("/strip?strip=....")
	b.keys(right)
	b.keys(right, down, enter)
	b.is(row, ".X..")
	b.headline("The side to move wins")
	b.keys("b")
	b.headline("The side to move loses")
	for over := false; !over; {
		b.keys("b")
		b.value("document.getElementById('headline').textContent.startsWith('No move is left')", &over)
	}
	b.keys("n", "+", "-", "-")
	b.is(row, "...")
	b.keys("e")
	b.click(`#strip [data-cell="1"]`)
	b.keys("e")
	b.is(row, ".O.")
	b.write("strip-text", "..x")
	b.until(row + " === '..X'")
}

func browsePhone(b *browser) {
	light := func(scheme string) chromedp.Action[chromedp.Void] {
		return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return err
		})
	}
	defer b.do("going back to the desk", chromedp.ResetViewport(), light(""))
	b.do("taking a phone", chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateScale(2)))
	for _, test := range []struct{ name, path string }{
		{"3x3x3", "/?game=3x3x3&board=xx./.o./...&to_move=o"}, {"4x3x3", "/?game=4x3x3"},
		{"drop", "/?game=4x3x3-drop"}, {"strip", "/strip?strip=..X....O...........X"},
	} {
		b.open(test.path)
		b.is("document.documentElement.scrollWidth", 360)
		b.screenshot("phone-" + test.name)
	}
	b.open("/?game=4x3x3")
	b.is("Math.min(...[...document.querySelectorAll('.cell')].map((cell) => cell.getBoundingClientRect().width)) >= 44", true)
	b.cell("b2")
	b.is(stones, ".....x......")
	const paper = "getComputedStyle(document.body).backgroundColor"
	b.is(paper, "rgb(247, 247, 244)")
	b.do("turning off the light", light("dark"))
	b.is(paper, "rgb(21, 22, 26)")
	b.screenshot("phone-dark")
}
