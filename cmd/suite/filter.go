package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// filter picks cases by name and tag.
type filter struct {
	only, skip, tags []string
	measured         bool // also pick the cases that the picked ones need as a base or in a gate
}

func (f *filter) flags(c *cobra.Command, e env) {
	c.Flags().StringArrayVar(&f.only, "only", nil, "only the case `NAME`, the cases below it (NAME/…), or the cases that match it (* matches any text); repeatable")
	c.Flags().StringArrayVar(&f.skip, "skip", nil, "skip the case `NAME`, the cases below it or the cases that match it; repeatable")
	c.Flags().StringArrayVar(&f.tags, "tag", nil, "only cases with this `TAG`; if repeated, with any of the tags")
	names := e.fromCases(func(c *spec.Case) []string { return []string{c.Name} })
	tags := e.fromCases(func(c *spec.Case) []string { return c.Tags })
	complete(c, "only", names)
	complete(c, "skip", names)
	complete(c, "tag", tags)
}

// apply keeps the cases that the filter wants, and drops the plans that have none. If
// no case is left it returns an error: a filter that matches nothing must not look like
// a run that passed.
func (f filter) apply(plans []*spec.Plan) ([]*spec.Plan, error) {
	if f.empty() {
		return plans, nil
	}
	if err := f.known(plans); err != nil {
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

// empty reports whether the filter wants every case.
func (f filter) empty() bool { return len(f.only)+len(f.skip)+len(f.tags) == 0 }

// pick keeps the cases that are wanted. If measured is set it also returns their bases
// and the cases that their gates refer to, without gates: those are measured but not
// judged.
func (f filter) pick(all []spec.Case) (picked []spec.Case) {
	needed := map[string]bool{}
	for i := range all {
		if f.measured && f.wants(&all[i]) {
			judge.LookedAt(&all[i], needed)
			needed[all[i].Base] = true
		}
	}
	for _, c := range all {
		switch {
		case f.wants(&c):
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
func (f filter) dropGone(plan *spec.Plan) {
	if plan.Against == nil {
		return
	}
	against := *plan.Against
	against.Vanished, plan.Gone = nil, slices.DeleteFunc(slices.Clone(plan.Gone), func(c spec.Case) bool { return !f.wants(&c) })
	for _, c := range plan.Gone {
		against.Vanished = append(against.Vanished, c.Name)
	}
	plan.Against = &against
}

func (f filter) wants(c *spec.Case) bool {
	matches := func(pattern string) bool { return match(pattern, c.Asked()) || match(pattern, c.Name) }
	tagged := func(tag string) bool { return slices.Contains(c.Tags, tag) }
	return (len(f.only) == 0 || slices.ContainsFunc(f.only, matches)) &&
		!slices.ContainsFunc(f.skip, matches) &&
		(len(f.tags) == 0 || slices.ContainsFunc(f.tags, tagged))
}

// known fails if a pattern or tag of the filter fits no case of any plan.
func (f filter) known(plans []*spec.Plan) error {
	var names, tags []string
	for _, plan := range plans {
		for _, c := range slices.Concat(plan.Cases, plan.Gone) {
			names = append(names, c.Name)
			tags = append(tags, c.Tags...)
		}
	}
	for _, pattern := range slices.Concat(f.only, f.skip) {
		if !slices.ContainsFunc(names, func(name string) bool { return match(pattern, name) }) {
			return nothingLike("case", "matches", pattern, names)
		}
	}
	for _, tag := range f.tags {
		if !slices.Contains(tags, tag) {
			return nothingLike("case", "has the tag", tag, tags)
		}
	}
	return nil
}

func nothingLike(what, verb, word string, known []string) error {
	hint := "suite list shows the cases and their tags"
	if near, ok := diag.Nearest(word, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if n := containing(word, known); n > 0 && what == "case" && !strings.Contains(word, "*") {
		hint = fmt.Sprintf("'*%s*' matches %s", word, units.Plural(n, what))
	}
	return diag.Hinted(fmt.Sprintf("no %s %s %q", what, verb, word), hint)
}

// containing counts the names that contain word.
func containing(word string, names []string) (n int) {
	for _, name := range names {
		if word != "" && strings.Contains(name, word) {
			n++
		}
	}
	return n
}

// match reports whether a pattern means the case name. A pattern without * means the
// case of that name and all cases below it (NAME/…); * matches any text, / included.
func match(pattern, name string) bool {
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
