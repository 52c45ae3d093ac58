package figure

import (
	"math"
	"strings"

	"example.com/suite/internal/units"
)

// axis maps numbers to a stretch of the drawing.
type axis struct {
	low, high float64 // numbers, low < high; above zero if log
	from, to  float64 // drawing units, to may be the smaller one
	log       bool
	unit      string // of the numbers: bytes are round in powers of 1024
}

// newAxis moves low and high apart by 1 % each way if they are equal.
func newAxis(low, high, from, to float64, log bool) axis {
	if !(low < high) {
		pad := math.Abs(low) / 100
		if pad == 0 {
			pad = 1
		}
		low, high = low-pad, high+pad
	}
	return axis{low: low, high: high, from: from, to: to, log: log}
}

// at places a number on the axis, at the nearer end if the number is outside.
func (a axis) at(x float64) float64 {
	share := (x - a.low) / (a.high - a.low)
	if a.log {
		share = math.Log(x/a.low) / math.Log(a.high/a.low)
	}
	return a.from + (a.to-a.from)*max(0, min(1, share))
}

func (a axis) holds(x float64) bool { return a.low <= x && x <= a.high }

// ticks are round numbers on the axis, ascending, about as many as wanted.
func (a axis) ticks(wanted int) []float64 {
	if a.log && a.high/a.low >= 10 {
		return a.logTicks(wanted)
	}
	return multiples(a.low, a.high, stepIn(a.unit, (a.high-a.low)/float64(wanted)))
}

// roundStep is the least of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= x*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

// stepIn is the least round step of a unit that is not below x. A step of bytes is
// round in KiB or MiB.
func stepIn(unit string, x float64) float64 {
	of, _, _ := strings.Cut(unit, "/")
	if of != "B" || x < 1 {
		return roundStep(x)
	}
	size := units.Largest(x, of).Size
	if step := roundStep(x / size); step < 1000 {
		return step * size
	}
	return 1024 * size
}

// mostTicks bounds the ticks of an axis, because rounding could make the loop endless.
const mostTicks = 50

// multiples lists the multiples of a step between two numbers, ascending. It counts
// steps, because adding one step to a number of 2⁵³ steps would not change it.
func multiples(low, high, step float64) (out []float64) {
	first := math.Ceil(low/step - 1e-9)
	for i := range mostTicks {
		x := (first+float64(i))*step + 0 // +0 turns −0 into 0
		if x > high+1e-9*step {
			break
		}
		out = append(out, x)
	}
	return out
}

// logTicks are powers of ten, with 2 and 5 times each if there is room for three a
// decade, or only every second or third power and so on if there is no room for all.
func (a axis) logTicks(wanted int) (out []float64) {
	first, last := math.Floor(math.Log10(a.low)), math.Ceil(math.Log10(a.high))
	decades := math.Log10(a.high / a.low)
	digits, stride := []float64{1}, math.Max(1, math.Round(decades/float64(wanted)))
	if 3*decades <= float64(wanted) {
		digits = []float64{1, 2, 5}
	}
	for e := stride * math.Ceil(first/stride); e <= last; e += stride {
		for _, digit := range digits {
			// decimal parses the digits, because 2 × 1e-9 is 2.0000000000000003e-9.
			if x := decimal(digit, int(e)); x >= a.low*(1-1e-9) && x <= a.high*(1+1e-9) {
				out = append(out, x)
			}
		}
	}
	return out
}
