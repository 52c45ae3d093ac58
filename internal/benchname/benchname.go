// Package benchname knows how package testing names and picks benchmarks: the
// parts of a name, patterns over them, and units that become names of metrics.
package benchname

import (
	"fmt"
	"regexp"
	"strings"
)

// Prefix is what the name of every benchmark begins with.
const Prefix = "Benchmark"

// Short is a name without its prefix: Parse/small.
func Short(name string) string { return strings.TrimPrefix(name, Prefix) }

// Match picks benchmarks as -test.bench does: an expression for each part of a
// name, where the parts stand between slashes; several such patterns stand
// between bars. The zero value picks all. The first part is compared without
// its "Benchmark".
type Match struct{ patterns [][]*regexp.Regexp }

// ParseMatch reads a pattern. The error says which part of it is wrong.
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
				return Match{}, fmt.Errorf("part %q: %w", part, err)
			}
			parts = append(parts, e)
		}
		m.patterns = append(m.patterns, parts)
	}
	return m, nil
}

// split cuts a pattern where testing does: not inside brackets, nor behind a
// backslash.
func split(text string, at byte) (parts []string) {
	class, group, from := 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			class++
		case c == ']':
			class = max(class-1, 0) // one alone is legal
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

// Picks says whether a benchmark that has no others below it is picked. One with
// fewer parts than the pattern is not.
func (m Match) Picks(name string) bool { return m.some(name, true) }

// Reaches says whether a benchmark, or one that may be below it, is picked.
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

// Only is the -test.bench pattern of one benchmark, by the name that it prints,
// and of all that are below it.
func Only(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// Procs is a name as it is printed where GOMAXPROCS is procs: with that behind
// it, but for 1.
func Procs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, procs)
}

// Identifier makes the name of a metric of a unit as a benchmark prints it:
// p99-ns/op becomes p99_ns_op. It has letters, digits and single underscores
// only, and begins with a letter; empty where the unit has none of them.
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

// HigherIsBetter says which way a unit gets better: rates get better upwards,
// all else downwards. benchstat knows the direction of MB/s and B/s alone.
func HigherIsBetter(unit string) bool {
	return strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec")
}
