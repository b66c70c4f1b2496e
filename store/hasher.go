package store

import "oxbase/game"

// hasher computes the content hash on a goroutine of its own, beside the writing of the rows.
// Memory: hashBatches copies of batches of hashRows rows.
type hasher struct {
	hash   *contentHash
	batch  []game.Row      // being filled
	full   chan []game.Row // on their way to the goroutine
	free   chan []game.Row // on their way back
	last   []game.GapRow   // what comes after the last batch
	done   chan struct{}   // closed when the goroutine has ended
	result string          // the hash, once it was asked for
}

const (
	hashRows    = 8192
	hashBatches = 4
)

// newHasher starts the goroutine; wait, gaps or hex ends it.
func newHasher(cells int) *hasher {
	h := &hasher{
		hash: newContentHash(cells),
		full: make(chan []game.Row, hashBatches),
		free: make(chan []game.Row, hashBatches),
		done: make(chan struct{}),
	}
	for range hashBatches {
		h.free <- make([]game.Row, 0, hashRows)
	}
	h.batch = <-h.free
	go func() {
		defer close(h.done)
		for rows := range h.full {
			h.hash.rows(rows)
			h.free <- rows[:0]
		}
		h.hash.gaps(h.last)
	}()
	return h
}

// rows adds rows of positions.
func (h *hasher) rows(rows []game.Row) {
	for len(rows) > 0 {
		n := min(len(rows), hashRows-len(h.batch))
		h.batch = append(h.batch, rows[:n]...)
		rows = rows[n:]
		if len(h.batch) == hashRows {
			h.full <- h.batch
			h.batch = <-h.free
		}
	}
}

// gaps adds the rows of strip_sg, after which no rows may come. Until hex has returned nobody may
// change them. Other calls than the first do nothing.
func (h *hasher) gaps(rows []game.GapRow) {
	if h.batch == nil {
		return
	}
	h.full <- h.batch
	h.batch, h.last = nil, rows
	close(h.full)
}

// wait waits until the goroutine has added all rows and has ended.
func (h *hasher) wait() {
	h.gaps(nil)
	<-h.done
}

// hex returns the hash, after which no rows may come.
func (h *hasher) hex() string {
	h.wait()
	if h.result == "" {
		h.result = h.hash.hex()
	}
	return h.result
}
