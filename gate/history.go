package gate

import (
	"cmp"
	"slices"
)

// TrendRead is a metric of a case whose history gates read.
type TrendRead struct {
	Suite, Case, Metric string
	Last                int // commits, the one of the run included
}

// historic is a function that reads the history of a metric.
type historic interface {
	history() (metric string, last int)
}

// Trends lists what the gates read of the history: each metric of a case once, with the largest
// number of commits, in the order of their names.
func (s *Compiled) Trends() (all []TrendRead) {
	for key, gates := range s.gates {
		last := map[string]int{}
		for _, g := range gates {
			for _, k := range kindsOf[historic](g.rule) {
				metric, n := k.history()
				last[metric] = max(last[metric], n)
			}
		}
		for metric, n := range last {
			all = append(all, TrendRead{key.Suite, key.Name, metric, n})
		}
	}
	slices.SortFunc(all, func(a, b TrendRead) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Case, b.Case), cmp.Compare(a.Metric, b.Metric))
	})
	return all
}
