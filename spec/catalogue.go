package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
)

// Catalogue is what a plan is checked against: what there is on this machine.
type Catalogue struct {
	Functions []string                    // registered Go functions
	Clocks    []string                    // names of clock subtimers; nil: not checked
	Cycles    []string                    // names of cycle subtimers; nil: not checked
	Offline   bool                        // functions are not known and not checked
	Env       func(string) (string, bool) // environment variables; nil: there are none
}

func (p *planner) timer() TimerPrefs {
	return TimerPrefs{
		Clock: p.subtimers("clock", p.suite.clock, p.catalogue.Clocks),
		Cycle: p.subtimers("cycle", p.suite.cycle, p.catalogue.Cycles),
	}
}

func (p *planner) subtimers(what string, chosen []subtimer, known []string) []string {
	names := []string{}
	for _, s := range chosen {
		if known != nil && !slices.Contains(known, s.name) {
			p.fail(s.place, nearest(s.name, known), "unknown %s %s", what, quote(s.name))
		}
		names = append(names, s.name)
	}
	return names
}

// nearest answers a name that is not known.
func nearest(name string, known []string) string {
	if near, ok := diag.Nearest(name, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch n := len(known); {
	case n == 0:
		return "there are none"
	case n > 20:
		return fmt.Sprintf("known: %s and %d more", strings.Join(known[:20], ", "), n-20)
	}
	return "known: " + strings.Join(known, ", ")
}
