// Package filter picks the cases of plans by name and by tag. It also reports which
// benchmarks of go test no pattern can mean, so that their packages need not be built. It
// reads plans and go.mod files, and knows no flags: package main has them.
package filter

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
)

// Filter picks cases. The zero Filter wants every case.
type Filter struct {
	Only, Skip []string // patterns, as Match takes them
	Tags       []string // wanted are the cases that have any of them; none: all cases
	Measured   bool     // also pick the cases that the picked ones need as a base or in a gate

	met []string // patterns of Skip for which LeavesOutFunction has left out a function
}

// Apply keeps the cases that the filter wants, and drops the plans that have none. If
// no case is left it returns an error: a filter that matches nothing must not look like
// a run that passed.
func (f Filter) Apply(plans []*spec.Plan) ([]*spec.Plan, error) {
	if f.Empty() {
		return plans, nil
	}
	if err := f.Known(plans); err != nil {
		return nil, err
	}
	var left []*spec.Plan
	for _, plan := range plans {
		rest := *plan
		rest.Cases = f.pick(plan.Cases)
		f.dropGone(&rest)
		if len(rest.Cases)+len(rest.Gone) > 0 {
			left = append(left, &rest)
		}
	}
	if len(left) == 0 {
		return nil, diag.Hinted("no case is left by the filter", "suite list shows the cases and their tags")
	}
	return left, nil
}

// Empty reports whether the filter wants every case.
func (f Filter) Empty() bool { return len(f.Only)+len(f.Skip)+len(f.Tags) == 0 }

// pick keeps the cases that are wanted. If Measured is set it also returns their bases
// and the cases that their gates refer to, without gates: those are measured but not
// judged.
func (f Filter) pick(all []spec.Case) (picked []spec.Case) {
	needed := map[string]bool{}
	for i := range all {
		if f.Measured && f.Wants(&all[i]) {
			judge.LookedAt(&all[i], needed)
			needed[all[i].Base] = true
		}
	}
	for _, c := range all {
		switch {
		case f.Wants(&c):
			picked = append(picked, c)
		case needed[c.Name]:
			c.Gates = nil
			c.Base = ""
			c.Other = nil
			c.Counterpart = nil
			picked = append(picked, c)
		}
	}
	return picked
}

// dropGone applies the filter to the cases that exist only in the other tree, so that a
// run of one part of a suite does not list what the other parts have lost.
func (f Filter) dropGone(plan *spec.Plan) {
	if plan.Against == nil {
		return
	}
	against := *plan.Against
	against.Vanished, plan.Gone = nil, slices.DeleteFunc(slices.Clone(plan.Gone), func(c spec.Case) bool {
		return !f.Wants(&c)
	})
	for _, c := range plan.Gone {
		against.Vanished = append(against.Vanished, c.Name)
	}
	plan.Against = &against
}

// Wants reports whether the filter asks for a case by its name and its tags.
func (f Filter) Wants(c *spec.Case) bool {
	matches := func(pattern string) bool { return Match(pattern, c.NameInFile()) || Match(pattern, c.Name) }
	tagged := func(tag string) bool { return slices.Contains(c.Tags, tag) }
	return (len(f.Only) == 0 || slices.ContainsFunc(f.Only, matches)) &&
		!slices.ContainsFunc(f.Skip, matches) &&
		(len(f.Tags) == 0 || slices.ContainsFunc(f.Tags, tagged))
}

// WantsRenamed reports whether a case of a plan that is wanted had another name.
func (f Filter) WantsRenamed(plan *spec.Plan) bool {
	return slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return len(c.Was) > 0 && f.Wants(&c) })
}

// Known fails if a pattern or tag of the filter fits no case of any plan.
func (f Filter) Known(plans []*spec.Plan) error {
	var names, tags []string
	for _, plan := range plans {
		for _, c := range slices.Concat(plan.Cases, plan.Gone) {
			names = append(names, c.Name)
			tags = append(tags, c.Tags...)
		}
	}
	for _, pattern := range slices.Concat(f.Only, f.Skip) {
		matches := func(name string) bool { return Match(pattern, name) }
		if !slices.Contains(f.met, pattern) && !slices.ContainsFunc(names, matches) {
			return nothingLike("matches", pattern, names)
		}
	}
	for _, tag := range f.Tags {
		if !slices.Contains(tags, tag) {
			return nothingLike("has the tag", tag, tags)
		}
	}
	return nil
}

func nothingLike(verb, word string, known []string) error {
	hint := "suite list shows the cases and their tags"
	if near, ok := diag.Nearest(word, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if n := diag.Containing(word, known); n > 0 && !strings.Contains(word, "*") {
		hint = fmt.Sprintf("'*%s*' matches %s", word, units.Plural(n, "case"))
	}
	return diag.Hinted(fmt.Sprintf("no case %s %q", verb, word), hint)
}

// Match reports whether a pattern means the case name. A pattern without * means the
// case of that name and all cases below it (NAME/…); * matches any text, / included.
func Match(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return name == pattern || strings.HasPrefix(name, pattern+"/")
	}
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	for _, part := range parts[1:last] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, parts[last])
}
