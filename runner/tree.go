package runner

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// pairWithOther sets the side of a case in another tree. That side is the case as the
// other plan has it, with its folder, its program and its hooks.
func (t *track) pairWithOther(other *spec.Other) {
	b := other.Case
	b.Timer = t.spec.Timer
	t.pairWith(other.Plan, &b)
	t.base.tree = other.Name
	t.result.Pairs.Base, t.result.Pairs.Tree = nameThere(t.spec), other.Name
}

// nameThere is what a case is called in the other tree.
func nameThere(c *spec.Case) string {
	if c.Counterpart != nil {
		return cmp.Or(c.Counterpart.Name, c.Other.Case.Name)
	}
	return c.Other.Case.Name
}

// baseName is what a failure calls the side of a base.
func (t *side) baseName() string {
	if t.tree != "" {
		return "its base in " + t.tree
	}
	return fmt.Sprintf("its base %q", t.spec.Name)
}

// isApart reports whether the sides of a case live in two hosts, which take turns batch by
// batch: Go functions of two trees. Commands of two trees are started by one.
func (t *track) isApart() bool {
	return t.base != nil && t.base.tree != "" && !t.isCommand()
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
func (t *side) hostSide() int {
	switch {
	case !t.of.isApart() && t.of.drawn && !t.isCommand():
		return pairHost
	case !t.of.isApart():
		return oneHost
	case t.of.guard && !t.isBase():
		return guardHost
	case t.of.guard:
		return ownHost
	case t.isBase():
		return baseHost
	}
	return caseHost
}

// kind is the kind of the hosts that a side runs in. One host starts all commands of a
// plan, also the other tree's.
func (t *side) kind() hostKind {
	k := hostKind{plan: t.plan, kind: t.wireKind(), clock: joined(t.spec.Timer.Clock), cycle: joined(t.spec.Timer.Cycle), side: t.hostSide()}
	if t.isCommand() {
		k.plan = t.of.plan
	}
	return k
}

// program is the argv of a host. Programs are always started by suite itself.
func (r *run) program(kind hostKind) []string {
	if kind.kind == wire.KindGo && r.HostOf != nil {
		if argv := r.HostOf(kind.plan); argv != nil {
			return argv
		}
	}
	return r.Host
}

// folder is the one that a host starts in, empty for the current one: functions read
// files of their own tree.
func (k hostKind) folder() string {
	if k.kind != wire.KindGo || k.plan == nil {
		return ""
	}
	return k.plan.HostDir
}

// A journal's header has the hash of the host of the other tree; nil if there is none.
func (r *run) otherHost(plan *spec.Plan) (hosts []string) {
	if plan.Other == nil {
		return nil
	}
	if argv := r.HostOf(plan.Other); argv != nil {
		hosts = append(hosts, r.Binaries.Sum(argv[0]))
	}
	return hosts
}

// vanished lists the cases that the other tree has and this one lacks. They are errors,
// unless the suite file lists them as removed.
func vanished(plan *spec.Plan) (all []result.Case) {
	if plan.Against == nil {
		return nil
	}
	for _, name := range plan.Against.Vanished {
		c := result.Case{Suite: plan.Suite, Name: name, Kind: result.KindCommand, Status: result.Failed, Samples: noSamples(),
			Failure: &result.Failure{Phase: result.PhaseStart, Cause: result.FailedVanished, Message: fmt.Sprintf("%s has case %q, and it is gone", plan.Against.Asked, name),
				Hint: "list it under removed:, or set was: in the benchmark that replaces it"}}
		if at := slices.IndexFunc(plan.Gone, func(gone spec.Case) bool { return gone.Name == name }); at >= 0 {
			c.Kind, c.Tags = plan.Gone[at].Kind, plan.Gone[at].Tags
		}
		all = append(all, c)
	}
	return all
}
