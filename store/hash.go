package store

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"oxbase/game"
)

// contentHash computes the content hash of a file from its rows. It must get the rows of
// positions first, then those of strip_sg, each in the order of their keys.
type contentHash struct {
	sum    hash.Hash
	text   []byte
	values valueTable[valueText]
	digits [10000][4]byte // the numbers below 10 000 with leading zeros
	high   int64          // the digits of the last key above its last four
	prefix [20]byte       // high as text
	width  int            // length of the prefix
}

// valueText is the end of a row's text: the value's columns with their separators.
type valueText struct {
	bytes  [16]byte
	length int
}

// newContentHash returns the hash of a file for a game with so many cells.
func newContentHash(cells int) *contentHash {
	h := &contentHash{sum: sha256.New(), text: make([]byte, 0, hashBlock+64), high: -1}
	h.values = newValueTable(cells, func(v game.Value) (t valueText) {
		text := t.bytes[:0]
		for _, n := range []int64{int64(v.Outcome), int64(v.Score), int64(v.Distance), int64(digit(v.Reachable))} {
			text = strconv.AppendInt(append(text, '|'), n, 10)
		}
		t.length = len(append(text, '\n'))
		return t
	})
	for i := range h.digits {
		h.digits[i] = [4]byte{byte('0' + i/1000), byte('0' + i/100%10), byte('0' + i/10%10), byte('0' + i%10)}
	}
	return h
}

// hashBlock is the number of bytes of text that are hashed at a time.
const hashBlock = 32 << 10

// rows adds rows of positions, whose values a valueTable takes.
func (h *contentHash) rows(rows []game.Row) {
	text := h.text
	for _, row := range rows {
		// Most keys differ from the one before in the last four digits only.
		high, low := int64(row.Key)/10000, int64(row.Key)%10000
		if high != h.high {
			h.high = high
			h.width = len(strconv.AppendInt(h.prefix[:0], high, 10))
		}
		if high == 0 {
			text = strconv.AppendInt(text, low, 10)
		} else {
			text = append(text, h.prefix[:h.width]...)
			text = append(text, h.digits[low][:]...)
		}
		end := h.values.at(row.Value)
		text = append(text, end.bytes[:end.length]...)
		if len(text) >= hashBlock {
			h.sum.Write(text)
			text = text[:0]
		}
	}
	h.text = text
}

// gaps adds rows of strip_sg.
func (h *contentHash) gaps(rows []game.GapRow) {
	for _, row := range rows {
		h.text = strconv.AppendInt(h.text, int64(row.Length), 10)
		h.text = append(h.text, '|', byte(row.Left), '|', byte(row.Right), '|')
		h.text = append(strconv.AppendInt(h.text, int64(row.SG), 10), '\n')
		if len(h.text) >= hashBlock {
			h.sum.Write(h.text)
			h.text = h.text[:0]
		}
	}
}

// hex returns the hash of all rows added.
func (h *contentHash) hex() string {
	h.sum.Write(h.text)
	h.text = h.text[:0]
	return hex.EncodeToString(h.sum.Sum(nil))
}
