package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestInterruptibleReadsEverything(t *testing.T) {
	want := strings.Repeat("0123456789", blockSize/4) // two and a half blocks
	broken := errors.New("the line is cut")
	for name, in := range map[string]io.Reader{
		"at once":           strings.NewReader(want),
		"byte by byte":      iotest.OneByteReader(strings.NewReader(want)),
		"with its last":     iotest.DataErrReader(strings.NewReader(want)),
		"before an error":   io.MultiReader(strings.NewReader(want), iotest.ErrReader(broken)),
		"with an error":     iotest.DataErrReader(io.MultiReader(strings.NewReader(want), iotest.ErrReader(broken))),
		"in halves of asks": iotest.HalfReader(strings.NewReader(want)),
	} {
		t.Run(name, func(t *testing.T) {
			r := interruptible(t.Context(), in)
			var got bytes.Buffer
			_, err := io.CopyBuffer(struct{ io.Writer }{&got}, struct{ io.Reader }{r}, make([]byte, 1000))
			if got.String() != want {
				t.Errorf("%d bytes, want %d", got.Len(), len(want))
			}
			if wantErr := strings.Contains(name, "error"); wantErr != errors.Is(err, broken) {
				t.Errorf("error %v", err)
			}
			if n, again := r.Read(make([]byte, 10)); n != 0 || again != io.EOF && again != broken {
				t.Errorf("read again: %d bytes, error %v", n, again)
			}
		})
	}
}

func TestInterruptibleEndsWhileItWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, write := io.Pipe()
	defer write.Close()
	r := interruptible(ctx, in)
	if n, err := r.Read(nil); n != 0 || err != nil {
		t.Errorf("a read of nothing: %d bytes, error %v", n, err)
	}
	done := make(chan error)
	go func() {
		_, err := r.Read(make([]byte, 10))
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := r.Read(make([]byte, 10)); !errors.Is(err, context.Canceled) {
		t.Errorf("read again: error %v, want %v", err, context.Canceled)
	}
}
