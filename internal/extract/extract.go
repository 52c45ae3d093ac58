// Package extract finds numbers in what a program has printed: by a regular
// expression, at a JSON path, or in lines of the Go benchmark format. It takes
// text and gives a number as it stands there; it knows nothing of units, cases
// or processes.
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

// Regex checks a regular expression that a metric may have: one group at most,
// which is the number. The error says what is wrong, in a few words.
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

// byRegex finds the last line that matches and in it the first match. A line
// has no line break, so ^ and $ are its ends.
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
				return 0, fmt.Errorf("the group of the regex %s is not part of its match %s", asWritten(text), quote(string(line[at[0]:at[1]])))
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

// backwards gives the lines of a text from the last to the first, without their
// ends.
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

// wholeNumber is one as programs print them: 12, 3.5, 1,234.5, 1e+06.
var wholeNumber = regexp.MustCompile(`\d{1,3}(,\d{3})+(\.\d+)?\b|\d+(\.\d+)?([eE][+-]?\d+)?`)

// cutNumber is a number that a match begins or ends within, nil for none: out of
// 3.5 ms (\d+) ms would make 5, and out of 1e+06 it would make 1. What an
// expression matches beside its group is meant.
func cutNumber(line []byte, from, to int) []byte {
	digit := func(i int) bool { return from < to && line[i] >= '0' && line[i] <= '9' }
	for _, at := range wholeNumber.FindAllIndex(line, -1) {
		if at[0] < from && from < at[1] && digit(from) || at[0] < to && to < at[1] && digit(to-1) {
			return line[at[0]:at[1]]
		}
	}
	return nil
}

// Path checks the path of a number in JSON: names and positions with points
// between them, as gjson has them: results.0.ms. The error says what is wrong,
// and what to write instead.
func Path(path string) error {
	if strings.HasPrefix(path, "$") || strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "..") || strings.ContainsAny(path, "[]") && !strings.ContainsAny(path, "#{") {
		return fmt.Errorf("%s is not a path as suite reads them: write %s", quote(path), quote(plainPath(path)))
	}
	return nil
}

// plainPath turns .results[0].ms, as jq writes it, into results.0.ms.
func plainPath(path string) string {
	path = strings.NewReplacer("[", ".", "]", "", `"`, "", "'", "").Replace(strings.TrimPrefix(path, "$"))
	return strings.Trim(path, ".")
}

// byPath finds a number in the JSON that was printed: the whole text, or, where
// that is not JSON as a whole, the last line that is and has the path.
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

// value is a number, or text that holds one.
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
