package judge

import (
	"example.com/suite/gate"
	"example.com/suite/internal/history"
	"example.com/suite/internal/trend"
	"example.com/suite/result"
)

// Trends lists what the gates read of the history.
func (j *Judge) Trends() []gate.TrendRead { return j.gates.Trends() }

// CasesOf returns a function that reports whether a case of a suite is in reads.
func CasesOf(reads []gate.TrendRead) func(suite, name string) bool {
	read := map[[2]string]bool{}
	for _, r := range reads {
		read[[2]string{r.Suite, r.Case}] = true
	}
	return func(suite, name string) bool { return read[[2]string{suite, name}] }
}

// joinHistory adds to each case what its gates read of the history. entries may be empty.
func (j *Judge) joinHistory(entries []history.Entry, doc *result.Document) {
	if len(entries) == 0 {
		return
	}
	cases := map[[2]string]*result.Case{}
	for i := range doc.Cases {
		cases[[2]string{doc.Cases[i].Suite, doc.Cases[i].Name}] = &doc.Cases[i]
	}
	floors := map[string]float64{}
	for _, plan := range j.plans {
		floors[plan.Suite] = plan.Errors.LeastDifference()
	}
	index := trend.NewIndex(entries)
	machine := (&history.Run{Machine: doc.Machine}).MachineName()
	for _, read := range j.Trends() {
		c, s := cases[[2]string{read.Suite, read.Case}], doc.Suite(read.Suite)
		if c == nil || s == nil {
			continue
		}
		q := trend.Query{Suite: read.Suite, Case: read.Case, Metric: read.Metric, Last: read.Last, Machine: machine}
		if s.Commit != nil && !s.Commit.Dirty {
			q.Commit = s.Commit.Hash
		}
		if s.Against != nil {
			q.Against = s.Against.Revision
		}
		one := index.Before(q)
		one.Floor = floors[read.Suite]
		c.Histories = append(c.Histories, *one)
	}
}
