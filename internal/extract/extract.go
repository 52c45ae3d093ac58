// Package extract finds numbers in what a program has printed: by a regular
// expression, at a JSON path, or in lines of the Go benchmark format. It takes
// text and gives a number as it stands there; it knows nothing of units, cases
// or processes.
package extract

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rule says where in a text the number stands; one of its fields is set.
type Rule struct {
	Regex string // a regular expression for a line; its group, or all that it matches, is the number
	JSON  string // path of the number: results.0.ms
	Bench string // unit of a value in the Go benchmark format: ns/op
	Of    string // with Bench: name on the line, as it is printed; empty: that of any line
}

// Open gives what finds a number in the text of one run. Its error says what is
// wrong with the rule, that of find why there is no such number; what they quote
// is short and harmless.
func Open(r Rule) (find func(text []byte) (float64, error), err error) {
	switch {
	case r.Regex != "":
		return byRegex(r.Regex)
	case r.JSON != "":
		return byPath(r.JSON)
	case r.Bench != "":
		return byUnit(r.Bench, strings.TrimPrefix(r.Of, "Benchmark")), nil
	}
	return nil, errors.New("nothing says where the number stands")
}

// number reads one, without the space around it. Only finite ones are.
func number(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s is too large", quote(text))
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s is not a number", quote(text))
	}
	return x, nil
}

// longestQuote of what a program printed, characters.
const longestQuote = 60

// quote writes text of a program so that it is harmless and short.
func quote(text string) string {
	if utf8.RuneCountInString(text) > longestQuote {
		text = string([]rune(text)[:longestQuote]) + "…"
	}
	return strconv.Quote(text)
}

// asWritten is a regular expression in quotes that leave its backslashes alone.
func asWritten(text string) string {
	if strconv.CanBackquote(text) && utf8.RuneCountInString(text) <= longestQuote {
		return "`" + text + "`"
	}
	return quote(text)
}

// byUnit finds the last line of the Go benchmark format with a value in a unit,
// of one benchmark where its name is given.
func byUnit(unit, name string) func([]byte) (float64, error) {
	return func(text []byte) (float64, error) {
		all := benchmarks(text)
		for i := len(all) - 1; i >= 0; i-- {
			if v, ok := all[i].Value(unit); ok && (name == "" || all[i].Full == name) {
				return number(strconv.FormatFloat(v.as(unit), 'g', -1, 64))
			}
		}
		if len(all) == 0 {
			return 0, errors.New("no line of the Go benchmark format was printed")
		}
		return 0, fmt.Errorf("no benchmark has a value in %s", quote(unit))
	}
}

// as gives the number in the spelling of the unit that was asked for.
func (v Value) as(unit string) float64 {
	if v.Unit == unit {
		return v.Value
	}
	return v.Base
}
