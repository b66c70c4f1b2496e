package main

import (
	"io"
	"strings"
	"unicode/utf8"
)

// aligned is a table for people. Its columns line up: numbers at the right, the rest at the left.
type aligned struct {
	rows    [][]string
	numbers []bool // whether a column holds numbers
}

// newAligned starts a table with the headings of its columns. A heading that begins with "#"
// is that of a column of numbers.
func newAligned(headings ...string) *aligned {
	t := &aligned{}
	row := make([]string, len(headings))
	for i, heading := range headings {
		name, isNumber := strings.CutPrefix(heading, "#")
		row[i] = name
		t.numbers = append(t.numbers, isNumber)
	}
	t.rows = append(t.rows, row)
	return t
}

// add adds a row with a text for each column.
func (t *aligned) add(cells ...string) { t.rows = append(t.rows, cells) }

// write writes the table, two blanks before the first column and between columns.
func (t *aligned) write(out io.Writer) error {
	widths := make([]int, len(t.numbers))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			line.WriteString("  ")
			if t.numbers[i] {
				line.WriteString(padding + cell)
			} else {
				line.WriteString(cell + padding)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}
