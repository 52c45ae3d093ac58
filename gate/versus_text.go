package gate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// moveText describes the ratio: a change such as "7.2% longer" and its interval,
// "(98% interval +6.1% to +8.3%)".
func (v *versus) moveText(base string) string {
	m := v.metric
	if v.exact {
		if v.base == v.own {
			return fmt.Sprintf("%s is %s, as in %s", m.Name, units.Format(v.own, m.Unit), base)
		}
		return fmt.Sprintf("%s is %s, and %s in %s", m.Name, units.Format(v.own, m.Unit), units.Format(v.base, m.Unit), base)
	}
	if v.isBound() {
		return v.boundMove(base)
	}
	more, less := "higher", "lower"
	if m.Unit == "s" {
		more, less = "longer", "shorter"
	}
	text := m.Name + " is "
	switch size := units.Fine(math.Abs(v.ratio - 1)); {
	case v.base == 0 && v.own > 0:
		text += fmt.Sprintf("%s, and zero in %s", units.Format(v.own, m.Unit), base)
	case v.ratio >= 10:
		text += fmt.Sprintf("%s times the value in %s", number(v.ratio), base)
	case size == "0%":
		text += "the same as in " + base
	case v.ratio > 1:
		text += fmt.Sprintf("%s %s than in %s", size, more, base)
	default:
		text += fmt.Sprintf("%s %s than in %s", size, less, base)
	}
	if v.hasBounds {
		text += fmt.Sprintf(" (%s%% interval %s)", number(100*(1-2*v.alpha)), v.rangeText())
	}
	return text
}

// boundMove describes a ratio of which only a bound is known: "time is at least 360% longer than in
// b: less than 1 ns in b is below resolution".
func (v *versus) boundMove(base string) string {
	more, less := "higher", "lower"
	if v.metric.Unit == "s" {
		more, less = "longer", "shorter"
	}
	word, least := more, v.low > 0
	if v.ratio < 1 {
		word, least = less, !least
	}
	extent := "at most"
	if least {
		extent = "at least"
	}
	size := units.Fine(math.Abs(v.ratio-1)) + " " + word + " than"
	if v.ratio >= 10 {
		size = number(v.ratio) + " times the value"
	}
	return fmt.Sprintf("%s is %s %s in %s (below resolution: %s)", v.metric.Name, extent, size, base, v.boundSentence(base).Text)
}

// sign is the side of the ratio on which the true ratio is, if the ratio is a bound.
func (v *versus) sign() string {
	if v.low > 0 {
		return "above"
	}
	return "below"
}

func (v *versus) rangeText() string { return signed(v.low) + " to " + signed(v.high) }

// signed prints a ratio as a change: +7.2%.
func signed(ratio float64) string {
	switch text := units.Fine(math.Abs(ratio - 1)); {
	case ratio >= 10:
		return "×" + number(ratio)
	case text == "0%":
		return text
	case ratio > 1:
		return "+" + text
	default:
		return "−" + text
	}
}

func number(x float64) string {
	if math.IsInf(x, 1) {
		return "∞"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// unknown explains why the ratio is not known, or not well enough.
func (v *versus) unknown(base string) string { return v.unknownSentence(base).Text }

func (v *versus) unknownSentence(base string) result.Sentence {
	if v.isBound() && (v.why != "" || v.hasBounds) {
		return result.Say("%s cannot be compared with %s: below resolution (%s)", v.metric.Name, base, v.boundSentence(base))
	}
	if v.why != "" {
		return result.Say("%s cannot be compared with %s: %s", v.metric.Name, base, v.why)
	}
	taken := v.used.Pairs()
	return result.Say("%s cannot be compared with %s yet: at this certainty (α = %s%%) it takes %s, and there %s %s", v.metric.Name, base,
		number(100*v.alpha), v.observations(stats.FirstVerdict(v.alpha)), isOrAre(taken), result.Number(taken))
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// observations prints a number of observations: 12 blocks, 12 launches, or 12 pairs.
func (v *versus) observations(n int) string { return v.observation.Count(n) }

// mostObservations is the number of observations up to which a verdict is predicted.
const mostObservations = 2000

// wouldTake predicts, in words, the median time to a verdict if further observations are like the
// ones so far, of which side are on one side of the limit. It returns "" if no time can be
// predicted.
func (v *versus) wouldTake(observations, side int) string {
	if observations == 0 || v.seconds <= 0 {
		return ""
	}
	all, ok := stats.PairsToVerdict(mostObservations, v.alpha, float64(side)/float64(observations), 0.5)
	if !ok {
		return "; the ratio is too close to the limit for a verdict in any time"
	}
	if all <= observations {
		return ""
	}
	return fmt.Sprintf("; if they go on like this it takes about %s, about %s in all (max_time)", v.observations(all), units.Format(roundUp(v.seconds*float64(all)/float64(observations)), "s"))
}

// roundUp rounds seconds up to one digit, because predictions are no better.
func roundUp(seconds float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(seconds)))
	return math.Ceil(seconds/step) * step
}

// half describes the part of an unclear comparison that was shown, such as that the case is not
// worse. Sampling ends as soon as the gates are decided, and they seldom ask for both directions.
func (v *versus) half() string {
	switch {
	case v.worse() == result.Fail:
		return " is not worse, and may be better"
	case v.better() == result.Fail:
		return " is not better, and may be worse"
	}
	return ""
}

func (v *versus) unclearCause() result.Cause {
	switch {
	case v.why != "":
		return v.cause
	case !v.hasBounds && !v.exact:
		return result.CauseFewSamples
	case v.isBound():
		return result.CauseResolution
	}
	return result.CauseNearLimit
}

// unclear explains why the comparison is unclear.
func (v *versus) unclear(base string) result.Sentence {
	if v.why != "" || !v.hasBounds {
		return v.unknownSentence(base)
	}
	if v.isBound() {
		return result.Say("%s%s: below resolution (%s), and the bound does not decide", v.metric.Name, v.half(), v.boundSentence(base))
	}
	var limits []string
	if v.over == stats.Undecided {
		limits = append(limits, signed(1+v.tolerance))
	}
	if v.under == stats.Undecided && v.tolerance > 0 {
		limits = append(limits, signed(1/(1+v.tolerance)))
	}
	low := result.Printed(signed(v.low), v.low-1, "ratio")
	high := result.Printed(signed(v.high), v.high-1, "ratio")
	if v.tolerance == 0 {
		return result.Say("%s: the interval %s to %s contains 0%%", v.metric.Name, low, high)
	}
	return result.Say("%s%s: the interval %s to %s contains the limit of %s", v.metric.Name, v.half(), low, high, strings.Join(limits, " and the limit of "))
}
