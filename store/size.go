package store

import "oxbase/game"

// EstimateSize returns about how many bytes a file with that many positions of a game and gaps
// up to a length takes: what the cells of the B-trees take, pages being full, with most keys as
// wide as the largest and most values a byte each.
func EstimateSize(g *game.Game, positions int64, stripLength int) uint64 {
	const (
		schema    = 15 * pageSize
		row       = 2 + 1 + 6 + 2.5 // pointer, length, header of the record, values
		gap       = 2 + 1 + 5 + 5
		overheads = 1.005 // headers of pages, and the pages above the leaves
	)
	rows := float64(positions) * (row + float64(varintSize(int64(g.Keys()-1))))
	gaps := 9 * float64(stripLength+1) * gap
	return uint64(schema + overheads*(rows+gaps))
}
