package number

import (
	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

const (
	To       = " to " // between two bounds
	mostText = 16     // columns of a word or a unit in a cell
)

// Fitting shortens what a user or a program chose, so that it cannot fill a row.
func Fitting(c page.Cell) page.Cell {
	c.Unit, c.Text, c.Word = Word(c.Unit), Word(c.Text), Word(c.Word)
	return c
}

// Word escapes and shortens a word that a user or a program chose, so that it cannot
// fill a row.
func Word(s string) string { return display.Shorten(s, mostText) }

// MostNamed is how many names a line has before it counts the rest.
const MostNamed = 4

// Column is a column with the cells of all cases of a group, in their order.
type Column struct {
	page.Column
	Cells []page.Cell
}
