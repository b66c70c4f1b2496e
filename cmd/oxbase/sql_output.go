package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"oxbase/store"
)

// resultWriter writes the result of one SQL statement as its rows come.
type resultWriter interface {
	store.Sink
	// finish writes what is still held back. complete is false if the statement failed.
	finish(complete bool) error
}

// sqlModes are the forms in which results are written.
func sqlModes() []string { return []string{"table", "csv", "json", "jsonl"} }

func newResultWriter(mode string, out io.Writer) resultWriter {
	buffered := bufio.NewWriterSize(out, 64<<10)
	switch mode {
	case "csv":
		return &csvResult{out: buffered}
	case "json":
		return &jsonResult{out: buffered, array: true}
	case "jsonl":
		return &jsonResult{out: buffered}
	}
	return &tableResult{out: buffered}
}

// csvResult writes comma-separated values with a header, quoted as RFC 4180 says, each record
// ended by a line feed. NULL is an empty field and an empty text is "".
type csvResult struct {
	out  *bufio.Writer
	line []byte
}

func (w *csvResult) Columns(names []string) error {
	row := make([]any, len(names))
	for i, name := range names {
		row[i] = name
	}
	return w.Row(row)
}

func (w *csvResult) Row(values []any) error {
	w.line = w.line[:0]
	for i, value := range values {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		if value == nil {
			continue
		}
		text, _ := plainText(value)
		if text == "" || strings.ContainsAny(text, "\",\r\n") {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		w.line = append(w.line, text...)
	}
	_, err := w.out.Write(append(w.line, '\n'))
	return err
}

func (w *csvResult) finish(bool) error { return w.out.Flush() }

// jsonResult writes an object for each row, its keys the names of the columns: as one array, or
// one object a line.
type jsonResult struct {
	out   *bufio.Writer
	array bool
	keys  []string // with what stands around each
	text  bytes.Buffer
	rows  int
}

func (w *jsonResult) Columns(names []string) error {
	w.keys = nil
	for i, name := range distinct(names) {
		w.text.Reset()
		w.text.WriteString(choose(i == 0, "{", ","))
		if err := w.string(name); err != nil {
			return err
		}
		w.text.WriteByte(':')
		w.keys = append(w.keys, w.text.String())
	}
	if w.array {
		return w.out.WriteByte('[')
	}
	return nil
}

// distinct adds :1, :2 and so on to names that came before, as SQLite does.
func distinct(names []string) []string {
	list := make([]string, len(names))
	seen := map[string]bool{}
	for i, name := range names {
		list[i] = name
		for n := 1; seen[list[i]]; n++ {
			list[i] = fmt.Sprintf("%s:%d", name, n)
		}
		seen[list[i]] = true
	}
	return list
}

func (w *jsonResult) Row(values []any) error {
	w.text.Reset()
	if w.array {
		w.text.WriteString(choose(w.rows == 0, "\n", ",\n"))
	}
	w.rows++
	for i, value := range values {
		w.text.WriteString(w.keys[i])
		if err := w.value(value); err != nil {
			return err
		}
	}
	w.text.WriteByte('}')
	if !w.array {
		w.text.WriteByte('\n')
	}
	_, err := w.out.Write(w.text.Bytes())
	return err
}

func (w *jsonResult) value(value any) error {
	switch value := value.(type) {
	case nil:
		w.text.WriteString("null")
	case int64:
		w.text.WriteString(strconv.FormatInt(value, 10))
	case float64:
		w.text.WriteString(realText(value))
	default:
		text, _ := plainText(value)
		return w.string(text)
	}
	return nil
}

func (w *jsonResult) string(text string) error {
	encoder := json.NewEncoder(&w.text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return err
	}
	w.text.Truncate(w.text.Len() - 1) // the line feed
	return nil
}

func (w *jsonResult) finish(complete bool) error {
	if w.array && w.keys != nil && complete {
		// The writer keeps its error for Flush.
		_, _ = w.out.WriteString(choose(w.rows > 0, "\n]\n", "]\n"))
	}
	return w.out.Flush()
}

// plainText writes a value that isn't NULL as people and spreadsheets want it, and says whether
// it is a number. A blob is written as an SQL literal.
func plainText(value any) (text string, number bool) {
	switch value := value.(type) {
	case int64:
		return strconv.FormatInt(value, 10), true
	case float64:
		return realText(value), true
	case string:
		return value, false
	case []byte:
		return "X'" + strings.ToUpper(hex.EncodeToString(value)) + "'", false
	}
	return fmt.Sprint(value), false
}

// realText writes a number so that it reads back as the same one, with a point or an exponent,
// since it is no integer. An infinite one is too large for its exponent.
func realText(value float64) string {
	format := byte('f')
	switch size := math.Abs(value); {
	case math.IsInf(value, 0):
		return choose(value > 0, "9e999", "-9e999")
	case size != 0 && (size < 1e-6 || size >= 1e21):
		format = 'e'
	}
	text := strconv.FormatFloat(value, format, -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
