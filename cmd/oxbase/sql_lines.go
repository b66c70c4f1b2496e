package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/peterh/liner"
)

// errAborted says that someone gave up the line that they were typing.
var errAborted = errors.New("aborted")

// script is a lineSource that reads lines from a file, a pipe or a text.
type script struct{ in *bufio.Reader }

func (s script) line(string) (string, error) {
	line, err := s.in.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return line, err
}

func (script) remember(string) {}

// terminal is a lineSource that lets someone edit lines, with history and completion.
type terminal struct {
	ctx     context.Context
	state   *liner.State
	history string // the file, or nothing
}

func newTerminal(ctx context.Context, history string, complete liner.WordCompleter) *terminal {
	t := &terminal{ctx, liner.NewLiner(), history}
	t.state.SetCtrlCAborts(true)
	t.state.SetTabCompletionStyle(liner.TabPrints)
	t.state.SetWordCompleter(complete)
	if file, err := os.Open(history); err == nil {
		// A shell without its history is a shell.
		_, _ = t.state.ReadHistory(file)
		_ = file.Close()
	}
	return t
}

// line returns a line, or the context's error if that ends first. Then the prompt goes on in the
// background.
func (t *terminal) line(prompt string) (string, error) {
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := t.state.Prompt(prompt)
		answers <- answer{line, err}
	}()
	select {
	case <-t.ctx.Done():
		return "", t.ctx.Err()
	case a := <-answers:
		if errors.Is(a.err, liner.ErrPromptAborted) {
			return "", errAborted
		}
		return a.line + "\n", a.err
	}
}

// remember adds a line to the history, if it is one that liner can read back.
func (t *terminal) remember(line string) {
	const longest = 4000
	if len(line) <= longest && utf8.ValidString(line) {
		t.state.AppendHistory(line)
	}
}

// close gives the terminal back and keeps the history. That it can't be kept is no reason to complain.
func (t *terminal) close() {
	_ = t.state.Close()
	_ = t.save()
}

func (t *terminal) save() (err error) {
	if t.history == "" {
		return nil
	}
	folder := filepath.Dir(t.history)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, "history-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = t.state.WriteHistory(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), t.history)
}

// historyPath returns the file of the shell's history, or nothing if there is no place for it.
func historyPath() string {
	folder := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "oxbase", "history")
}
