// Package lang is the small language of suite files: quantities as people
// write them, ${…} templates, and the expressions of gates, all on expr-lang.
// It keeps track of where each character stood in the file, and knows nothing
// of suites, results or clocks.
package lang

import (
	"encoding/json"
	"math"
	"strconv"
)

// Kind says what a Value is.
type Kind int

// A value is text, a number (with or without a unit) or true/false.
const (
	String Kind = iota
	Number
	Bool
)

// Value keeps the spelling of a parameter beside its number, so that 1KiB
// names a case 1KiB and counts as 1024.
type Value struct {
	Kind   Kind
	Text   string  // as written
	Number float64 // SI base units: seconds, bytes, shares; set where Kind is Number
	Bool   bool    // set where Kind is Bool
}

// NumberValue is a number without a unit.
func NumberValue(x float64) Value {
	return Value{Kind: Number, Text: FormatNumber(x), Number: x}
}

// StringValue is text.
func StringValue(s string) Value { return Value{Kind: String, Text: s} }

// ParameterValue reads a YAML scalar whose resolved tag is yamlTag. What YAML
// calls a number is one where ParseNumber agrees (010 is text); text is a
// number where it has a unit, so that 1KiB counts and "64" in quotes does not.
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
		if x, ok := ParseQuantity(text); ok && plain != nil {
			return Value{Kind: Number, Text: text, Number: x}
		}
	}
	return StringValue(text)
}

// FormatNumber prints a number in its shortest form, without an exponent where
// that takes at most 21 digits.
func FormatNumber(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// MarshalJSON gives {"text": …} and, where it is one, the number or truth.
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
