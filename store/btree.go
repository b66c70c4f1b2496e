package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// SQLite keeps a table in a B-tree of pages. Rows that come in key order need none of the
// searching and moving that INSERT does: each page can be filled once, from left to right, and
// never touched again. tableWriter does that, and hands the pages to SQLite through its virtual
// table sqlite_dbpage, in a transaction like any other.
//
// A leaf holds rows. Cells grow from the end of the page towards the front, and an array of
// their offsets, in key order, from the front towards the end:
//
//	0        8                                                              4096
//	+--------+-------------+----------------+-----------------------------------+
//	| header | offsets, 2  | unused, fewer  | cell n | ... | cell 2 | cell 1    |
//	|        | bytes each  | than 1 cell    |                                   |
//	+--------+-------------+----------------+-----------------------------------+
//	header  0x0d, first free block (2 bytes, 0), cells (2), start of the cells (2), fragments (0)
//	cell    length of the record (varint), key (varint), record
//
// An interior page leads to its children, leaves or interior pages. It looks the same, but its
// header has 12 bytes:
//
//	header  0x05, as above, then the page number of the right-most child (4 bytes)
//	cell    page number of a child (4 bytes), largest key below that child (varint)
//
// An interior page must have a cell beside its right-most child. So a full one that gets a
// further child gives its last but one away as right-most child and starts the next page with
// two: no page ever waits for a neighbour to borrow from.
//
//	                 root, at the page number that sqlite_schema has
//	               /                        \
//	        interior 5                   interior 9         pages in the order in which
//	       /    |     \                 /     |    \        they are completed
//	  leaf 2  leaf 3  leaf 4      leaf 6  leaf 7  leaf 8
//
// Time: linear, one pass. Memory: one page a level (a table of 700 million rows has five), and
// one batch of pages on their way to SQLite.

const (
	pageSize       = 4096
	leafHeader     = 8
	interiorHeader = 12

	// lockedByte is the first of the bytes that SQLite locks, at 1 GiB. The page that holds it is
	// never used for data.
	lockedByte = 0x40000000
	lockPage   = lockedByte/pageSize + 1
)

// pageSink takes a completed page. It may not keep the slice.
type pageSink interface {
	put(number uint32, page []byte) error
}

// tableWriter writes one table whose rows come in ascending order of their keys.
type tableWriter struct {
	sink     pageSink
	root     uint32 // page number of the table's root
	last     uint32 // last page number in use
	leaf     [pageSize]byte
	pointers int // end of the offsets of the leaf
	content  int // start of the cells of the leaf
	key      int64
	levels   []*interior // the level above the leaves first
}

// newTableWriter returns a writer of an empty table in a file of that many pages.
func newTableWriter(sink pageSink, root, pages uint32) *tableWriter {
	return &tableWriter{sink: sink, root: root, last: pages, pointers: leafHeader, content: pageSize}
}

// add appends a row. The key is at least 0 and larger than the ones before; the record has at
// most 127 bytes, so that one byte states its length.
func (t *tableWriter) add(key int64, record []byte) error {
	width := varintSize(key)
	at := t.content - 1 - width - len(record)
	if at < t.pointers+2 {
		if err := t.completeLeaf(t.nextPage()); err != nil {
			return err
		}
		at = pageSize - 1 - width - len(record)
	}
	t.leaf[at] = byte(len(record))
	putVarint(t.leaf[at+1:], key, width)
	copy(t.leaf[at+1+width:], record)
	binary.BigEndian.PutUint16(t.leaf[t.pointers:], uint16(at))
	t.pointers += 2
	t.content = at
	t.key = key
	return nil
}

// completeLeaf hands on the leaf under a page number, tells the level above, unless the leaf is
// the root, and begins an empty leaf.
func (t *tableWriter) completeLeaf(number uint32) error {
	seal(t.leaf[:], leafType, leafHeader, t.pointers, t.content)
	if err := t.sink.put(number, t.leaf[:]); err != nil {
		return err
	}
	t.pointers, t.content = leafHeader, pageSize
	if number == t.root {
		return nil
	}
	return t.addChild(0, child{number, t.key})
}

// finish completes the pages begun, the root last, and returns the number of pages that the
// file then has.
func (t *tableWriter) finish() (uint32, error) {
	if len(t.levels) == 0 {
		return t.last, t.completeLeaf(t.root)
	}
	if err := t.completeLeaf(t.nextPage()); err != nil {
		return 0, err
	}
	return t.last, t.finishLevels()
}

// finishLevels completes the interior pages begun, once the last leaf is completed.
func (t *tableWriter) finishLevels() error {
	for level := 0; level < len(t.levels)-1; level++ {
		page := t.levels[level]
		key, number := page.right.key, t.nextPage()
		if err := t.sink.put(number, page.seal()); err != nil {
			return err
		}
		if err := t.addChild(level+1, child{number, key}); err != nil {
			return err
		}
	}
	return t.sink.put(t.root, t.levels[len(t.levels)-1].seal())
}

// nextPage returns the next free page number.
func (t *tableWriter) nextPage() uint32 {
	t.last++
	if t.last == lockPage {
		t.last++
	}
	return t.last
}

// child is a completed page and the largest key in and below it.
type child struct {
	page uint32
	key  int64
}

// interior is an interior page that is being filled: its cells stand on the page, its last two
// children still wait for what comes after them.
type interior struct {
	page     [pageSize]byte
	pointers int
	content  int
	before   child // the child left of right, page number 0 if there is none yet
	right    child // the last child
}

