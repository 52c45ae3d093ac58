package spec

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
	yamlError    = lazy.Regexp(`^yaml: (?:line (\d+): )?(.*)$`)
	quotedWithin = lazy.Regexp(`[[{].*[A-Za-z0-9_]\([^)]*["'],`) // of a call, whose comma ends the text
	unknownAlias = lazy.Regexp(`^unknown anchor '(.*)' referenced$`)
)

// parserMessages are those of yaml.v3's parser, which counts lines from 0; its
// scanner counts from 1. Both leave the line out where it would be 0.
var parserMessages = []string{
	"did not find expected <document start>", "did not find expected node content",
	"did not find expected '-' indicator", "did not find expected key",
	"did not find expected ',' or ']'", "did not find expected ',' or '}'",
}

// syntaxProblem places and words what yaml.v3 has to say about a file. The
// column is that of the first character on the line.
func syntaxProblem(src *source, err error) diag.Problem {
	if err == nil || errors.Is(err, io.EOF) {
		return diag.Problem{Place: diag.Place{File: src.name}, Message: "the file is empty", Hint: minimalExample}
	}
	m := yamlError().FindStringSubmatch(err.Error())
	if m == nil {
		return diag.Problem{Place: diag.Place{File: src.name}, Message: err.Error()}
	}
	if a := unknownAlias().FindStringSubmatch(m[2]); a != nil {
		return unknownAnchor(src, a[1])
	}
	line, _ := strconv.Atoi(m[1])
	if line, col, ok := src.opener(line, m[2]); ok {
		return diag.Problem{Place: src.place(line, col), Message: "not valid YAML: " + m[2], Hint: syntaxHint(m[2], src.lines[line-1], src.lines[line-1:min(line+2, len(src.lines))])}
	}
	if slices.Contains(parserMessages, m[2]) {
		line = src.firstBad(line+1, m[2])
	}
	line = min(max(line, 1), len(src.lines))
	text := src.lines[line-1]
	col := utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " \t")) + 1
	return diag.Problem{Place: src.place(line, col), Message: "not valid YAML: " + m[2], Hint: syntaxHint(m[2], text, src.lines[line-1:min(line+2, len(src.lines))])}
}

// firstBad is the first line up to which the text has the fault. The line that
// yaml.v3 gives for a fault in a nested block is that of the block's beginning;
// what stands before the fault is valid by itself, save in brackets.
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

// syntaxHint says what to do about a message. A bracket is placed at the line where its
// block begins: what stands in it may be on one of the next.
func syntaxHint(message, line string, next []string) string {
	value := line[strings.IndexByte(line, ':')+1:]
	switch {
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"):
		return "indent with spaces: YAML takes no tabs"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return `put text that holds ": " in quotes`
	case strings.HasPrefix(message, "found character that cannot start"):
		return "put text that begins with " + strings.TrimSpace(value)[:min(1, len(strings.TrimSpace(value)))] + " in quotes"
	case strings.HasPrefix(message, "found unexpected end of stream"):
		return "a quote or bracket is not closed"
	case strings.HasPrefix(message, "found unknown escape"):
		return `write \\ for a backslash, or use single quotes`
	case strings.HasPrefix(message, "did not find expected ',' or") && strings.Contains(line, "${"):
		return "in {…} and […], put text that holds ${…} in quotes"
	case strings.HasSuffix(message, "<document start>"):
		return "a suite file is one document"
	case strings.HasPrefix(message, "did not find expected ',' or") && quotedWithin().MatchString(strings.Join(next, " ")):
		return "in {…} and […], put text that holds quotes in others: 'arc(\"a\", \"b\").p99 < 1ms'"
	case strings.HasPrefix(message, "did not find expected ',' or"):
		return "a bracket is not closed"
	case strings.HasPrefix(message, "did not find expected"):
		return "see that the line is indented like its neighbours"
	}
	return ""
}

// unknownAnchor places an alias that yaml.v3 reports without a line.
func unknownAnchor(src *source, name string) diag.Problem {
	p := diag.Problem{Place: diag.Place{File: src.name}, Message: "no anchor " + quote("&"+name) + " for the alias " + quote("*"+name),
		Hint: "put text that begins with * in quotes"}
	alias := regexp.MustCompile(`\*` + regexp.QuoteMeta(name) + `(?:[^\w-]|$)`)
	for i, line := range src.lines {
		if at := alias.FindStringIndex(line); at != nil {
			p.Place = src.place(i+1, utf8.RuneCountInString(line[:at[0]])+1)
			break
		}
	}
	return p
}
