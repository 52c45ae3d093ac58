package gate

import (
	"example.com/suite/result"
	"example.com/suite/stats/order"
)

// cases are the cases of a document, with results that their gates share.
type cases struct {
	list  []result.Case
	byKey map[caseKey]*subject
	order []*subject      // in the order of the document
	sizes []result.Family // found on demand
}

func newCases(list []result.Case) *cases {
	all := &cases{list: list, byKey: map[caseKey]*subject{}}
	for i := range list {
		s := &subject{Case: &list[i]}
		all.order = append(all.order, s)
		all.byKey[keyOf(s.Case)] = s
	}
	return all
}

type caseKey struct{ suite, name string }

func keyOf(c *result.Case) caseKey { return caseKey{c.Suite, c.Name} }

// families finds the families of all cases once.
func (all *cases) families() []result.Family {
	if all.sizes == nil && len(all.order) > 0 {
		all.sizes = result.Families(all.list, order.LeastSizes)
		if all.sizes == nil {
			all.sizes = []result.Family{}
		}
	}
	return all.sizes
}

// subject is a case with results that its gates share.
type subject struct {
	*result.Case
	intervals   map[string]evidence
	comparisons map[versusKey]versusAnswer
	paired      map[string]*paired // by metric
	other       *subject           // the same case in the other tree, made on demand
	saved       *subject           // the same case in a saved result, made on demand
}

func (s *subject) evidence(metric string) evidence {
	e, known := s.intervals[metric]
	if !known {
		e = evidenceOf(s.Case, metric)
		if s.intervals == nil {
			s.intervals = map[string]evidence{}
		}
		s.intervals[metric] = e
	}
	return e
}

// Summary returns the summary of a metric, nil if there is none. void always has one.
func (s *subject) Summary(metric string) *result.Summary {
	sum := s.Case.Summary(metric)
	if sum == nil && metric == "void" {
		return noneVoid(s.Case)
	}
	return sum
}
