package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"oxbase/migrations"
)

// header is what the first 100 bytes of an oxbase file say.
type header struct {
	version  int   // of the schema
	pageSize int64 // in bytes
	size     int64 // of the file, in bytes
	want     int64 // what the size should be, in bytes
	journal  bool  // the file has a rollback journal, as it was built, and no write-ahead log
}

// readHeader reads the header of a file. Its errors are those of [openHeader].
func readHeader(path string) (header, error) {
	file, h, err := openHeader(path)
	if err != nil {
		return header{}, err
	}
	return h, file.Close()
}

// openHeader opens a file and reads its header, without SQLite, which would create a missing file
// and says little about a strange one. The error is [ErrNotFound] or [ErrForeign], or what the
// system says.
func openHeader(path string) (_ *os.File, h header, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, h, fmt.Errorf("%s: %w", path, ErrNotFound)
	case err != nil:
		return nil, h, err
	case info.IsDir():
		return nil, h, fmt.Errorf("%s: %w: it is a folder", path, ErrForeign)
	case !info.Mode().IsRegular():
		return nil, h, fmt.Errorf("%s: %w: it is not a plain file", path, ErrForeign)
	case info.Size() == 0:
		return nil, h, fmt.Errorf("%s: %w: it is empty", path, ErrForeign)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, h, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	if info, err = file.Stat(); err != nil { // it may have been replaced
		return nil, h, err
	}
	var b [100]byte
	n, err := io.ReadFull(file, b[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, h, err
	}
	const magic = "SQLite format 3\x00"
	if n < len(magic) || string(b[:len(magic)]) != magic {
		return nil, h, fmt.Errorf("%s: %w: it is no SQLite database", path, ErrForeign)
	}
	if n < len(b) {
		return nil, h, fmt.Errorf("%s: %w: it is a SQLite database cut off after %d bytes", path, ErrForeign, n)
	}
	if id := binary.BigEndian.Uint32(b[68:]); id != migrations.ApplicationID {
		return nil, h, fmt.Errorf("%s: %w: it is another program's SQLite database", path, ErrForeign)
	}
	h = parseHeader(b[:])
	h.size = info.Size()
	return file, h, nil
}

// parseHeader reads the header from the 100 bytes of it, all but the size of the file.
func parseHeader(b []byte) header {
	size := int64(binary.BigEndian.Uint16(b[16:]))
	if size == 1 {
		size = 65536
	}
	return header{
		version:  int(int32(binary.BigEndian.Uint32(b[60:]))),
		pageSize: size,
		want:     size * int64(binary.BigEndian.Uint32(b[28:])),
		journal:  b[18] == 1 && b[19] == 1,
	}
}

// check returns an error unless this program can read what follows the header: [ErrVersion] or
// [ErrDamaged]. wanted is the schema version that is to be read.
func (h header) check(path string, wanted int) error {
	switch {
	case h.version < 1:
		return fmt.Errorf("%s: %w: the file has %d, which no oxbase has ever made: build it again with %q",
			path, ErrVersion, h.version, "oxbase build")
	case h.version < wanted:
		return fmt.Errorf("%s: %w: the file has %d and this oxbase needs %d: bring it there with %q",
			path, ErrVersion, h.version, wanted, "oxbase migrate")
	case h.version > wanted:
		return fmt.Errorf("%s: %w: the file has %d and this oxbase knows up to %d: update oxbase",
			path, ErrVersion, h.version, wanted)
	case h.pageSize < 512:
		return fmt.Errorf("%s: %w: a page can't have %d bytes", path, ErrDamaged, h.pageSize)
	case h.size < h.want:
		return fmt.Errorf("%s: %w: it is cut off after %d of %d bytes", path, ErrDamaged, h.size, h.want)
	case !h.journal:
		return fmt.Errorf("%s: %w: another program changed its journal mode: PRAGMA journal_mode = DELETE mends that", path, ErrDamaged)
	}
	return nil
}
