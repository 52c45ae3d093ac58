package number

import (
	"math"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// fine is the half interval of a ratio below which a change is printed with two
// decimals of a percent.
const fine = 0.0005

// asFactor is the ratio from which a change is printed as a factor: ×12.3.
const asFactor = 10

// RatioText prints a ratio as a change: +7.2%, −0.4%, ×12.3. decimals applies to
// percentages only.
func RatioText(ratio float64, decimals int) string {
	if ratio > 1e100 { // infinite, as far as verdicts can store it
		return "×∞"
	}
	if ratio >= asFactor || math.IsNaN(ratio) {
		return "×" + units.Short(ratio, "")
	}
	text := strconv.FormatFloat(100*(ratio-1), 'f', decimals, 64)
	switch size := strings.TrimPrefix(text, "-"); {
	case strings.Trim(size, "0.") == "":
		return size + "%" // no sign for what rounds to nothing
	case size != text:
		return "−" + size + "%"
	}
	return "+" + text + "%"
}

// decimalsOf follows the width of the interval: digits below it mean nothing.
func decimalsOf(o *result.Comparison) int {
	if o.Low != nil && o.High != nil && spreadOf(o) < fine {
		return 2
	}
	return 1
}

// spreadOf is the distance from the ratio to the farther end of its interval.
func spreadOf(o *result.Comparison) float64 {
	if o.Low == nil || o.High == nil {
		return 0
	}
	return max(math.Abs(*o.High-float64(o.Ratio)), math.Abs(float64(o.Ratio)-*o.Low))
}

// Change is how much a metric differs from the base: +7.2%, or > +360% if a side is below
// resolution. If the base is 0 there is no ratio, and it is "0 to 3".
func Change(o *result.Comparison) string {
	switch {
	case o.IsBound() && o.Low != nil:
		return "> " + RatioText(*o.Low, 1)
	case o.IsBound() && o.High != nil:
		return "< " + RatioText(*o.High, 1)
	case o.IsBound():
		return "not comparable"
	}
	if o.Base == 0 && o.Candidate != 0 {
		return units.Format(o.Base, o.Unit) + " to " + units.Format(o.Candidate, o.Unit)
	}
	return RatioText(float64(o.Ratio), decimalsOf(o))
}

// SpreadText is the interval of a change: both its ends, because a reader compares them with
// 0 and with a tolerance, and ± with one number states ends that are not the interval's. It
// is empty without an interval.
func SpreadText(o *result.Comparison) string {
	switch {
	case o.Low == nil || o.High == nil:
		return ""
	case spreadOf(o) < leastDistance:
		return "± <0.01%"
	}
	return "(" + Range(o) + ")"
}

// leastDistance is the distance of an end from which it differs from the change as it is printed.
const leastDistance = 0.00005

// Lopsided reports whether an interval reaches more than twice as far to one side
// of x as to the other, so that one number after a ± would misstate it. If it reaches
// no farther than a fiftieth of x, nobody is misled, and ± takes less room.
func Lopsided(x, low, high float64) bool {
	below, above := x-low, high-x
	return max(below, above) > max(2*min(below, above), math.Abs(x)/50)
}

// Range is the interval of a change: −1.0% … +4.0%; empty without one.
func Range(o *result.Comparison) string {
	if o.Low == nil || o.High == nil {
		return ""
	}
	return RatioText(*o.Low, decimalsOf(o)) + " … " + RatioText(*o.High, decimalsOf(o))
}

// SideTexts are the medians of both sides, or bounds of what is below resolution: < 0.3 ns.
func SideTexts(o *result.Comparison) (base, own string) {
	text := func(x float64, bound *float64) string {
		switch {
		case bound == nil:
			return units.Format(x, o.Unit)
		case o.Unit == "1/s":
			return "> " + units.Format(*bound, o.Unit)
		}
		return "< " + units.Format(*bound, o.Unit)
	}
	return text(o.Base, o.BaseBound), text(o.Candidate, o.CandidateBound)
}

// ChangeClass colours by the verdict and not by the sign: a higher throughput is
// better, a longer time that was shown to be within the tolerance is neither.
func ChangeClass(c result.Change) page.Tone {
	switch c {
	case result.Worse:
		return page.Bad
	case result.Better:
		return page.Good
	case result.Unclear:
		return page.Doubtful
	}
	return page.Faint
}

// RoundedUp prints a share that is a bound, such as a floor: 3%, 2.3%, 0.25%. It rounds
// up, so that the bound still holds.
func RoundedUp(x float64) string {
	steps := 10.0
	if x < 0.01 {
		steps = 100
	}
	return units.Format(math.Ceil(100*steps*x*(1-1e-9))/(100*steps), result.Percent)
}
