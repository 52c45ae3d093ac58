package main

import (
	"fmt"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
)

// hasGate checks that a run of the plan can fail because of the gate. The hint of its
// error lists the names that exist.
func (e env) hasGate(plan *spec.Plan, key accept.Key) error {
	c, err := caseNamed(plan, key.Case)
	if err != nil {
		return err
	}
	var ids []string
	for _, g := range c.Gates {
		ids = append(ids, g.ID)
		switch {
		case g.ID == key.Gate && g.Severity == "warn":
			return diag.Hinted(fmt.Sprintf("gate %q of case %q only warns", key.Gate, key.Case), "it fails no run, so there is nothing to accept")
		case g.ID == key.Gate:
			return nil
		}
	}
	switch {
	case key.Gate == accept.AgainstGate: // added to each case by run --against
		return nil
	case len(ids) == 0:
		return diag.Hinted(fmt.Sprintf("case %q has no gate", key.Case), "expect: and tolerance: make gates")
	case key.Gate == "":
		return diag.Hinted(fmt.Sprintf("--gate is missing: which gate of case %q may fail?", key.Case), "it has "+quotedList(ids))
	}
	return notThere(fmt.Sprintf("case %q has no gate %q", key.Case, key.Gate), key.Gate, ids)
}

// caseNamed looks up the whole name. For the name of a benchmark that only a run finds
// it is the open case above it, whose gates the benchmark has.
func caseNamed(plan *spec.Plan, name string) (*spec.Case, error) {
	var names []string
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if c.Name == name || c.IsOpen() && strings.HasPrefix(name, c.Name+"/") {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return nil, notThere(fmt.Sprintf("suite %q has no case %q", plan.Suite, name), name, names)
}

// The hint is the known word nearest to word or, if none is near, the first few known
// words.
func notThere(message, word string, known []string) error {
	if near, ok := diag.Nearest(word, known); ok {
		return diag.Hinted(message, fmt.Sprintf("did you mean %q?", near))
	}
	return diag.Hinted(message, "it has "+quotedList(known))
}

// quotedList quotes the first six words and counts the others.
func quotedList(words []string) string {
	const most = 6
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return units.List(quoted, most)
}
