package trend

import (
	"slices"

	"example.com/suite/internal/history"
	"example.com/suite/result"
)

// Query asks for what a run has to know of the past of a case.
type Query struct {
	Suite, Case, Metric string
	Last                int    // commits, the one of the run included
	Machine             string // of the run, as history.Run.MachineName returns it
	Commit              string // that the run measures, full hash; empty if no commit has its tree
	Against             string // that the run is compared with, full hash; empty if it is not
}

// Index finds the runs of a case in a history.
type Index map[key][]caseOfRun

type caseOfRun struct {
	run  *history.Entry
	kept *history.Case
}

// NewIndex returns the index of a history. Runs of a tree that no commit has are left out, and those
// that were made long after their commits: their values show the machine of another day.
func NewIndex(entries []history.Entry) Index {
	all := Index{}
	for i := range entries {
		e := &entries[i]
		if e.Dirty || e.Filled {
			continue
		}
		for j := range e.Cases {
			k := key{e.Cases[j].Suite, e.Cases[j].Name}
			all[k] = append(all[k], caseOfRun{e, &e.Cases[j]})
		}
	}
	return all
}

// Before returns the points and ratios of a history that come before a run. Earlier runs of the
// same commit are no points: the run replaces them.
func (x Index) Before(q Query) *result.History {
	s := Series{Suite: q.Suite, Case: q.Case, Metric: q.Metric}
	for _, one := range x[key{q.Suite, q.Case}] {
		if m := one.kept.Metric(q.Metric); m != nil {
			s.addPoint(one.run, one.kept, m)
		}
	}
	s.order(0)
	known := &result.History{Metric: q.Metric}
	machine := slices.Index(s.Machines, q.Machine)
	for i := range s.Points {
		if p := &s.Points[i]; p.Machine == machine && (q.Commit == "" || p.Commit != q.Commit) {
			known.Points = append(known.Points, result.HistoryPoint{Commit: p.Commit, When: p.When, Value: p.Value})
		}
	}
	known.Points = known.Points[max(0, len(known.Points)-(q.Last-1)):]
	linked := s.linked(q.Against)
	for i, at := range linked[:max(0, min(len(linked), q.Last-1)-1)] {
		p, base := &s.Points[at], &s.Points[linked[i+1]]
		known.Ratios = append(known.Ratios, result.HistoryRatio{Commit: p.Commit, Base: base.Commit, When: base.When,
			Value: *p.Ratio.Value, Low: *p.Ratio.Low, High: *p.Ratio.High})
	}
	return known
}
