package main

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// measuredRows is how many rows of a table are held back to find the widths of its columns. It
// streams the rows after them, in the same widths.
const measuredRows = 1000

// shownBlob is how many bytes of a blob a table shows.
const shownBlob = 32

// tableResult writes a table for people: the columns aligned, numbers at the right, NULL for NULL
// and 'NULL' for a text that says so. A text of several lines takes several lines of the table.
type tableResult struct {
	out     *bufio.Writer
	names   []string
	held    [][]tableCell
	numbers []bool // a column holds nothing else
	widths  []int  // terminal columns, nil until they are measured
}

// tableCell is a value as it is shown, in lines.
type tableCell struct {
	lines []string
	kind  cellKind
}

type cellKind int

const (
	nullCell cellKind = iota
	numberCell
	textCell
)

func (w *tableResult) Columns(names []string) error {
	w.names = names
	return nil
}

func (w *tableResult) Row(values []any) error {
	row := make([]tableCell, len(values))
	for i, value := range values {
		row[i] = showCell(value)
	}
	if w.widths != nil {
		return w.write(row)
	}
	w.held = append(w.held, row)
	if len(w.held) < measuredRows {
		return nil
	}
	return w.release()
}

func (w *tableResult) finish(bool) error {
	if w.names != nil && w.widths == nil {
		if err := w.release(); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

// release measures the rows that were held back and writes them below the names of the columns.
func (w *tableResult) release() error {
	w.widths = make([]int, len(w.names))
	w.numbers = make([]bool, len(w.names))
	heading := make([]tableCell, len(w.names))
	rule := make([]tableCell, len(w.names))
	for i, name := range w.names {
		heading[i] = showCell(name)
		w.widths[i] = heading[i].width()
		numbers, texts := 0, 0
		for _, row := range w.held {
			w.widths[i] = max(w.widths[i], row[i].width())
			switch row[i].kind {
			case numberCell:
				numbers++
			case textCell:
				texts++
			}
		}
		w.numbers[i] = numbers > 0 && texts == 0
		rule[i] = tableCell{lines: []string{strings.Repeat("-", w.widths[i])}}
	}
	for _, row := range append([][]tableCell{heading, rule}, w.held...) {
		if err := w.write(row); err != nil {
			return err
		}
	}
	w.held = nil
	return nil
}

// write writes a row, on as many lines as its highest cell has.
func (w *tableResult) write(row []tableCell) error {
	height := 1
	for _, cell := range row {
		height = max(height, len(cell.lines))
	}
	for y := range height {
		var line strings.Builder
		for i, cell := range row {
			text := ""
			if y < len(cell.lines) {
				text = cell.lines[y]
			}
			padding := strings.Repeat(" ", max(0, w.widths[i]-runewidth.StringWidth(text)))
			if i > 0 {
				line.WriteString("  ")
			}
			if w.numbers[i] {
				line.WriteString(padding + text)
			} else {
				line.WriteString(text + padding)
			}
		}
		if _, err := w.out.WriteString(strings.TrimRight(line.String(), " ") + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (c tableCell) width() int {
	width := 0
	for _, line := range c.lines {
		width = max(width, runewidth.StringWidth(line))
	}
	return width
}

// showCell prepares a value for a table.
func showCell(value any) tableCell {
	blob, isBlob := value.([]byte)
	switch {
	case value == nil:
		return tableCell{lines: []string{"NULL"}}
	case value == "NULL":
		return tableCell{lines: []string{"'NULL'"}, kind: textCell}
	case isBlob && len(blob) > shownBlob:
		start, _ := plainText(blob[:shownBlob])
		return tableCell{lines: []string{fmt.Sprintf("%s... (%d bytes)", strings.TrimSuffix(start, "'"), len(blob))}, kind: textCell}
	}
	text, number := plainText(value)
	if number {
		return tableCell{lines: []string{text}, kind: numberCell}
	}
	return tableCell{lines: strings.Split(printableLines(text), "\n"), kind: textCell}
}

// printableLines makes each line of a text printable.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return strings.Join(lines, "\n")
}

// printable replaces what would do something to a terminal by its escape in Go.
func printable(line string) string {
	if !strings.ContainsFunc(line, unprintable) {
		return line
	}
	var text strings.Builder
	for _, r := range line {
		if unprintable(r) && r != utf8.RuneError {
			text.WriteString(strings.Trim(fmt.Sprintf("%q", string(r)), `"`))
		} else {
			text.WriteRune(r)
		}
	}
	return text.String()
}

// unprintable reports whether a character is a control, or one that makes text run another way.
func unprintable(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
