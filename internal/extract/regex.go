package extract

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

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
