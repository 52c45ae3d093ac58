package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// timerVariable is the environment variable whose timer wins over the suite file and loses
// to the command line: SUITE_TIMER="clock=wall cycle=any". A plan reads it from the
// environment of its Catalogue. A variable of spaces counts as not set.
const timerVariable = "SUITE_TIMER"

var timerKeys = yaml.KeySet{Known: []string{"clock", "cycle"}}

// named is a name in a list and its place.
type named struct {
	name  string
	place diag.Place
	late  *lang.Template // expands to the name; nil: the name is known
}

// preference is what one timer asks for, before its names are checked. It replaces other
// timers as a whole: a list that it does not name has its default.
type preference struct {
	clock, cycle []named        // in order of preference; empty: not given
	list         []named        // the word "list", which shows timers and measures nothing
	late         *lang.Template // a whole line with ${…} in it
}

func (t *preference) named(key string) *[]named {
	if key == "clock" {
		return &t.clock
	}
	return &t.cycle
}

// line reads "clock=a,b cycle=c", the words in any order between spaces. A line without
// words means the defaults.
func (t *preference) line(text lang.Text) (problems diag.Problems) {
	seen := map[string]bool{}
	for at, word := range fields(text.Value) {
		fail := func(offset int, hint, format string, args ...any) {
			problems = append(problems, diag.Problem{
				Place:   text.At(at + offset),
				Message: fmt.Sprintf(format, args...),
				Hint:    hint,
			})
		}
		key, list, _ := strings.Cut(word, "=")
		switch {
		case word == "list":
			t.list = append(t.list, named{name: word, place: text.At(at)})
		case !strings.Contains(word, "=") || !slices.Contains(timerKeys.Known, key):
			fail(0, lineHint(key, list), "%s is not clock=NAME,… or cycle=NAME,…", diag.Quote(word))
		case seen[key]:
			fail(0, fmt.Sprintf("put all names into one list: %s=a,b", key), "list %q comes twice", key)
		case list == "":
			fail(0, "leave it out, and it has its default", "%s names nothing", diag.Quote(word))
		default:
			t.names(text, at+len(key)+1, t.named(key), list, func(offset int) {
				fail(offset-at, "write one comma between two names", "an empty name in %s", diag.Quote(word))
			})
		}
		seen[key] = true
	}
	return problems
}

// names splits a,b; at is the offset of the first character in the text.
func (t *preference) names(text lang.Text, at int, into *[]named, list string, empty func(int)) {
	for _, name := range strings.Split(list, ",") {
		if name == "" {
			empty(at)
		}
		*into = append(*into, named{name: name, place: text.At(at)})
		at += len([]rune(name)) + 1
	}
}

func lineHint(key, list string) string {
	if near, ok := diag.Nearest(key, timerKeys.Known); ok && list != "" {
		return fmt.Sprintf("did you mean %s?", diag.Quote(near+"="+list))
	}
	return "write it like clock=wall cycle=x86-rdtscp,null"
}

// fields yields the words of a text with the offset of each in characters.
func fields(s string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		rs := []rune(s)
		for from := 0; from < len(rs); {
			to := from
			for to < len(rs) && !strings.ContainsRune(" \t\r\n", rs[to]) {
				to++
			}
			if to > from && !yield(from, string(rs[from:to])) {
				return
			}
			from = to + 1
		}
	}
}

// A nil preference has no templates.
func (t *preference) templates() []*lang.Template {
	if t == nil {
		return nil
	}
	all := []*lang.Template{t.late}
	for _, one := range slices.Concat(t.clock, t.cycle) {
		all = append(all, one.late)
	}
	return slices.DeleteFunc(all, func(t *lang.Template) bool { return t == nil })
}
