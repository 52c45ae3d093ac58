// Package lang is the small language of suite files: quantities as people write them, ${…}
// templates, and the expressions of gates. Expressions are built on expr-lang. A Text knows
// where in the file each of its characters is, so every problem has a place. Package lang
// knows nothing of suites, results or clocks.
package lang

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
)

// Text is a scalar of a file: its value, and where in the file each character is. Place is
// zero for text that is in no file.
type Text struct {
	Value string     `json:"value"`
	Place diag.Place `json:"place"` // of the first character of the value (after an opening quote)
	// Marks are the places of characters that do not directly follow the previous one in
	// the file: after a line break, an escape or an expanded ${…}. They are in ascending
	// order. Marks is empty if the file has the text as it is.
	Marks []Mark `json:"-"`
}

// Mark is the place of one character of a Text. The characters after it follow it in the
// file, up to the next mark.
type Mark struct {
	Offset int // in characters of Text.Value
	Place  diag.Place
	Fixed  bool // all characters up to the next mark have this place
}

// At is the place of a character of the value. offset counts characters from 0; the end
// of the text has a place too.
func (t Text) At(offset int) diag.Place {
	at := Mark{Place: t.Place}
	if after := t.marksUpTo(offset); after > 0 {
		at = t.Marks[after-1]
	}
	if at.Place.Line > 0 && !at.Fixed {
		at.Place.Col += max(0, offset-at.Offset)
	}
	return at.Place
}

// Slice cuts out the characters from (counted from 0) up to but not including to, with
// their places.
func (t Text) Slice(from, to int) Text {
	return t.slice([]rune(t.Value), from, to)
}

// slice is Slice for a text whose characters are known: cutting all expressions out of a text
// takes time in proportion to its length.
func (t Text) slice(rs []rune, from, to int) Text {
	part := Text{Value: string(rs[from:to]), Place: t.At(from)}
	after := t.marksUpTo(from)
	if after > 0 && t.Marks[after-1].Fixed {
		part.Marks = append(part.Marks, Mark{0, t.Marks[after-1].Place, true})
	}
	for _, m := range t.Marks[after:] {
		if m.Offset >= to {
			break
		}
		m.Offset -= from
		part.Marks = append(part.Marks, m)
	}
	return part
}

// marksUpTo counts the marks up to an offset. Marks are in ascending order.
func (t Text) marksUpTo(offset int) int {
	after, _ := slices.BinarySearchFunc(t.Marks, offset, func(m Mark, offset int) int {
		if m.Offset > offset {
			return 1
		}
		return -1
	})
	return after
}

// Problem places a message at a character of the text. The problem shows the line of the
// value that has the character, with a caret below it.
func (t Text) Problem(offset int, message, hint string) diag.Problem {
	line, caret := t.line(offset)
	line, caret = window(line, caret)
	return diag.Problem{Code: diag.Expression, Place: t.At(offset), Message: diag.Clip(message), Hint: diag.Clip(hint),
		Source: line, Caret: caret}
}

// line finds the line of the value with the character at offset, and the character's
// index in the line.
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

// window cuts a line to 100 characters around its caret, so that a problem fits in a
// terminal.
func window(line string, caret int) (string, int) {
	const width = 100
	rs := []rune(line)
	if len(rs) <= width {
		return line, caret
	}
	from := min(max(0, caret-width/2), len(rs)-width)
	return string(rs[from : from+width]), caret - from
}

// visible replaces characters that move the cursor, so that carets are below their
// characters: a tab becomes one space.
func visible(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}

// Kind is the kind of a Value.
type Kind int

// A value is text, a number (with or without a unit), or true or false.
const (
	String Kind = iota
	Number
	Bool
)

// Value is the value of a parameter. It keeps the spelling as well as the number: with
// 1KiB, the name of the case has 1KiB in it, and expressions calculate with 1024.
type Value struct {
	Kind   Kind
	Text   string  // as written
	Number float64 // in SI base units: seconds, bytes, shares; set if Kind is Number
	Bool   bool    // set if Kind is Bool
}

func numberValue(x float64) Value {
	return Value{Kind: Number, Text: FormatNumber(x), Number: x}
}

// StringValue makes a value of text.
func StringValue(s string) Value { return Value{Kind: String, Text: s} }

// ParameterValue converts a YAML scalar whose resolved tag is yamlTag. What YAML takes
// for a number is a number if ParseNumber agrees: 010 is text. Text is a number if it
// has a unit: 1KiB is a number, and "64" in quotes is not.
func ParameterValue(text, yamlTag string) Value {
	switch yamlTag {
	case "!!bool":
		return Value{Kind: Bool, Text: text, Bool: text[0] == 't' || text[0] == 'T'}
	case "!!int", "!!float":
		if x, err := ParseNumber(text); err == nil {
			return Value{Kind: Number, Text: text, Number: x}
		}
	case "!!str":
		_, plain := ParseNumber(text)
		if x, ok := parseQuantity(text); ok && plain != nil {
			return Value{Kind: Number, Text: text, Number: x}
		}
	}
	return StringValue(text)
}

// FormatNumber prints a number in its shortest form, without an exponent if that takes at
// most 21 digits.
func FormatNumber(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// MarshalJSON writes {"text": …} with number or bool, if the value is one.
func (v Value) MarshalJSON() ([]byte, error) {
	out := struct {
		Text   string   `json:"text"`
		Number *float64 `json:"number,omitempty"`
		Bool   *bool    `json:"bool,omitempty"`
	}{Text: v.Text}
	switch v.Kind {
	case Number:
		out.Number = &v.Number
	case Bool:
		out.Bool = &v.Bool
	}
	return json.Marshal(out)
}
