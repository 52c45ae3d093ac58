package runner

import (
	"slices"

	"example.com/suite/spec"
)

// groups lists the cases that take turns, as indices in the order of the plan. A base
// and its candidates share a window, so that drift affects both alike. A window has at
// most windowSize cases, more only if so many are connected by bases.
func groups(plan *spec.Plan) (all [][]int) {
	var current []int
	for _, group := range components(plan) {
		if len(current) > 0 && len(current)+len(group) > windowSize {
			all, current = append(all, current), nil
		}
		current = append(current, group...)
	}
	if len(current) > 0 {
		all = append(all, current)
	}
	for _, w := range all {
		slices.Sort(w)
	}
	return all
}

// components are the cases that hang together by their bases, in the order of the
// first of each.
func components(plan *spec.Plan) (found [][]int) {
	index := make(map[string]int, len(plan.Cases))
	root := make([]int, len(plan.Cases))
	for i := range plan.Cases {
		index[plan.Cases[i].Name], root[i] = i, i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i := range plan.Cases {
		if base, ok := index[plan.Cases[i].Base]; ok {
			a, b := find(i), find(base)
			root[max(a, b)] = min(a, b)
		}
	}
	group := map[int]int{}
	for i := range plan.Cases {
		r := find(i)
		at, known := group[r]
		if !known {
			at, found = len(found), append(found, nil)
			group[r] = at
		}
		found[at] = append(found[at], i)
	}
	return found
}

// hasPairs reports whether cases of a plan have a base.
func hasPairs(plan *spec.Plan) bool {
	return plan != nil && slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Base != "" })
}

// isNeeded reports whether a case is the base of one that is still to be measured.
func (w *window) isNeeded(t *track) bool {
	return w.needsGuarded(t) || slices.ContainsFunc(w.tracks, func(o *track) bool { return !o.final && !o.done && w.ownTrack(o) == t })
}
