package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// contentHash computes the hash of all rows: SHA-256 of their columns with | between them and a
// line feed at the end, of positions in the order of the keys and then of strip_sg by length,
// left and right end.
func (v *verifier) contentHash(ctx context.Context) error {
	sum := sha256.New()
	var text []byte
	number := func(n int64, end byte) {
		text = append(strconv.AppendInt(text, n, 10), end)
	}
	flush := func(done int) error {
		sum.Write(text)
		text = text[:0]
		v.options.Progress(Progress{"hashing", int64(done), int64(v.rows.Len())})
		return ctx.Err()
	}
	for i := range v.rows.Len() {
		row := v.rows.At(i)
		number(int64(row.Key), '|')
		number(int64(row.Outcome), '|')
		number(int64(row.Score), '|')
		number(int64(row.Distance), '|')
		number(int64(digit(row.Reachable)), '\n')
		if i%batchRows == 0 {
			if err := flush(i); err != nil {
				return err
			}
		}
	}
	for i, sg := range v.sg {
		gap := gapNumber(int64(i))
		number(int64(gap.Length), '|')
		text = append(text, byte(gap.Left), '|', byte(gap.Right), '|')
		number(int64(sg), '\n')
	}
	if err := flush(v.rows.Len()); err != nil {
		return err
	}
	return v.compareHash(Check{
		Name: "content hash", Expected: hex.EncodeToString(sum.Sum(nil)), Got: v.row.contentHash, Source: "the rows",
	}, "game.content_hash is not the hash of the rows")
}

func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}
