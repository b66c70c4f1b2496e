package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// pending is a file that is being built beside the place where it is to stand.
type pending struct {
	path   string     // where it is to stand
	temp   string     // where it stands, empty once it isn't there any more
	synced chan error // gets what startSync came to
	size   int64      // in bytes, once it is published
}

// createPending creates an empty file beside a path, .NAME.oxbase-NUMBER.tmp.
func createPending(path string) (*pending, error) {
	if err := checkTarget(path); err != nil {
		return nil, err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // so that a link goes on leading to the file
	}
	folder, name := filepath.Split(path)
	if info, err := os.Stat(filepath.Clean(folder + ".")); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("creating %s: there is no folder %s", path, filepath.Clean(folder+"."))
	}
	for {
		temp := folder + fmt.Sprintf(".%s.oxbase-%08x.tmp", name, rand.Uint32())
		file, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		switch {
		case err == nil:
			return &pending{path: path, temp: temp}, file.Close()
		case !errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("creating %s: %w", path, err)
		}
	}
}

// checkTarget returns an error if what stands under a path may not be replaced by a file of ours.
func checkTarget(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("creating %s: %w", path, err)
	case info.IsDir():
		return fmt.Errorf("creating %s: there is a folder of that name", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("creating %s: it is not a plain file that could be replaced", path)
	case info.Size() == 0:
		return nil
	}
	if _, err := readHeader(path); errors.Is(err, ErrForeign) {
		return fmt.Errorf("%w, so it is not replaced: move it away or choose another name", err)
	}
	return nil
}

// dataSource returns the name under which SQLite opens the file. Nothing of it needs a journal or
// has to reach the disk before it is published, since it is thrown away if anything goes wrong.
func (p *pending) dataSource() (string, error) {
	return dataSource(p.temp, "rw", "page_size(4096)", "auto_vacuum(NONE)", "locking_mode(EXCLUSIVE)",
		"journal_mode(OFF)", "synchronous(OFF)")
}

// startSync begins to bring the file, to which nothing is written any more, to the disk, while
// SQLite checks it.
func (p *pending) startSync() {
	p.synced = make(chan error, 1)
	temp, synced := p.temp, p.synced
	go func() { synced <- syncFile(temp) }()
}

// publish waits until the file is on the disk and moves it to its place. When ctx ends meanwhile,
// it returns without waiting for the disk.
func (p *pending) publish(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-p.synced:
		if err != nil {
			return err
		}
	}
	info, err := os.Stat(p.temp)
	if err != nil {
		return err
	}
	if err := replace(p.temp, p.path); err != nil {
		return err
	}
	p.temp, p.size = "", info.Size()
	return syncFolder(filepath.Dir(p.path))
}

// syncFile waits until a file is on the disk.
func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// remove removes the file unless it was published.
func (p *pending) remove() error {
	if p.temp == "" {
		return nil
	}
	err := os.Remove(p.temp)
	p.temp = ""
	return err
}
