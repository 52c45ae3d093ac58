package gate

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

type versusKey struct {
	metric           string
	tolerance, alpha float64
}

type versusAnswer struct {
	*versus
	err error // there is nothing to compare
}

// versus compares a case with its base, once for each metric, tolerance and alpha.
// The error names what is missing.
func (all *cases) versus(s *subject, base basis, m result.Metric, tolerance, alpha float64) (*versus, error) {
	key := versusKey{m.Name, tolerance, alpha}
	a, known := s.comparisons[key]
	if !known {
		a.versus, a.err = all.compare(s, base, m, tolerance, alpha)
		if s.comparisons == nil {
			s.comparisons = map[versusKey]versusAnswer{}
		}
		s.comparisons[key] = a
	}
	return a.versus, a.err
}

func (all *cases) compare(s *subject, base basis, m result.Metric, tolerance, alpha float64) (*versus, error) {
	if m.Exact {
		return all.compareExact(s, base, m, tolerance, alpha)
	}
	p := s.paired[m.Name]
	if p == nil {
		var ok bool
		p, ok = pairedOf(s.Case, m)
		if !ok {
			return nil, all.unpaired(s, base, m)
		}
		if s.paired == nil {
			s.paired = map[string]*paired{}
		}
		s.paired[m.Name] = p
	}
	return p.judgedAt(m, tolerance, alpha).bounded().visible(s.Case), nil
}

// unpaired returns why there are no pairs of a metric.
func (all *cases) unpaired(s *subject, base basis, m result.Metric) error {
	if s.Pairs == nil || s.Samples.Len() == 0 {
		if _, err := all.findBase(s, base); err != nil {
			return err
		}
		return because(result.CauseNoPairs, "no pairs were taken with %s", base.text())
	}
	if s.Samples.Column(m.Name) == nil {
		return missingOf(s.Case, m)
	}
	return because(result.CauseNoMetric, "metric %q of %s was not measured: %s", m.Name, base.text(), whyNot(s.Case, m))
}

// compareExact compares a metric that does not vary with the same metric of the base. If it does
// vary, nothing is shown, because no part of the suite's chance of error is reserved for it.
func (all *cases) compareExact(s *subject, base basis, m result.Metric, tolerance, alpha float64) (*versus, error) {
	b, err := all.findBase(s, base)
	if err != nil {
		return nil, err
	}
	own, its := s.Summary(m.Name), b.Summary(m.Name)
	switch {
	case own == nil:
		return nil, missingOf(s.Case, m)
	case its == nil:
		return nil, because(result.CauseNoMetric, "metric %q of %s was not measured: %s", m.Name, base.text(), whyNot(b.Case, m))
	}
	v := within(m, its, own, tolerance, alpha)
	switch {
	case own.Exact && its.Exact && always(s.Pairs, m.Name, its.Median):
		return v, nil
	case own.Exact && its.Exact:
		v.why = fmt.Sprintf("%s of the base was not the same in the pairs as in the base case itself", m.Name)
	default:
		v.why = fmt.Sprintf("%s was not the same every time: %s here, and %s in %s", m.Name, rangeOf(own), rangeOf(its), base.name)
	}
	v.exact, v.cause = false, result.CauseVaried
	return v.undecided(), nil
}

// within compares numbers that vary from pass to pass, for example by one allocation in a batch.
// An exact comparison of 0 and 0.001 allocations called equal code different in three of five
// runs. So nothing is shown if the ends of both ranges would decide differently.
func within(m result.Metric, base, own *result.Summary, tolerance, alpha float64) *versus {
	v := plainly(m, base.Median, own.Median, tolerance, alpha)
	if v.why != "" || base.Slack == 0 && own.Slack == 0 {
		return v
	}
	least := plainly(m, base.Median+base.Slack, own.Median, tolerance, alpha)
	most := plainly(m, base.Median, own.Median+own.Slack, tolerance, alpha)
	if least.over == most.over && least.under == most.under {
		return v
	}
	v.over, v.under = agreed(least.over, most.over), agreed(least.under, most.under)
	v.exact, v.cause = false, result.CauseVaried
	v.why = fmt.Sprintf("%s was not the same every time: %s here, and %s there", m.Name, rangeOf(own), rangeOf(base))
	return v
}

// agreed returns the side that both ends show, Undecided if they differ.
func agreed(a, b stats.Side) stats.Side {
	if a != b {
		return stats.Undecided
	}
	return a
}

// always reports whether the base had the value x in all pairs that have a value.
func always(p *result.Pairs, metric string, x float64) bool {
	return p == nil || !slices.ContainsFunc(p.Samples.Column(metric), func(y float64) bool { return y != x && !math.IsNaN(y) })
}

func rangeOf(s *result.Summary) string {
	low, high := units.Format(s.Min, s.Unit), units.Format(s.Max+s.Slack, s.Unit)
	switch {
	case s.Min == s.Max+s.Slack:
		return low
	case low == high: // one allocation more in a batch of many
		return low + " and up to " + units.Format(s.Max+s.Slack-s.Min, s.Unit) + " more"
	}
	return low + " to " + high
}

// ratioAlpha is the error on each side of the interval of a ratio, whose confidence is 99 % over
// all looks together.
const ratioAlpha = (1 - confidence) / 2

// exactForm is the form of a comparison of two single numbers. Simulated instructions are not
// the same in every run, and one run does not show how much they differ.
func exactForm(m result.Metric) result.Form {
	if isSimulated(m) {
		return result.FormPoint
	}
	return result.FormExact
}

// isSimulated reports whether a metric is the number of one simulated run.
func isSimulated(m result.Metric) bool { return m.Name == instructions && !m.Sampled }
