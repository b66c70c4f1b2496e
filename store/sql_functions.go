package store

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"modernc.org/sqlite"

	"oxbase/game"
)

// Function describes an SQL function that a [Session] has.
type Function struct {
	Signature string // such as "cell_name(cell)"
	Summary   string
}

// Functions lists the SQL functions of a [Session], for boards of the game that its file holds.
// Each returns NULL if an argument is NULL.
func Functions() []Function {
	var list []Function
	for _, f := range functions(nil, nil) {
		list = append(list, f.Function)
	}
	return list
}

// sqlFunction is a function as SQLite wants it.
type sqlFunction struct {
	Function
	name      string
	arguments int32 // how many it wants, -1 for a number that it checks itself
	call      func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error)
}

// functions returns the functions for boards of one game.
func functions(g *game.Game, draw Draw) []sqlFunction {
	f := boardFunctions{g, draw}
	list := []sqlFunction{
		{Function{"board_text(key)", "the board of a position, such as 'x.o/.x./...'"}, "", 1, ofNumber(f.text)},
		{Function{"board_key(board [, to_move])", "the key of a board; to_move 'x' or 'o' if the stones don't say it"}, "", -1, f.key},
		{Function{"canonical_key(key)", "the smallest key among the turned and mirrored boards, same side to move"}, "", 1, ofNumber(f.canonical)},
		{Function{"cell_name(cell)", "the name of a cell; cell 0, at the top left, is 'a3' on a 3x3 board"}, "", 1, ofNumber(f.cellName)},
		{Function{"cell_number(name)", "the number of a cell"}, "", 1, ofText(f.cellNumber)},
		{Function{"picture(key)", "the board of a position on several lines, cell names at its edges"}, "", 1, ofNumber(f.picture)},
	}
	for i := range list {
		name, _, _ := strings.Cut(list[i].Signature, "(")
		call := list[i].call
		list[i].name = name
		list[i].call = func(c *sqlite.FunctionContext, arguments []driver.Value) (driver.Value, error) {
			for _, argument := range arguments {
				if argument == nil {
					return nil, nil
				}
			}
			value, err := call(c, arguments)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return value, nil
		}
	}
	return list
}

// ofNumber makes an SQL function of one that wants an integer.
func ofNumber[T any](call func(int64) (T, error)) func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
	return func(_ *sqlite.FunctionContext, arguments []driver.Value) (driver.Value, error) {
		n, ok := arguments[0].(int64)
		if !ok {
			return nil, fmt.Errorf("%s is not an integer", show(arguments[0]))
		}
		return call(n)
	}
}

// ofText makes an SQL function of one that wants a text.
func ofText[T any](call func(string) (T, error)) func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
	return func(_ *sqlite.FunctionContext, arguments []driver.Value) (driver.Value, error) {
		text, ok := arguments[0].(string)
		if !ok {
			return nil, fmt.Errorf("%s is not a text", show(arguments[0]))
		}
		return call(text)
	}
}

// show writes an argument for an error.
func show(value driver.Value) string {
	switch value := value.(type) {
	case string:
		return fmt.Sprintf("%q", value)
	case []byte:
		return fmt.Sprintf("a blob of %d bytes", len(value))
	}
	return fmt.Sprint(value)
}

// Draw returns a picture of a board on several lines.
type Draw func(*game.Game, game.Board) string

// boardFunctions are the functions on boards of a game.
type boardFunctions struct {
	game *game.Game
	draw Draw
}

func (f boardFunctions) text(key int64) (string, error) {
	p, err := f.game.Position(game.Key(key))
	if err != nil {
		return "", err
	}
	return f.game.Text(p.Board), nil
}

func (f boardFunctions) key(_ *sqlite.FunctionContext, arguments []driver.Value) (driver.Value, error) {
	if len(arguments) != 1 && len(arguments) != 2 {
		return nil, fmt.Errorf("%d arguments: want a board and, if the stones don't say it, the side to move", len(arguments))
	}
	texts := [2]string{}
	for i, argument := range arguments {
		text, ok := argument.(string)
		if !ok {
			return nil, fmt.Errorf("%s is not a text", show(argument))
		}
		texts[i] = text
	}
	board, err := f.game.ParseBoard(texts[0])
	if err != nil {
		return nil, err
	}
	toMove, ok := board.ToMove()
	switch {
	case len(arguments) == 2:
		if toMove, err = game.ParseSide(texts[1]); err != nil {
			return nil, err
		}
	case !ok:
		return nil, fmt.Errorf("board %q: the stones don't say who moves: want 'x' or 'o' as second argument", texts[0])
	}
	return int64(f.game.Key(game.Position{Board: board, ToMove: toMove})), nil
}

func (f boardFunctions) canonical(key int64) (int64, error) {
	p, err := f.game.Position(game.Key(key))
	if err != nil {
		return 0, err
	}
	return int64(f.game.Canonical(p)), nil
}

func (f boardFunctions) cellName(cell int64) (string, error) {
	if cell < 0 || cell >= int64(f.game.Cells()) {
		return "", fmt.Errorf("%s has no cell %d: want 0 to %d", f.game, cell, f.game.Cells()-1)
	}
	return f.game.CellName(int(cell)), nil
}

func (f boardFunctions) cellNumber(name string) (int64, error) {
	last := f.game.Cells() - 1
	for cell := range last + 1 {
		if strings.EqualFold(name, f.game.CellName(cell)) {
			return int64(cell), nil
		}
	}
	return 0, fmt.Errorf("%s has no cell %q: want %s to %s", f.game, name, f.game.CellName(0), f.game.CellName(last))
}

func (f boardFunctions) picture(key int64) (string, error) {
	p, err := f.game.Position(game.Key(key))
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(f.draw(f.game, p.Board), "\n"), nil
}
