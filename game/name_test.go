package game_test

import (
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       game.Spec
		canonical  string
	}{
		{"tic-tac-toe", "3x3x3", game.Spec{Width: 3, Height: 3, InRow: 3}, "3x3x3"},
		{"wider than high", "4x3x2", game.Spec{Width: 4, Height: 3, InRow: 2}, "4x3x2"},
		{"higher than wide", "3x4x2", game.Spec{Width: 3, Height: 4, InRow: 2}, "3x4x2"},
		{"drop", "7x5x4-drop", game.Spec{Width: 7, Height: 5, InRow: 4, Drop: true}, "7x5x4-drop"},
		{"misere", "3x3x3-misere", game.Spec{Width: 3, Height: 3, InRow: 3, Misere: true}, "3x3x3-misere"},
		{"drop, then misere", "4x4x4-drop-misere", game.Spec{Width: 4, Height: 4, InRow: 4, Drop: true, Misere: true}, "4x4x4-drop-misere"},
		{"misere, then drop", "4x4x4-misere-drop", game.Spec{Width: 4, Height: 4, InRow: 4, Drop: true, Misere: true}, "4x4x4-drop-misere"},
		{"upper case", "3X3X3-MISERE-Drop", game.Spec{Width: 3, Height: 3, InRow: 3, Drop: true, Misere: true}, "3x3x3-drop-misere"},
		{"leading zeros", "03x003x3", game.Spec{Width: 3, Height: 3, InRow: 3}, "3x3x3"},
		{"one cell", "1x1x1", game.Spec{Width: 1, Height: 1, InRow: 1}, "1x1x1"},
		{"as wide as the key allows", "39x1x5", game.Spec{Width: 39, Height: 1, InRow: 5}, "39x1x5"},
		{"as high as the key allows", "1x39x5", game.Spec{Width: 1, Height: 39, InRow: 5}, "1x39x5"},
		{"13 columns fill the key", "13x3x3", game.Spec{Width: 13, Height: 3, InRow: 3}, "13x3x3"},
		{"more in a row than fits", "2x2x3", game.Spec{Width: 2, Height: 2, InRow: 3}, "2x2x3"},
		{"many more in a row than fit", "2x2x65535", game.Spec{Width: 2, Height: 2, InRow: 65535}, "2x2x65535"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := game.Parse(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, g.Spec); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", test.text, diff)
			}
			if got := g.String(); got != test.canonical {
				t.Errorf("Parse(%q).String() = %q, want %q", test.text, got, test.canonical)
			}
			if got, want := g.Cells(), test.want.Width*test.want.Height; got != want {
				t.Errorf("Parse(%q).Cells() = %d, want %d", test.text, got, want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const notAGame = " is not a game: want WxHxK, such as 4x4x3, then -drop or -misere if they apply"
	const wantWords = ": want -drop or -misere, each at most once"
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", `""` + notAGame},
		{"a word", "tictactoe", `"tictactoe"` + notAGame},
		{"one number", "3", `"3"` + notAGame},
		{"two numbers", "3x3", `"3x3"` + notAGame},
		{"four numbers", "3x3x3x3", `"3x3x3x3"` + notAGame},
		{"variant only", "-drop", `"-drop"` + notAGame},
		{"variant without dash", "3x3x3drop", `game "3x3x3drop": "3drop" is not a number of stones in a row from 1 to 65535`},
		{"two lines", "3x3\n", `"3x3\n"` + notAGame},
		{"minus", "-3x3x3", `"-3x3x3"` + notAGame},
		{"minus inside", "3x-3x3", `"3x-3x3"` + notAGame},
		{"plus", "+3x3x3", `game "+3x3x3": "+3" is not a number of columns from 1 to 65535`},
		{"blank", " 3x3x3", `game " 3x3x3": " 3" is not a number of columns from 1 to 65535`},
		{"line end", "3x3x3\n", `game "3x3x3\n": "3\n" is not a number of stones in a row from 1 to 65535`},
		{"missing width", "x3x3", `game "x3x3": "" is not a number of columns from 1 to 65535`},
		{"missing height", "3xx3", `game "3xx3": "" is not a number of rows from 1 to 65535`},
		{"missing stones in a row", "3x3x", `game "3x3x": "" is not a number of stones in a row from 1 to 65535`},
		{"fraction", "3x3.5x3", `game "3x3.5x3": "3.5" is not a number of rows from 1 to 65535`},
		{"hexadecimal", "0x3x3", `game 0x3x3: width, height and stones in a row must each be at least 1`},
		{"wide digit", "３x3x3", `game "３x3x3": "３" is not a number of columns from 1 to 65535`},
		{"width overflows", "99999999999999999999x3x3", `game "99999999999999999999x3x3": "99999999999999999999" is not a number of columns from 1 to 65535`},
		{"height overflows", "3x99999999999999999999x3", `game "3x99999999999999999999x3": "99999999999999999999" is not a number of rows from 1 to 65535`},
		{"stones in a row overflow", "3x3x99999999999999999999", `game "3x3x99999999999999999999": "99999999999999999999" is not a number of stones in a row from 1 to 65535`},
		{"zero width", "0x3x3", `game 0x3x3: width, height and stones in a row must each be at least 1`},
		{"zero height", "3x0x3-drop", `game 3x0x3-drop: width, height and stones in a row must each be at least 1`},
		{"zero in a row", "3x3x0", `game 3x3x0: width, height and stones in a row must each be at least 1`},
		{"40 columns", "40x1x3", `game 40x1x3 is too large: the key holds at most 39 cells`},
		{"40 rows", "1x40x3", `game 1x40x3 is too large: the key holds at most 39 cells`},
		{"40 cells", "8x5x3", `game 8x5x3 is too large: the key holds at most 39 cells`},
		{"Connect Four", "7x6x4-drop", `game 7x6x4-drop is too large: the key holds at most 39 cells`},
		{"largest numbers read", "65535x65535x65535", `game 65535x65535x65535 is too large: the key holds at most 39 cells`},
		{"dash at the end", "3x3x3-", `game "3x3x3-": unexpected word ""` + wantWords},
		{"two dashes", "3x3x3--drop", `game "3x3x3--drop": unexpected word ""` + wantWords},
		{"dash after drop", "3x3x3-drop-", `game "3x3x3-drop-": unexpected word ""` + wantWords},
		{"drop twice", "3x3x3-drop-drop", `game "3x3x3-drop-drop": unexpected word "drop"` + wantWords},
		{"misere twice", "3x3x3-misere-drop-misere", `game "3x3x3-misere-drop-misere": unexpected word "misere"` + wantWords},
		{"unknown word", "3x3x3-gravity", `game "3x3x3-gravity": unexpected word "gravity"` + wantWords},
		{"accented word", "3x3x3-misère", `game "3x3x3-misère": unexpected word "misère"` + wantWords},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := game.Parse(test.text)
			if err == nil {
				t.Fatalf("Parse(%q) = %s, want an error", test.text, g)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("error of Parse(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestNewErrors(t *testing.T) {
	const huge = 1 << 40
	for _, test := range []struct {
		name string
		spec game.Spec
		want string
	}{
		{"nothing set", game.Spec{}, "game 0x0x0: width, height and stones in a row must each be at least 1"},
		{"negative width", game.Spec{Width: -3, Height: 3, InRow: 3}, "game -3x3x3: width, height and stones in a row must each be at least 1"},
		{"two negatives", game.Spec{Width: -3, Height: -3, InRow: 3}, "game -3x-3x3: width, height and stones in a row must each be at least 1"},
		{"negative in a row", game.Spec{Width: 3, Height: 3, InRow: -1}, "game 3x3x-1: width, height and stones in a row must each be at least 1"},
		{"product overflows", game.Spec{Width: huge, Height: huge, InRow: 3}, "game 1099511627776x1099511627776x3 is too large: the key holds at most 39 cells"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := game.New(test.spec)
			if err == nil {
				t.Fatalf("New(%+v) = %s, want an error", test.spec, g)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("error of New(%+v) (-want +got):\n%s", test.spec, diff)
			}
		})
	}
}

// Exactly what a regular expression takes for a game, with sizes in range, is accepted, and
// the game's own name leads back to it.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"3x3x3", "4X3x2-misere-DROP", "39x1x65535", "8x5x4", "3x3x3-drop-drop", "0x3x3", "-", "+3x3x3\n"} {
		f.Add(name)
	}
	syntax := regexp.MustCompile(`^([0-9]+)x([0-9]+)x([0-9]+)(|-drop|-misere|-drop-misere|-misere-drop)$`)
	f.Fuzz(func(t *testing.T, name string) {
		want := false
		if found := syntax.FindStringSubmatch(strings.ToLower(name)); found != nil {
			width, height, inRow := number(found[1]), number(found[2]), number(found[3])
			cells := new(big.Int).Mul(width, height)
			want = cells.Sign() > 0 && cells.Cmp(big.NewInt(39)) <= 0 &&
				inRow.Sign() > 0 && inRow.Cmp(big.NewInt(65535)) <= 0
		}
		g, err := game.Parse(name)
		if (err == nil) != want {
			t.Fatalf("Parse(%q) has the error %v; is it a game? %t", name, err, want)
		}
		if err != nil {
			checkOneLine(t, err)
			return
		}
		again, err := game.Parse(g.String())
		if err != nil {
			t.Fatalf("Parse(%q) calls itself %q, which is not accepted: %v", name, g, err)
		}
		if again.Spec != g.Spec || again.String() != g.String() {
			t.Errorf("Parse(%q) is %+v, but its name %q leads to %+v", name, g.Spec, g, again.Spec)
		}
	})
}

func number(digits string) *big.Int {
	n, _ := new(big.Int).SetString(digits, 10)
	return n
}

// checkOneLine checks that an error can be printed on one line of a terminal.
func checkOneLine(t *testing.T, err error) {
	t.Helper()
	for _, c := range err.Error() {
		if !unicode.IsPrint(c) {
			t.Errorf("the error %q has the unprintable character %q", err.Error(), c)
		}
	}
}
