//go:build !nopeg

package peg

import (
	"math"

	"example.com/suite/peg/pegfile"
)

const (
	// A float64 has its exponent above 52 digits of mantissa; with the first four of
	// these it is the number of its bin, counted here from the bin of half a nanosecond.
	binShift  = 52 - 4
	binOfHalf = 1022 << 4
	// octaves up to 2^60 ns, 36 years.
	octaves = 61
)

// histogram counts times in the bins of binOf: one below a nanosecond, which is the
// first octave here, then sixteen an octave. Octaves are made when they are needed:
// most arcs keep to a few.
type histogram struct {
	octave [octaves]*[pegfile.BinSteps]uint64
}

// binOfTime returns the number of a bin.
func binOfTime(ns float64) uint64 {
	bin := int64(math.Float64bits(ns)>>binShift) - binOfHalf
	return min(uint64(bin&^(bin>>63)), octaves*pegfile.BinSteps-1)
}

func (h *histogram) add(ns float64) {
	bin := binOfTime(ns)
	o := h.octave[bin/pegfile.BinSteps]
	if o == nil {
		o = new([pegfile.BinSteps]uint64)
		h.octave[bin/pegfile.BinSteps] = o
	}
	o[bin%pegfile.BinSteps]++
}

// list returns the bins that are not empty, ascending.
func (h *histogram) list() (bins []pegfile.Bin) {
	if below := h.below(); below > 0 {
		bins = append(bins, pegfile.Bin{Low: 0, High: 1, Count: below})
	}
	for i, o := range h.octave[1:] {
		if o == nil {
			continue
		}
		for j, n := range o {
			if n > 0 {
				low, high := pegfile.BinOf(math.Ldexp(1+float64(j)/pegfile.BinSteps, i))
				bins = append(bins, pegfile.Bin{Low: low, High: high, Count: n})
			}
		}
	}
	return bins
}

// below counts the times below a nanosecond.
func (h *histogram) below() (sum uint64) {
	if h.octave[0] != nil {
		for _, n := range h.octave[0] {
			sum += n
		}
	}
	return sum
}
