package export

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"oxbase/game"
)

// Format is a file format.
type Format string

// The formats.
const (
	CSV     Format = "csv"     // a line of names, then a line a position; booleans are 1 or 0
	JSONL   Format = "jsonl"   // JSON Lines: an object a position, each on a line of its own
	Parquet Format = "parquet" // Apache Parquet, compressed by Snappy
)

// Formats returns the names of all formats.
func Formats() []string { return []string{string(CSV), string(JSONL), string(Parquet)} }

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	for _, format := range Formats() {
		if name == format {
			return Format(name), nil
		}
	}
	return "", fmt.Errorf("format %q: want %s", name, strings.Join(Formats(), ", "))
}

// Writer writes records in some format.
type Writer interface {
	Write(records []Record) error
	Close() error // what is still to be written; it leaves what it writes to open
}

// NewWriter returns a writer of records. A Parquet file says in its metadata, under "game", of
// which game the positions are.
func NewWriter(out io.Writer, format Format, g *game.Game) Writer {
	switch format {
	case JSONL:
		return jsonWriter{json.NewEncoder(out)}
	case Parquet:
		const rowGroup = 1 << 18 // rows kept in memory, compressed
		return parquetWriter{parquet.NewGenericWriter[Record](out, parquet.Compression(&parquet.Snappy),
			parquet.MaxRowsPerRowGroup(rowGroup), parquet.KeyValueMetadata("game", g.String()))}
	}
	w := &csvWriter{out: csv.NewWriter(out)}
	for _, column := range Columns() {
		w.cells = append(w.cells, column.Name)
	}
	// The writer keeps its first error for the next write.
	_ = w.out.Write(w.cells)
	return w
}

type csvWriter struct {
	out   *csv.Writer
	cells []string
}

func (w *csvWriter) Write(records []Record) error {
	for _, r := range records {
		w.cells = append(w.cells[:0], strconv.FormatInt(int64(r.Key), 10), r.Board, r.ToMove,
			strconv.Itoa(int(r.Stones)), digit(r.Terminal), strconv.Itoa(int(r.Outcome)), strconv.Itoa(int(r.Score)),
			strconv.Itoa(int(r.Distance)), digit(r.Reachable), strings.Join(r.BestMoves, " "))
		if err := w.out.Write(w.cells); err != nil {
			return err
		}
	}
	return nil
}

func (w *csvWriter) Close() error {
	w.out.Flush()
	return w.out.Error()
}

// digit writes a truth value as the tablebase file has it.
func digit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

type jsonWriter struct{ out *json.Encoder }

func (w jsonWriter) Write(records []Record) error {
	for i := range records {
		if err := w.out.Encode(&records[i]); err != nil {
			return err
		}
	}
	return nil
}

func (jsonWriter) Close() error { return nil }

type parquetWriter struct {
	out *parquet.GenericWriter[Record]
}

func (w parquetWriter) Write(records []Record) error {
	_, err := w.out.Write(records)
	return err
}

func (w parquetWriter) Close() error { return w.out.Close() }
