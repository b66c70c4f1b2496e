package store

import (
	"encoding/binary"

	"oxbase/game"
)

// SQLite keeps a table WITHOUT ROWID, such as strip_sg, in a B-tree as it has for indexes: a cell
// is a whole record, and those on interior pages are records of their own, between what is left
// and what is right of them:
//
//	                 root: record k, record n
//	           /              |               \
//	 records 1..k-1     records k+1..n-1     records n+1..
//
//	leaf cell      length of the record (varint), record; page type 0x0a
//	interior cell  page number of what is left of it (4 bytes), then as on a leaf; page type 0x02
//
// The pages look as those of a table otherwise, see [tableWriter].

// writeGapTable writes strip_sg from all its rows in order, to the page of its root and to those
// after the last one in use, and returns the number of pages that the file then has. Time:
// linear. Memory: one page, and the page numbers of a level.
func writeGapTable(sink pageSink, root, last uint32, rows []game.GapRow) (uint32, error) {
	numbers := &tableWriter{last: last}
	var children []uint32 // pages left of each row of the level, and right of the last one
	for {
		spans := packGaps(rows, children != nil)
		var above []game.GapRow
		var pages []uint32
		for _, span := range spans {
			number := root
			if len(spans) > 1 {
				number = numbers.nextPage()
			}
			if err := sink.put(number, gapPage(rows, children, span)); err != nil {
				return 0, err
			}
			pages = append(pages, number)
			if span.to < len(rows) {
				above = append(above, rows[span.to])
			}
		}
		if len(spans) == 1 {
			return numbers.last, nil
		}
		rows, children = above, pages
	}
}

// span says which rows of a level a page holds. The row after it goes to the level above.
type span struct{ from, to int }

// packGaps fills pages with the rows of a level. The row that doesn't fit goes up and has rows on
// both sides, so that no page is empty unless there are no rows.
func packGaps(rows []game.GapRow, interior bool) []span {
	header, cell := leafHeader, 0
	if interior {
		header, cell = interiorHeader, 4
	}
	var spans []span
	from, free := 0, pageSize-header
	for i := range rows {
		size := 2 + cell + 1 + encodeGap(rows[i]).length
		if size > free {
			to := i
			if to == len(rows)-1 {
				to--
			}
			spans = append(spans, span{from, to})
			from, free = to+1, pageSize-header
			if to < i {
				free -= size
			}
			continue
		}
		free -= size
	}
	return append(spans, span{from, len(rows)})
}

// gapPage returns the page with some rows of a level.
func gapPage(rows []game.GapRow, children []uint32, s span) []byte {
	page := make([]byte, pageSize)
	kind, header := byte(0x0a), leafHeader
	if children != nil {
		kind, header = 0x02, interiorHeader
		binary.BigEndian.PutUint32(page[8:], children[s.to])
	}
	pointers, content := header, pageSize
	for i := s.from; i < s.to; i++ {
		record := encodeGap(rows[i])
		content -= record.length
		copy(page[content:], record.bytes[:record.length])
		content--
		page[content] = byte(record.length)
		if children != nil {
			content -= 4
			binary.BigEndian.PutUint32(page[content:], children[i])
		}
		binary.BigEndian.PutUint16(page[pointers:], uint16(content))
		pointers += 2
	}
	seal(page, kind, header, pointers, content)
	return page
}

// gapRecord is a row of strip_sg as SQLite stores it.
type gapRecord struct {
	bytes  [24]byte
	length int
}

// encodeGap writes a record: its header, which is the header's length and the type of each
// column, then the columns. 0 and 1 are types of their own (8 and 9) without bytes, other numbers
// take the type of the fewest bytes that hold them (1, 2, 3, 4 for as many bytes); a text of one
// byte is of type 15.
func encodeGap(row game.GapRow) (r gapRecord) {
	header := append(r.bytes[:0], 5, 0, 15, 15, 0)
	body := r.bytes[5:5]
	header[1], body = appendNumber(body, row.Length)
	body = append(body, byte(row.Left), byte(row.Right))
	header[4], body = appendNumber(body, row.SG)
	r.length = len(header) + len(body)
	return r
}

// appendNumber appends a number from 0 to 2^31-1 as SQLite stores it, and returns its type too.
func appendNumber(to []byte, n int) (kind byte, _ []byte) {
	switch {
	case n <= 1:
		return 8 + byte(n), to
	case n < 1<<7:
		return 1, append(to, byte(n))
	case n < 1<<15:
		return 2, append(to, byte(n>>8), byte(n))
	case n < 1<<23:
		return 3, append(to, byte(n>>16), byte(n>>8), byte(n))
	}
	return 4, append(to, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}
