package host

import (
	"cmp"
	"slices"
	"strings"
)

// mostLeft processes that outlive runs of a case are named, each in at most
// longestLeft bytes: enough to recognise them.
const (
	mostLeft    = 4
	longestLeft = 80
)

// named adds more names, each once, up to mostLeft in all.
func named(names, more []string) []string {
	for _, name := range more {
		if len(names) < mostLeft && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// plain turns command lines, words that end with a zero, into what people read.
// Values of the environment, which may be secret, become the names of their
// variables.
func plain(lines, env []string) (names []string) {
	for _, line := range lines {
		name := strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == 0 || r == '\n' }), " ")
		names = append(names, shortened(veil(strings.ToValidUTF8(name, "\uFFFD"), env)))
	}
	return names
}

// secretLength of a value and more is veiled: passwords are, en_US and 1 are not.
const secretLength = 8

// veil writes $NAME for the value of each variable, long ones first, because one
// may be part of another.
func veil(text string, env []string) string {
	env = slices.SortedFunc(slices.Values(env), func(a, b string) int {
		return cmp.Compare(len(value(b)), len(value(a)))
	})
	for _, variable := range env {
		if v := value(variable); len(v) >= secretLength {
			text = strings.ReplaceAll(text, v, "$"+strings.TrimSuffix(variable, "="+v))
		}
	}
	return text
}

func value(variable string) string {
	_, v, _ := strings.Cut(variable, "=")
	return v
}

func shortened(name string) string {
	if len(name) <= longestLeft {
		return name
	}
	return strings.ToValidUTF8(name[:longestLeft], "") + "…"
}
