package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// caseLinks checks how the cases of a plan refer to each other: their bases, and their
// earlier names.
type caseLinks struct {
	*expander
	plan      *Plan
	names     map[string]diag.Place // of cases
	elsewhere bool                  // the cases are listed in another tree, see Catalogue.Folder
}

// bases checks that every base is a case with which its candidate can be compared, and adds
// the gates of tolerances. If the plan has problems already, cases may be missing, so an
// unknown name is not reported.
func (l *caseLinks) bases() {
	plan := l.plan
	whole := len(l.Found) == 0
	byName, names := make(map[string]*Case, len(plan.Cases)), []string(nil)
	for i := range plan.Cases {
		c := &plan.Cases[i]
		byName[c.Name], names = c, append(names, c.Name)
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		base := byName[c.Base]
		switch {
		case c.Base == "":
			continue
		case base == c:
			l.itsOwn(c)
			continue
		case base != nil:
			l.comparable(c, base)
		case whole && !unfinished(plan):
			l.Add(c.base.Problem(0, fmt.Sprintf("unknown case %s as base of %s",
				diag.Quote(c.Base), diag.Quote(c.Name)),
				nearestCase(c.Base, names)).Coded(diag.UnknownName))
		}
		l.paired(c)
		l.tolerate(c)
		c.shareTime()
	}
	if len(l.Found) == 0 {
		l.circles(byName)
	}
}

// itsOwn handles a case that base: names as its own base. If the benchmark has several
// cases, the case is the base of the others and has none itself; in a benchmark with one
// case it is a mistake.
func (l *caseLinks) itsOwn(c *Case) {
	others := slices.ContainsFunc(l.plan.Cases,
		func(other Case) bool { return other.Place == c.Place && other.Name != c.Name })
	if c.baseOrigin == FromBenchmark && !others {
		l.Add(c.base.Problem(0, fmt.Sprintf("case %s is its own base", diag.Quote(c.Name)),
			"name the case that it is to be compared with").Coded(diag.Invalid))
	}
	c.Base = ""
}

// nearestCase hints at the full name if the name lacks its beginning, otherwise at a
// similar name.
func nearestCase(name string, names []string) string {
	for _, known := range names {
		if strings.HasSuffix(known, "/"+name) {
			return fmt.Sprintf("did you mean %q?", known)
		}
	}
	return nearest(name, names)
}

// unfinished reports whether the names of some cases are not known yet.
func unfinished(plan *Plan) bool {
	return slices.ContainsFunc(plan.Cases, func(c Case) bool { return c.IsOpen() })
}

// comparable refuses a base if a ratio to it would mean nothing.
func (l *caseLinks) comparable(c, base *Case) {
	differs := func(what, own, theirs, hint string) {
		l.Add(c.base.Problem(0,
			fmt.Sprintf("case %s cannot be compared with %s: %s %s and %s",
				diag.Quote(c.Name), diag.Quote(base.Name), what, own, theirs),
			hint).Coded(diag.Invalid))
	}
	// functions may set their units when they are prepared
	declared := c.Kind == result.KindGo && !(c.UnitSet && base.UnitSet)
	switch {
	case family(c.Kind) != family(base.Kind):
		differs("they are", family(c.Kind), family(base.Kind),
			"the processes of commands are compared with each other, and functions with each other")
	case c.Unit != base.Unit && !declared:
		differs("the units are", c.Unit, base.Unit,
			"give both the same unit, and work: the number of units in one iteration")
	case c.Timer.String() != base.Timer.String():
		differs("the timers are", c.Timer.String(), base.Timer.String(), "give both the same timer")
	case c.Settings.Batch != base.Settings.Batch:
		show := func(c *Case) string { return orWord(c.Settings.Batch == 0, "auto", c.Settings.Batch) }
		differs("batch is", show(c), show(base), "the batches of a pair are of one size: give both the same batch")
	}
}

