package program

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// pipes carry the input to a program and its output back. They are connected to the program as
// files, so that waiting for the program doesn't wait for whoever else holds their other ends.
type pipes struct {
	theirs, ours []*os.File
	copies       []func()
	copying      sync.WaitGroup
}

// connect makes the pipes of a program that is to be started.
func connect(cmd *exec.Cmd, input string, out, errs io.Writer) (*pipes, error) {
	p := &pipes{}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.theirs, p.ours = append(p.theirs, inRead), append(p.ours, inWrite)
	cmd.Stdin = inRead
	p.copies = append(p.copies, func() {
		// A program need not read its input to the end.
		_, _ = io.Copy(inWrite, strings.NewReader(input))
		_ = inWrite.Close()
	})
	for _, output := range []struct {
		to   io.Writer
		file *io.Writer
	}{{out, &cmd.Stdout}, {errs, &cmd.Stderr}} {
		read, write, err := os.Pipe()
		if err != nil {
			p.close(0)
			return nil, err
		}
		p.theirs, p.ours = append(p.theirs, write), append(p.ours, read)
		*output.file = write
		p.copies = append(p.copies, func() { _, _ = io.Copy(output.to, read) })
	}
	return p, nil
}

// start begins to copy, once the program has its ends.
func (p *pipes) start() {
	p.closeTheirs()
	for _, c := range p.copies {
		p.copying.Go(c)
	}
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		_ = f.Close()
	}
	p.theirs = nil
}

// close ends the copying: when all was read, or after a time if a process that we couldn't end
// still holds the other end.
func (p *pipes) close(patience time.Duration) {
	p.closeTheirs()
	copied := make(chan struct{})
	go func() {
		p.copying.Wait()
		close(copied)
	}()
	select {
	case <-copied:
	case <-time.After(patience):
	}
	for _, f := range p.ours {
		_ = f.Close() // nothing is lost: what was read is kept
	}
}
