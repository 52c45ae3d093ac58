package runner

import (
	"strings"

	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// hostKind is the key of hosts, and of what is known of them: a host has one timer.
type hostKind struct {
	plan         *spec.Plan
	kind         string
	clock, cycle string // preferences, joined by commas
	side         int    // of cases whose sides have a host each
}

// timing is the same without the side: what timing costs does not depend on it.
func (k hostKind) timing() hostKind {
	k.side = oneHost
	return k
}

func joined(words []string) string { return strings.Join(words, ",") }

// words splits what hostKind has joined.
func words(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// Sides of a hostKind.
const (
	oneHost   = iota // of cases with one side, or with both sides in one host
	caseHost         // of cases whose sides have a host each: the case
	baseHost         // and its base
	guardHost        // of a sentinel
	ownHost
	pairHost // of cases that share one with their base, and get a new one for each launch
)

// hostSide returns which of the hosts of its kind a side runs in.
func (s *side) hostSide() int {
	switch {
	case !s.of.isApart() && s.of.drawn && !s.target.IsCommand():
		return pairHost
	case !s.of.isApart():
		return oneHost
	case s.of.guard && !s.target.IsBase():
		return guardHost
	case s.of.guard:
		return ownHost
	case s.target.IsBase():
		return baseHost
	}
	return caseHost
}

// kind is the kind of the hosts that a side runs in. One host starts all commands of a
// plan, also the other tree's.
func (s *side) kind() hostKind {
	k := hostKind{plan: s.target.Plan, kind: s.target.WireKind(), clock: joined(s.target.Spec.Timer.Clock),
		cycle: joined(s.target.Spec.Timer.Cycle), side: s.hostSide()}
	if s.target.IsCommand() {
		k.plan = s.of.target.Plan
	}
	return k
}

// folder is the one that a host starts in, empty for the current one: functions read
// files of their own tree.
func (k hostKind) folder() string {
	if k.kind != wire.KindGo || k.plan == nil {
		return ""
	}
	return k.plan.HostDir
}

// firstOfBase is the first id of cases in the host of a base, so that the id of a
// reading shows its side.
const firstOfBase = 1 << 20
