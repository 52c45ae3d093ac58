package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Column has one number per row. A row without a number is NaN here and null in JSON:
// absent is never zero.
type Column []float64

// absent reports whether x is NaN: the row has no number.
func absent(x float64) bool { return x != x }

// Present returns the numbers of the rows that have one, in order. It does not copy a
// column without gaps.
func (c Column) Present() []float64 {
	first := slices.IndexFunc(c, absent)
	if first < 0 {
		return c
	}
	var xs []float64
	for i, x := range c {
		if i < first || !absent(x) {
			xs = append(xs, x)
		}
	}
	return xs
}

// empty reports whether every row is without a number.
func (c Column) empty() bool {
	return !slices.ContainsFunc(c, func(x float64) bool { return !absent(x) })
}

// MarshalJSON writes the shortest numbers that are read as the same float64, and null
// for absent ones. An infinite number is an error.
func (c Column) MarshalJSON() ([]byte, error) {
	return c.append(make([]byte, 0, 2+14*len(c)))
}

func (c Column) append(out []byte) ([]byte, error) {
	out = append(out, '[')
	for i, x := range c {
		if i > 0 {
			out = append(out, ',')
		}
		switch {
		case absent(x):
			out = append(out, "null"...)
		case math.IsInf(x, 0):
			return nil, unsupported(x)
		default:
			out = appendNumber(out, x)
		}
	}
	return append(out, ']'), nil
}

// appendNumber writes the shortest text that is read as x, without an exponent
// between 1e-6 and 1e21.
func appendNumber(out []byte, x float64) []byte {
	if size := math.Abs(x); size == 0 || 1e-6 <= size && size < 1e21 {
		return strconv.AppendFloat(out, x, 'f', -1, 64)
	}
	out = strconv.AppendFloat(out, x, 'e', -1, 64)
	if n := len(out); out[n-4] == 'e' && out[n-3] == '-' && out[n-2] == '0' { // e-09 becomes e-9
		out[n-2], out = out[n-1], out[:n-1]
	}
	return out
}

// UnmarshalJSON reads a list of numbers and nulls. A null in place of the list
// leaves the column as it is, as everywhere in encoding/json.
func (c *Column) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	out, err := parseList(data, number)
	if err != nil {
		return err
	}
	*c = out
	return nil
}

// parseList parses the elements of a list. data is a valid JSON value.
func parseList[T any](data []byte, parse func(text []byte) (T, error)) ([]T, error) {
	if len(data) == 0 || data[0] != '[' {
		return nil, &columnError{0, kindOf(data)}
	}
	out := make([]T, 0, bytes.Count(data, []byte(","))+1)
	for at := 1; ; {
		for isSpace(data[at]) || data[at] == ',' {
			at++
		}
		if data[at] == ']' {
			return out, nil
		}
		end := at + 1
		for !isSpace(data[end]) && data[end] != ',' && data[end] != ']' {
			end++
		}
		x, err := parse(data[at:end])
		if err != nil {
			return nil, &columnError{at, kindOf(data[at:end])}
		}
		out = append(out, x)
		at = end
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// number parses one element; text is a valid JSON value, or the start of one.
func number(text []byte) (float64, error) {
	if string(text) == "null" {
		return math.NaN(), nil
	}
	if text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(string(text), 64)
}

// columnError is a column that cannot be read, with the offset in the column's text.
type columnError struct {
	offset int
	what   string // a string, the number 1e999
}

func (e *columnError) Error() string {
	return fmt.Sprintf("unexpected %s in a column of samples", e.what)
}

// kindOf names the kind of a JSON value by its first byte.
func kindOf(text []byte) string {
	switch text[0] {
	case '"':
		return "string"
	case '[':
		return "array"
	case '{':
		return "object"
	case 't', 'f':
		return "bool"
	}
	return "number " + string(text)
}

// always is the column without gaps: a sample without a time does not exist.
const always = "time"

func infinite(x float64) bool { return math.IsInf(x, 0) }

func notNumber(x float64) bool { return absent(x) || infinite(x) }

// unsupported is the error of encoding/json for a number that JSON does not have.
func unsupported(x float64) error {
	return &json.UnsupportedValueError{Value: reflect.ValueOf(x), Str: strconv.FormatFloat(x, 'g', -1, 64)}
}
