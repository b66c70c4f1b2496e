package query_test

import (
	"errors"
	"testing"

	"oxbase/game"
)

// source is a tablebase in memory. It is broken if it has an error.
type source struct {
	values map[game.Key]game.Value
	gaps   map[game.Gap]int
	err    error
}

func (s source) Lookup(key game.Key) (game.Value, bool, error) {
	v, ok := s.values[key]
	return v, ok, s.err
}

func (s source) Gap(gap game.Gap) (int, bool, error) {
	sg, ok := s.gaps[gap]
	return sg, ok, s.err
}

var errBroken = errors.New("broken source")

func mustGame(t testing.TB, name string) *game.Game {
	t.Helper()
	g, err := game.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
