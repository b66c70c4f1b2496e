package program

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// escaped finds the processes of a program that left its process group, as daemons do. They have a
// mark in their environment, and when their parents have ended they become children of ours.
type escaped struct{ mark string }

func newEscaped(cmd *exec.Cmd) escaped {
	e := escaped{fmt.Sprintf("OXBASE_RUN=%d.%d", os.Getpid(), time.Now().UnixNano())}
	cmd.Env = append(os.Environ(), e.mark)
	// Where the system can't do this, escaped processes go on.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	return e
}

// kill ends the processes that escaped, and clears away what is left of those of the group.
func (e escaped) kill(group int) {
	const rounds = 20 // since each that ends may leave us its children
	for range rounds {
		found := false
		for _, child := range childrenOf("self") {
			environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", child))
			if err == nil && bytes.Contains(environment, []byte(e.mark)) {
				found = true
				_ = syscall.Kill(child, syscall.SIGKILL)
				_, _ = syscall.Wait4(child, nil, 0, nil)
			}
		}
		_, err := syscall.Wait4(-group, nil, syscall.WNOHANG, nil)
		if !found && err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// childrenOf returns the children of a process, a number or "self".
func childrenOf(process string) []int {
	var children []int
	threads, _ := filepath.Glob("/proc/" + process + "/task/*/children")
	for _, thread := range threads {
		text, _ := os.ReadFile(thread) // a thread that has ended has none
		for word := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
