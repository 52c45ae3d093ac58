// Package units writes numbers for people: times, bytes, rates, counts and shares with
// the unit that suits them. It is the only place with a table of units. All functions
// round first and choose the unit after, so that nothing prints as 1000.0 µs.
//
// Two styles exist. Amount is for tables: as many digits as the uncertainty of the number
// allows, zeros included, so that 2.10 ms and 2.13 ms line up. Format is for sentences:
// four significant digits without zeros at the end, 2 ms. Short is Format with three.
//
// Numbers are in SI base units: seconds, bytes, per second. Reading quantities that users
// have written is the business of package lang.
package units

import (
	"embed"
	"math"
	"strings"
)

// Step is a unit with a prefix.
type Step struct {
	Name  string
	Size  float64 // in base units
	Limit float64 // a rounded number that reaches it goes to the next step
}

// Scale is the units that one kind of number is written in, smallest first.
type Scale []Step

// The scales. Names of Rate end with a blank, because the unit follows: M op/s. Names of
// Count follow the number directly: 12.3k.
var (
	Time = Scale{
		{"ns", 1e-9, 1000}, {"µs", 1e-6, 1000}, {"ms", 1e-3, 1000},
		{"s", 1, 100}, {"min", 60, 100}, {"h", 3600, math.Inf(1)},
	}
	Bytes = Scale{
		{"B", 1, 1024}, {"KiB", 1 << 10, 1024}, {"MiB", 1 << 20, 1024}, {"GiB", 1 << 30, 1024},
		{"TiB", 1 << 40, 1024}, {"PiB", 1 << 50, 1024}, {"EiB", 1 << 60, math.Inf(1)},
	}
	Rate = Scale{
		{"", 1, 1000}, {"k ", 1e3, 1000}, {"M ", 1e6, 1000}, {"G ", 1e9, 1000},
		{"T ", 1e12, 1000}, {"P ", 1e15, 1000}, {"E ", 1e18, math.Inf(1)},
	}
	Count = Scale{
		{"", 1, 1e4}, {"k", 1e3, 1000}, {"M", 1e6, 1000},
		{"G", 1e9, 1000}, {"T", 1e12, math.Inf(1)},
	}
	Hertz = Scale{{"Hz", 1, 1000}, {"kHz", 1e3, 1000}, {"MHz", 1e6, 1000}, {"GHz", 1e9, math.Inf(1)}}
	// Share is what shares of a unit of the user's own are written in.
	Share = Scale{{Percent, 0.01, math.Inf(1)}}
	// Long keeps whole numbers in full up to a million.
	Long = Scale{{"", 1, 1e6}, {"M", 1e6, 1000}, {"G", 1e9, 1000}, {"T", 1e12, math.Inf(1)}}

	perSecond = Scale{{"/s", 1, 1000}, {"k/s", 1e3, 1000}, {"M/s", 1e6, 1000}, {"G/s", 1e9, 1000},
		{"T/s", 1e12, math.Inf(1)}}
)

// Percent is the unit of shares: 0.03 is written as 3%.
const Percent = "%"

// ScaleOf is the scale of a unit of metrics: s, B, 1/s or %. It is nil for any other
// unit, whose numbers have no prefixes.
func ScaleOf(unit string) Scale {
	switch unit {
	case "s":
		return Time
	case "B":
		return Bytes
	case "1/s":
		return perSecond
	case Percent:
		return Share
	}
	return nil
}

// Largest is the largest step of a unit that is not above x, for the ticks of an axis:
// minutes and hours are left out, because their round numbers are no powers of ten. A
// unit with a slash keeps what follows it: KiB/op. Other units are steps of 1.
func Largest(x float64, unit string) Step {
	if of, per, isRate := strings.Cut(unit, "/"); isRate && of != "1" && ScaleOf(of) != nil {
		step := Largest(x, of)
		step.Name += "/" + per
		return step
	}
	best := Step{Name: strings.TrimPrefix(unit, "1"), Size: 1}
	for i, step := range ScaleOf(unit) {
		if step.Name == "min" {
			break
		}
		if i == 0 || math.Abs(x) >= step.Size*(1-1e-9) {
			best = step
		}
	}
	return best
}

// Source holds the files of this package, so that hosts of other modules are built with it.
//
//go:embed *.go
var Source embed.FS
