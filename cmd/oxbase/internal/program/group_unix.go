//go:build unix

package program

import (
	"os"
	"os/exec"
	"syscall"
)

// group is the process group of a program, which its children belong to unless they leave it.
type group struct {
	cmd     *exec.Cmd
	escaped escaped
}

func newGroup(cmd *exec.Cmd, _ Limits) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{cmd, newEscaped(cmd)}
}

func (g *group) started() error { return nil }

// kill ends every process of the group. There is none if the program ended without children.
func (g *group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// killRest ends what is left once the program has ended.
func (g *group) killRest() {
	g.kill()
	g.escaped.kill(g.cmd.Process.Pid)
}

func (g *group) close() {}

// signalOf names the signal that ended a process.
func signalOf(state *os.ProcessState) (name string, ok bool) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return "", false
	}
	return status.Signal().String(), true
}

// peakMemory returns the most physical memory that a process of the program had, in bytes, once it
// has ended; 0 if that isn't known.
func (g *group) peakMemory() uint64 {
	usage, ok := g.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	// A process begins as a copy of ours, whose memory counts as if it were its own.
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil || usage.Maxrss <= own.Maxrss {
		return 0
	}
	return uint64(usage.Maxrss) * maxrssUnit
}
