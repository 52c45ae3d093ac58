package gate

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// If runs were killed by the timeout, some statistics have only a bound.

// bounded reports whether only a bound of a mentioned value is known. The ends of the
// interval that reports show are known, unless the upper one is missing.
func (m mention) bounded(s *result.Summary) bool {
	switch {
	case s.Censored == 0 || m.by != nil:
		return false
	case m.stat == "high":
		return s.Low != nil && s.High == nil
	case m.stat == "cv":
		return s.Bounded("stddev") != 0 || s.Bounded("mean") != 0
	}
	return s.Bounded(m.stat) != 0
}

// within returns the range of possible values of a bounded mention, whose value in the summary
// is x. No metric is negative, so a range without a lower bound begins at 0.
func (m mention) within(s *result.Summary, x float64) sides.Span {
	switch {
	case m.stat == "high":
		return sides.Span{Low: *s.Low, High: math.Inf(1)}
	case m.stat == "cv":
		return sides.Span{Low: 0, High: math.Inf(1)}
	case s.Bounded(m.stat) < 0:
		return sides.Span{Low: 0, High: x}
	}
	return sides.Span{Low: x, High: math.Inf(1)}
}

// boundSign returns the sign to print before a number that is a bound, "" for other numbers.
func boundSign(s *result.Summary, statistic string) string {
	return map[int]string{1: "at least ", -1: "at most "}[s.Bounded(statistic)]
}

func (j *judging) boundedText(m mention) string {
	s, sum, _ := j.summary(m)
	if j.unknown(m) {
		return fmt.Sprintf("%s is not known: %s", m.text, sides.Killed(s.Case))
	}
	return fmt.Sprintf("%s is %s%s: %s",
		m.text, boundSign(sum, m.stat), units.Format(j.value(m), unitOf(m)), sides.Killed(s.Case))
}

// censored decides a leaf that mentions a bounded value. A comparison is decided by the range of
// possible values; any other leaf is inconclusive. The second result is false if no mentioned
// value is bounded.
func (j *judging) censored(l *leaf) (outcome, bool) {
	at := slices.IndexFunc(l.mentions, func(m mention) bool {
		_, sum, err := j.summary(m)
		return err == nil && m.bounded(sum)
	})
	if at < 0 {
		return outcome{}, false
	}
	m := l.mentions[at]
	_, sum, _ := j.summary(m)
	text := j.boundedText(m)
	if l.compare() == nil {
		return undecided(result.CauseKilled, "", l.text+": "+text), true
	}
	limit, err := l.compare().limit.number(j)
	if err != nil {
		return broken(err), true
	}
	o := decided(m.within(sum, j.value(m)).Against(l.compare().operator, limit), "",
		text+"; limit "+units.Format(limit, unitOf(m)))
	if o.verdict == result.Inconclusive {
		o.cause = result.CauseKilled
	}
	return o, true
}

// unknown reports whether killed runs leave a mention without a useful bound, as for
// the cv and the upper end of an interval.
func (j *judging) unknown(m mention) bool {
	_, sum, err := j.summary(m)
	return err == nil && m.bounded(sum) && (m.stat == "high" || m.stat == "cv")
}

// undefined returns why a statistic of a measured metric has no value, nil if it has one.
func undefined(m mention, s *result.Summary) error {
	switch {
	case m.by != nil:
	case m.stat == "cv" && s.Mean == 0:
		return sides.Because(result.CauseNoRatio, "%s is not defined: the mean is 0", m.text)
	case m.stat == "low" && s.Low == nil, m.stat == "high" && s.High == nil:
		return sides.Because(result.CauseFewSamples, "%s is not known: there is no interval of %d values", m.text, s.N)
	}
	return nil
}
