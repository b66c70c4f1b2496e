package game_test

import (
	"fmt"

	"oxbase/game"
)

func ExampleParse() {
	g, err := game.Parse("5x4x4-MISERE-drop")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g, "has", g.Cells(), "cells, from", g.CellName(0), "to", g.CellName(g.Cells()-1))

	_, err = game.Parse("3x3x3-gravity")
	fmt.Println(err)
	// Output:
	// 5x4x4-drop-misere has 20 cells, from a4 to e1
	// game "3x3x3-gravity": unexpected word "gravity": want -drop or -misere, each at most once
}

func ExampleGame_ParseBoard() {
	g, err := game.Parse("3x3x3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"X-O_x____", "x.o/.x./...", "x.o/.x.", "x.o/.z./..."} {
		b, err := g.ParseBoard(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Text(b))
	}
	// Output:
	// x.o/.x./...
	// x.o/.x./...
	// board "x.o/.x." has 6 cells: 3x3x3 has 3 rows of 3 cells
	// board "x.o/.z./...": "z" is not a cell: want x, o or .
}

func ExampleGame_Key() {
	g, err := game.Parse("3x3x3")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := g.ParseBoard("x.o/.x./...")
	if err != nil {
		fmt.Println(err)
		return
	}
	// The cells are the base-3 number 102010000, which is 3^8 + 2·3^6 + 3^4 = 8100.
	fmt.Println(g.Key(game.Position{Board: b, ToMove: game.X}), "with x to move")
	fmt.Println(g.Key(game.Position{Board: b, ToMove: game.O}), "with o to move")
	// Output:
	// 16200 with x to move
	// 16201 with o to move
}

func ExampleGame_Canonical() {
	g, err := game.Parse("3x3x3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"x../.o./...", "..x/.o./...", ".../.o./x..", ".../.o./..x"} {
		b, err := g.ParseBoard(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		p := game.Position{Board: b, ToMove: game.X}
		least, err := g.Position(g.Canonical(p))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, "is one of", g.Orbit(p), "positions like", g.Text(least.Board))
	}
	// Output:
	// x../.o./... is one of 4 positions like .../.o./..x
	// ..x/.o./... is one of 4 positions like .../.o./..x
	// .../.o./x.. is one of 4 positions like .../.o./..x
	// .../.o./..x is one of 4 positions like .../.o./..x
}
