package result

import (
	"fmt"
	"slices"

	"example.com/suite/internal/lazy"
)

var (
	againstKinds      = []AgainstKind{AgainstRevision, AgainstFolder, AgainstResult}
	counterpartStates = []CounterpartState{CounterpartPaired, CounterpartUnpaired, CounterpartNew, CounterpartChanged,
		CounterpartUnable, CounterpartUnaffected}
	revisionShape = lazy.Regexp(`^[0-9a-f]{40,64}$`)
	digestShape   = lazy.Regexp(`^sha256:[0-9a-f]{64}$`)
)

func (v *validator) suiteAgainst(s *Suite) {
	a := s.Against
	if a == nil {
		return
	}
	v.against[s.Name] = a
	v.check(a.Asked != "", "suite %q: it was compared with something that has no name", s.Name)
	v.check(slices.Contains(againstKinds, a.Kind), "suite %q: it was compared with something of unknown kind %q",
		s.Name, a.Kind)
	v.check(a.Revision == "" || revisionShape().MatchString(a.Revision), "suite %q: %q is not the hash of a revision",
		s.Name, a.Revision)
	for _, g := range a.Gates {
		v.check(g.Gate != "" && g.Was != "",
			"suite %q: a gate of %s that was removed or relaxed has no name or no text",
			s.Name, a.Asked)
	}
	v.check(a.Kind != AgainstRevision || a.Revision != "", "suite %q: the revision %q has no hash", s.Name, a.Asked)
}

func (v *validator) planned(s *Suite) {
	p := s.Planned
	if p == nil {
		return
	}
	v.check(p.Cases >= 0 && p.Gates >= 0, "suite %q: planned cases or gates are negative", s.Name)
	v.check(digestShape().MatchString(p.Digest), "suite %q: the digest %q of the plan is not one", s.Name, p.Digest)
}

// sentinel validates the sentinel's case separately, because a case of the suite may
// have the same name.
func (v *validator) sentinel(s *Suite) {
	v.check(s.Sentinel == nil || s.Sentinels == nil, "suite %q: it has a sentinel, and sentinels of several machines",
		s.Name)
	for _, n := range s.AllSentinels() {
		v.check(v.fresh("sentinel", s.Name, fmt.Sprint(n.Shard)),
			"suite %q: two sentinels of shard %d", s.Name, n.Shard)
		v.oneSentinel(s, n)
	}
}

func (v *validator) oneSentinel(s *Suite, n *Sentinel) {
	v.check(n.Builds >= 1, "suite %q: its sentinel has %d builds", s.Name, n.Builds)
	v.check(!(n.Tolerance < 0) && !(n.Floor < 0) && !notNumber(n.Tolerance) && !notNumber(n.Floor),
		"suite %q: tolerance or floor of its sentinel are out of range", s.Name)
	v.check(n.Case.Suite == s.Name, "suite %q: its sentinel is of suite %q", s.Name, n.Case.Suite)
	own := &validator{newChecklist(), map[string]bool{n.Case.Suite: true}, nil}
	own.oneCase(0, &n.Case)
	for _, p := range own.problems {
		v.check(false, "suite %q: sentinel: %v", s.Name, p)
	}
}

// sources checks the texts of a suite.
func (v *validator) sources(s *Suite) {
	kept := 0
	for _, f := range s.Sources {
		kept += len(f.Text)
		v.check(f.File != "", "suite %q: a source has no file", s.Name)
		v.check(v.fresh("source", s.Name, f.File), "suite %q: source %q is there twice", s.Name, f.File)
		v.check((f.Text == "") == (f.Left > 0) && f.Left >= 0,
			"suite %q: source %q needs either a text or the size of the text that was left out", s.Name, f.File)
	}
	// masking can make a text longer
	v.check(kept <= 2*MostSource, "suite %q: its sources are larger than %d bytes", s.Name, 2*MostSource)
}

func (v *validator) orders(d *Document) {
	for i, o := range d.Orders {
		v.where = ""
		v.check(v.suites[o.Suite], "order %d: unknown suite %q", i+1, o.Suite)
		v.check((len(o.Plausible) == 0) == (o.Reason != ""), "order %d: wants classes or a reason", i+1)
		for _, c := range o.Plausible {
			v.check(c == fasterClass || slices.Contains(orderClasses, c), "order %d: unknown class %q", i+1, c)
		}
	}
}
