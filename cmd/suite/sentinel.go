package main

import (
	"fmt"
	"slices"

	"example.com/suite/build"
	"example.com/suite/gate"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// oneBuild is the warning of a sentinel that could not have a second build.
const oneBuild = "one-build"

// sentinels gives plans their sentinels, and these the second build of their program
// where there can be one. What is missing is said, and kept for the document.
func (e env) sentinels(plans []*spec.Plan, h *hosts) map[string]string {
	why := map[string]string{}
	for _, plan := range plans {
		if !placed(plan) {
			if asked := plan.Errors.Sentinel; asked != nil && *asked {
				e.say("%s: no sentinel: none of its cases is compared with another", clean(plan.File))
			}
			continue
		}
		if plan.Sentinel == nil || plan.Sentinel.Other == nil {
			continue
		}
		second, err := h.again(plan)
		if err != nil {
			why[plan.Suite] = err.Error()
			e.say("%s: the sentinel is compared with itself in one build of its program: %s", clean(plan.File), clean(err.Error()))
			continue
		}
		plan.InSecondBuild(second)
	}
	return why
}

// placed puts a sentinel into a plan that wants one, and says whether there was a case
// for it; of plans that want none it is true.
func placed(plan *spec.Plan) bool { return !plan.WantsSentinel() || plan.PlaceSentinel() }

// again builds the host of a plan once more, with its functions in another order, and
// gives a plan that it is the host of.
func (h *hosts) again(plan *spec.Plan) (*spec.Plan, error) {
	packages := *plan.Packages
	packages.Flags = append(slices.Clone(packages.Flags), "-ldflags=-randlayout")
	second := *plan
	second.Packages, second.Sentinel = &packages, nil
	key := hostKey(second.Dir, &packages)
	if _, done := h.built[key]; !done {
		first := h.built[hostKey(plan.Dir, plan.Packages)]
		program, err := build.Again(h.ctx, h.request(plan.Dir, plan.Packages), first.program)
		if err != nil {
			return nil, err
		}
		h.built[key] = builtHost{program: program, functions: first.functions}
	}
	return &second, nil
}

// steerSentinels tells the gates of the sentinels, so that they steer them.
func steerSentinels(gates *gate.Set, plans []*spec.Plan) {
	for _, plan := range plans {
		if plan.Sentinel != nil {
			gates.Watch(plan.Suite, plan.Sentinel.Name, plan.Builds, plan.Errors.Floor)
		}
	}
}

// warnOneBuild keeps why a sentinel had no second build.
func warnOneBuild(why map[string]string, doc *result.Document) {
	for i := range doc.Suites {
		s := &doc.Suites[i]
		if reason := why[s.Name]; reason != "" && s.Sentinel != nil {
			s.Sentinel.Case.Warnings = append(s.Sentinel.Case.Warnings, result.Warning{Code: oneBuild, Message: reason})
		}
	}
}

// place puts sentinels into plans that are shown and not run.
func place(plans []*spec.Plan) {
	for _, plan := range plans {
		placed(plan)
	}
}

// sentinelText says what is compared with itself; empty where nothing is.
func sentinelText(plan *spec.Plan) string {
	if plan.Sentinel == nil {
		return ""
	}
	return fmt.Sprintf("\nsentinel: %s is compared with itself, for at most %s on each side\n", (&result.Sentinel{Case: result.Case{Name: plan.Sentinel.Name}}).Of(), plan.Sentinel.Settings.MaxTime)
}
