package yaml

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"gopkg.in/yaml.v3"
)

var (
	yamlError = lazy.Regexp(`^yaml: (?:line (\d+): )?(.*)$`)
	// a call with quoted arguments inside brackets: YAML ends the text at its comma
	quotedWithin = lazy.Regexp(`[[{].*[A-Za-z0-9_]\([^)]*["'],`)
	unknownAlias = lazy.Regexp(`^unknown anchor '(.*)' referenced$`)
)

// parserMessages are the messages of yaml.v3's parser, which counts lines from 0. Its
// scanner counts from 1. Both leave the line out if it is 0.
var parserMessages = []string{
	"did not find expected <document start>", "did not find expected node content",
	"did not find expected '-' indicator", "did not find expected key",
	"did not find expected ',' or ']'", "did not find expected ',' or '}'",
}

// syntaxProblem places an error of yaml.v3 at the first character of its line: yaml.v3
// knows no column.
func (r *Reader) syntaxProblem(src *source, err error) diag.Problem {
	if err == nil || errors.Is(err, io.EOF) {
		return diag.Problem{
			Code:    diag.Syntax,
			Place:   diag.Place{File: src.name},
			Message: "the file is empty",
			Hint:    r.Format.Example,
		}
	}
	m := yamlError().FindStringSubmatch(err.Error())
	if m == nil {
		return diag.Problem{Code: diag.Syntax, Place: diag.Place{File: src.name}, Message: err.Error()}
	}
	if a := unknownAlias().FindStringSubmatch(m[2]); a != nil {
		return unknownAnchor(src, a[1])
	}
	line, _ := strconv.Atoi(m[1])
	if line, col, ok := src.opener(line, m[2]); ok {
		return diag.Problem{
			Code:    diag.Syntax,
			Place:   src.place(line, col),
			Message: "not valid YAML: " + m[2],
			Hint:    r.syntaxHint(m[2], src.lines[line-1], src.lines[line-1:min(line+2, len(src.lines))]),
		}
	}
	if slices.Contains(parserMessages, m[2]) {
		line = src.firstBad(line+1, m[2])
	}
	line = min(max(line, 1), len(src.lines))
	text := src.lines[line-1]
	col := utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " \t")) + 1
	return diag.Problem{
		Code:    diag.Syntax,
		Place:   src.place(line, col),
		Message: "not valid YAML: " + m[2],
		Hint:    r.syntaxHint(m[2], text, src.lines[line-1:min(line+2, len(src.lines))]),
	}
}

// firstBad finds the first line up to which the text has the fault. For a fault in a
// nested block yaml.v3 reports the line at which the block begins; the lines before the
// fault are valid by themselves, except in brackets.
func (s *source) firstBad(from int, message string) int {
	if strings.HasPrefix(message, "did not find expected ',' or") {
		return from
	}
	n := sort.Search(len(s.lines)-from, func(i int) bool {
		text := strings.Join(s.lines[:from+i], "\n") + "\n"
		decoder := yaml.NewDecoder(bytes.NewReader([]byte(strings.TrimPrefix(text, byteOrderMark))))
		for {
			var n yaml.Node
			if err := decoder.Decode(&n); err != nil {
				return strings.HasSuffix(err.Error(), message)
			}
		}
	})
	return from + n
}

// syntaxHint suggests what to do about a message of yaml.v3, "" if it knows nothing.
// next are the line and the two after it: the problem of a bracket is placed where its
// block begins, and the offending text may follow.
func (r *Reader) syntaxHint(message, line string, next []string) string {
	value := line[strings.IndexByte(line, ':')+1:]
	switch {
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"):
		return "indent with spaces: YAML takes no tabs"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return `put text that holds ": " in quotes`
	case strings.HasPrefix(message, "found character that cannot start"):
		return "put text that begins with " + strings.TrimSpace(value)[:min(1, len(strings.TrimSpace(value)))] +
			" in quotes"
	case strings.HasPrefix(message, "found unexpected end of stream"):
		return "a quote or bracket is not closed"
	case strings.HasPrefix(message, "found unknown escape"):
		return `write \\ for a backslash, or use single quotes`
	case strings.HasPrefix(message, "did not find expected ',' or") && strings.Contains(line, "${"):
		return "in {…} and […], put text that holds ${…} in quotes"
	case strings.HasSuffix(message, "<document start>"):
		return r.Format.Name + " is one document"
	case strings.HasPrefix(message, "did not find expected ',' or") &&
		quotedWithin().MatchString(strings.Join(next, " ")):
		return "in {…} and […], put text that holds quotes in others: 'arc(\"a\", \"b\").p99 < 1ms'"
	case strings.HasPrefix(message, "did not find expected ',' or"):
		return "a bracket is not closed"
	case strings.HasPrefix(message, "did not find expected"):
		return "see that the line is indented like its neighbours"
	}
	return ""
}

// unknownAnchor finds the place of an alias without an anchor, which yaml.v3 reports
// without a line.
func unknownAnchor(src *source, name string) diag.Problem {
	p := diag.Problem{
		Code:    diag.Syntax,
		Place:   diag.Place{File: src.name},
		Message: "no anchor " + diag.Quote("&"+name) + " for the alias " + diag.Quote("*"+name),
		Hint:    "put text that begins with * in quotes",
	}
	alias := regexp.MustCompile(`\*` + regexp.QuoteMeta(name) + `(?:[^\w-]|$)`)
	for i, line := range src.lines {
		if at := alias.FindStringIndex(line); at != nil {
			p.Place = src.place(i+1, utf8.RuneCountInString(line[:at[0]])+1)
			break
		}
	}
	return p
}

const endOfStream = "found unexpected end of stream"

// flowMessages are the messages of yaml.v3 for a text that ends inside brackets.
var flowMessages = []string{"did not find expected node content", "did not find expected ',' or ']'",
	"did not find expected ',' or '}'"}

// mostOpeners limits the quotes or brackets that are tried: each try parses the file once
// more.
const mostOpeners = 20

// opener finds the quote or bracket that is never closed: the last one on its line for
// which the text before it does not end inside quotes or brackets. near is the line that
// yaml.v3 reports, which is the opener's line or, if the opener is on the first line, the
// end of the file. ok is false for other messages, and if brackets inside brackets are not
// closed either.
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
		at := len(text)
		for tries < mostOpeners {
			at = strings.LastIndexAny(text[:at], openers)
			if at < 0 {
				break
			}
			if strings.HasSuffix(text[:at], "'") && text[at] == '\'' { // an apostrophe within quotes is doubled
				continue
			}
			tries++
			if !ends(before+text[:at], messages) {
				return line, utf8.RuneCountInString(strings.TrimPrefix(text[:at], byteOrderMark)) + 1, true
			}
		}
	}
	return 0, 0, false
}

// ends reports whether parsing the text fails with one of these messages.
func ends(text string, messages []string) bool {
	var n yaml.Node
	err := yaml.NewDecoder(bytes.NewReader([]byte(strings.TrimPrefix(text, byteOrderMark)))).Decode(&n)
	return err != nil && slices.ContainsFunc(messages, func(m string) bool { return strings.HasSuffix(err.Error(), m) })
}
