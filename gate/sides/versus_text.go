package sides

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// MoveText describes the ratio: a change such as "7.2% longer" and its interval,
// "(98% interval +6.1% to +8.3%)".
func (v *Versus) MoveText(base string) string {
	m := v.Metric
	if v.Exact {
		if v.Base == v.Own {
			return fmt.Sprintf("%s is %s, as in %s", m.Name, units.Format(v.Own, m.Unit), base)
		}
		return fmt.Sprintf("%s is %s, and %s in %s", m.Name, units.Format(v.Own, m.Unit),
			units.Format(v.Base, m.Unit), base)
	}
	if v.IsBound() {
		return v.boundMove(base)
	}
	more, less := "higher", "lower"
	if m.Unit == "s" {
		more, less = "longer", "shorter"
	}
	text := m.Name + " is "
	switch size := units.Fine(math.Abs(v.Ratio - 1)); {
	case v.Base == 0 && v.Own > 0:
		text += fmt.Sprintf("%s, and zero in %s", units.Format(v.Own, m.Unit), base)
	case v.Ratio >= 10:
		text += fmt.Sprintf("%s times the value in %s", Number(v.Ratio), base)
	case size == "0%":
		text += "the same as in " + base
	case v.Ratio > 1:
		text += fmt.Sprintf("%s %s than in %s", size, more, base)
	default:
		text += fmt.Sprintf("%s %s than in %s", size, less, base)
	}
	if v.HasBounds {
		text += fmt.Sprintf(" (%s%% interval %s)", Number(100*v.Confidence()), v.RangeText())
	}
	return text
}

// boundMove describes a ratio of which only a bound is known: "time is at least 360% longer than in
// b: less than 1 ns in b is below resolution".
func (v *Versus) boundMove(base string) string {
	more, less := "higher", "lower"
	if v.Metric.Unit == "s" {
		more, less = "longer", "shorter"
	}
	word, least := more, v.Low > 0
	if v.Ratio < 1 {
		word, least = less, !least
	}
	extent := "at most"
	if least {
		extent = "at least"
	}
	size := units.Fine(math.Abs(v.Ratio-1)) + " " + word + " than"
	if v.Ratio >= 10 {
		size = Number(v.Ratio) + " times the value"
	}
	return fmt.Sprintf("%s is %s %s in %s (below resolution: %s)",
		v.Metric.Name, extent, size, base, v.BoundSentence(base).Text)
}

// Sign is the side of the ratio on which the true ratio is, if the ratio is a bound.
func (v *Versus) Sign() string {
	if v.Low > 0 {
		return "above"
	}
	return "below"
}

// RangeText prints the interval of the ratio as changes: +6.1% to +8.3%.
func (v *Versus) RangeText() string { return Signed(v.Low) + " to " + Signed(v.High) }

// Signed prints a ratio as a change: +7.2%.
func Signed(ratio float64) string {
	switch text := units.Fine(math.Abs(ratio - 1)); {
	case ratio >= 10:
		return "×" + Number(ratio)
	case text == "0%":
		return text
	case ratio > 1:
		return "+" + text
	default:
		return "−" + text
	}
}

