// Package extract finds numbers in what a program has printed: with a regular expression,
// at a JSON path, or in lines of the Go benchmark format. It returns a number as it is
// printed, and knows nothing of units, cases or processes.
package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
)

// Rule is where in a text the number is. One of Regex, JSON and Bench is set.
type Rule struct {
	Regex string // a regular expression for a line; its group, or all that it matches, is the number
	JSON  string // path of the number: results.0.ms
	Bench string // unit of a value in the Go benchmark format: ns/op
	Of    string // with Bench: the name on the line, as it is printed; empty: any name
}

// Open makes a function that finds a number in the text of one run. The error of Open
// is what is wrong with the rule, and the error of find is why the text has no such
// number. Both quote output of programs in a short and harmless form.
func Open(r Rule) (find func(text []byte) (float64, error), err error) {
	switch {
	case r.Regex != "":
		return byRegex(r.Regex)
	case r.JSON != "":
		return byPath(r.JSON)
	case r.Bench != "":
		return byUnit(r.Bench, strings.TrimPrefix(r.Of, "Benchmark")), nil
	}
	return nil, errors.New("the rule has neither a regex, nor a JSON path, nor a unit")
}

// number parses a finite number. Space around it is an error.
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

// longestQuote is how much of a program's output is quoted, in characters.
const longestQuote = 60

// The text of a program may be long or harm a terminal.
func quote(text string) string { return strconv.Quote(diag.ClipTo(text, longestQuote+1)) }

// asWritten quotes a regular expression so that its backslashes stay as they are.
func asWritten(text string) string {
	if strconv.CanBackquote(text) && utf8.RuneCountInString(text) <= longestQuote {
		return "`" + text + "`"
	}
	return quote(text)
}

// byUnit finds the last line of the Go benchmark format with a value in a unit, for one
// benchmark if its name is given.
func byUnit(unit, name string) func([]byte) (float64, error) {
	return func(text []byte) (float64, error) {
		all := benchmarks(text)
		for i := len(all) - 1; i >= 0; i-- {
			if v, ok := all[i].value(unit); ok && (name == "" || all[i].Full == name) {
				return number(strconv.FormatFloat(v.as(unit), 'g', -1, 64))
			}
		}
		if len(all) == 0 {
			return 0, errors.New("no line of the Go benchmark format was printed")
		}
		return 0, fmt.Errorf("no benchmark has a value in %s", quote(unit))
	}
}

// as converts the number to the spelling of the unit that was asked for.
func (v Value) as(unit string) float64 {
	if v.Unit == unit {
		return v.Value
	}
	return v.Base
}

// Regex checks a regular expression for a metric. It may have one group, which is the
// number. The error is a few words.
func Regex(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(text)
	switch {
	case err != nil:
		return nil, errors.New(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	case re.NumSubexp() > 1:
		return nil, fmt.Errorf("it has %d groups, and which of them is the number is not known", re.NumSubexp())
	}
	return re, nil
}

// byRegex finds the last line that matches, and in it the first match. A line has no line
// break, so ^ and $ are its ends.
func byRegex(text string) (func([]byte) (float64, error), error) {
	re, err := Regex(text)
	if err != nil {
		return nil, fmt.Errorf("regex %s: %w", asWritten(text), err)
	}
	group := 2 * re.NumSubexp()
	return func(out []byte) (float64, error) {
		for line := range backwards(out) {
			at := re.FindSubmatchIndex(line)
			switch {
			case at == nil:
			case at[group] < 0:
				return 0, fmt.Errorf("the group of the regex %s is not part of its match %s", asWritten(text),
					quote(string(line[at[0]:at[1]])))
			case cutNumber(line, at[0], at[1]) != nil:
				return 0, fmt.Errorf("the regex %s matches %s, which is cut out of the number %s", asWritten(text),
					quote(string(line[at[0]:at[1]])), quote(string(cutNumber(line, at[0], at[1]))))
			default:
				x, err := number(strings.TrimSpace(string(line[at[group]:at[group+1]])))
				if err != nil && group == 0 {
					err = fmt.Errorf("%w: put the number in the regex %s in ( )", err, asWritten(text))
				}
				return x, err
			}
		}
		return 0, fmt.Errorf("no line matches the regex %s", asWritten(text))
	}, nil
}

// backwards yields the lines of a text from the last to the first, without line ends.
func backwards(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		text := bytes.TrimSuffix(text, []byte("\n"))
		for {
			start := bytes.LastIndexByte(text, '\n') + 1
			if !yield(bytes.TrimSuffix(text[start:], []byte("\r"))) || start == 0 {
				return
			}
			text = text[:start-1]
		}
	}
}

