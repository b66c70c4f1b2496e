//go:build unix

package store

import (
	"errors"
	"os"
)

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
