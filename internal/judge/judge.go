// Package judge turns what a run has measured into a document with verdicts.
//
// Gates are compiled when suite files are loaded. They make a Judge before anything is
// measured, since open gates decide how long their cases are measured. After the run,
// Finish judges the document, and records in it what the verdicts rest on.
package judge

import (
	"example.com/suite/gate"
	"example.com/suite/internal/history"
	"example.com/suite/internal/saved"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Judge judges the document of one run of some plans. Gates.Judge makes it.
type Judge struct {
	plans  []*spec.Plan
	gates  *gate.Compiled
	watch  *gate.Watch
	hidden []result.Secret
}

func sentinels(plans []*spec.Plan) (all []gate.Sentinel) {
	for _, plan := range plans {
		if plan.Sentinel != nil {
			all = append(all, gate.Sentinel{Suite: plan.Suite, Name: plan.Sentinel.Name, Builds: plan.Builds,
				Floor: plan.Errors.Floor})
		}
	}
	return all
}

// Watch decides during the run how long open gates are measured.
func (j *Judge) Watch() *gate.Watch { return j.watch }

// Masked is a case whose failure contains no secret, to be shown before Finish masks all.
func (j *Judge) Masked(c *result.Case) *result.Case {
	if c.Failure == nil {
		return c
	}
	shown, failure := *c, *c.Failure
	failure.Message = result.Masker(j.hidden)(failure.Message)
	shown.Failure = &failure
	return &shown
}

// Run holds the facts of a finished run that Finish needs and the plans do not contain.
type Run struct {
	Interrupted string           // name of the signal that ended it; empty: none
	Unrecorded  bool             // the journal could not be written, which ended it
	Commits     []*result.Commit // of the work tree of each plan, nil if it has none
	Earlier     *saved.Base      // the saved result that cases are compared with; nil: none
	// the history, as far as it is older than the run; nil: none, or no gate reads it
	Past   []history.Entry
	Accept func(*result.Document) // marks what is accepted
}

// Finish judges a document, which is complete after it but for its digest.
func (j *Judge) Finish(doc *result.Document, run Run) {
	doc.Interrupted = run.Interrupted
	doc.FailUnwritable()
	doc.Mask(j.hidden) // first, because the reasons of gates quote what programs wrote
	run.Earlier.Join(doc)
	j.recordCommits(run.Commits, doc)
	j.joinHistory(run.Past, doc)
	j.gates.Assess(doc.Suites).Judge(doc.Cases)
	contradict(doc.Cases)
	doc.Orders = gate.Orders(doc.Cases)
	doc.FailUnwritable() // the numbers of verdicts
	run.Accept(doc)
	j.recordErrors(doc)
	j.recordPlanned(doc)
	doc.Exit = doc.Outcome().Exit
	if run.Unrecorded && doc.Interrupted == "" {
		doc.Exit = result.ExitFail
	}
}
