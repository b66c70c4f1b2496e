//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// lock is a file that one process at a time holds.
type lock struct {
	path string
	file *os.File
}

// takeLock creates a file and locks it, or returns [errLocked].
func takeLock(path string) (*lock, error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o666)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		// Who had the lock may have removed the file since it was opened here.
		mine, errMine := file.Stat()
		there, errThere := os.Lstat(path)
		if errMine == nil && errThere == nil && os.SameFile(mine, there) {
			return &lock{path, file}, nil
		}
		if err := errors.Join(errMine, file.Close()); err != nil {
			return nil, err
		}
	}
}

// release removes the file while it is still locked, so that nobody's but this one is removed.
func (l *lock) release() error {
	return errors.Join(os.Remove(l.path), l.file.Close())
}

// replace moves a file to the place of another. Who has that open goes on reading it.
func replace(from, to string) error { return os.Rename(from, to) }

// syncFolder waits until the names in a folder are on the disk.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