// wholeNumber matches a number as programs print it: 12, 3.5, 1,234.5, 1e+06.
var wholeNumber = lazy.Regexp(`\d{1,3}(,\d{3})+(\.\d+)?\b|\d+(\.\d+)?([eE][+-]?\d+)?`)

// cutNumber finds a number that the match cuts in two, nil if there is none. In "3.5
// ms", (\d+) ms would find 5, and in 1e+06 it would find 1. What an expression matches
// outside of its group is intended.
func cutNumber(line []byte, from, to int) []byte {
	digit := func(i int) bool { return from < to && line[i] >= '0' && line[i] <= '9' }
	for _, at := range wholeNumber().FindAllIndex(line, -1) {
		if at[0] < from && from < at[1] && digit(from) || at[0] < to && to < at[1] && digit(to-1) {
			return line[at[0]:at[1]]
		}
	}
	return nil
}

// Path checks the path of a number in JSON: names and indexes with dots between them, as
// gjson has them: results.0.ms. The error includes what to write instead.
func Path(path string) error {
	if strings.HasPrefix(path, "$") || strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "..") ||
		strings.ContainsAny(path, "[]") && !strings.ContainsAny(path, "#{") {
		return fmt.Errorf("%s is not a path as suite reads them: write %s", quote(path), quote(plainPath(path)))
	}
	return nil
}

// plainPath turns .results[0].ms, as jq writes it, into results.0.ms.
func plainPath(path string) string {
	path = strings.NewReplacer("[", ".", "]", "", `"`, "", "'", "").Replace(strings.TrimPrefix(path, "$"))
	return strings.Trim(path, ".")
}

// byPath finds a number in JSON: in the whole text or, if the text as a whole is not JSON,
// in the last line that is JSON and has the path.
func byPath(path string) (func([]byte) (float64, error), error) {
	if err := Path(path); err != nil {
		return nil, err
	}
	return func(text []byte) (float64, error) {
		if json.Valid(text) { // gjson's own check has no limit of depth: 15 MB of "[" ended the host
			return value(gjson.GetBytes(text, path), path)
		}
		some := false
		for line := range backwards(text) {
			if !mayBeJSON(line) || !json.Valid(line) {
				continue
			}
			some = true
			if found := gjson.GetBytes(line, path); found.Exists() {
				return value(found, path)
			}
		}
		if some {
			return 0, fmt.Errorf("no line of JSON has %s", quote(path))
		}
		return 0, errors.New("neither the whole nor any line of it is JSON")
	}, nil
}

func mayBeJSON(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && (line[0] == '{' || line[0] == '[')
}

// The value is a number, or the number in a text.
func value(found gjson.Result, path string) (float64, error) {
	switch {
	case !found.Exists():
		return 0, fmt.Errorf("the JSON has no %s", quote(path))
	case found.Type == gjson.Number:
		return number(found.Raw)
	case found.Type == gjson.String:
		return number(strings.TrimSpace(found.Str))
	}
	return 0, fmt.Errorf("%s in the JSON is %s, not a number", quote(path), quote(found.Raw))
}
