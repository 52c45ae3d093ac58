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

// SpacedWord is Word(s) after a space, empty if s is.
func SpacedWord(s string) string {
	if s == "" {
		return ""
	}
	return " " + Word(s)
}

// Spaced is s after a space, empty if s is. Unlike SpacedWord it does not shorten s.
func Spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// Word escapes and shortens a word that a user or a program chose, so that it cannot
// fill a row.
func Word(s string) string { return display.Shorten(display.Visible(s), mostText) }

// JoinMarks concatenates the texts of marks.
func JoinMarks(ms []Mark) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString(m.Text)
	}
	return b.String()
}

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
