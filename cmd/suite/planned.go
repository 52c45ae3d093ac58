package main

import (
	"example.com/suite/result"
	"example.com/suite/spec"
)

// recordPlanned writes down what was to be judged, from the plans and not from what
// became of them, so that suite verify sees a gate that a document has lost.
func recordPlanned(plans []*spec.Plan, doc *result.Document) {
	for _, plan := range plans {
		asked := skeleton(plan)
		if doc.Strict {
			asked.MakeStrict()
		}
		if s := doc.Suite(plan.Suite); s != nil {
			planned := result.PlannedOf(asked.Cases, asked.Suites[0].Name)
			s.Planned = &planned
		}
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
