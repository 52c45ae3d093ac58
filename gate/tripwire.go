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

// tripwire compares a metric with the saved result. The error is non-nil if this run
// lacks the metric or the saved result the case. If anything else is missing, the
// ratio is unknown, with the reason in why.
func (j *judging) tripwire(m result.Metric, tolerance float64) (tripwire, error) {
	saved, err := j.own.InResult(j.gate.Base)
	if err != nil {
		return tripwire{}, err
	}
	own, its := j.own.Summary(m.Name), saved.Summary(m.Name)
	switch {
	case own == nil:
		return tripwire{}, sides.MissingOf(j.own.Case, m)
	case len(j.own.Earlier.Doubts) > 0: // readers would take a number for a finding
		return j.unknownFor(m, result.CauseNotComparable, strings.Join(j.own.Earlier.Doubts, "; ")), nil
	case its == nil:
		return j.unknownFor(m, result.CauseNoMetric, fmt.Sprintf("%s has no %s of this case", j.gate.Base, m.Name)), nil
	case own.Exact && its.Exact:
		return tripwire{Versus: sides.Within(m, its, own, tolerance, (1-sides.BothHold)/2)}, nil
	case m.Exact:
		return j.unknownFor(m, result.CauseVaried,
			fmt.Sprintf("%s was not the same every time: %s here, and %s there",
				m.Name, sides.RangeOf(own), sides.RangeOf(its))), nil
	}
	return j.divided(m, own, its), nil
}

func (j *judging) unknownFor(m result.Metric, cause result.Cause, why string) tripwire {
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
func (j *judging) divided(m result.Metric, own, its *result.Summary) tripwire {
	now, err := sides.Solid(j.own.Case, m, j.own.Evidence(m.Name))
	if err != nil {
		return j.unknownFor(m, sides.CauseOf(err), "here "+err.Error())
	}
	median := j.own.Earlier.Median(m.Name)
	switch {
	case median == nil:
		return j.unknownFor(m, result.CauseFewSamples, "there it has no samples")
	case median.Low == nil || median.High == nil:
		return j.unknownFor(m, cmp.Or(median.Cause, result.CauseNoInterval), "there "+median.Reason)
	}
	t := j.unknownFor(m, "", "")
	t.Base = its.Median
	t.Own = own.Median
	t.Ratio = over(own.Median, its.Median)
	t.Low = over(now.Low, *median.High)
	t.High = over(now.High, *median.Low)
	t.HasBounds = true
	t.floor = j.floor(m.Name)
	return t
}

// floor returns the relative difference that two runs of the same code may have in a metric: the
// assumed difference, or the spread of the launches within one of the two runs if that is larger.
func (j *judging) floor(metric string) float64 {
	floor := max(j.own.Earlier.Floor, sides.LaunchSpread(j.own.Case, metric))
	if m := j.own.Earlier.Median(metric); m != nil {
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
