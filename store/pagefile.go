package store

import (
	"io"
	"os"
)

// pageFile is a file as a sequence of pages.
type pageFile struct {
	*os.File
	size int64 // bytes of a page
}

// page reads a page; the first has number 1. That it isn't there is [ErrDamaged].
func (f pageFile) page(number uint32) ([]byte, error) { return f.read(number, make([]byte, f.size)) }

// read reads as many pages as a buffer holds, or fewer at the end of the file and before the page
// that SQLite locks: on Windows others can't read that one. That the first isn't there is
// [ErrDamaged].
func (f pageFile) read(number uint32, buffer []byte) ([]byte, error) {
	locked := lockedByte/f.size + 1
	if number == 0 || int64(number) == locked {
		return nil, damaged("there is no page %d", number)
	}
	if before := locked - int64(number); before > 0 {
		buffer = buffer[:min(int64(len(buffer)), before*f.size)]
	}
	n, err := f.ReadAt(buffer, (int64(number)-1)*f.size)
	if whole := int64(n) / f.size * f.size; whole > 0 {
		return buffer[:whole], nil
	}
	if err == io.EOF {
		err = damaged("there is no page %d", number)
	}
	return nil, err
}

// standsAt returns [errMoved] unless the file that was opened stands under a path.
func (f pageFile) standsAt(path string) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(opened, now) {
		return errMoved
	}
	return nil
}

// has returns [errMoved] unless the file has a header.
func (f pageFile) has(h header) error {
	page, err := f.page(1)
	if err != nil {
		return err
	}
	own := parseHeader(page)
	if own.size = h.size; own != h {
		return errMoved
	}
	return nil
}
