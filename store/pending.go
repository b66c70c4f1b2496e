package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// pending is a file that is being built beside the place where it is to stand. What is to become
// ox.db is called .ox.db.oxbase.tmp until then, and as long as a process builds it, that process
// holds a lock on .ox.db.oxbase.lock. The system takes the lock away when the process ends,
// however it ends. So who gets the lock knows, whatever clocks and process numbers say, that no
// other process builds that file, and that what one may have left there is of no use.
type pending struct {
	path   string     // where it is to stand
	temp   string     // where it stands, empty once it isn't there any more
	lock   *lock      // nil once it was released
	synced chan error // gets what startSync came to
	size   int64      // in bytes, once it is published
}

// errLocked is the error of takeLock if a process that lives has the lock.
var errLocked = errors.New("another oxbase is writing this file: wait until that one has ended, or choose another name")

// createPending creates an empty file beside a path, and removes what a build that died has left.
func createPending(path string) (*pending, error) {
	path, err := followLinks(path)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", path, withoutPath(err))
	}
	if err := checkTarget(path); err != nil {
		return nil, err
	}
	folder, name := filepath.Split(path)
	inWords := filepath.Clean(folder + ".")
	if info, err := os.Stat(inWords); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("creating %s: there is no folder %s", path, inWords)
	}
	p := &pending{path: path}
	switch p.lock, err = takeLock(folder + "." + name + ".oxbase.lock"); {
	case errors.Is(err, errLocked):
		return nil, fmt.Errorf("creating %s: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("creating %s: writing into the folder %s: %w", path, inWords, withoutPath(err))
	}
	temp := folder + "." + name + ".oxbase.tmp"
	err = os.Remove(temp)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		var file *os.File
		if file, err = os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err == nil {
			p.temp, err = temp, file.Close()
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("creating %s: %w", path, err), p.remove())
	}
	return p, nil
}

// followLinks returns the path to which links lead, so that they go on leading to the file that
// is put there. There may be nothing yet.
func followLinks(path string) (string, error) {
	for {
		target, err := filepath.EvalSymlinks(path)
		switch {
		case err == nil:
			return target, nil
		case !errors.Is(err, fs.ErrNotExist):
			return path, err
		}
		folder, name := filepath.Split(path)
		if folder, err = filepath.EvalSymlinks(folder + "."); err != nil {
			return path, nil // there is no such folder
		}
		path = filepath.Join(folder, name)
		link, err := os.Readlink(path)
		switch {
		case err != nil:
			return path, nil // there is no link any more, nor anything else
		case filepath.IsAbs(link):
			path = link
		default:
			path = folder + string(filepath.Separator) + link
		}
	}
}

// withoutPath returns the cause of an error about a file whose name means nothing to the user.
func withoutPath(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// checkTarget returns an error if what stands under a path may not be replaced by a file of ours.
func checkTarget(path string) error {
	// SQLite would apply to the new file what another program has noted there for the old one.
	for _, end := range []string{"-journal", "-wal"} {
		if info, err := os.Stat(path + end); err == nil && (info.Size() > 0 || end == "-wal") {
			return fmt.Errorf("creating %s: beside it stands %s: another program is changing the file, or died when it did: "+
				"let it end, or open the file once with the sqlite3 program", path, filepath.Base(path)+end)
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("creating %s: %w", path, withoutPath(err))
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
	if err := checkTarget(p.path); err != nil { // something else may stand there by now
		return err
	}
	if err := replace(p.temp, p.path); err != nil {
		return err
	}
	p.temp, p.size = "", info.Size()
	return errors.Join(syncFolder(filepath.Dir(p.path)), p.remove())
}

// syncFile waits until a file is on the disk.
func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// remove removes the file unless it was published, and then lets others build it.
func (p *pending) remove() error {
	var err error
	if p.temp != "" {
		err = os.Remove(p.temp)
		p.temp = ""
	}
	if p.lock != nil {
		err = errors.Join(err, p.lock.release())
		p.lock = nil
	}
	return err
}
