// Package benchname knows how package testing names and selects benchmarks: the parts of a
// name, patterns for them, and units that become names of metrics.
package benchname

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Prefix begins the name of every benchmark.
const Prefix = "Benchmark"

// Short drops the prefix of a name: Parse/small.
func Short(name string) string { return strings.TrimPrefix(name, Prefix) }

// Match selects benchmarks as -test.bench does: a regular expression for each part of a
// name, separated by slashes; several such patterns are separated by bars. The zero value
// selects all. The first part is compared without "Benchmark".
type Match struct{ patterns [][]*regexp.Regexp }

// ParseMatch reads a pattern. The error names the part that is wrong.
func ParseMatch(text string) (Match, error) {
	if text == "" {
		return Match{}, nil
	}
	var m Match
	for _, alternative := range split(text, '|') {
		var parts []*regexp.Regexp
		for _, part := range split(alternative, '/') {
			e, err := regexp.Compile(part)
			if err != nil {
				return Match{}, fmt.Errorf("part %q: %s", part,
					strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			}
			parts = append(parts, e)
		}
		m.patterns = append(m.patterns, parts)
	}
	return m, nil
}

// split splits a pattern where package testing does: not inside brackets, and not after a
// backslash.
func split(text string, at byte) (parts []string) {
	from := 0
	var class, group int // open brackets
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			class++
		case c == ']':
			class = max(class-1, 0) // a single "]" is legal
		case c == '(' && class == 0:
			group++
		case c == ')' && class == 0:
			group--
		case c == '\\':
			i++
		case c == at && class == 0 && group == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// Picks reports whether a benchmark without sub-benchmarks is selected. A name with fewer
// parts than the pattern is not.
func (m Match) Picks(name string) bool { return m.some(name, true) }

// Reaches reports whether a benchmark, or one that may be below it, is selected.
func (m Match) Reaches(name string) bool { return m.some(name, false) }

func (m Match) some(name string, whole bool) bool {
	if len(m.patterns) == 0 {
		return true
	}
	parts := strings.Split(Short(name), "/")
	for _, pattern := range m.patterns {
		if (!whole || len(parts) >= len(pattern)) && agree(pattern, parts) {
			return true
		}
	}
	return false
}

func agree(pattern []*regexp.Regexp, parts []string) bool {
	for i := range min(len(pattern), len(parts)) {
		if !pattern[i].MatchString(parts[i]) {
			return false
		}
	}
	return true
}

// Only is the -test.bench pattern for a benchmark, by its printed name, and all below it. For several benchmarks it
// looks at the parts that all of their names have, one by one, so it may select others too.
func Only(names ...string) string {
	var pattern []string
	for depth := 0; ; depth++ {
		var parts []string
		for _, name := range names {
			all := strings.Split(name, "/")
			if depth == len(all) {
				return strings.Join(pattern, "/")
			}
			parts = append(parts, regexp.QuoteMeta(all[depth]))
		}
		slices.Sort(parts)
		part := strings.Join(slices.Compact(parts), "|")
		if strings.Contains(part, "|") {
			part = "(" + part + ")"
		}
		pattern = append(pattern, "^"+part+"$")
	}
}

// Procs formats a name as it is printed if GOMAXPROCS is procs: followed by -procs,
// unless that is 1.
func Procs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, procs)
}

// Identifier makes the name of a metric for a unit that a benchmark prints: p99-ns/op
// becomes p99_ns_op. It consists of letters, digits and single underscores and begins
// with a letter. It is empty if the unit has neither letters nor digits.
func Identifier(unit string) string {
	var b strings.Builder
	gap := false
	for _, r := range unit {
		switch letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'; {
		case letter || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			if b.Len() == 0 && !letter {
				b.WriteString("m_") // a name cannot begin with a digit
			}
			b.WriteRune(r)
			gap = false
		case r == '%':
			if b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteString("percent")
			gap = true
		default:
			gap = true
		}
	}
	return b.String()
}

// HigherIsBetter reports whether a higher value of a unit is better. That is so for all
// rates; benchstat knows it for MB/s and B/s only.
func HigherIsBetter(unit string) bool {
	return strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec")
}
