package store

import "oxbase/game"

// find returns the row with a key. It goes from the root of the table down to a leaf itself, which
// takes a fraction of the time of a statement, and keeps the pages, since the positions that a
// question leads to are often neighbours. It holds mu.
func (d *DB) find(key game.Key) (row game.Row, ok bool, err error) {
	number := d.root
	for range maxDepth {
		page, err := d.keptPage(number)
		if err != nil {
			return row, false, err
		}
		p, err := parseTreePage(page)
		if err != nil {
			return row, false, d.badPage(number, err)
		}
		if p.leaf {
			if row, ok, err = p.find(key); err != nil {
				err = d.badPage(number, err)
			}
			return row, ok, err
		}
		child, err := p.childFor(key)
		if err != nil {
			return row, false, d.badPage(number, err)
		}
		number = child
	}
	return row, false, d.badPage(number, errTooDeep)
}

// childFor returns the child of an interior page below which a key stands, if anywhere.
func (p treePage) childFor(key game.Key) (number uint32, err error) {
	from, to := 0, p.cells // the first cell whose highest key isn't less
	for from < to {
		middle := (from + to) / 2
		_, highest, err := p.child(middle)
		if err != nil {
			return 0, err
		}
		if highest < key {
			from = middle + 1
		} else {
			to = middle
		}
	}
	if from == p.cells {
		return p.lastChild(), nil
	}
	number, _, err = p.child(from)
	return number, err
}

// find returns the row of a leaf that has a key.
func (p treePage) find(key game.Key) (row game.Row, ok bool, err error) {
	from, to := 0, p.cells
	for from < to {
		middle := (from + to) / 2
		found, err := p.key(middle)
		switch {
		case err != nil:
			return row, false, err
		case found == key:
			row, err = p.row(middle)
			return row, err == nil, err
		case found < key:
			from = middle + 1
		default:
			to = middle
		}
	}
	return row, false, nil
}

// keptPages are pages that were read before, by number. When the younger ones are many, they
// become the older ones, and those are forgotten.
type keptPages struct {
	younger, older map[uint32][]byte
	bytes          int // of the younger ones
}

// mostKept is how many bytes of younger pages are kept at most.
const mostKept = 16 << 20

// keptPage returns a page that may be kept: nobody may change it.
func (d *DB) keptPage(number uint32) (page []byte, err error) {
	k := &d.kept
	page, ok := k.younger[number]
	if ok {
		return page, nil
	}
	if page, ok = k.older[number]; !ok {
		if page, err = d.pages.page(number); err != nil {
			return nil, d.failed(err)
		}
	}
	if k.younger == nil || k.bytes+len(page) > mostKept {
		k.younger, k.older, k.bytes = map[uint32][]byte{}, k.younger, 0
	}
	k.younger[number] = page
	k.bytes += len(page)
	return page, nil
}

// badPage says that a page holds what can't be right.
func (d *DB) badPage(number uint32, err error) error {
	return d.failed(damaged("page %d: %w", number, err))
}
