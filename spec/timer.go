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

// timerKey is the name of the timer in Origins and Overrides.
const timerKey = "timer"

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

// String formats the timer on one line: clock=wall cycle=null.
func (t TimerPrefs) String() string {
	return "clock=" + strings.Join(t.Clock, ",") + " cycle=" + strings.Join(t.Cycle, ",")
}

// timer reads {clock: […], cycle: […]} or the line "clock=a,b cycle=c".
func (r *benchReader) timer(n yaml.Node) *preference {
	t := &preference{}
	if n.Kind == yaml.Scalar && !n.IsNull() && n.HasKnownTag() {
		if isLate(n) {
			t.late = r.compile(n.Text())
		} else {
			r.Add(t.line(n.Text())...)
		}
		return t
	}
	for _, p := range r.Mapping(n, `"timer"`, "in timer", timerKeys) {
		list := t.named(p.Name)
		for _, item := range r.subtimers(p) {
			if isNullWord(item) {
				*list = append(*list, named{name: "null", place: item.Place()})
			} else if name, ok := r.Str(item, "a subtimer"); ok {
				one := named{name: name, place: item.Place()}
				if isLate(item) {
					one.late = r.compile(item.Text())
				}
				if one.late != nil || !isLate(item) { // otherwise its problem has been reported
					*list = append(*list, one)
				}
			}
		}
	}
	return t
}

// isLate reports whether a text is known only after ${…} in it is replaced.
func isLate(n yaml.Node) bool { return strings.Contains(n.Value, "${") }

// isNullWord reports whether a node is the word null without quotes. YAML reads it as no
// value; in a timer it is the name of a cycle counter.
func isNullWord(n yaml.Node) bool { return n.IsNull() && n.Value == "null" }

// A single name is allowed in place of a list.
func (r *benchReader) subtimers(p yaml.Pair) []yaml.Node {
	if p.Value.Kind == yaml.Scalar && (!p.Value.IsNull() || isNullWord(p.Value)) {
		return []yaml.Node{p.Value}
	}
	return r.List(p.Value, diag.Quote(p.Name), "a subtimer or a list of them")
}

// ownTimer reads the timer of a benchmark.
func (r *benchReader) ownTimer(e entry) {
	r.b.timer = r.timer(e.Value)
	r.remember(timerKey, e.origin, e.Value)
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
			problems = append(problems, diag.Problem{Place: text.At(at + offset), Message: fmt.Sprintf(format, args...), Hint: hint})
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

// timers finds the timer of benchmarks that have none, and whether the command line or the
// environment sets it for all.
func (p *planner) timers() {
	p.forced, p.timerOrigin = p.override()
	if p.forced != nil {
		p.prefer(p.suite.timer) // for its problems: the file is wrong even if the timer is not used
		p.timer = p.prefer(p.forced)
		return
	}
	p.timerOrigin = FromBuiltin
	if p.suite.timer != nil {
		p.timerOrigin = FromSuite
	}
	p.timer = p.prefer(p.suite.timer)
}

// The timer of the command line wins over the environment's.
func (p *planner) override() (*preference, Origin) {
	t, origin := &preference{}, FromFlag
	text, given := p.overrides[timerKey]
	at := commandLine
	if !given {
		if p.catalogue.Env != nil {
			text, given = p.catalogue.Env(timerVariable)
		}
		given = given && strings.Trim(text, " \t\r\n") != ""
		at, origin = diag.Place{File: timerVariable, Line: 1, Col: 1}, FromEnvironment
	}
	if !given {
		return nil, ""
	}
	p.Add(t.line(lang.Text{Value: text, Place: at})...)
	return t, origin
}

// ListsTimers reports whether the timer of the command line, or without one that of the
// environment, contains the word "list": it asks for the timers that there are.
func ListsTimers(o Overrides, env func(string) (string, bool)) bool {
	text, given := o[timerKey]
	if !given && env != nil {
		text, _ = env(timerVariable)
	}
	return slices.Contains(strings.Fields(text), "list")
}

func (p *planner) timerOf(b *benchmark) TimerPrefs {
	if b.timer == nil {
		return p.timer
	}
	if own := p.prefer(b.timer); p.forced == nil {
		return own
	}
	return p.timer
}

// prefer checks the names of a timer and fills in the defaults. All names are checked, not
// only the first that works: on another machine the others count.
func (p *planner) prefer(t *preference) TimerPrefs {
	t = p.complete(t)
	for _, word := range t.list {
		p.fail(word.place, p.subtimers(), "%q shows what there is and measures nothing", word.name)
	}
	return TimerPrefs{
		Clock: p.known("clock", t.clock, p.catalogue.Clocks, defaultClock),
		Cycle: p.known("cycle counter", t.cycle, p.catalogue.Cycles, defaultCycle),
	}
}

// complete replaces ${…} in a timer.
func (p *planner) complete(t *preference) *preference {
	if t == nil {
		return &preference{}
	}
	if t.late == nil {
		return &preference{clock: p.whole(t.clock), cycle: p.whole(t.cycle), list: t.list}
	}
	whole := &preference{}
	if text, err := t.late.Expand(p.scope); p.check(err) {
		p.Add(whole.line(text)...)
	}
	return whole
}

// whole replaces ${…} in the names of a list.
func (p *planner) whole(list []named) []named {
	list = slices.Clone(list)
	for i, one := range list {
		if one.late == nil {
			continue
		}
		if text, err := one.late.Expand(p.scope); p.check(err) {
			list[i].name = text.Value
		}
	}
	return list
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

// subtimers lists all names that a timer may have.
func (p *planner) subtimers() string {
	if p.catalogue.Clocks == nil || p.catalogue.Cycles == nil {
		return "suite timers shows what works on this machine"
	}
	return "clocks: " + strings.Join(p.catalogue.Clocks, ", ") + "; cycle counters: " + strings.Join(p.catalogue.Cycles, ", ")
}

func (p *planner) known(what string, chosen []named, known []string, fallback string) (names []string) {
	for _, s := range chosen {
		if known != nil && s.name != "" && !slices.Contains(known, s.name) {
			p.failAs(diag.UnknownName, s.place, nearest(s.name, known), "unknown %s %s", what, diag.Quote(s.name))
		}
		names = append(names, s.name)
	}
	if names == nil {
		return []string{fallback}
	}
	return names
}
