package judge

import (
	"slices"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// recordErrors records how the errors were divided, for suite verify, if a suite has
// comparative calls or cases with a base.
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

// recordPlanned records which gates there are to judge. It takes them from the plans and
// not from the document, so that suite verify finds a gate that a document has lost.
func (j *Judge) recordPlanned(doc *result.Document) {
	for _, plan := range j.plans {
		s := doc.Suite(plan.Suite)
		if s == nil {
			continue
		}
		asked := skeleton(plan)
		if doc.Strict {
			asked.MakeStrict()
		}
		planned := result.PlannedOf(asked.Cases, plan.Suite)
		s.Planned = &planned
	}
}

// skeleton is the document of a plan of which nothing was run.
func skeleton(plan *spec.Plan) *result.Document {
	doc := &result.Document{Suites: []result.Suite{{Name: plan.Suite}}}
	for i := range plan.Cases {
		c := result.Case{Suite: plan.Suite, Name: plan.Cases[i].Name}
		for _, g := range plan.Cases[i].Gates {
			c.Gates = append(c.Gates, result.Gate{ID: g.ID, Expr: g.Expr.Value, Severity: g.Severity, OnInconclusive: g.OnInconclusive})
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
