// Package program runs someone's program on an input, under limits of time, memory and output. It
// comes back whatever the program does: hang, flood, die, close its input or leave children
// behind; and it ends all processes that the program started, as far as the system lets it.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Limits are what one run may use.
type Limits struct {
	Time   time.Duration // by the clock on the wall
	Memory uint64        // bytes of physical memory of its largest process
	Output int           // bytes on standard output
}

// Ending is how a run came to its end.
type Ending string

// The endings.
const (
	Exited      Ending = "exited" // by itself, with a status
	Signalled   Ending = "signal" // by a signal that wasn't ours
	OutOfTime   Ending = "time"   // ended since it ran longer than the limit
	OutOfMemory Ending = "memory" // ended since it used more than the limit
	OutOfOutput Ending = "output" // ended since it wrote more than the limit
)

// Result is what a run did.
type Result struct {
	Ending  Ending
	Status  int           // the exit status, if it exited
	Signal  string        // the name of the signal, if one ended it
	Output  []byte        // standard output, up to the limit
	Errors  string        // the end of standard error
	Elapsed time.Duration // by the clock on the wall
}

const (
	keptErrors = 4 << 10                // how much of standard error is kept, in bytes
	watchEvery = 10 * time.Millisecond  // how often memory is looked at
	afterlife  = 500 * time.Millisecond // how long children may hold the output open after the program has ended
)

// Run runs a program, args[0], with an input as its standard input. The error is the context's, or
// says why the program can't be started.
func Run(ctx context.Context, args []string, input string, l Limits) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	cmd := exec.Command(args[0], args[1:]...)
	group := newGroup(cmd, l)
	defer group.close()
	reasons := make(chan Ending, 1)
	end := func(reason Ending) {
		select {
		case reasons <- reason:
			group.kill()
		default: // it is being ended
		}
	}
	out := &head{limit: l.Output, full: func() { end(OutOfOutput) }}
	errs := &tail{limit: keptErrors}
	pipes, err := connect(cmd, input, out, errs)
	if err != nil {
		return Result{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		pipes.close(0)
		return Result{}, err
	}
	if err := group.started(); err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", args[0], err), cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		pipes.close(0)
		return Result{}, err
	}
	pipes.start()
	exited := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { watchOver(ctx, l, group, end, exited) })
	err = cmd.Wait()
	elapsed := time.Since(began)
	close(exited)
	watch.Wait()
	group.killRest() // however the program ended, so do the children that it left
	pipes.close(afterlife)

	r := Result{Ending: Exited, Status: cmd.ProcessState.ExitCode(), Elapsed: elapsed, Output: out.bytes(), Errors: errs.text()}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return r, fmt.Errorf("%s: %w", args[0], err)
	}
	signal, signalled := signalOf(cmd.ProcessState)
	select {
	case r.Ending = <-reasons:
	default:
		switch {
		case group.peakMemory() > l.Memory:
			r.Ending = OutOfMemory
		case signalled:
			r.Ending, r.Signal = Signalled, signal
		}
	}
	return r, nil
}

// watchOver ends a program at its limits of time and memory, or with the context.
func watchOver(ctx context.Context, l Limits, g *group, end func(Ending), exited <-chan struct{}) {
	deadline := time.NewTimer(l.Time)
	defer deadline.Stop()
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	for {
		select {
		case <-exited:
			return
		case <-ctx.Done():
			end(OutOfTime)
			return
		case <-deadline.C:
			end(OutOfTime)
			return
		case <-look.C:
			if g.memory() > l.Memory {
				end(OutOfMemory)
				return
			}
		}
	}
}

// head keeps the beginning of what is written and swallows the rest.
type head struct {
	limit int
	full  func() // called when more is written

	mu   sync.Mutex
	kept []byte
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rest := h.limit - len(h.kept)
	if len(p) > rest {
		h.full()
	}
	h.kept = append(h.kept, p[:min(rest, len(p))]...)
	return len(p), nil
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.kept
}

// tail keeps the end of what is written.
type tail struct {
	limit int

	mu   sync.Mutex
	kept []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if more := len(t.kept) - t.limit; more > 0 {
		t.kept = append(t.kept[:0], t.kept[more:]...)
		t.cut = true
	}
	return len(p), nil
}

// text returns what was kept, from the beginning of a line.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if t.cut {
		if _, rest, ok := bytes.Cut(kept, []byte("\n")); ok {
			kept = rest
		}
	}
	return strings.ToValidUTF8(string(kept), "\ufffd")
}
