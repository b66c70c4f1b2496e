//go:build unix

package program

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
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
	wantGone(t, child)
}

// wantGone fails the test unless a process ends soon. In a container whose first process doesn't
// clear ended ones away a zombie stays.
func wantGone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// zombie reports whether a process has ended and only its number is left, where that can be read.
func zombie(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, ok := strings.Cut(string(status), ") ")
	return err == nil && ok && strings.HasPrefix(after, "Z")
}

// TestEscapedChild runs programs that leave a child outside of their process group, which holds the
// output open or closes it: the run doesn't wait for it and, on Linux, ends it and its children.
func TestEscapedChild(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid program")
	}
	for name, script := range map[string]string{
		"holds the output":  `setsid sh -c 'echo $$; sleep 20' & sleep 0.1`,
		"closes the output": `setsid sh -c 'echo $$; exec >/dev/null 2>&1 </dev/null; sleep 20 & sleep 20' & sleep 0.1`,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Run(t.Context(), []string{"/bin/sh", "-c", script}, "", enough(Limits{Time: 10 * time.Second}))
			child, numberErr := strconv.Atoi(strings.TrimSpace(string(r.Output)))
			if err != nil || r.Ending != Exited || numberErr != nil {
				t.Fatalf("it ends with %s and %q (%v), want %s and the number of a process", r.Ending, r.Output, err, Exited)
			}
			if runtime.GOOS == "linux" {
				wantGone(t, child)
			}
		})
	}
}
