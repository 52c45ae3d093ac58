package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

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
