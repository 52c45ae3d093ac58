package sides

import (
	"cmp"
	"slices"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// EarlierOf returns the part of a saved case that gates of the same case read in a
// later run: its summaries and, for each sampled metric, the median's 99 % interval
// and the spread of its launches. Floor and Doubts are left empty.
func EarlierOf(c *result.Case) *result.Earlier {
	e := &result.Earlier{Metrics: c.Metrics}
	for i := range c.Metrics {
		s := &c.Metrics[i]
		m, known := c.Metric(s.Metric)
		if !known || !m.Sampled || s.Exact {
			continue
		}
		median := result.EarlierMedian{Metric: m.Name, Launches: LaunchSpread(c, m.Name)}
		if at, err := Solid(c, m, evidenceOf(c, m.Name)); err != nil {
			median.Cause, median.Reason = CauseOf(err), err.Error()
		} else {
			median.Low = &at.Low
			median.High = &at.High
			median.Confidence = Confidence
		}
		e.Medians = append(e.Medians, median)
	}
	return e
}

// Solid returns the median's interval if a ratio to another run's can be formed from it. The
// error explains why it cannot.
func Solid(c *result.Case, m result.Metric, e Evidence) (Span, error) {
	_, below := BelowResolution(c, m.Name)
	switch {
	case c.Samples.Len() == 0:
		return Span{}, Because(result.CauseFewSamples, "nothing was sampled")
	case len(c.Samples.Censored) > 0:
		return Span{}, Because(result.CauseKilled, "%s", Killed(c))
	case below:
		return Span{}, Because(result.CauseResolution, "it is below resolution")
	case c.Settings.Keep == "summary" || c.Samples.Taken > 0:
		return Span{}, Because(result.CauseNoInterval, "only a summary of the samples was kept")
	case c.Settings.Sampling == "once":
		return Span{}, Because(result.CauseNoInterval, "a single pass has no interval")
	case e.Err != nil:
		return Span{}, Because(result.CauseFewSamples, "a 99%% interval needs %d blocks of samples, and there %s %d",
			LeastBlocks, isOrAre(e.Blocks), e.Blocks)
	case e.Low < 0 || e.Low == 0 && slices.Contains(clocked, m.Name):
		return Span{}, Because(result.CauseNoRatio,
			"the interval of the median reaches down to zero, so that there is no ratio")
	}
	return e.Span, nil
}

// fullLaunch is the number of samples that a launch must have for its median to count: one block.
const fullLaunch = 10

// LaunchSpread returns how much the medians of a case's launches differ: the largest ÷ the
// smallest − 1. It is the only number in a result that shows how much runs differ from each
// other. It is 0 for fewer than two full launches, or if a median is not above zero.
func LaunchSpread(c *result.Case, metric string) float64 {
	xs := map[int][]float64{}
	for row, x := range c.Samples.Column(metric) {
		if launch := c.Samples.Launch[row]; x == x { // a number
			xs[launch] = append(xs[launch], x)
		}
	}
	var medians []float64
	for _, of := range xs {
		if len(of) >= fullLaunch {
			medians = append(medians, stats.Median(of))
		}
	}
	if len(medians) < 2 || slices.Min(medians) <= 0 {
		return 0
	}
	return slices.Max(medians)/slices.Min(medians) - 1
}

// InResult returns the saved summaries and intervals as a case without samples.
func (s *Subject) InResult(asked string) (*Subject, error) {
	if s.Earlier == nil {
		return nil, Because(result.CauseNoBase, "the case is not in %s", asked)
	}
	if s.saved == nil {
		c := *s.Case
		c.Name = asked
		c.Samples = result.Samples{}
		c.Metrics = s.Earlier.Metrics
		c.Pairs = nil
		c.Gates = nil
		c.Comparisons = nil
		s.saved = &Subject{Case: &c, Intervals: map[string]Evidence{}}
		for _, m := range s.Earlier.Medians {
			e := Evidence{Err: &Absence{Cause: cmp.Or(m.Cause, result.CauseNoInterval), Text: m.Reason}}
			if m.Low != nil && m.High != nil {
				e = Evidence{Span: Span{*m.Low, *m.High}}
			}
			s.saved.Intervals[m.Metric] = e
		}
	}
	return s.saved, nil
}
