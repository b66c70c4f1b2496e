package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"oxbase/game"
)

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

var (
	errTooDeep   = errors.New("the tree is too deep")
	errEmptyLeaf = errors.New("an empty leaf")
)

func parseTreePage(data []byte) (treePage, error) {
	p := treePage{data: data, leaf: data[0] == leafType, cells: int(binary.BigEndian.Uint16(data[3:]))}
	switch {
	case !p.leaf && data[0] != interiorType:
		return p, fmt.Errorf("it is of type %d", data[0])
	case !p.leaf && p.cells == 0:
		return p, errors.New("an inner page with 0 cells")
	case p.content() > len(data):
		return p, fmt.Errorf("%d cells don't fit", p.cells)
	}
	return p, nil
}

// content returns the first place at which a cell can begin.
func (p treePage) content() int { return p.header() + 2*p.cells }

func (p treePage) header() int {
	if p.leaf {
		return leafHeader
	}
	return interiorHeader
}

// cell returns what stands from the beginning of a cell to the end of the page.
func (p treePage) cell(number int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(p.data[p.header()+2*number:]))
	if at < p.content() || at >= len(p.data) {
		return nil, fmt.Errorf("cell %d is outside the page", number)
	}
	return p.data[at:], nil
}

// child returns the page to which a cell of an interior page leads, and the highest key there.
func (p treePage) child(number int) (page uint32, highest game.Key, err error) {
	cell, err := p.cell(number)
	if err != nil {
		return 0, 0, err
	}
	key, n := getVarint(cell[min(4, len(cell)):])
	if n == 0 {
		return 0, 0, fmt.Errorf("cell %d is cut off", number)
	}
	return binary.BigEndian.Uint32(cell), game.Key(key), nil
}

// lastChild returns the page that follows those of the cells of an interior page.
func (p treePage) lastChild() uint32 { return binary.BigEndian.Uint32(p.data[8:]) }

// key returns the key of a cell, of an interior page the highest of the cell's child.
func (p treePage) key(number int) (game.Key, error) {
	if !p.leaf {
		_, highest, err := p.child(number)
		return highest, err
	}
	cell, err := p.cell(number)
	if err != nil {
		return 0, err
	}
	_, n := getVarint(cell)
	key, m := getVarint(cell[n:])
	if n == 0 || m == 0 {
		return 0, fmt.Errorf("cell %d is cut off", number)
	}
	return game.Key(key), nil
}

// row returns the row in a cell of a leaf.
func (p treePage) row(number int) (game.Row, error) {
	cell, err := p.cell(number)
	if err != nil {
		return game.Row{}, err
	}
	row, err := parseCell(cell)
	if err != nil {
		err = fmt.Errorf("cell %d: %w", number, err)
	}
	return row, err
}

// checkKeys returns an error unless the keys ascend from cell to cell.
func (p treePage) checkKeys() error {
	last := game.Key(math.MinInt64)
	for number := range p.cells {
		key, err := p.key(number)
		if err != nil {
			return err
		}
		if number > 0 && key <= last {
			return fmt.Errorf("key %d comes after key %d", key, last)
		}
		last = key
	}
	return nil
}

// parseCell reads the row of a cell, with what follows it on the page.
func parseCell(cell []byte) (row game.Row, err error) {
	const columns = 5
	length, n := getVarint(cell)
	if n == 0 {
		return row, fmt.Errorf("its length is cut off")
	}
	cell = cell[n:]
	key, n := getVarint(cell)
	cell = cell[n:]
	if n == 0 || length > uint64(len(cell)) {
		return row, fmt.Errorf("it goes beyond the page")
	}
	record := cell[:length]
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
