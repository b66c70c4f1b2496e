package main

import (
	"fmt"
	"io"
	"os"
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
		return &progressBar{out: out, tiers: tiers, began: time.Now()}
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

// progressBar draws one bar a phase once the build has taken a second.
type progressBar struct {
	out   io.Writer
	tiers int
	began time.Time
	pool  *mpb.Progress
	bar   *mpb.Bar
	phase builder.Phase
	tier  int
}

func (b *progressBar) report(p builder.Progress) {
	if b.pool == nil {
		if time.Since(b.began) < time.Second {
			return
		}
		b.pool = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(72))
	}
	if b.bar == nil || b.phase != p.Phase {
		b.start(p.Phase, p.Total)
	}
	b.tier = p.Tier
	b.bar.SetCurrent(p.Done)
}

// start replaces the bar of the last phase by one for the next.
func (b *progressBar) start(phase builder.Phase, total int64) {
	if b.bar != nil {
		b.bar.Abort(true)
	}
	b.phase = phase
	b.bar = b.pool.AddBar(total,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(
			decor.Any(func(decor.Statistics) string { return b.title() }, decor.WC{W: 22, C: decor.DindentRight}),
		),
		mpb.AppendDecorators(
			decor.CountersNoUnit("%d/%d"),
			decor.AverageSpeed(0, "  %.0f/s"),
			decor.AverageETA(decor.ET_STYLE_MMSS, decor.WC{W: 7}),
		))
}

func (b *progressBar) title() string {
	if b.phase == builder.Enumerate || b.phase == builder.Solve {
		return fmt.Sprintf("%s tier %d of %d", b.phase, b.tier, b.tiers)
	}
	return string(b.phase)
}

func (b *progressBar) checking() {
	if b.pool != nil {
		b.start("check", 0)
	}
}

func (b *progressBar) end() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.pool.Wait()
	}
}
