package builder

import (
	"math/bits"
	"sync/atomic"
)

const (
	blockWords = 6
	blockBits  = blockWords * 64
	countBits  = 9 // of a number of members before a word of a block, at most 5 * 64
)

// bitmap is a set of indices that also tells how many of its members are smaller than one of
// them, so that values can be kept in an array without holes. A block fills one cache line.
// Memory: 16 bytes for each 48 bytes of bits on top of them.
type bitmap struct{ blocks []block }

// block is blockBits indices. The counts hold once bitmap.count has run:
//
//	before  members in earlier blocks
//	within  members in the block before its word 0, 1 … 5, countBits each, the lowest first
type block struct {
	before uint64
	within uint64
	bits   [blockWords]uint64
}

func newBitmap(size uint64) *bitmap {
	return &bitmap{make([]block, bitmapBlocks(size))}
}

func bitmapBlocks(size uint64) uint64 { return (size + blockBits - 1) / blockBits }

// add puts an index into the set. Safe beside other calls of add and has.
func (m *bitmap) add(index uint64) {
	at := index % blockBits
	atomic.OrUint64(&m.blocks[index/blockBits].bits[at/64], 1<<(at%64))
}

// has reports whether an index is in the set. Safe beside calls of add.
func (m *bitmap) has(index uint64) bool {
	at := index % blockBits
	return atomic.LoadUint64(&m.blocks[index/blockBits].bits[at/64])>>(at%64)&1 != 0
}

// count prepares rank and returns the number of members.
func (m *bitmap) count() uint64 {
	var total uint64
	for i := range m.blocks {
		b := &m.blocks[i]
		b.before, b.within = total, 0
		var within uint64
		for word, bitsOfWord := range b.bits {
			b.within |= within << (word * countBits)
			within += uint64(bits.OnesCount64(bitsOfWord))
		}
		total += within
	}
	return total
}

// rank returns the number of members below an index.
func (m *bitmap) rank(index uint64) uint64 {
	at := index % blockBits
	b := &m.blocks[index/blockBits]
	word := at / 64
	within := b.within >> (word * countBits & 63) & (1<<countBits - 1)
	return b.before + within + uint64(bits.OnesCount64(b.bits[word]&(1<<(at%64)-1)))
}

// each calls visit with the members from one index up to another, in order.
func (m *bitmap) each(from, to uint64, visit func(index uint64)) {
	for start := from - from%64; start < to; start += 64 {
		at := start % blockBits
		word := m.blocks[start/blockBits].bits[at/64]
		if start < from {
			word &^= 1<<(from-start) - 1
		}
		if to-start < 64 {
			word &= 1<<(to-start) - 1
		}
		for ; word != 0; word &= word - 1 {
			visit(start + uint64(bits.TrailingZeros64(word)))
		}
	}
}
