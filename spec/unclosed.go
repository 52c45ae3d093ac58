package spec

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const endOfStream = "found unexpected end of stream"

// flowMessages are those of yaml.v3 for a text that ends within brackets.
var flowMessages = []string{"did not find expected node content", "did not find expected ',' or ']'", "did not find expected ',' or '}'"}

// mostOpeners are tried; each takes as long as reading the file once more.
const mostOpeners = 20

// opener finds the quote or bracket that is never closed: the last on its line up to which
// the text does not end within one. near is the line that yaml.v3 gives, which is that of
// the opener, or, if that stands on the first line, the end of the file. ok is false for
// other messages, and for brackets within brackets that are not closed either.
func (s *source) opener(near int, message string) (line, col int, ok bool) {
	messages, openers := flowMessages, "[{"
	switch {
	case message == endOfStream:
		messages, openers = []string{endOfStream}, `"'`
	case !slices.Contains(flowMessages, message):
		return 0, 0, false
	default:
		near++ // the parser counts lines from 0
	}
	for _, line := range []int{min(max(near, 1), len(s.lines)), 1} {
		before, text := strings.Join(s.lines[:line-1], "\n"), s.lines[line-1]
		if line > 1 {
			before += "\n"
		}
		if !ends(before+text, messages) {
			continue
		}
		tries := 0
		for at := strings.LastIndexAny(text, openers); at >= 0 && tries < mostOpeners; at = strings.LastIndexAny(text[:at], openers) {
			if strings.HasSuffix(text[:at], "'") && text[at] == '\'' { // an apostrophe within quotes is doubled
				continue
			}
			if tries++; !ends(before+text[:at], messages) {
				return line, utf8.RuneCountInString(strings.TrimPrefix(text[:at], byteOrderMark)) + 1, true
			}
		}
	}
	return 0, 0, false
}

// ends reports whether a text ends with one of these problems.
func ends(text string, messages []string) bool {
	var n yaml.Node
	err := yaml.NewDecoder(bytes.NewReader([]byte(strings.TrimPrefix(text, byteOrderMark)))).Decode(&n)
	return err != nil && slices.ContainsFunc(messages, func(m string) bool { return strings.HasSuffix(err.Error(), m) })
}
