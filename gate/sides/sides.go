// Package sides compares a case with its base in one metric: by the pairs, or by the numbers if
// they never vary. [Cases] finds the base and makes each [Versus] once; [EarlierOf] is what later
// runs need of a saved case, and [Subject.Evidence] the interval of a median. A number that is
// missing is an [Absence], with its cause. The package knows cases and metrics, and nothing of
// gates and their expressions.
package sides

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

type versusKey struct {
	metric                   string
	tolerance, alpha, within float64
}

type versusAnswer struct {
	*Versus
	err error // there is nothing to compare
}

// Versus compares a case with its base, once for each metric, tolerance and pair of errors: alpha that the change is
// called beyond the tolerance, and within that it is called not to be.
// The error names what is missing.
func (all *Cases) Versus(
	s *Subject, base Basis, m result.Metric, tolerance, alpha, within float64,
) (*Versus, error) {
	key := versusKey{m.Name, tolerance, alpha, within}
	a, known := s.comparisons[key]
	if !known {
		a.Versus, a.err = all.compare(s, base, m, tolerance, alpha, within)
		if s.comparisons == nil {
			s.comparisons = map[versusKey]versusAnswer{}
		}
		s.comparisons[key] = a
	}
	return a.Versus, a.err
}

func (all *Cases) compare(
	s *Subject, base Basis, m result.Metric, tolerance, alpha, within float64,
) (*Versus, error) {
	if m.Counted {
		return all.compareCounted(s, base, m, tolerance, alpha, within)
	}
	if m.Exact {
		return all.compareExact(s, base, m, tolerance, alpha)
	}
	p := s.paired[m.Name]
	if p == nil {
		var ok bool
		p, ok = PairedOf(s.Case, m)
		if !ok {
			return nil, all.unpaired(s, base, m)
		}
		if s.paired == nil {
			s.paired = map[string]*paired{}
		}
		s.paired[m.Name] = p
	}
	return p.JudgedAt(m, tolerance, alpha, within).Bounded().Visible(s.Case), nil
}

// unpaired returns why there are no pairs of a metric.
func (all *Cases) unpaired(s *Subject, base Basis, m result.Metric) error {
	if s.Pairs == nil || s.Samples.Len() == 0 {
		if _, err := all.FindBase(s, base); err != nil {
			return err
		}
		return Because(result.CauseNoPairs, "no pairs were taken with %s", base.text())
	}
	if s.Samples.Column(m.Name) == nil {
		return MissingOf(s.Case, m)
	}
	return Because(result.CauseNoMetric, "metric %q of %s was not measured: %s", m.Name, base.text(), whyNot(s.Case, m))
}

// compareExact compares a metric that does not vary with the same metric of the base. If it does
// vary, nothing is shown, because no part of the suite's chance of error is reserved for it.
func (all *Cases) compareExact(s *Subject, base Basis, m result.Metric, tolerance, alpha float64) (*Versus, error) {
	b, err := all.FindBase(s, base)
	if err != nil {
		return nil, err
	}
	own, its := s.Summary(m.Name), b.Summary(m.Name)
	switch {
	case own == nil:
		return nil, MissingOf(s.Case, m)
	case its == nil:
		return nil, Because(result.CauseNoMetric, "metric %q of %s was not measured: %s",
			m.Name, base.text(), whyNot(b.Case, m))
	}
	v := Within(m, its, own, tolerance, alpha)
	switch {
	case own.Exact && its.Exact && always(s.Pairs, m.Name, its.Median):
		return v, nil
	case own.Exact && its.Exact:
		v.Why = fmt.Sprintf("%s of the base was not the same in the pairs as in the base case itself", m.Name)
	default:
		v.Why = fmt.Sprintf("%s was not the same every time: %s here, and %s in %s",
			m.Name, RangeOf(own), RangeOf(its), base.Name)
	}
	v.Exact, v.Cause = false, result.CauseVaried
	return v.Undecided(), nil
}

// Within compares numbers that vary from pass to pass, for example by one allocation in a batch.
// An exact comparison of 0 and 0.001 allocations called equal code different in three of five
// runs. So nothing is shown if the ends of both ranges would decide differently.
func Within(m result.Metric, base, own *result.Summary, tolerance, alpha float64) *Versus {
	v := Plainly(m, base.Median, own.Median, tolerance, alpha)
	if v.Why != "" || base.Slack == 0 && own.Slack == 0 {
		return v
	}
	least := Plainly(m, base.Median+base.Slack, own.Median, tolerance, alpha)
	most := Plainly(m, base.Median, own.Median+own.Slack, tolerance, alpha)
	if least.Over == most.Over && least.Under == most.Under {
		return v
	}
	v.Over, v.Under = agreed(least.Over, most.Over), agreed(least.Under, most.Under)
	v.Exact, v.Cause = false, result.CauseVaried
	v.Why = fmt.Sprintf("%s was not the same every time: %s here, and %s there", m.Name, RangeOf(own), RangeOf(base))
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
	return p == nil ||
		!slices.ContainsFunc(p.Samples.Column(metric), func(y float64) bool { return y != x && !math.IsNaN(y) })
}

// RangeOf prints the values of a metric, from the least to the largest.
func RangeOf(s *result.Summary) string {
	low, high := units.Format(s.Min, s.Unit), units.Format(s.Max+s.Slack, s.Unit)
	switch {
	case s.Min == s.Max+s.Slack:
		return low
	case low == high: // one allocation more in a batch of many
		return low + " and up to " + units.Format(s.Max+s.Slack-s.Min, s.Unit) + " more"
	}
	return low + " to " + high
}

// RatioAlpha is the error on each side of the interval of a ratio, whose confidence is 99 % over
// all looks together.
const RatioAlpha = (1 - Confidence) / 2

// FormOf is the form of a verdict on a comparison. Instructions that valgrind has counted in one run of each side, as
// earlier versions did, are plain numbers: they are not the same in every run.
func (v *Versus) FormOf() result.Form {
	switch {
	case v.Runs > 0:
		return result.FormRuns
	case v.Exact && v.Metric.Counted:
		return result.FormPoint
	case v.Exact:
		return result.FormExact
	}
	return result.FormPairs
}
