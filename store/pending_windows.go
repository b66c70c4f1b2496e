package store

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lock is a file that one process at a time has open.
type lock struct{ handle windows.Handle }

// takeLock creates a file that no other process can open and that Windows removes with the end of
// the process, or returns [errLocked].
func takeLock(path string) (*lock, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const shared = 0
	handle, err := windows.CreateFile(name, windows.GENERIC_WRITE, shared, nil, windows.OPEN_ALWAYS,
		windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		err = errLocked
	}
	if err != nil {
		return nil, err
	}
	return &lock{handle}, nil
}

// release closes the file, with which it is gone.
func (l *lock) release() error { return windows.CloseHandle(l.handle) }

// patience is how long replace waits for programs that look at each new file, such as virus
// scanners and indexers.
const patience = 2 * time.Second

// replace moves a file to the place of another. Windows doesn't let that happen while a program
// has the other one open, as a reader of a tablebase has.
func replace(from, to string) error {
	end := time.Now().Add(patience)
	for {
		err := os.Rename(from, to)
		isOpen := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		switch {
		case !isOpen:
			return err
		case time.Now().After(end):
			return fmt.Errorf("%s can't be replaced while a program has it open, or as long as it is read-only: %w", to, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// syncFolder does nothing, since Windows can't open a folder: there a rename is on its way to
// the disk when it returns.
func syncFolder(string) error { return nil }
