package gate

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// ratioAlpha is the error on each side of the interval of a ratio, whose confidence is 99 % over
// all looks together.
const ratioAlpha = (1 - confidence) / 2

// ratioOf compares the case with its base in one metric.
func (j *judging) ratioOf(m result.Metric, tolerance, alpha float64) (*versus, error) {
	if j.gate.Unpaired {
		t, err := j.tripwire(m, tolerance)
		return t.versus, err
	}
	return j.cases.versus(j.own, j.basis(), m, tolerance, alpha)
}

func (j *judging) call(c *call) outcome {
	v, err := j.ratioOf(c.metric, c.tolerance, j.alpha)
	if err != nil {
		return without(err)
	}
	o := outcome{verdict: c.answer(v), reasons: []string{c.explained(v, j.baseName())}, form: result.FormPairs}
	if o.verdict == result.Inconclusive {
		o.cause = v.unclearCause()
	}
	if v.exact {
		o.form = exactForm(c.metric)
	}
	return o
}

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

func (c *call) answer(v *versus) result.Verdict {
	if c.worse {
		return v.worse()
	}
	return v.better()
}

// ratio decides `ratio(metric) operator limit` by the ratio's interval. Any other leaf with a
// ratio is undecided if the ratio has no interval. The second result is false for leaves that
// point values decide.
func (j *judging) ratio(l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		if m.versus == "" {
			continue
		}
		if m.versus == geomean {
			if o, unknown := j.unknownMean(m); unknown {
				return o, true
			}
			continue
		}
		v, err := j.ratioOf(m.metric, 0, ratioAlpha)
		if err != nil {
			return without(err), true
		}
		if !v.exact && (v.why != "" || !v.hasBounds) {
			return undecided(v.unclearCause(), result.FormInterval, v.unknown(j.baseName())), true
		}
		if c := l.compare; c != nil && m.versus == "ratio" {
			return j.ratioAgainst(c, v), true
		}
		if v.isBound() {
			return undecided(result.CauseResolution, result.FormInterval, v.unknown(j.baseName())), true
		}
	}
	return outcome{}, false
}

func (j *judging) ratioAgainst(c *comparison, v *versus) outcome {
	limit, err := j.number(c.limit)
	if err != nil {
		return broken(err)
	}
	at, form := span{v.low, v.high}, result.FormInterval
	if v.exact {
		at, form = span{v.ratio, v.ratio}, exactForm(v.metric)
	}
	of := "of"
	if v.isBound() {
		of = v.sign()
	}
	o := decided(at.against(c.operator, limit), form, v.moveText(j.baseName())+fmt.Sprintf(": a ratio %s %s, limit %s", of, number(v.ratio), number(limit)))
	if o.verdict == result.Inconclusive {
		o.cause = v.unclearCause()
	}
	return o
}

// functions are ratio and ci in expressions, used if they are part of a larger term.

func (j *judging) functions() Versus {
	return Versus{Ratio: j.ratioFunction, CI: j.intervalFunction, Geomean: j.geomeanFunction, Arc: j.arcFunction, Trend: j.trendFunction}
}

func (j *judging) named(name string) (*versus, error) {
	m, known := j.own.Metric(name)
	if at, is := metrics[name]; is && !known {
		m = at
	}
	return j.ratioOf(m, 0, ratioAlpha)
}

func (j *judging) ratioFunction(m Metric) (float64, error) {
	v, err := j.named(m.name)
	if err != nil {
		return 0, err
	}
	return v.ratio, nil
}

func (j *judging) intervalFunction(m Metric) (*Interval, error) {
	v, err := j.named(m.name)
	switch {
	case err != nil:
		return nil, err
	case v.exact:
		return &Interval{v.ratio, v.ratio}, nil
	case !v.hasBounds:
		return nil, &absence{cause: v.unclearCause(), text: v.unknown(j.baseName())}
	}
	return &Interval{v.low, v.high}, nil
}

// versusValue returns the ratio, an end of its interval or a mean, NaN if it is not known.
func (j *judging) versusValue(m mention) float64 {
	if m.versus == geomean {
		out, err := j.meanOf(m.metric)
		if err != nil || len(out.missing) > 0 {
			return math.NaN()
		}
		return out.value
	}
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	switch {
	case err != nil || v.why != "":
		return math.NaN()
	case m.versus == "ratio" || v.exact:
		return v.ratio
	case !v.hasBounds || v.isBound():
		return math.NaN()
	case m.versus == "low":
		return v.low
	}
	return v.high
}

// versusListed returns the ratio with the interval that decided: the interval of a call if the
// expression has one for the metric, else the interval of the ratio.
func (j *judging) versusListed(m mention) result.Value {
	out := result.Value{Text: m.text, Value: j.versusValue(m)}
	if m.versus == geomean {
		out.Note = j.meanNote(m)
		return out
	}
	if j.gate.Unpaired {
		return j.unpairedListed(m)
	}
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	if at := slices.IndexFunc(j.gate.rule.calls, func(c *call) bool { return c.metric.Name == m.metric.Name }); at >= 0 {
		v, err = j.ratioOf(m.metric, j.gate.rule.calls[at].tolerance, j.alpha)
	}
	switch {
	case err != nil:
	case v.exact:
		out.Note = fmt.Sprintf("%s, and %s in %s", units.Format(v.own, m.metric.Unit), units.Format(v.base, m.metric.Unit), j.baseName())
	case v.isBound():
		out.Note = fmt.Sprintf("a bound: %s", v.boundSentence(j.baseName()).Text)
	case v.hasBounds:
		out.Note = fmt.Sprintf("of %s with %s", v.observations(v.used.Pairs()), j.baseName())
		if m.versus == "ratio" {
			out.Low = &v.low
			out.High = &v.high
			out.Confidence = 1 - 2*v.alpha
		}
	}
	return out
}
