package store

import (
	"context"
	"database/sql/driver"
	"slices"

	"oxbase/game"
)

// checkCells returns an error unless the table cells holds the cells of the game: the views make
// the boards from it.
func (d *DB) checkCells() error {
	cell := 0
	err := d.conn.rows(context.Background(), `SELECT cell, name, row, "column", weight FROM cells ORDER BY cell`, func(values []driver.Value) error {
		if cell == d.game.Cells() || !slices.Equal(values, cellColumns(d.game, cell)) {
			return damaged("row %d of the table cells is not of %s", cell+1, d.game)
		}
		cell++
		return nil
	})
	if err == nil && cell < d.game.Cells() {
		err = damaged("the table cells has %d rows: want %d", cell, d.game.Cells())
	}
	return err
}

// cellColumns returns the row of a cell in the table cells.
func cellColumns(g *game.Game, cell int) []driver.Value {
	column, row := cell%g.Width, cell/g.Width
	return []driver.Value{int64(cell), g.CellName(cell), int64(g.Height - row), int64(column + 1), int64(g.Weight(cell))}
}