// paired refuses ways of sampling that produce no pairs.
func (l *caseLinks) paired(c *Case) {
	s := &c.Settings
	switch {
	case s.Sampling == once:
		l.Add(c.base.Problem(0,
			fmt.Sprintf("base with sampling: once in case %s: one pair proves nothing", diag.Quote(c.Name)),
			"leave one of them out").Coded(diag.Invalid))
	case s.Keep == summary:
		l.Add(c.base.Problem(0,
			fmt.Sprintf("base with samples: {keep: summary} in case %s: verdicts need the pairs themselves",
				diag.Quote(c.Name)),
			"keep the samples of this case, or leave out its base").Coded(diag.Invalid))
	}
}

// tolerate adds the gate of a tolerance that somebody gave. A case that a flag lets be judged by instructions has it in
// any case: gates on the time, which the suite file may have, are skipped.
func (l *caseLinks) tolerate(c *Case) {
	replaces := c.JudgedByInstructions() && c.Origins[judgeKey] == FromFlag
	if c.Origins[toleranceKey] == FromBuiltin && !replaces {
		return
	}
	if problem := c.tolerate(toleranceGate, l.plan.OnInconclusive); problem != nil {
		l.Add(*problem)
	}
}

// circles refuses cases that are their own bases by way of other cases.
func (l *caseLinks) circles(byName map[string]*Case) {
	done := map[*Case]bool{}
	for i := range l.plan.Cases {
		var path []string
		on := map[*Case]bool{}
		for c := &l.plan.Cases[i]; c != nil && !done[c]; c = byName[cmp.Or(c.Base, "\x00")] {
			path = append(path, diag.Quote(c.Name))
			if on[c] {
				l.Add(c.base.Problem(0, "bases form a cycle: "+
					strings.Join(path[slices.Index(path, diag.Quote(c.Name)):], " → "),
					"one of these cases must have no base").Coded(diag.Invalid))
				break
			}
			on[c] = true
		}
		for c := range on {
			done[c] = true
		}
	}
}

// earlier refuses earlier names that leave open which case was which.
func (l *caseLinks) earlier() {
	claimed := map[string]string{}
	for i := range l.plan.Cases {
		c := &l.plan.Cases[i]
		for j, name := range c.Was {
			_, there := l.names[name]
			by, twice := claimed[name]
			switch at := c.was[j]; {
			case name == c.Name:
				l.Add(at.Problem(0,
					fmt.Sprintf("%s is the name that the case has now, not an earlier one", diag.Quote(name)),
					"was: OLD NAME").Coded(diag.Invalid))
			case there:
				l.Add(at.Problem(0,
					fmt.Sprintf("%s is the name of another case, so it is not an earlier name of %s",
						diag.Quote(name), diag.Quote(c.Name)),
					"").Coded(diag.Invalid))
			case twice:
				l.Add(at.Problem(0,
					fmt.Sprintf("cases %s and %s cannot both have the earlier name %s",
						diag.Quote(by), diag.Quote(c.Name), diag.Quote(name)),
					"a new case needs no was:").Coded(diag.Invalid))
			}
			claimed[name] = c.Name
		}
	}
	l.stillThere(claimed)
}

// stillThere refuses removed names that cases still have, now or as earlier names. In another tree existing benchmarks
// have them that were removed here.
func (l *caseLinks) stillThere(claimed map[string]string) {
	if l.elsewhere {
		return
	}
	for _, gone := range l.plan.Removed {
		_, there := l.names[gone.Name]
		by, renamed := claimed[gone.Name]
		switch {
		case there:
			l.fail(gone.Place, "take it out of removed:, or take the case out",
				"case %s is still there", diag.Quote(gone.Name))
		case renamed:
			l.failAs(diag.UnknownName, gone.Place, "take it out of removed:",
				"case %s is not gone: it is %s now", diag.Quote(gone.Name), diag.Quote(by))
		}
	}
}
