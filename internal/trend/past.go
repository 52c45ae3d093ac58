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

// Past returns the points and ratios of a history that come before a run. Earlier runs of the
// same commit are no points: the run replaces them.
func Past(entries []history.Entry, q Query) *result.Past {
	s := Series{Suite: q.Suite, Case: q.Case, Metric: q.Metric}
	for i := range entries {
		e := &entries[i]
		for j := range e.Cases {
			c := &e.Cases[j]
			if m := c.Metric(q.Metric); m != nil && !e.Dirty && c.Suite == q.Suite && c.Name == q.Case {
				s.add(e, c, m)
			}
		}
	}
	s.order(0)
	past := &result.Past{Metric: q.Metric}
	machine := slices.Index(s.Machines, q.Machine)
	for i := range s.Points {
		if p := &s.Points[i]; p.Machine == machine && (q.Commit == "" || p.Commit != q.Commit) {
			past.Points = append(past.Points, result.PastPoint{Commit: p.Commit, When: p.When, Value: p.Value})
		}
	}
	past.Points = past.Points[max(0, len(past.Points)-(q.Last-1)):]
	linked := s.linked(q.Against)
	for i, at := range linked[:max(0, min(len(linked), q.Last-1)-1)] {
		p, base := &s.Points[at], &s.Points[linked[i+1]]
		past.Ratios = append(past.Ratios, result.PastRatio{Commit: p.Commit, Base: base.Commit, When: base.When, Value: p.Ratio.Value, Low: *p.Ratio.Low, High: *p.Ratio.High})
	}
	return past
}
