package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"oxbase/game"
)

// pageFile is a file as a sequence of pages.
type pageFile struct {
	*os.File
	size int64 // bytes of a page
}

// page reads a page; the first has number 1. That it isn't there is [ErrDamaged].
func (f pageFile) page(number uint32) ([]byte, error) { return f.read(number, make([]byte, f.size)) }

// read reads as many pages as a buffer holds, or fewer at the end of the file. That the first isn't
// there is [ErrDamaged].
func (f pageFile) read(number uint32, buffer []byte) ([]byte, error) {
	if number == 0 {
		return nil, damaged("there is no page 0")
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

// treePage is a page of the table positions, as [tableWriter] draws it.
type treePage struct {
	data  []byte
	leaf  bool // it holds rows; otherwise it leads to other pages
	cells int
}

const (
	leafType     = 0x0d
	interiorType = 0x05
)

// maxDepth is more levels than a table can have whose interior pages have two children.
const maxDepth = 64

var errTooDeep = errors.New("the tree is too deep")

func parseTreePage(data []byte) (treePage, error) {
	p := treePage{data: data, leaf: data[0] == leafType, cells: int(binary.BigEndian.Uint16(data[3:]))}
	switch {
	case !p.leaf && data[0] != interiorType:
		return p, fmt.Errorf("it is of type %d", data[0])
	case !p.leaf && p.cells == 0:
		return p, errors.New("an inner page with 0 cells")
	case p.header()+2*p.cells > len(data):
		return p, fmt.Errorf("%d cells don't fit", p.cells)
	}
	return p, nil
}

func (p treePage) header() int {
	if p.leaf {
		return leafHeader
	}
	return interiorHeader
}

// offset returns where a cell begins.
func (p treePage) offset(cell int) int {
	return int(binary.BigEndian.Uint16(p.data[p.header()+2*cell:]))
}

// child returns the page to which a cell of an interior page leads, and the highest key there.
func (p treePage) child(cell int) (number uint32, highest game.Key, err error) {
	at := p.offset(cell)
	if at+4 > len(p.data) {
		return 0, 0, fmt.Errorf("cell %d is outside the page", cell)
	}
	key, n := getVarint(p.data[at+4:])
	if n == 0 {
		return 0, 0, fmt.Errorf("the key of cell %d is cut off", cell)
	}
	return binary.BigEndian.Uint32(p.data[at:]), game.Key(key), nil
}

// lastChild returns the page that follows those of the cells of an interior page.
func (p treePage) lastChild() uint32 { return binary.BigEndian.Uint32(p.data[8:]) }

// key returns the key of a cell of a leaf.
func (p treePage) key(cell int) (game.Key, error) {
	at := min(p.offset(cell), len(p.data))
	_, n := getVarint(p.data[at:])
	key, m := getVarint(p.data[at+n:])
	if n == 0 || m == 0 {
		return 0, fmt.Errorf("the key of cell %d is cut off", cell)
	}
	return game.Key(key), nil
}

// row returns the row in a cell of a leaf.
func (p treePage) row(cell int) (game.Row, error) {
	row, err := parseCell(p.data, p.offset(cell))
	if err != nil {
		err = fmt.Errorf("cell %d: %w", cell, err)
	}
	return row, err
}

// parseCell reads the row whose cell begins at an offset of a leaf.
func parseCell(page []byte, at int) (row game.Row, err error) {
	const columns = 5
	if at >= len(page) {
		return row, fmt.Errorf("it is outside the page")
	}
	length, n := getVarint(page[at:])
	if n == 0 {
		return row, fmt.Errorf("its length is cut off")
	}
	at += n
	key, n := getVarint(page[at:])
	at += n
	if n == 0 || length > uint64(len(page)-at) {
		return row, fmt.Errorf("it goes beyond the page")
	}
	record := page[at : at+int(length)]
	if len(record) < 1+columns || record[0] != 1+columns || record[1] != 0 {
		return row, fmt.Errorf("it is not a row of positions")
	}
	row.Key = game.Key(key)
	body := record[1+columns:]
	var numbers [4]int8
	for i, kind := range record[2 : 1+columns] {
		switch {
		case kind == 8 || kind == 9:
			numbers[i] = int8(kind - 8)
		case kind == 1 && len(body) > 0:
			numbers[i] = int8(body[0])
			body = body[1:]
		default:
			return row, fmt.Errorf("column %d is not a small number", i+2)
		}
	}
	if numbers[3] != 0 && numbers[3] != 1 {
		return row, fmt.Errorf("reachable is %d: want 0 or 1", numbers[3])
	}
	row.Value = game.Value{Outcome: numbers[0], Score: numbers[1], Distance: numbers[2], Reachable: numbers[3] == 1}
	return row, nil
}

// getVarint reads a varint and returns its length too, 0 if it is cut off.
func getVarint(from []byte) (n uint64, length int) {
	for i, b := range from[:min(9, len(from))] {
		if i == 8 {
			return n<<8 | uint64(b), 9
		}
		n = n<<7 | uint64(b&0x7f)
		if b < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}
