package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"modernc.org/sqlite/vfs"
)

// minPartedPages is the smallest file, in pages, whose positions are worth checking in parts.
const minPartedPages = 100

// SQLite checks a table on one core, and that is the longest step of a large build but for the
// solving. But each child of a table's root is the root of a whole B-tree of its own. So each of
// several connections is shown the file with another root, which leads to some of the children
// only, and checks that part; together they check every row.
//
//	        root                   root as part 1 sees it      root as part 2 sees it
//	   /   |    |   \                  /       \                   /       \
//	  a    b    c    d                a         b                 c         d

// checkInParts lets SQLite check the table positions in that many parts at once and returns how
// many rows it counted. ok is false, and nothing was checked, if the table is too small for that.
func checkInParts(ctx context.Context, path string, root uint32, parts int) (count int64, ok bool, err error) {
	roots, err := partRoots(path, root, parts)
	if err != nil || len(roots) < 2 {
		return 0, false, err
	}
	counts := make([]int64, len(roots))
	errs := make([]error, len(roots))
	var workers sync.WaitGroup
	for i, page := range roots {
		workers.Go(func() { counts[i], errs[i] = checkPart(ctx, path, root, page) })
	}
	workers.Wait()
	for _, n := range counts {
		count += n
	}
	return count, true, errors.Join(errs...)
}

// checkPart checks and counts the rows of positions below a page that stands in for its root.
func checkPart(ctx context.Context, path string, root uint32, page []byte) (count int64, err error) {
	name, system, err := vfs.New(overlay{path: path, at: int64(root-1) * pageSize, page: page})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, system.Close()) }()
	c, err := openConn("file:" + overlayName + "?mode=ro&vfs=" + name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(c.Close(), err) }()
	if err := integrityCheck(ctx, c, "positions"); err != nil {
		return 0, err
	}
	return c.number(ctx, "SELECT count(*) FROM positions")
}

// partRoots returns pages that stand in for the root of a table, each leading to some of the
// root's children, or nothing if the table is too small.
func partRoots(path string, root uint32, parts int) ([][]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() < minPartedPages*pageSize {
		return nil, err
	}
	pages := pageFile{file, pageSize}
	page, err := pages.page(root)
	if err != nil {
		return nil, err
	}
	p, err := parseTreePage(page)
	if err != nil || p.leaf {
		return nil, err
	}
	children, err := p.children()
	if err != nil {
		return nil, err
	}
	parts = min(parts, len(children))
	var roots [][]byte
	for i := range parts {
		own := children[len(children)*i/parts : len(children)*(i+1)/parts]
		if len(own) > 1 {
			roots = append(roots, interiorPage(own))
			continue
		}
		only, err := pages.page(own[0].page)
		if err != nil {
			return nil, err
		}
		roots = append(roots, only)
	}
	return roots, nil
}

// children returns the children of an interior page.
func (p treePage) children() ([]child, error) {
	var children []child
	for i := range p.cells {
		number, highest, err := p.child(i)
		if err != nil {
			return nil, err
		}
		children = append(children, child{number, int64(highest)})
	}
	return append(children, child{page: p.lastChild()}), nil
}

// interiorPage returns a page with the children, of which there are at least two.
func interiorPage(children []child) []byte {
	p := &interior{pointers: interiorHeader, content: pageSize}
	last := len(children) - 1
	for _, c := range children[:last] {
		p.addCell(c)
	}
	return p.close(children[last])
}

// overlayName is the one file of an overlay.
const overlayName = "part.db"

// overlay is a file system with a single file: that under path, with one page replaced.
type overlay struct {
	path string
	at   int64 // where the page begins
	page []byte
}

func (o overlay) Open(name string) (fs.File, error) {
	if name != overlayName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	file, err := os.Open(o.path)
	return &overlayFile{File: file, overlay: o}, err
}

// overlayFile reads ahead, since SQLite asks for one page after the other.
type overlayFile struct {
	*os.File
	overlay overlay
	at      int64  // where the next Read begins
	ahead   []byte // what stands in the file from aheadAt on
	aheadAt int64
}

const readAhead = 16 * pageSize

func (f *overlayFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, fmt.Errorf("seeking from %d: want from the start", whence)
	}
	f.at = offset
	return offset, nil
}

func (f *overlayFile) Read(to []byte) (int, error) {
	if f.at < f.aheadAt || f.at >= f.aheadAt+int64(len(f.ahead)) {
		buffer := f.ahead[:cap(f.ahead)]
		if len(buffer) == 0 {
			buffer = make([]byte, readAhead)
		}
		n, err := f.ReadAt(buffer, f.at)
		if n == 0 {
			return 0, err
		}
		f.ahead, f.aheadAt = buffer[:n], f.at
		for i := max(f.aheadAt, f.overlay.at); i < min(f.aheadAt+int64(n), f.overlay.at+pageSize); i++ {
			f.ahead[i-f.aheadAt] = f.overlay.page[i-f.overlay.at]
		}
	}
	n := copy(to, f.ahead[f.at-f.aheadAt:])
	f.at += int64(n)
	return n, nil
}
