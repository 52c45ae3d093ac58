// Package judge turns what a run has measured into a document with verdicts.
//
// A Judge is made from the plans before anything is measured, since open gates decide
// how long their cases are measured. After the run, Finish judges the document, and
// records in it what the verdicts rest on.
package judge

import (
	"example.com/suite/gate"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/saved"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Judge judges the document of one run of some plans.
type Judge struct {
	plans  []*spec.Plan
	gates  *gate.Compiled
	watch  *gate.Watch
	errors map[string]result.Errors // by suite
	hidden []result.Secret
}

// New compiles the gates of plans, and masks secrets in what is known of their cases
// already. What is wrong with the gates is returned as diag.Problems.
func New(plans []*spec.Plan) (*Judge, error) {
	j := &Judge{plans: plans, hidden: secrets(plans)}
	maskReasons(plans, j.hidden)
	gates, problems := Compile(plans...)
	if len(problems) > 0 {
		return nil, problems
	}
	j.gates = gates
	j.shareErrors()
	j.watch = gates.Watch(sentinels(plans)...)
	return j, nil
}

// shareErrors spreads the chance of a false alarm of each suite over all comparative
// calls of its file, including calls of cases that a filter leaves out: the certainty of a
// verdict must not depend on which other cases are run.
func (j *Judge) shareErrors() {
	j.errors = map[string]result.Errors{}
	for _, plan := range j.plans {
		j.errors[plan.Suite] = j.gates.Share(plan.Suite, plan.Errors.Family, plan.Calls)
	}
}

func sentinels(plans []*spec.Plan) (all []gate.Sentinel) {
	for _, plan := range plans {
		if plan.Sentinel != nil {
			all = append(all, gate.Sentinel{Suite: plan.Suite, Name: plan.Sentinel.Name, Builds: plan.Builds, Floor: plan.Errors.Floor})
		}
	}
	return all
}

// Watch decides during the run how long open gates are measured.
func (j *Judge) Watch() *gate.Watch { return j.watch }

// Run holds the facts of a finished run that Finish needs and the plans do not contain.
type Run struct {
	Interrupted string                 // name of the signal that ended it; empty: none
	Unrecorded  bool                   // the journal could not be written, which ended it
	Commits     []*result.Commit       // of the work tree of each plan, nil if it has none
	Earlier     *saved.Base            // the saved result that cases are compared with; nil: none
	Accept      func(*result.Document) // marks what is accepted
}

// Finish judges a document, which is complete after it but for its digest.
func (j *Judge) Finish(doc *result.Document, run Run) {
	doc.Interrupted = run.Interrupted
	doc.FailUnwritable()
	doc.Mask(j.hidden) // first, because the reasons of gates quote what programs wrote
	run.Earlier.Join(doc)
	j.gates.Assess(doc.Suites).Judge(doc.Cases)
	doc.Orders = gate.Orders(doc.Cases)
	doc.FailUnwritable() // the numbers of verdicts
	run.Accept(doc)
	j.recordErrors(doc)
	j.recordPlanned(doc)
	j.recordCommits(run.Commits, doc)
	doc.Exit = doc.Outcome().Exit
	if run.Unrecorded && doc.Interrupted == "" {
		doc.Exit = exitFail
	}
}

// exitFail is the exit status of a run in which suite itself failed.
const exitFail = 3

// Check compiles every gate of a plan before anything is run, also of cases that a filter
// leaves out, and returns the number of comparative calls in them. If whole is false the
// file has other problems, and a case may be missing because of them: then gates that name
// other cases are left alone.
func Check(plan *spec.Plan, whole bool) (calls int, problems diag.Problems) {
	known, open := splitOpen(plan)
	whole = whole && len(open.Cases) == 0
	set, problems := gate.Compile(sources(known, whole), caseNames(plan))
	if e := set.Errors(plan.Suite); e != nil {
		calls = e.Calls
	}
	return calls, append(problems, openGates(sources(open, whole))...)
}

// Compile compiles the gates of plans.
func Compile(plans ...*spec.Plan) (*gate.Compiled, diag.Problems) {
	var all []gate.Source
	names := map[string][]string{}
	for _, plan := range plans {
		all = append(all, sources(plan, true)...)
		names[plan.Suite] = append(names[plan.Suite], caseNames(plan)[plan.Suite]...)
	}
	return gate.Compile(all, names)
}
