package main

import (
	"context"
	"io"
)

// interruptible makes reads end with the context's error when it is cancelled, also while they
// wait for input. Nothing may be read from in afterwards.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	return &interruptibleReader{ctx: ctx, in: in}
}

type interruptibleReader struct {
	ctx context.Context
	in  io.Reader
	buf []byte // what a read fills that may outlast its caller
}

func (r *interruptibleReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func(buf []byte) {
		n, err := r.in.Read(buf)
		done <- result{n, err}
	}(r.buf[:len(p)])
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case got := <-done:
		return copy(p, r.buf[:got.n]), got.err
	}
}