// addChild appends a child to the page of a level, which is begun if it isn't there.
func (t *tableWriter) addChild(level int, c child) error {
	if level == len(t.levels) {
		t.levels = append(t.levels, &interior{pointers: interiorHeader, content: pageSize, right: c})
		return nil
	}
	page := t.levels[level]
	if page.before.page == 0 {
		page.before, page.right = page.right, c
		return nil
	}
	if page.fits(page.before.key, page.right.key) {
		page.addCell(page.before)
		page.before, page.right = page.right, c
		return nil
	}
	full, number := page.before, t.nextPage()
	if err := t.sink.put(number, page.close(full)); err != nil {
		return err
	}
	page.before, page.right = page.right, c
	return t.addChild(level+1, child{number, full.key})
}

// fits reports whether cells with these keys fit on the page.
func (p *interior) fits(keys ...int64) bool {
	free := p.content - p.pointers
	for _, key := range keys {
		free -= 2 + 4 + varintSize(key)
	}
	return free >= 0
}

// addCell puts a child on the page.
func (p *interior) addCell(c child) {
	width := varintSize(c.key)
	p.content -= 4 + width
	binary.BigEndian.PutUint32(p.page[p.content:], c.page)
	putVarint(p.page[p.content+4:], c.key, width)
	binary.BigEndian.PutUint16(p.page[p.pointers:], uint16(p.content))
	p.pointers += 2
}

// seal completes the page with all its children and returns it.
func (p *interior) seal() []byte {
	p.addCell(p.before)
	return p.close(p.right)
}

// close completes the page with a right-most child, returns it, and begins an empty one.
func (p *interior) close(right child) []byte {
	binary.BigEndian.PutUint32(p.page[8:], right.page)
	seal(p.page[:], interiorType, interiorHeader, p.pointers, p.content)
	p.pointers, p.content = interiorHeader, pageSize
	return p.page[:]
}

// seal writes the header of a page and clears what it doesn't use.
func seal(page []byte, kind byte, header, pointers, content int) {
	page[0] = kind
	binary.BigEndian.PutUint16(page[1:], 0)
	binary.BigEndian.PutUint16(page[3:], uint16((pointers-header)/2))
	binary.BigEndian.PutUint16(page[5:], uint16(content))
	page[7] = 0
	clear(page[pointers:content])
}

// varintSize returns the length of a number of at least 0 as a varint: seven bits a byte, the
// most significant first, each but the last with its top bit set; a ninth byte has eight bits.
func varintSize(n int64) int {
	return min(9, (bits.Len64(uint64(n)|1)+6)/7)
}

// putVarint writes a number of at least 0 as a varint of its length.
func putVarint(to []byte, n int64, width int) {
	if width == 9 {
		to[8] = byte(n)
		n >>= 8
		for i := 7; i >= 0; i-- {
			to[i] = byte(n) | 0x80
			n >>= 7
		}
		return
	}
	i := width - 1
	to[i] = byte(n) & 0x7f
	for i--; i >= 0; i-- {
		n >>= 7
		to[i] = byte(n) | 0x80
	}
}

// pageBatch hands pages to SQLite, some at a time. The connection that it writes through has
// to be closed after the transaction: the B-tree layer knows nothing of the new pages.
type pageBatch struct {
	insert  driver.StmtExecContext // one page
	inserts driver.StmtExecContext // batchPages of them
	close   func() error
	args    []driver.NamedValue // number and data of each page
	data    []byte
	pages   int
}

const batchPages = 32

// newPageBatch prepares the statements on a connection in a transaction.
func newPageBatch(conn driver.Conn) (*pageBatch, error) {
	b := &pageBatch{data: make([]byte, batchPages*pageSize)}
	for i := range 2 * batchPages {
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1})
	}
	one, err := conn.Prepare("INSERT INTO sqlite_dbpage(pgno, data) VALUES (?, ?)")
	if err != nil {
		return nil, err
	}
	many, err := conn.Prepare("INSERT INTO sqlite_dbpage(pgno, data) VALUES " + placeholders(2, batchPages))
	if err != nil {
		return nil, err
	}
	b.insert, b.inserts = one.(driver.StmtExecContext), many.(driver.StmtExecContext)
	b.close = func() error { return errors.Join(one.Close(), many.Close()) }
	return b, nil
}

// put takes a page into the batch, and hands the batch to SQLite when it is full.
func (b *pageBatch) put(number uint32, page []byte) error {
	data := b.data[b.pages*pageSize : (b.pages+1)*pageSize]
	copy(data, page)
	b.args[2*b.pages].Value = int64(number)
	b.args[2*b.pages+1].Value = data
	b.pages++
	if b.pages < batchPages {
		return nil
	}
	b.pages = 0
	_, err := b.inserts.ExecContext(context.Background(), b.args)
	return err
}

// flush hands the pages left to SQLite.
func (b *pageBatch) flush() error {
	for i := range b.pages {
		args := []driver.NamedValue{
			{Ordinal: 1, Value: b.args[2*i].Value},
			{Ordinal: 2, Value: b.args[2*i+1].Value},
		}
		if _, err := b.insert.ExecContext(context.Background(), args); err != nil {
			return err
		}
	}
	b.pages = 0
	return nil
}

// finish hands the pages left to SQLite, writes the number of pages into the header of the file,
// on page 1, and lets go of the statements, so that the transaction can be committed.
func (b *pageBatch) finish(ctx context.Context, c *conn, pages uint32) error {
	if err := b.flush(); err != nil {
		return err
	}
	values, err := c.row(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = 1")
	if err != nil {
		return err
	}
	page, _ := values[0].([]byte)
	if len(page) != pageSize {
		return fmt.Errorf("page 1 has %d bytes: want %d", len(page), pageSize)
	}
	binary.BigEndian.PutUint32(page[28:], pages)
	if err := b.put(1, page); err != nil {
		return err
	}
	return errors.Join(b.flush(), b.close())
}
