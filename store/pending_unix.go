//go:build unix

package store

import (
	"errors"
	"os"
)

// syncFolder waits until the names in a folder are on the disk.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