// Number prints a number with four digits.
func Number(x float64) string {
	if math.IsInf(x, 1) {
		return "∞"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Unknown explains why the ratio is not known, or not well enough.
func (v *Versus) Unknown(base string) string { return v.unknownSentence(base).Text }

func (v *Versus) unknownSentence(base string) result.Sentence {
	if v.IsBound() && (v.Why != "" || v.HasBounds) {
		return result.Say("%s cannot be compared with %s: below resolution (%s)", v.Metric.Name,
			base, v.BoundSentence(base))
	}
	if v.Why != "" {
		return result.Say("%s cannot be compared with %s: %s", v.Metric.Name, base, v.Why)
	}
	if v.Used == nil {
		return result.Say("%s cannot be compared with %s yet: at this certainty (α = %s%%) it takes %s runs of "+
			"each side, and there %s %s", v.Metric.Name, base, Number(100*result.WithinAlpha),
			result.Number(stats.NextLevelLook(0, result.WithinAlpha)),
			isOrAre(v.Runs), result.Number(v.Runs))
	}
	taken, needed := v.Used.Pairs(), stats.FirstVerdict(v.passing())
	text := result.Say("%s cannot be compared with %s yet: at this certainty (α = %s%%) it takes %s, and there %s %s",
		v.Metric.Name, base, Number(100*v.passing()), v.Observations(needed), isOrAre(taken), result.Number(taken))
	if taken == 0 || v.seconds <= 0 {
		return text
	}
	all := v.seconds * float64(needed) / float64(taken)
	return result.Say("%s; at this pace that is about %s in all (max_time)", text,
		result.Printed(units.RoughTime(all), all, "s"))
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Observations prints a number of observations: 12 blocks, 12 launches, or 12 pairs.
func (v *Versus) Observations(n int) string { return v.observation.Count(n) }

// mostObservations is the number of observations up to which a verdict is predicted.
const mostObservations = 2000

// ErrorOf is the chance of error of what a sequence shows on a side of its limit: beyond the tolerance, or not.
func (v *Versus) ErrorOf(s *stats.Sequence, side stats.Side) float64 {
	if (s == v.Used) == (side == stats.Above) {
		return v.Alpha
	}
	return v.passing()
}

// WouldTake predicts, in words, the median time to a verdict with an error of alpha if further observations are like
// the ones so far, of which side are on one side of the limit. It returns "" if no time can be
// predicted.
func (v *Versus) WouldTake(observations, side int, alpha float64) string {
	if observations == 0 || v.seconds <= 0 {
		return ""
	}
	all, ok := stats.PairsToVerdict(mostObservations, alpha, float64(side)/float64(observations), 0.5)
	if !ok {
		return "; the ratio is too close to the limit for a verdict in any time"
	}
	if all <= observations {
		return ""
	}
	return fmt.Sprintf("; if they go on like this it takes about %s, about %s in all (max_time)",
		v.Observations(all), units.RoughTime(v.seconds*float64(all)/float64(observations)))
}

// half describes the part of an unclear comparison that was shown, such as that the case is not
// worse. Sampling ends as soon as the gates are decided, and they seldom ask for both directions.
func (v *Versus) half() string {
	switch {
	case v.Worse() == result.Fail:
		return " is not worse, and may be better"
	case v.Better() == result.Fail:
		return " is not better, and may be worse"
	}
	return ""
}

// seems reports whether the interval is beyond a limit about which nothing was shown. In a suite with several gates its
// error is larger than that of the verdict that a change is beyond the tolerance.
func (v *Versus) seems() bool {
	return v.Over == stats.Undecided && v.Low > 1+v.tolerance ||
		v.Under == stats.Undecided && v.High < 1/(1+v.tolerance)
}

// RunsWanted is how many runs would decide what the interval of runs that were counted seems to show, "" if it shows
// nothing.
func (v *Versus) RunsWanted() result.Sentence {
	if v.Runs == 0 || !v.seems() {
		return result.Sentence{}
	}
	return result.Say("at this certainty (α = %s%%) a verdict takes %s runs of each side or more; there %s %s",
		Number(100*v.Alpha), result.Number(stats.NextLevelLook(v.Runs, v.Alpha)), isOrAre(v.Runs), result.Number(v.Runs))
}

// UnclearCause returns why the comparison is unclear, as a word.
func (v *Versus) UnclearCause() result.Cause {
	switch {
	case v.Why != "":
		return v.Cause
	case !v.HasBounds && !v.Exact:
		return result.CauseFewSamples
	case v.IsBound():
		return result.CauseResolution
	case v.seems():
		return result.CauseFewSamples
	}
	return result.CauseNearLimit
}

// unclear explains why the comparison is unclear.
func (v *Versus) unclear(base string) result.Sentence {
	if v.Why != "" || !v.HasBounds {
		return v.unknownSentence(base)
	}
	if v.IsBound() {
		return result.Say("%s%s: below resolution (%s), and the bound does not decide",
			v.Metric.Name, v.half(), v.BoundSentence(base))
	}
	var limits []string
	if v.Over == stats.Undecided {
		limits = append(limits, Signed(1+v.tolerance))
	}
	if v.Under == stats.Undecided && v.tolerance > 0 {
		limits = append(limits, Signed(1/(1+v.tolerance)))
	}
	low := result.Printed(Signed(v.Low), v.Low-1, "ratio")
	high := result.Printed(Signed(v.High), v.High-1, "ratio")
	if takes := v.RunsWanted(); takes.Text != "" {
		return result.Say("%s%s: the interval is %s … %s, and %s", v.Metric.Name, v.half(), low, high, takes)
	}
	if v.seems() {
		return result.Say("%s%s: the interval is %s … %s, and at this certainty (α = %s%%) a verdict takes more %s",
			v.Metric.Name, v.half(), low, high, Number(100*v.Alpha), v.observation.Plural())
	}
	if v.tolerance == 0 {
		return result.Say("%s: the interval %s … %s contains 0%%", v.Metric.Name, low, high)
	}
	return result.Say("%s%s: the interval %s … %s contains the limit of %s",
		v.Metric.Name, v.half(), low, high, strings.Join(limits, " and the limit of "))
}
