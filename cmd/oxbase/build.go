package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/spf13/cobra"

	"oxbase/builder"
	"oxbase/game"
	"oxbase/store"
)

const (
	defaultGame = "3x3x3"
	defaultDB   = "ox.db"

	// runtimeMemory is what a build needs beside the builder's own arrays, in bytes: SQLite's
	// page cache, rows on their way to the file, the runtime; garbage is what may pile up
	// before it is collected.
	runtimeMemory = 64 << 20
	garbage       = 64 << 20

	// addressable is what a program can have at most, in bytes, on the processors of today.
	addressable = 1 << 46
)

// buildOptions are the flags of build.
type buildOptions struct {
	game        *game.Game
	db          string
	turns       game.Turns
	symmetry    game.Symmetry
	stripLength int
	jobs        int
	dryRun      bool
	force       bool
}

func newBuild(s streams, db *string) *cobra.Command {
	var o buildOptions
	var turns, symmetry string
	cmd := &cobra.Command{
		Use:   "build [GAME]",
		Short: "Build a tablebase file",
		Long: `Build the tablebase of a game: WIDTHxHEIGHTxINROW, then -drop if a stone falls to the
lowest free cell of its column and -misere if whoever completes a line loses. The
default is 3x3x3. Up to 39 cells fit a key.

The file is written beside its place, checked by SQLite, and then replaces what
stood there in one step. A build that fails, is interrupted or is killed leaves the
old file as it was. ox.db is called .ox.db.oxbase.tmp until it is complete. What a
build that was killed has left under that name, and the empty .ox.db.oxbase.lock,
are removed by the next one. While a file is being built a second build of it is
refused. Whoever reads the old file goes on reading it.

If FILE is a link, what it leads to is replaced, or created. Only a tablebase or an
empty file is replaced: a folder, a device, a pipe, another program's file and a
tablebase that another program is changing are refused.`,
		Example: `  oxbase build
  oxbase build 4x4x3
  oxbase build 5x4x4-drop --db drop.db
  oxbase build 3x3x3-misere --turns alternate --symmetry canonical
  oxbase build 5x5x4-drop --dry-run`,
		Args:        usage(cobra.MaximumNArgs(1)),
		Annotations: exits(exitDone, exitOther, exitInput, exitDamaged),
		ValidArgsFunction: cobra.FixedCompletions([]string{
			"3x3x3", "3x3x3-misere", "4x3x3", "4x4x3", "4x4x4", "4x4x4-drop", "4x5x4", "5x4x4-drop", "5x5x4-drop",
		}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := defaultGame
			if len(args) > 0 {
				name = args[0]
			}
			if err := o.complete(name, *db, turns, symmetry); err != nil {
				return err
			}
			return runBuild(cmd.Context(), s, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&turns, "turns", "", "any: every board with either side to move; alternate: the reachable positions (default any up to 9 cells)")
	flags.StringVar(&symmetry, "symmetry", "", "none: every position; canonical: one of each symmetry class (default none where turns are any by default)")
	flags.IntVar(&o.stripLength, "strip-length", 1000, "longest gap of the strip table, in cells")
	flags.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many cores to use")
	flags.BoolVar(&o.dryRun, "dry-run", false, "only print what the build would need")
	flags.BoolVar(&o.force, "force", false, "build even if memory or disk seem too small")
	completeFlag(cmd, "turns", string(game.AnyTurns), string(game.Alternate))
	completeFlag(cmd, "symmetry", string(game.NoSymmetry), string(game.Canonical))
	return cmd
}

// complete checks the flags and fills in what follows from the game.
func (o *buildOptions) complete(name, db, turns, symmetry string) (err error) {
	if o.game, err = game.Parse(name); err != nil {
		return &usageError{err}
	}
	o.turns, o.symmetry = o.game.Defaults()
	if turns != "" {
		if o.turns, err = game.ParseTurns(turns); err != nil {
			return &usageError{err}
		}
	}
	if symmetry != "" {
		if o.symmetry, err = game.ParseSymmetry(symmetry); err != nil {
			return &usageError{err}
		}
	}
	const maxStrip = 20_000
	if o.stripLength < 0 || o.stripLength > maxStrip {
		return usagef("--strip-length %d: want 0 to %d cells", o.stripLength, maxStrip)
	}
	if o.jobs < 1 {
		return usagef("--jobs %d: want at least 1", o.jobs)
	}
	o.db = defaultDB
	if o.game.String() != defaultGame {
		o.db = o.game.String() + ".db"
	}
	o.db = dbPath(db, o.db)
	return nil
}

func runBuild(ctx context.Context, s streams, o buildOptions) error {
	began := time.Now()
	view := newProgressView(s.err, o.game.Cells())
	plan, err := builder.NewPlan(ctx, o.game, builder.Options{Turns: o.turns, Symmetry: o.symmetry, Jobs: o.jobs, Progress: view.report})
	if err != nil {
		return err
	}
	memory := plan.Memory + runtimeMemory + garbage
	size := store.EstimateSize(o.game, plan.Positions, o.stripLength)
	fmt.Fprintf(s.err, "%s, turns %s, symmetry %s: %s %s positions, at most %s of memory, about %s on disk\n",
		o.game, o.turns, o.symmetry, plan.Precision, thousands(plan.Positions), byteSize(memory), byteSize(size))
	fitting := func() error {
		if memory > addressable {
			return fmt.Errorf("the build needs up to %s of memory, more than a program can have", byteSize(memory))
		}
		if o.force {
			return nil
		}
		return fits(memory, size, filepath.Dir(o.db))
	}
	if o.dryRun {
		return fitting()
	}

	strip := make(chan []game.GapRow, 1)
	go func() { strip <- allGaps(o.stripLength) }()
	collector := debug.SetGCPercent(int(100*garbage/plan.Memory + 1))
	info, err := writeFile(ctx, o, plan, strip, view, fitting)
	debug.SetGCPercent(collector)
	view.end()
	if err != nil {
		return err
	}
	printSummary(s, o, info, time.Since(began))
	return nil
}

// fits checks that the memory and the disk, both in bytes, are there now.
func fits(memory, size uint64, folder string) error {
	const hint = "(--force builds anyway)"
	if m, err := mem.VirtualMemory(); err == nil && m.Available < memory {
		return fmt.Errorf("the build needs up to %s of memory and %s are free %s", byteSize(memory), byteSize(m.Available), hint)
	}
	if d, err := disk.Usage(folder); err == nil && d.Free < size {
		return fmt.Errorf("the file needs about %s and %s are free in %s %s", byteSize(size), byteSize(d.Free), folder, hint)
	}
	return nil
}

// allGaps returns the gaps of strips up to a length with their SG values.
func allGaps(length int) []game.GapRow {
	gaps := make([]game.GapRow, 0, 9*(length+1))
	// Collecting can't fail.
	_ = builder.Strip(length, func(row game.GapRow) error {
		gaps = append(gaps, row)
		return nil
	})
	return gaps
}

// writeFile builds what was planned and puts it in its place; strip yields the gaps. fitting is
// asked whether there is room once what a dead build has left is removed.
func writeFile(ctx context.Context, o buildOptions, plan *builder.Plan, strip <-chan []game.GapRow, view progressView, fitting func() error) (_ store.Info, err error) {
	w, err := store.Create(ctx, o.db, store.Meta{
		Game: o.game.Spec, Turns: o.turns, Symmetry: o.symmetry,
		StripLength: o.stripLength, BuiltBy: builtBy, Jobs: o.jobs,
	})
	if err != nil {
		return store.Info{}, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	if err := fitting(); err != nil {
		return store.Info{}, err
	}
	if err := plan.Build(ctx, w); err != nil {
		return store.Info{}, err
	}
	if err := w.Gaps(<-strip); err != nil {
		return store.Info{}, err
	}
	view.checking()
	return w.Commit(ctx)
}

func printSummary(s streams, o buildOptions, info store.Info, took time.Duration) {
	fmt.Fprintf(s.out, "%s: %s positions (turns %s, symmetry %s) and strips up to %d cells in %s\n",
		info.Name, thousands(info.Positions), info.Turns, info.Symmetry, info.StripLength, took.Round(time.Millisecond))
	fmt.Fprintf(s.out, "%s: %s, content hash %s\n", o.db, byteSize(uint64(info.Size)), info.ContentHash[:16])
	db := ""
	if o.db != dbPath("", defaultDB) {
		db = " --db " + shellQuote(o.db)
	}
	fmt.Fprintf(s.out, "Try: oxbase info%s\n", db)
}
