package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shell runs a script whose last step is a program, and returns what that program did.
func shell(t *testing.T, folder, script string, attributes *syscall.SysProcAttr) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	var out, err bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = folder, &out, &err, attributes
	if failed := cmd.Run(); failed != nil && cmd.ProcessState == nil {
		t.Fatal(failed)
	}
	return result{out.String(), err.String(), cmd.ProcessState.ExitCode()}
}

// ownMounts lets a program mount what only it sees, or skips the test where that isn't allowed.
func ownMounts(t *testing.T) *syscall.SysProcAttr {
	t.Helper()
	own := &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "mount -t tmpfs -o size=64k none .")
	cmd.Dir, cmd.SysProcAttr = t.TempDir(), own
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("this user can't mount anything: %v %s", err, out)
	}
	return own
}

// failedBuild checks what a build said that could not write its file.
func failedBuild(t *testing.T, where string, r result, want ...string) {
	t.Helper()
	line := strings.TrimSuffix(r.Err[max(0, strings.LastIndex(r.Err, "\noxbase: "))+1:], "\n")
	found := false
	for _, words := range want {
		found = found || strings.Contains(line, words)
	}
	if r.Status != exitOther || strings.Contains(line, "\n") || !found || strings.Contains(r.Err, "panic") {
		t.Errorf("%s: exit status %d, want %d and one line with one of %q\n%s", where, r.Status, exitOther, want, r.Err)
	}
}

// TestBuildUnderFileSizeLimit limits the size of files to values between nothing and nearly enough.
func TestBuildUnderFileSizeLimit(t *testing.T) {
	const game = "4x3x3"
	full := len(bytesOf(t, built(t, game)))
	old := bytesOf(t, built(t, "2x2x2"))
	const block = 512 // of ulimit -f
	for _, blocks := range []int{0, 1, 8, 63, full / block / 4, full / block / 2, (full - 1) / block} {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "ox.db"), old)
		script := fmt.Sprintf("ulimit -f %d && exec oxbase build %s --db ox.db", blocks, game)
		where := fmt.Sprintf("%d of %d bytes", blocks*block, full)
		failedBuild(t, where, shell(t, folder, script, nil), "database or disk is full", "disk I/O error", "file too large")
		if diff := cmp.Diff([]string{"ox.db"}, filesIn(t, folder)); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", where, diff)
		}
		if !bytes.Equal(bytesOf(t, filepath.Join(folder, "ox.db")), old) {
			t.Errorf("%s: the old file has changed", where)
		}
	}
}

// TestBuildOnFullDisk builds on disks of several sizes, all too small.
func TestBuildOnFullDisk(t *testing.T) {
	own := ownMounts(t)
	const game = "4x3x3"
	full := len(bytesOf(t, built(t, game))) / 1024
	old := built(t, "2x2x2")
	oldSize := len(bytesOf(t, old)) / 1024
	for _, free := range []int{4, 40, full / 4, full / 2, full - 8} {
		for _, force := range []bool{false, true} {
			flag, want := "", []string{"database or disk is full", "disk I/O error", "no space left on device"}
			if force {
				flag = " --force"
			} else if free >= 40 { // there is room to begin
				want = []string{" are free in . (--force builds anyway)"}
			}
			folder := t.TempDir()
			script := fmt.Sprintf(`mount -t tmpfs -o size=%dk none . && cd "$PWD" && cp '%s' ox.db && oxbase build %s --db ox.db%s >&2
				status=$?; ls -A; cmp ox.db '%s' && exit $status`, oldSize+free, old, game, flag, old)
			r := shell(t, folder, script, own)
			where := fmt.Sprintf("%d of %d kB free%s", free, full, flag)
			failedBuild(t, where, r, want...)
			if r.Out != "ox.db\n" {
				t.Errorf("%s: files, and how the old one differs:\n%s", where, r.Out)
			}
		}
	}
}

// TestDeadBuildDoesNotTakeTheRoom: what a dead build has left on a disk without room for another
// one is removed before the next build asks for room.
func TestDeadBuildDoesNotTakeTheRoom(t *testing.T) {
	own := ownMounts(t)
	const game = "4x3x3"
	full := len(bytesOf(t, built(t, game))) / 1024
	r := shell(t, t.TempDir(), fmt.Sprintf(`mount -t tmpfs -o size=%dk none . && cd "$PWD" &&
		head -c %d /dev/zero > %s && exec oxbase build %s --db ox.db`, full*3/2, full*1024, tempFile, game), own)
	if r.Status != exitDone {
		t.Errorf("exit status %d\n%s", r.Status, r.Err)
	}
}

// TestBuildIntoReadOnlyFolder: nothing is changed, and the line names the folder.
func TestBuildIntoReadOnlyFolder(t *testing.T) {
	old := bytesOf(t, built(t, "2x2x2"))
	for _, there := range []bool{true, false} {
		folder := t.TempDir()
		var want []string
		if there {
			write(t, filepath.Join(folder, "ox.db"), old)
			want = append(want, "ox.db")
		}
		script, own := "", (*syscall.SysProcAttr)(nil)
		if os.Geteuid() == 0 { // may write into every folder unless all of its disk is read-only
			own = ownMounts(t)
			script = `mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && `
		} else if err := os.Chmod(folder, 0o555); err != nil {
			t.Fatal(err)
		}
		r := shell(t, folder, script+"exec oxbase build 3x3x3 --db ox.db", own)
		failedBuild(t, fmt.Sprintf("old file there: %t", there), r,
			"creating ox.db: writing into the folder .: read-only file system", "creating ox.db: writing into the folder .: permission denied")
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]string{}, want...), filesIn(t, folder)); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
		if there && !bytes.Equal(bytesOf(t, filepath.Join(folder, "ox.db")), old) {
			t.Error("the old file has changed")
		}
	}
}
