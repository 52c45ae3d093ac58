package result

import (
	"math"
	"strconv"
	"strings"
)

// digits is how many significant ones Format keeps: four tell values apart
// that differ by a tenth of a percent, and a gate gives up at 0.75 %.
const digits = 4

// prefix is a scaled unit: one of it is size SI base units.
type prefix struct {
	size float64
	name string
}

// ladders hold the prefixes of each unit, ascending. Times below a nanosecond
// and bytes below one stay in the smallest.
var ladders = map[string][]prefix{
	"s":   {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}},
	"B":   {{1, "B"}, {1 << 10, "KiB"}, {1 << 20, "MiB"}, {1 << 30, "GiB"}},
	"1/s": {{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}},
}

// Format writes a number as people read it, with four significant digits and
// the unit: 2.31 ms, 64 KiB, 200 M/s. x is in SI base units; unit is that of
// a metric (s, B, 1/s), empty for plain numbers, or a name of the suite's own,
// which stands after the number as it is. It rounds first and picks the prefix
// after, so that nothing prints as 1000 µs. Zero has the base unit.
func Format(x float64, unit string) string {
	if unit == Percent {
		return plain(round(100*x)) + "%"
	}
	if of, per, rate := strings.Cut(unit, "/"); rate && of != "1" && ladders[of] != nil {
		return Format(x, of) + "/" + per
	}
	ladder, scaled := ladders[unit]
	if !scaled || x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strings.TrimSpace(plain(x) + " " + strings.TrimPrefix(unit, "1"))
	}
	for i, p := range ladder[:len(ladder)-1] {
		// The hair less than the whole ratio is for 1e-3/1e-6, which is above 1000.
		if r := round(x / p.size); math.Abs(r) < ladder[i+1].size/p.size*(1-1e-12) {
			return plain(r) + " " + p.name
		}
		// What rounded up to the next prefix is at least one of it.
		x = math.Copysign(max(math.Abs(x), ladder[i+1].size), x)
	}
	last := ladder[len(ladder)-1]
	return plain(round(x/last.size)) + " " + last.name
}

// round keeps four significant digits, and whole numbers whole.
func round(x float64) float64 {
	if math.Abs(x) >= 1e3 {
		return math.Round(x)
	}
	// Through decimal text, because dividing by powers of ten leaves 2.3100000001.
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return r
}

// plain writes whole numbers in full up to 10¹⁵, where float64 still counts in
// ones, and others with four significant digits.
func plain(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x+0, 'f', -1, 64) // +0 turns −0 into 0
	}
	if math.Abs(x) >= 1e3 && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}
