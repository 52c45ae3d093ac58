package gate

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// tripwire is a ratio to a saved result.
type tripwire struct {
	*sides.Versus
	floor float64 // relative difference that two runs of the same code may have
}

// plain is the ratio's interval; wide is widened by the floor.
func (t tripwire) plain() sides.Span { return sides.Span{Low: t.Low, High: t.High} }

func (t tripwire) wide() sides.Span {
	return sides.Span{Low: t.Low / (1 + t.floor), High: t.High * (1 + t.floor)}
}

// savedSide is a case of this run with the result of an earlier one that it is compared with.
type savedSide struct {
	own  *sides.Subject // its Earlier is the case in the saved result
	name string         // of the saved result
}

// saved returns what a gate without pairs compares its case with.
func (j *judging) saved() savedSide { return savedSide{j.own, j.gate.Base} }

// tripwire compares a metric with the saved result. The error is non-nil if this run
// lacks the metric or the saved result the case. If anything else is missing, the
// ratio is unknown, with the reason in why.
func (s savedSide) tripwire(m result.Metric, tolerance float64) (tripwire, error) {
	saved, err := s.own.InResult(s.name)
	if err != nil {
		return tripwire{}, err
	}
	own, its := s.own.Summary(m.Name), saved.Summary(m.Name)
	switch {
	case own == nil:
		return tripwire{}, sides.MissingOf(s.own.Case, m)
	case len(s.own.Earlier.Doubts) > 0: // readers would take a number for a finding
		return unknownFor(m, result.CauseNotComparable, strings.Join(s.own.Earlier.Doubts, "; ")), nil
	case its == nil:
		return unknownFor(m, result.CauseNoMetric, fmt.Sprintf("%s has no %s of this case", s.name, m.Name)), nil
	case own.Exact && its.Exact:
		return tripwire{Versus: sides.Within(m, its, own, tolerance, (1-sides.BothHold)/2)}, nil
	case m.Exact:
		return unknownFor(m, result.CauseVaried,
			fmt.Sprintf("%s was not the same every time: %s here, and %s there",
				m.Name, sides.RangeOf(own), sides.RangeOf(its))), nil
	}
	return s.divided(m, own, its), nil
}

// unknownFor returns a ratio that is not known, with the reason.
func unknownFor(m result.Metric, cause result.Cause, why string) tripwire {
	return tripwire{Versus: (&sides.Versus{
		Metric: m,
		Alpha:  (1 - sides.BothHold) / 2,
		Ratio:  1,
		Cause:  cause,
		Why:    why,
	}).Undecided()}
}

// divided returns the ratio of two medians. Its interval is formed from the ends of both
// intervals.
func (s savedSide) divided(m result.Metric, own, its *result.Summary) tripwire {
	now, err := sides.Solid(s.own.Case, m, s.own.Evidence(m.Name))
	if err != nil {
		return unknownFor(m, sides.CauseOf(err), "here "+err.Error())
	}
	median := s.own.Earlier.Median(m.Name)
	switch {
	case median == nil:
		return unknownFor(m, result.CauseFewSamples, "there it has no samples")
	case median.Low == nil || median.High == nil:
		return unknownFor(m, cmp.Or(median.Cause, result.CauseNoInterval), "there "+median.Reason)
	}
	t := unknownFor(m, "", "")
	t.Base = its.Median
	t.Own = own.Median
	t.Ratio = over(own.Median, its.Median)
	t.Low = over(now.Low, *median.High)
	t.High = over(now.High, *median.Low)
	t.HasBounds = true
	t.floor = s.floor(m.Name)
	return t
}

// median returns the intervals of a median of the saved result: its own, and the same widened by
// the floor on both ends. base is the case in the saved result.
func (s savedSide) median(base *sides.Subject, metric string) (plain, wide sides.Span, err error) {
	e, known := base.Intervals[metric]
	switch {
	case !known:
		return plain, wide, sides.Because(result.CauseFewSamples, "it has no samples")
	case e.Err != nil:
		return plain, wide, e.Err
	}
	floor := s.floor(metric)
	return e.Span, sides.Span{Low: e.Low / (1 + floor), High: e.High * (1 + floor)}, nil
}

// floor returns the relative difference that two runs of the same code may have in a metric: the
// assumed difference, or the spread of the launches within one of the two runs if that is larger.
func (s savedSide) floor(metric string) float64 {
	floor := max(s.own.Earlier.Floor, sides.LaunchSpread(s.own.Case, metric))
	if m := s.own.Earlier.Median(metric); m != nil {
		floor = max(floor, m.Launches)
	}
	return floor
}

// over returns own ÷ base. 0 ÷ 0 is 1, because nothing has changed.
func over(own, base float64) float64 {
	if own == base {
		return 1
	}
	return own / base // +Inf for anything ÷ 0
}
