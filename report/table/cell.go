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

// SpacedWord is a word after a space.
func SpacedWord(s string) string {
	if s == "" {
		return ""
	}
	return " " + Word(s)
}

// Spaced is a text of ours after a space.
func Spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// Word keeps the words of a user or a program from filling a row.
func Word(s string) string { return display.Shorten(display.Visible(s), mostText) }

// JoinMarks returns the texts of marks, one after the other.
func JoinMarks(ms []Mark) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString(m.Text)
	}
	return b.String()
}

// NoteMarks returns the numbers of footnotes.
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

// Superscript writes the number of a footnote.
func Superscript(n int) string {
	return strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(fmt.Sprint(n))
}
