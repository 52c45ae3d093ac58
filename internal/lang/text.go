package lang

import (
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
)

// Text is a scalar of a file: its value, and where each character of the value
// stood. A zero Place is text that no file holds.
type Text struct {
	Value string     `json:"value"`
	Place diag.Place `json:"place"` // of the first character of the value (after an opening quote)
	// Marks say where characters stood that do not simply follow the one before
	// them in the file: after a line break, an escape or an expanded ${…}.
	// Ascending; empty for text that stood in the file as it is.
	Marks []Mark `json:"-"`
}

// Mark is the place of one character of a Text, and of those that follow it.
type Mark struct {
	Offset int // in characters of Text.Value
	Place  diag.Place
	Fixed  bool // the characters up to the next mark all stand here
}

// At gives the place of a character of the value. offset counts characters from
// 0; the one behind the last is a place too.
func (t Text) At(offset int) diag.Place {
	at := Mark{Place: t.Place}
	for _, m := range t.Marks {
		if m.Offset > offset {
			break
		}
		at = m
	}
	if at.Place.Line > 0 && !at.Fixed {
		at.Place.Col += max(0, offset-at.Offset)
	}
	return at.Place
}

// Slice gives the characters from (counted from 0) up to to, with their places.
func (t Text) Slice(from, to int) Text {
	part := Text{Value: string([]rune(t.Value)[from:to]), Place: t.At(from)}
	for i, m := range t.Marks {
		switch {
		case m.Offset > from && m.Offset < to:
			m.Offset -= from
			part.Marks = append(part.Marks, m)
		case m.Offset <= from && m.Fixed && (i+1 == len(t.Marks) || t.Marks[i+1].Offset > from):
			part.Marks = append(part.Marks, Mark{0, m.Place, true})
		}
	}
	return part
}

// Problem places a message at a character of the text and shows the line of the
// value around it, with a caret below.
func (t Text) Problem(offset int, message, hint string) diag.Problem {
	line, caret := t.line(offset)
	line, caret = window(line, caret)
	return diag.Problem{Place: t.At(offset), Message: diag.Clip(message), Hint: diag.Clip(hint), Source: line, Caret: caret}
}

// line is the line of the value that holds the character at offset, and where
// in it that character is.
func (t Text) line(offset int) (string, int) {
	start := 0
	for line := range strings.Lines(t.Value) {
		n := utf8.RuneCountInString(line)
		if offset < start+n || start+n >= utf8.RuneCountInString(t.Value) {
			line = strings.TrimRight(line, "\r\n")
			return strings.Map(visible, line), min(offset-start, utf8.RuneCountInString(line))
		}
		start += n
	}
	return "", 0
}

// window cuts a line to 100 characters around its caret, so that a problem fits
// a terminal.
func window(line string, caret int) (string, int) {
	const width = 100
	rs := []rune(line)
	if len(rs) <= width {
		return line, caret
	}
	from := min(max(0, caret-width/2), len(rs)-width)
	return string(rs[from : from+width]), caret - from
}

// visible keeps carets under their characters: a tab is one space, and nothing
// else moves the cursor.
func visible(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}
