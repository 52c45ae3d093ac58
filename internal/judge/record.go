package judge

import (
	"slices"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// recordErrors records how the errors of each suite were divided, so that suite verify can
// check it. Suites without comparative calls and without bases have no errors to divide.
func (j *Judge) recordErrors(doc *result.Document) {
	for i := range doc.Suites {
		s := &doc.Suites[i]
		paired := func(c result.Case) bool { return c.Suite == s.Name && c.Pairs != nil }
		e := j.gates.Errors(s.Name)
		if e.Calls > 0 || slices.ContainsFunc(doc.Cases, paired) {
			s.Errors = &e
		}
	}
}

// recordPlanned records which gates were planned. It reads the plans and not the document, so
// that suite verify notices a gate that is missing in the document.
func (j *Judge) recordPlanned(doc *result.Document) {
	for _, plan := range j.plans {
		s := doc.Suite(plan.Suite)
		if s == nil {
			continue
		}
		short := skeleton(plan)
		if doc.Strict {
			short.MakeStrict()
		}
		planned := result.PlannedOf(short.Cases, plan.Suite)
		s.Planned = &planned
	}
}

// skeleton returns the document of a plan before anything is run.
func skeleton(plan *spec.Plan) *result.Document {
	doc := &result.Document{Suites: []result.Suite{{Name: plan.Suite}}}
	for i := range plan.Cases {
		c := result.Case{Suite: plan.Suite, Name: plan.Cases[i].Name}
		for _, g := range plan.Cases[i].Gates {
			c.Gates = append(c.Gates, result.Gate{ID: g.ID, Expr: g.Expr.Value, Severity: g.Severity,
				OnInconclusive: g.OnInconclusive})
		}
		doc.Cases = append(doc.Cases, c)
	}
	return doc
}

// recordCommits records the commit of each plan's work tree.
func (j *Judge) recordCommits(commits []*result.Commit, doc *result.Document) {
	for i, plan := range j.plans {
		if s := doc.Suite(plan.Suite); s != nil {
			s.Commit = commits[i]
		}
	}
}
