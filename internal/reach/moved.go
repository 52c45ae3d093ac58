package reach

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Moved returns what a case executes of the other build of a program, if it executes nothing of what differs between the
// two: what a coverage shows of the base, with the lines of the other build. It is nil if that is not known: functions
// that were executed have other names there, for example, which might be those of functions that were not.
func (c *Comparison) Moved(function string, by *Coverage) (moved *Coverage) {
	d, err := c.ask(func(c *Comparison) (d *Difference, err error) {
		moved, d, err = c.moved(function, by)
		return d, err
	})
	if d != nil || err != nil {
		return nil
	}
	return moved
}

func (c *Comparison) moved(function string, by *Coverage) (moved *Coverage, d *Difference, err error) {
	defer recovered(&err)
	if c.base == nil {
		return by, nil, nil
	}
	if function != "" && (len(c.benchmarks[0][function]) == 0 || len(c.benchmarks[1][function]) == 0) {
		return nil, nil, fmt.Errorf("no %s in the table of benchmarks", function)
	}
	w := &walk{Comparison: c.again(), executed: by, recorded: by}
	if d = w.roots(function); d == nil {
		d = w.run()
	}
	if d != nil {
		return nil, d, nil
	}
	idle := map[string]bool{} // places of literals
	for i := range w.steps {
		s := &w.steps[i]
		if !s.base.isFunc() {
			continue
		}
		owner := ownerOf(s.base.label())
		if owner != ownerOf(s.here.label()) || !s.idle && !w.inlinesAlike(s, by) {
			return nil, nil, nil
		}
		if strings.Contains(s.here.label(), ".func") {
			at := literalAt(owner, s.here.line())
			others, known := idle[at]
			idle[at] = s.idle && (others || !known)
		}
	}
	maps.DeleteFunc(idle, func(_ string, is bool) bool { return !is })
	there := *by
	there.Literals = slices.Sorted(maps.Keys(idle))
	return &there, nil, nil
}

// ownerOf returns the function in the source to which a symbol belongs, by its name, see Coverage.
func ownerOf(symbol string) string {
	if strings.Contains(symbol, ".func") {
		if owner := literalOwner(symbol); owner != "" {
			return owner
		}
	}
	pkg, rest := symbolParts(symbol)
	first, second := declared(rest)
	return pkg + "." + first + "." + second
}

// inlinesAlike reports whether the functions that are inlined in two have the same names, if it matters which vary.
func (w *walk) inlinesAlike(s *step, by *Coverage) bool {
	if len(by.Varying) == 0 && len(by.Timed) == 0 {
		return true
	}
	return slices.EqualFunc(s.base.inlined(), s.here.inlined(), func(x, y inlined) bool {
		return w.base.nameOf(s.base.object, x.function) == w.here.nameOf(s.here.object, y.function)
	})
}
