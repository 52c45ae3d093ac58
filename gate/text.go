package gate

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// unitOf returns the unit of a statistic: the unit of its metric, "" for a ratio or a count.
func unitOf(m mention) string {
	if m.stat == "cv" || m.stat == "n" || m.stat == "count" || m.versus != "" {
		return ""
	}
	return m.metric.Unit
}

func intervalText(c *result.Case, m mention, s *result.Summary, e evidence, limit float64) string {
	unit := m.metric.Unit
	text := fmt.Sprintf("%s is %s%s, 99%% interval ", m.text, boundSign(s, "median"), units.Format(s.Median, unit))
	if math.IsInf(e.high, 1) {
		return text + fmt.Sprintf("from %s, without an upper end: %s; limit %s", units.Format(e.low, unit), killed(c), units.Format(limit, unit))
	}
	return text + fmt.Sprintf("[%s, %s], limit %s", units.Format(e.low, unit), units.Format(e.high, unit), units.Format(limit, unit))
}

// leastBlocks is the number of blocks that a 99 % interval needs: 1 − 2·2⁻⁸ is 99.2
// %.
const leastBlocks = 8

func tooFewText(c *result.Case, m mention, s *result.Summary, e evidence) string {
	if c.Settings.Sampling == "once" {
		return fmt.Sprintf("%s is %s; a single pass has no interval", m.text, units.Format(s.Median, m.metric.Unit))
	}
	if m.metric.Quantile > 0 {
		return fewIterations(c, m, s)
	}
	return fmt.Sprintf("%s is %s; a 99%% interval needs %d blocks of samples, and there are %d",
		m.text, units.Format(s.Median, m.metric.Unit), leastBlocks, e.blocks)
}

func boundText(c *result.Case, m mention, limit float64) string {
	return fmt.Sprintf("%s is %s, limit %s", m.text, bound(c, m), units.Format(limit, m.metric.Unit))
}

func bound(c *result.Case, m mention) string {
	at, _ := belowResolution(c, m.metric.Name)
	if math.IsInf(at.high, 1) {
		return "above " + units.Format(at.low, m.metric.Unit) + " (the time is below resolution)"
	}
	return "below resolution (less than " + units.Format(at.high, m.metric.Unit) + ")"
}

func (j *judging) plainText(l *leaf, holds bool) string {
	if len(l.mentions) == 0 {
		return fmt.Sprintf("%s is %t", l.text, holds)
	}
	var said []string
	for _, m := range l.mentions {
		text := fmt.Sprintf("%s is %s", m.text, units.Format(j.value(m), unitOf(m)))
		if note := j.note(m); note != "" {
			text += " (" + note + ")"
		}
		said = append(said, text)
	}
	text := strings.Join(units.Distinct(said), ", ")
	if c := l.compare; c != nil {
		if limit, err := j.number(c.limit); err == nil {
			return text + ", limit " + units.Format(limit, unitOf(c.mention))
		}
	}
	return l.text + ": " + text
}

// value returns the number of a mention, NaN if it has none.
func (j *judging) value(m mention) float64 {
	if m.versus != "" {
		return j.versusValue(m)
	}
	if m.arc != nil {
		return j.arcValue(m)
	}
	s, err := j.find(m.other)
	if err != nil {
		return math.NaN()
	}
	at, known := fieldOf[m.metric.Name]
	if !known {
		return s.declared(m)
	}
	field := reflect.ValueOf(s.current()).Elem().Field(at)
	if m.stat != "" {
		field = field.Field(statOf[m.stat])
	}
	return field.Float()
}

// note explains a value if that is necessary: an extreme of batches, if the times of single
// iterations are not known, or a value that is a bound because runs were killed.
func (j *judging) note(m mention) string {
	switch {
	case m.versus == geomean:
		return j.meanNote(m)
	case m.arc != nil:
		return j.arcNote(m)
	case m.versus != "":
		return ""
	}
	s, sum, err := j.summary(m)
	if err == nil && m.bounded(sum) {
		return strings.TrimSpace(boundSign(sum, m.stat)) + ": " + killed(s.Case)
	}
	if err != nil || m.stat != "min" && m.stat != "max" || sum.Extremes != "batch" {
		return ""
	}
	return fmt.Sprintf("of batches of %d iterations", s.Iterations)
}

// listed returns every statistic that the expression mentions and that has a value, with its
// interval if it has one.
func (j *judging) listed() []result.Value {
	var values []result.Value
	for _, m := range j.gate.rule.mentions {
		x := j.value(m)
		if notFinite(x) || j.unknown(m) {
			continue
		}
		if m.versus != "" {
			values = append(values, j.versusListed(m))
			continue
		}
		v := result.Value{Text: m.text, Value: x, Unit: unitOf(m), Note: j.note(m)}
		if s, sum, err := j.summary(m); err == nil && m.headline() && m.metric.Sampled && !sum.Exact {
			if e := s.evidence(m.metric.Name); e.err == nil && sum.Bound == nil {
				v.Low, v.Confidence = &e.low, confidence
				if !math.IsInf(e.high, 1) {
					v.High = &e.high
				}
			}
		}
		values = append(values, v)
	}
	for _, d := range j.gate.rule.trends {
		if v, known := j.driftListed(d); known {
			values = append(values, v)
		}
	}
	return values
}
