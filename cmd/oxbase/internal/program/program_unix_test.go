//go:build unix

package program

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSignal(t *testing.T) {
	r, err := Run(t.Context(), []string{"/bin/sh", "-c", "kill -SEGV $$"}, "", enough(Limits{}))
	if err != nil || r.Ending != Signalled || r.Signal != "segmentation fault" {
		t.Errorf("it ends with %s %q (%v), want %s %q", r.Ending, r.Signal, err, Signalled, "segmentation fault")
	}
}

// TestChildrenEnd runs a program that leaves a child behind, which holds all of its pipes, and
// expects the child to end soon.
func TestChildrenEnd(t *testing.T) {
	r := run(t, strings.Repeat("x", 1<<20), Limits{}, "leave")
	first, _, _ := strings.Cut(string(r.Output), "\n")
	child, err := strconv.Atoi(strings.TrimSpace(first))
	if r.Ending != Exited || err != nil {
		t.Fatalf("it ends with %s and prints %q, want the number of a process", r.Ending, r.Output)
	}
	// The system needs a moment to clear a killed process away, and in a container whose first
	// process doesn't do that a zombie stays.
	for range 500 {
		if err := syscall.Kill(child, 0); errors.Is(err, syscall.ESRCH) || zombie(child) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", child)
}

// zombie reports whether a process has ended and only its number is left, where that can be read.
func zombie(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, ok := strings.Cut(string(status), ") ")
	return err == nil && ok && strings.HasPrefix(after, "Z")
}

// TestEscapedChild runs a program that leaves a child outside of its process group, which holds its
// output open: the run doesn't wait for it.
func TestEscapedChild(t *testing.T) {
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Skip("there is no setsid program")
	}
	r, err := Run(t.Context(), []string{"/bin/sh", "-c", "setsid sleep 20 & echo done"}, "", enough(Limits{Time: 10 * time.Second}))
	if err != nil || r.Ending != Exited || string(r.Output) != "done\n" {
		t.Errorf("it ends with %s and %q (%v), want %s and done", r.Ending, r.Output, err, Exited)
	}
}
