package program

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object, which the children of its processes belong to.
type group struct {
	cmd    *exec.Cmd
	limits Limits
	job    windows.Handle
}

func newGroup(cmd *exec.Cmd, l Limits) *group { return &group{cmd: cmd, limits: l} }

// started puts the program into the job. Closing the job ends all of its processes, and none of
// them gets more memory than the limit.
func (g *group) started() (err error) {
	if g.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY
	limits.ProcessMemoryLimit = uintptr(g.limits.Memory + spareMemory)
	if _, err := windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return err
	}
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(g.cmd.Process.Pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(handle)
	return windows.AssignProcessToJobObject(g.job, handle)
}

func (g *group) kill() {
	_ = g.cmd.Process.Kill()
	_ = windows.TerminateJobObject(g.job, 1)
}

// killRest ends what is left once the program has ended.
func (g *group) killRest() { g.kill() }

func (g *group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}

// signalOf names the signal that ended a process: there are none.
func signalOf(*os.ProcessState) (name string, ok bool) { return "", false }

// spareMemory is how much more than its limit a process can have: it shows that it wanted more.
const spareMemory = 1 << 20

// memory isn't looked at while the program runs: the job limits it.
func (g *group) memory() uint64 { return 0 }

// peakMemory returns the most memory that a process of the program had, in bytes; 0 if that isn't
// known.
func (g *group) peakMemory() uint64 {
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	if err := windows.QueryInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)), nil); err != nil {
		return 0
	}
	return uint64(limits.PeakProcessMemoryUsed)
}
