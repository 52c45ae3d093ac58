package sides

import (
	"example.com/suite/result"
	"example.com/suite/stats/order"
)

// Cases are the cases of a document, with results that their gates share.
type Cases struct {
	list    []result.Case
	ByKey   map[Key]*Subject
	InOrder []*Subject      // in the order of the document
	sizes   []result.Family // found on demand
}

// NewCases returns the cases of a document.
func NewCases(list []result.Case) *Cases {
	all := &Cases{list: list, ByKey: map[Key]*Subject{}}
	for i := range list {
		s := &Subject{Case: &list[i]}
		all.InOrder = append(all.InOrder, s)
		all.ByKey[KeyOf(s.Case)] = s
	}
	return all
}

// Key identifies a case in a document.
type Key struct{ Suite, Name string }

// KeyOf returns the key of a case.
func KeyOf(c *result.Case) Key { return Key{c.Suite, c.Name} }

// Families finds the families of all cases once.
func (all *Cases) Families() []result.Family {
	if all.sizes == nil && len(all.InOrder) > 0 {
		all.sizes = result.Families(all.list, order.LeastSizes)
		if all.sizes == nil {
			all.sizes = []result.Family{}
		}
	}
	return all.sizes
}

// Subject is a case with results that its gates share.
type Subject struct {
	*result.Case
	Intervals   map[string]Evidence
	comparisons map[versusKey]versusAnswer
	paired      map[string]*paired // by metric
	other       *Subject           // the same case in the other tree, made on demand
	saved       *Subject           // the same case in a saved result, made on demand
}

// Evidence returns the interval of a headline of the case, which is computed once.
func (s *Subject) Evidence(metric string) Evidence {
	e, known := s.Intervals[metric]
	if !known {
		e = evidenceOf(s.Case, metric)
		if s.Intervals == nil {
			s.Intervals = map[string]Evidence{}
		}
		s.Intervals[metric] = e
	}
	return e
}

// Summary returns the summary of a metric, nil if there is none. void always has one.
func (s *Subject) Summary(metric string) *result.Summary {
	sum := s.Case.Summary(metric)
	if sum == nil && metric == "void" {
		return NoneVoid(s.Case)
	}
	return sum
}
