package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"oxbase/builder"
)

// progressView shows how far a build is.
type progressView interface {
	report(builder.Progress)
	checking() // the file is complete and SQLite checks it
	end()
}

func newProgressView(out io.Writer, tiers int) progressView {
	if isTerminal(out) {
		return &progressBar{phaseBar: phaseBar{out: out, began: time.Now()}, tiers: tiers}
	}
	return &progressLines{out: out, tiers: tiers}
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && (isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()))
}

// progressLines writes a line for each tier that is solved.
type progressLines struct {
	out   io.Writer
	tiers int
	done  int64
}

func (l *progressLines) report(p builder.Progress) {
	if p.Phase != builder.Solve || !p.TierDone {
		return
	}
	fmt.Fprintf(l.out, "tier %d of %d solved: %s, %s of %s done\n",
		p.Tier, l.tiers, plural(p.Done-l.done, "board"), thousands(p.Done), thousands(p.Total))
	l.done = p.Done
}

func (l *progressLines) checking() {}
func (l *progressLines) end()      {}

// progressBar draws one bar a phase of a build.
type progressBar struct {
	phaseBar
	tiers int
}

func (b *progressBar) report(p builder.Progress) {
	title := string(p.Phase)
	if p.Phase == builder.Enumerate || p.Phase == builder.Solve {
		title = fmt.Sprintf("%s tier %d of %d", p.Phase, p.Tier, b.tiers)
	}
	b.show(string(p.Phase), title, p.Done, p.Total)
}

func (b *progressBar) checking() { b.show("check", "check", 0, 0) }

// phaseBar draws one bar a phase once the work has taken a second.
type phaseBar struct {
	out   io.Writer
	began time.Time
	pool  *mpb.Progress
	bar   *mpb.Bar
	phase string
	title atomic.Value // a string, read by the goroutine that draws
}

// show moves the bar of a phase, which replaces that of the last one. A total of 0 isn't known.
func (b *phaseBar) show(phase, title string, done, total int64) {
	if b.pool == nil {
		if time.Since(b.began) < time.Second {
			return
		}
		b.pool = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(72))
	}
	b.title.Store(title)
	if b.bar == nil || b.phase != phase {
		b.start(phase, total)
	}
	b.bar.SetCurrent(done)
}

// start replaces the bar of the last phase by one for the next.
func (b *phaseBar) start(phase string, total int64) {
	if b.bar != nil {
		b.bar.Abort(true)
	}
	b.phase = phase
	b.bar = b.pool.AddBar(total,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(
			decor.Any(func(decor.Statistics) string { return b.title.Load().(string) }, decor.WC{W: 22, C: decor.DindentRight}),
		),
		mpb.AppendDecorators(
			decor.CountersNoUnit("%d/%d"),
			decor.AverageSpeed(0, "  %.0f/s"),
			decor.AverageETA(decor.ET_STYLE_MMSS, decor.WC{W: 7}),
		))
}

func (b *phaseBar) end() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.pool.Wait()
	}
}
