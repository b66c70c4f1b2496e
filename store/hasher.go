package store

import "oxbase/game"

// hasher computes the content hash on a goroutine of its own, beside the writing of the rows.
// Memory: hashBatches copies of batches of hashRows rows.
type hasher struct {
	hash   *contentHash
	batch  []game.Row      // being filled
	full   chan []game.Row // on their way to the goroutine
	free   chan []game.Row // on their way back
	done   chan struct{}   // closed when the goroutine has ended
	result string          // the hash, once it was asked for
}

const (
	hashRows    = 8192
	hashBatches = 4
)

// newHasher starts the goroutine; hex or gaps ends it.
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

// wait ends the goroutine when it has added all rows.
func (h *hasher) wait() {
	if h.batch == nil {
		return
	}
	h.full <- h.batch
	h.batch = nil
	close(h.full)
	<-h.done
}

// gaps adds rows of strip_sg, after which none of positions may come.
func (h *hasher) gaps(rows []game.GapRow) {
	h.wait()
	h.hash.gaps(rows)
}

// hex returns the hash, after which no rows may come.
func (h *hasher) hex() string {
	h.wait()
	if h.result == "" {
		h.result = h.hash.hex()
	}
	return h.result
}
