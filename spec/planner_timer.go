package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// timerChoice chooses the timer of each benchmark.
type timerChoice struct {
	*expander
	clocks, cycles []string    // names that are known; nil: not checked
	forced         *preference // of the command line or the environment
	shared         TimerPrefs  // of benchmarks without a timer
	origin         Origin      // of shared
}

// newTimerChoice finds the timer of benchmarks that have none, and whether the command line
// or the environment sets it for all.
func newTimerChoice(e *expander, suite *preference, cat Catalogue, o Overrides) *timerChoice {
	p := &timerChoice{expander: e, clocks: cat.Clocks, cycles: cat.Cycles}
	p.forced, p.origin = p.override(cat, o)
	if p.forced != nil {
		p.prefer(suite) // for its problems: the file is wrong even if the timer is not used
		p.shared = p.prefer(p.forced)
		return p
	}
	p.origin = FromBuiltin
	if suite != nil {
		p.origin = FromSuite
	}
	p.shared = p.prefer(suite)
	return p
}

// The timer of the command line wins over the environment's.
func (c *timerChoice) override(cat Catalogue, o Overrides) (*preference, Origin) {
	t, origin := &preference{}, FromFlag
	text, given := o[timerKey]
	at := commandLine
	if !given {
		if cat.Env != nil {
			text, given = cat.Env(timerVariable)
		}
		given = given && strings.Trim(text, " \t\r\n") != ""
		at, origin = diag.Place{File: timerVariable, Line: 1, Col: 1}, FromEnvironment
	}
	if !given {
		return nil, ""
	}
	c.Add(t.line(lang.Text{Value: text, Place: at})...)
	return t, origin
}

// ListsTimers reports whether the timer of the command line, or without one the timer of the
// environment, contains the word "list": it asks for the timers that there are.
func ListsTimers(o Overrides, env func(string) (string, bool)) bool {
	text, given := o[timerKey]
	if !given && env != nil {
		text, _ = env(timerVariable)
	}
	return slices.Contains(strings.Fields(text), "list")
}

func (c *timerChoice) of(b *benchmark) TimerPrefs {
	if b.timer == nil {
		return c.shared
	}
	if own := c.prefer(b.timer); c.forced == nil {
		return own
	}
	return c.shared
}

// prefer checks the names of a timer and fills in the defaults. All names are checked, not
// only the first that works: on another machine the others count.
func (c *timerChoice) prefer(t *preference) TimerPrefs {
	t = c.complete(t)
	for _, word := range t.list {
		c.fail(word.place, c.subtimers(), "%q shows what there is and measures nothing", word.name)
	}
	return TimerPrefs{
		Clock: c.known("clock", t.clock, c.clocks, defaultClock),
		Cycle: c.known("cycle counter", t.cycle, c.cycles, defaultCycle),
	}
}

// complete replaces ${…} in a timer.
func (c *timerChoice) complete(t *preference) *preference {
	if t == nil {
		return &preference{}
	}
	if t.late == nil {
		return &preference{clock: c.whole(t.clock), cycle: c.whole(t.cycle), list: t.list}
	}
	whole := &preference{}
	if text, err := t.late.Expand(c.scope); c.Check(err) {
		c.Add(whole.line(text)...)
	}
	return whole
}

// whole replaces ${…} in the names of a list.
func (c *timerChoice) whole(list []named) []named {
	list = slices.Clone(list)
	for i, one := range list {
		if one.late == nil {
			continue
		}
		if text, err := one.late.Expand(c.scope); c.Check(err) {
			list[i].name = text.Value
		}
	}
	return list
}

// subtimers lists all names that a timer may have.
func (c *timerChoice) subtimers() string {
	if c.clocks == nil || c.cycles == nil {
		return "suite timers shows what works on this machine"
	}
	return "clocks: " + strings.Join(c.clocks, ", ") + "; cycle counters: " + strings.Join(c.cycles, ", ")
}

func (c *timerChoice) known(what string, chosen []named, known []string, fallback string) (names []string) {
	for _, s := range chosen {
		if known != nil && s.name != "" && !slices.Contains(known, s.name) {
			c.failAs(diag.UnknownName, s.place, nearest(s.name, known), "unknown %s %s", what, diag.Quote(s.name))
		}
		names = append(names, s.name)
	}
	if names == nil {
		return []string{fallback}
	}
	return names
}
