package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"oxbase/game"
	"oxbase/query"
	"oxbase/query/judge"
	"oxbase/store"
)

// The exit statuses.
const (
	exitDone    = 0
	exitOther   = 1
	exitInput   = 2
	exitMissing = 3
	exitDamaged = 4
)

// usageError is bad input or usage.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// exitStatus sorts an error into those that the caller can mend and those that it can't.
func exitStatus(err error) int {
	var (
		wrongUsage *usageError
		wrongInput *judge.InputError
		bothLines  *game.BothLinesError
		wrongSize  *game.SizeError
	)
	switch {
	case errors.As(err, &wrongUsage), errors.As(err, &wrongInput), errors.As(err, &bothLines), errors.As(err, &wrongSize):
		return exitInput
	case errors.Is(err, store.ErrNotFound), errors.Is(err, query.ErrMissing):
		return exitMissing
	case errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrVersion), errors.Is(err, store.ErrDamaged),
		errors.Is(err, query.ErrDamaged):
		return exitDamaged
	}
	// cobra has no type for an unknown command.
	if strings.HasPrefix(err.Error(), "unknown command") {
		return exitInput
	}
	return exitOther
}

// describe returns the line that is printed for an error.
func describe(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return err.Error()
}

// exits describes for a command's help the exit statuses that it can return.
func exits(statuses ...int) map[string]string {
	words := map[int]string{
		exitDone:    "done",
		exitOther:   "anything else, such as a full disk or an interrupt",
		exitInput:   "bad input or usage",
		exitMissing: "the database or the position isn't there",
		exitDamaged: "the database is damaged or not ours",
	}
	var lines strings.Builder
	for _, status := range statuses {
		fmt.Fprintf(&lines, "  %d  %s\n", status, words[status])
	}
	return map[string]string{"exit": lines.String()}
}

// withBuildHint adds how to build a tablebase to the error that there is none. A file that is
// named as a game is taken to be that game's.
func withBuildHint(err error, path string) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	command, usual := "oxbase build", dbPath("", defaultDB)
	name := strings.TrimSuffix(filepath.Base(path), ".db")
	if g, err := game.Parse(name); err == nil && g.String() == name {
		command += " " + name
		usual = dbPath("", name+".db")
	}
	if path != usual {
		command += " --db " + shellQuote(path)
	}
	return fmt.Errorf("%w: build it with %q", err, command)
}
