package table

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
)

const (
	To       = " to " // between two bounds
	mostText = 16     // columns of a word or a unit in a cell
)

// fitting shortens what a user or a program chose, so that it cannot fill a row.
func fitting(c Cell) Cell {
	c.Unit, c.Text, c.Word = Word(c.Unit), Word(c.Text), Word(c.Word)
	return c
}

// Word escapes and shortens a word that a user or a program chose, so that it cannot
// fill a row.
func Word(s string) string { return display.Shorten(display.Visible(s), mostText) }

// NoteMarks prints the numbers of a row's footnotes: ¹˒³.
func NoteMarks(numbers []int) string {
	marks := make([]string, len(numbers))
	for i, n := range numbers {
		marks[i] = Superscript(n)
	}
	return strings.Join(marks, "˒")
}

// SplitNumber cuts a number before its decimal point or percent sign.
func SplitNumber(number string) (whole, fraction string) {
	if i := strings.IndexAny(number, ".%"); i >= 0 {
		return number[:i], number[i:]
	}
	return number, ""
}

// Superscript prints n in superscript digits, as a mark of a footnote: ¹².
func Superscript(n int) string {
	return strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(fmt.Sprint(n))
}
