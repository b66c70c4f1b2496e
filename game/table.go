package game

import "fmt"

// Turns says which positions a tablebase stores.
type Turns string

// The two choices of Turns.
const (
	AnyTurns  Turns = "any"       // every board without lines of both sides, with either side to move
	Alternate Turns = "alternate" // exactly the reachable positions
)

// Symmetry says how many positions of a symmetry class a tablebase stores.
type Symmetry string

// The two choices of Symmetry.
const (
	NoSymmetry Symmetry = "none"      // every one
	Canonical  Symmetry = "canonical" // the one with the smallest key
)

// ParseTurns reads "any" or "alternate".
func ParseTurns(text string) (Turns, error) {
	if t := Turns(text); t == AnyTurns || t == Alternate {
		return t, nil
	}
	return "", fmt.Errorf("turns %q: want any or alternate", text)
}

// ParseSymmetry reads "none" or "canonical".
func ParseSymmetry(text string) (Symmetry, error) {
	if s := Symmetry(text); s == NoSymmetry || s == Canonical {
		return s, nil
	}
	return "", fmt.Errorf("symmetry %q: want none or canonical", text)
}

// Defaults returns the choices that a game is built with unless told otherwise: everything for
// boards of up to 9 cells, one of each class of reachable positions for larger ones.
func (g *Game) Defaults() (Turns, Symmetry) {
	if g.cells <= 9 {
		return AnyTurns, NoSymmetry
	}
	return Alternate, Canonical
}

// Row is one position of a tablebase with its value.
type Row struct {
	Key Key
	Value
}
