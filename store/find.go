package store

import (
	"sync"

	"oxbase/game"
)

// find returns the row with a key. It goes from the root of the table down to a leaf itself, which
// takes a fraction of the time of a statement, and keeps the pages, since the positions that a
// question leads to are often neighbours. The caller holds
// looking.
func (d *DB) find(key game.Key) (row game.Row, ok bool, err error) {
	number := d.root
	var path [maxDepth]uint32
	for depth := range path {
		path[depth] = number
		p, err := d.treePage(number)
		if err != nil {
			return row, false, err
		}
		if !p.leaf {
			if number, err = p.childFor(key); err != nil {
				return row, false, d.badPage(path[depth], err)
			}
			continue
		}
		row, ok, err := p.find(key)
		if err != nil {
			return row, false, d.badPage(number, err)
		}
		if !ok {
			err = d.checkPath(path[:depth+1])
		}
		return row, ok, err
	}
	return row, false, d.badPage(number, errTooDeep)
}

// treePage returns a page of the table positions. Only a root may be a leaf without rows.
func (d *DB) treePage(number uint32) (treePage, error) {
	page, err := d.keptPage(number)
	if err != nil {
		return treePage{}, err
	}
	p, err := parseTreePage(page)
	if err == nil && p.leaf && p.cells == 0 && (number != d.root || d.info.Positions > 0) {
		err = errEmptyLeaf
	}
	if err != nil {
		err = d.badPage(number, err)
	}
	return p, err
}

// checkPath makes sure that a key wasn't missed because some of the pages on the way to it are
// damaged.
func (d *DB) checkPath(path []uint32) error {
	for _, number := range path {
		p, err := d.treePage(number)
		if err != nil {
			return err
		}
		if err := p.checkKeys(); err != nil {
			return d.badPage(number, err)
		}
	}
	return nil
}

// childFor returns the child of an interior page below which a key stands, if anywhere.
func (p treePage) childFor(key game.Key) (number uint32, err error) {
	at, _, err := p.search(key)
	if err != nil || at == p.cells {
		return p.lastChild(), err
	}
	number, _, err = p.child(at)
	return number, err
}

// find returns the row of a leaf that has a key.
func (p treePage) find(key game.Key) (row game.Row, ok bool, err error) {
	at, ok, err := p.search(key)
	if err != nil || !ok {
		return row, false, err
	}
	row, err = p.row(at)
	return row, err == nil, err
}

// search returns the first cell whose key isn't less than one, the number of cells if there is none,
// and whether its key is that one.
func (p treePage) search(key game.Key) (at int, equal bool, err error) {
	from, to := 0, p.cells
	for from < to {
		middle := (from + to) / 2
		found, err := p.key(middle)
		if err != nil {
			return 0, false, err
		}
		if found < key {
			from = middle + 1
		} else {
			to, equal = middle, found == key
		}
	}
	return from, equal, nil
}

// keptPages are pages that were read before, by number. When the younger ones are many, they
// become the older ones, and those are forgotten: at most twice mostKept bytes are kept. It is safe
// for concurrent use.
type keptPages struct {
	mu             sync.Mutex // guards what follows
	younger, older map[uint32][]byte
	bytes          int // of the younger ones
}

// mostKept is how many bytes of younger pages are kept at most.
const mostKept = 16 << 20

// keptPage returns a page that may be kept: nobody may change it.
func (d *DB) keptPage(number uint32) ([]byte, error) {
	if page, ok := d.kept.page(number); ok {
		return page, nil
	}
	page, err := d.pages.page(number)
	if err != nil {
		return nil, d.failed(err)
	}
	d.kept.keep(number, page)
	return page, nil
}

// page returns a page if it is kept, from now on among the younger ones.
func (k *keptPages) page(number uint32) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	page, ok := k.younger[number]
	if ok {
		return page, true
	}
	if page, ok = k.older[number]; ok {
		k.add(number, page)
	}
	return page, ok
}

// keep keeps a page.
func (k *keptPages) keep(number uint32, page []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(number, page)
}

// add makes a page one of the younger ones. The caller holds mu.
func (k *keptPages) add(number uint32, page []byte) {
	if k.younger == nil || k.bytes+len(page) > mostKept {
		k.younger, k.older, k.bytes = map[uint32][]byte{}, k.younger, 0
	}
	k.younger[number] = page
	k.bytes += len(page)
}

// badPage says that a page holds what can't be right.
func (d *DB) badPage(number uint32, err error) error {
	return d.failed(damaged("page %d: %w", number, err))
}
