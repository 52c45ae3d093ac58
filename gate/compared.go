package gate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/suite/result"
)

type versusKey struct {
	metric           string
	tolerance, alpha float64
}

type versusAnswer struct {
	*versus
	err error // there is nothing to compare
}

// versus compares a case with its base, each metric once for each tolerance. The
// error says what is missing.
func (r *judging) versus(s *subject, base string, m result.Metric, tolerance, alpha float64) (*versus, error) {
	key := versusKey{m.Name, tolerance, alpha}
	a, known := s.comparisons[key]
	if !known {
		a.versus, a.err = r.compare(s, base, m, tolerance, alpha)
		if s.comparisons == nil {
			s.comparisons = map[versusKey]versusAnswer{}
		}
		s.comparisons[key] = a
	}
	return a.versus, a.err
}

func (r *judging) compare(s *subject, base string, m result.Metric, tolerance, alpha float64) (*versus, error) {
	if m.Exact {
		return r.compareExact(s, base, m, tolerance, alpha)
	}
	p, ok := pairedOf(s.Case, m)
	if !ok {
		return nil, r.unpaired(s, base, m)
	}
	return p.judgedAt(m, tolerance, alpha).bounded().resolved(p.unresolvedSides(s.Case, m)), nil
}

// unpaired says why there are no pairs of a metric.
func (r *judging) unpaired(s *subject, base string, m result.Metric) error {
	if s.Pairs == nil || s.Samples.Len() == 0 {
		if _, err := r.findBase(s, base); err != nil {
			return err
		}
		return fmt.Errorf("no pairs were taken with base %q", base)
	}
	if s.Samples.Column(m.Name) == nil {
		return missing(s.Case, m)
	}
	return fmt.Errorf("metric %q of base %q was not measured: %s", m.Name, base, whyNot(s.Case, m))
}

func missing(c *result.Case, m result.Metric) error {
	return fmt.Errorf("metric %q was not measured here: %s", m.Name, whyNot(c, m))
}

// findBase gives the base as a case of its own.
func (r *judging) findBase(s *subject, base string) (*subject, error) {
	b := r.cases[caseKey{s.Suite, base}]
	switch {
	case base == "":
		return nil, errors.New("the case has no base")
	case b == nil || b.Status == result.NotRun:
		return nil, fmt.Errorf("base %q was not measured in this run", base)
	case b.Status != result.Measured:
		return nil, fmt.Errorf("base %q could not be measured", base)
	}
	return b, nil
}

// compareExact compares numbers that never vary, with what the base came to as a
// case of its own. If one of them does vary nothing is shown: its error is none of
// those that were shared out.
func (r *judging) compareExact(s *subject, base string, m result.Metric, tolerance, alpha float64) (*versus, error) {
	b, err := r.findBase(s, base)
	if err != nil {
		return nil, err
	}
	own, its := s.Summary(m.Name), b.Summary(m.Name)
	switch {
	case own == nil:
		return nil, missing(s.Case, m)
	case its == nil:
		return nil, fmt.Errorf("metric %q of base %q was not measured: %s", m.Name, base, whyNot(b.Case, m))
	}
	v := plainly(m, its.Median, own.Median, tolerance, alpha)
	switch {
	case own.Exact && its.Exact && always(s.Pairs, m.Name, its.Median):
		return v, nil
	case own.Exact && its.Exact:
		v.why = fmt.Sprintf("%s of the base was not the same beside this case as by itself", m.Name)
	default:
		v.why = fmt.Sprintf("%s was not the same every time: %s here, and %s in %s", m.Name, rangeOf(own), rangeOf(its), base)
	}
	v.exact = false
	return v.undecided(), nil
}

// always says that a base had one number in all pairs, as far as it had any.
func always(p *result.Pairs, metric string, x float64) bool {
	return p == nil || !slices.ContainsFunc(p.Samples.Column(metric), func(y float64) bool { return y != x && !math.IsNaN(y) })
}

func rangeOf(s *result.Summary) string {
	if s.Min == s.Max {
		return result.Format(s.Min, s.Unit)
	}
	return result.Format(s.Min, s.Unit) + " to " + result.Format(s.Max, s.Unit)
}
