package main

import (
	"context"
	"io"
)

// blockSize is how much is read at once, in bytes: as much as a pipe of Linux holds.
const blockSize = 64 << 10

// interruptible makes reads end with the context's error when it is cancelled, also while they
// wait for input. It reads ahead, from now on until in returns an error or the context is
// cancelled: nobody else may read from in any more.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	r := &interruptibleReader{ctx: ctx, blocks: make(chan block), done: make(chan []byte, 2)}
	r.done <- make([]byte, blockSize)
	r.done <- make([]byte, blockSize)
	go r.readAhead(in)
	return r
}

type interruptibleReader struct {
	ctx    context.Context
	blocks chan block
	done   chan []byte // buffers that are free to be read into
	now    block
	rest   []byte // what of now isn't given yet
}

// block is what a read returned.
type block struct {
	buf  []byte
	size int
	err  error
}

// readAhead reads up to the first error, or until the context is cancelled.
func (r *interruptibleReader) readAhead(in io.Reader) {
	for b := (block{}); b.err == nil; {
		select {
		case b.buf = <-r.done:
		case <-r.ctx.Done():
			return
		}
		b.size, b.err = in.Read(b.buf)
		select {
		case r.blocks <- b:
		case <-r.ctx.Done():
			return
		}
	}
}

func (r *interruptibleReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil || len(p) == 0 {
		return 0, err
	}
	if len(r.rest) == 0 && r.now.err == nil {
		if r.now.buf != nil {
			r.done <- r.now.buf
		}
		select {
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		case r.now = <-r.blocks:
			r.rest = r.now.buf[:r.now.size]
		}
	}
	n := copy(p, r.rest)
	if r.rest = r.rest[n:]; len(r.rest) > 0 {
		return n, nil
	}
	return n, r.now.err
}
