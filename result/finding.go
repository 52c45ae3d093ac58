package result

import (
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/units"
)

// Finding is the number that made a gate fail, and the limit that it is beyond. If several
// parts of the expression failed, it is the first of them.
type Finding struct {
	Of        ReadingOf `json:"of"`
	Text      string    `json:"text"`                // as written, such as time.median; of a comparison, the metric
	Value     float64   `json:"value"`               // of the case; of a mean, the mean ratio
	Base      *float64  `json:"base,omitempty"`      // the same number of the base, if the gate compares with it
	Ratio     *float64  `json:"ratio,omitempty"`     // value ÷ base; absent if nothing is compared or the base is zero
	Operator  string    `json:"operator"`            // that does not hold between value, or ratio, and limit
	Limit     float64   `json:"limit"`               // of the ratio if there is one
	Commits   int       `json:"commits,omitempty"`   // of a drift: how many it is over
	Tolerance *float64  `json:"tolerance,omitempty"` // of not worse(metric, tolerance); limit follows from it
	Unit      string    `json:"unit,omitempty"`      // of value and base, and of limit if nothing is compared
}

// beyond is how far the finding is from its limit, as the size of the logarithm of their
// ratio: 0 if there is no finding, infinite if one of them is zero.
func (f *Finding) beyond() float64 {
	if f == nil {
		return 0
	}
	x := f.Value
	if f.Ratio != nil {
		x = *f.Ratio
	}
	if far := math.Abs(math.Log(x / f.Limit)); far == far {
		return far
	}
	return 0
}

// String returns the finding in a few words: "+30% (5% allowed)", "time.median 2.1 µs
// (limit 1 µs)". A change without the name of a metric is one of the time.
func (f *Finding) String() string {
	if f.Of == OfTrend {
		return f.drift()
	}
	if !f.compares() {
		return fmt.Sprintf("%s %s (%s)", f.Text, units.Format(f.Value, f.Unit), f.wanted(units.Format(f.Limit, f.Unit)))
	}
	text := f.change()
	if f.Text != "time" {
		text = f.Text + " " + text
	}
	switch {
	case f.Tolerance != nil && *f.Tolerance == 0:
		return text + " (nothing allowed)"
	case f.Tolerance != nil:
		return fmt.Sprintf("%s (%s allowed)", text, units.Format(*f.Tolerance, Percent))
	}
	return fmt.Sprintf("%s (%s)", text, f.wanted(changeText(f.Limit)))
}

// drift is "drift +6.2% over 40 commits (5% allowed)", with the name of a metric that is not
// the time.
func (f *Finding) drift() string {
	size := units.Tenths
	if math.Abs(f.Value-f.Limit) < 0.001 { // rounded, it could be the limit
		size = func(share float64) string { return units.Format(share, Percent) }
	}
	text := fmt.Sprintf("drift %s over %s", units.Signed(f.Value, size), units.Plural(f.Commits, "commit"))
	if f.Text != "time" {
		text = f.Text + " " + text
	}
	if strings.HasPrefix(f.Operator, "<") && f.Limit > 0 {
		return fmt.Sprintf("%s (%s allowed)", text, units.Format(f.Limit, Percent))
	}
	return fmt.Sprintf("%s (%s)", text, f.wanted(units.Signed(f.Limit, units.Fine)))
}

// compares reports whether the limit is one of a ratio.
func (f *Finding) compares() bool { return f.Ratio != nil || f.Base != nil }

// change returns what the case is next to its base: +30%, ×12, or "0 to 3".
func (f *Finding) change() string {
	if f.Ratio == nil {
		return units.Format(*f.Base, f.Unit) + " to " + units.Format(f.Value, f.Unit)
	}
	return changeText(*f.Ratio)
}

// asFactor is the ratio from which a change is written as a factor.
const asFactor = 10

func changeText(ratio float64) string {
	if ratio >= asFactor {
		return "×" + units.Short(ratio, "")
	}
	return units.Signed(ratio-1, units.Fine)
}

func (f *Finding) wanted(limit string) string {
	switch f.Operator {
	case "==":
		return "has to be " + limit
	case "!=":
		return "must not be " + limit
	}
	return "limit " + limit
}
