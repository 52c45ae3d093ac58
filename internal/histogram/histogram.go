// Package histogram counts times in bins of equal relative width, as HdrHistogram does: a
// fixed amount of memory holds any number of times, and a percentile is known to 0.8 %. It
// uses the standard library only, because hosts record in it and are built into the modules
// of users. The arcs of pegs have coarser bins of their own, which their protocol fixes.
package histogram

import (
	"embed"
	"math/bits"
)

// Source contains the files of this package, from which hosts are built.
//
//go:embed *.go
var Source embed.FS

const (
	precision = 7 // bits: 128 bins for each power of two
	steps     = 1 << precision
	stretches = 64 - precision // of steps bins; they reach up to 2^63 ns
	mostBins  = stretches * steps
)

// Histogram counts times in nanoseconds. It takes 57 KiB, of which times of one order of
// magnitude touch four. The zero value is empty. Reset makes it ready for Add, which takes a
// few nanoseconds and allocates nothing.
type Histogram struct {
	counts *[stretches][steps]uint64
	used   uint64 // a bit for each stretch that is not empty
	n      uint64
}

// Bin is a bin that is not empty: its number and its count.
type Bin struct {
	Number int
	Count  uint64
}

// Reset empties the histogram. It clears only what was used, so that it leaves the caches
// to others.
func (h *Histogram) Reset() {
	if h.counts == nil {
		h.counts = new([stretches][steps]uint64)
	}
	for i := range h.counts {
		if h.used>>i&1 == 1 {
			clear(h.counts[i][:])
		}
	}
	h.used, h.n = 0, 0
}

// Add counts a time. Times below zero count as zero. Call Reset before the first Add.
func (h *Histogram) Add(ns int64) {
	bin := number(uint64(max(ns, 0)))
	h.counts[bin/steps][bin%steps]++
	h.used |= 1 << (bin / steps)
	h.n++
}

// Put adds count times of a bin.
func (h *Histogram) Put(bin int, count uint64) {
	if h.counts == nil {
		h.Reset()
	}
	if bin >= 0 && bin < mostBins {
		h.counts[bin/steps][bin%steps] += count
		h.used |= 1 << (bin / steps)
		h.n += count
	}
}

// Count is how many times were counted.
func (h *Histogram) Count() uint64 { return h.n }

// Bins lists the bins that are not empty, ascending.
func (h *Histogram) Bins() (bins []Bin) {
	for i := range stretches {
		if h.used>>i&1 == 0 {
			continue
		}
		for j, n := range h.counts[i] {
			if n > 0 {
				bins = append(bins, Bin{i*steps + j, n})
			}
		}
	}
	return bins
}

// number is the bin of a time: below 256 ns there is one for each nanosecond, then 128 for
// each power of two.
func number(ns uint64) int {
	shift := max(bits.Len64(ns)-precision-1, 0)
	return shift*steps + int(ns>>shift)
}

// Bounds returns the least time of a bin and the least that is above it, in nanoseconds.
func Bounds(bin int) (low, high uint64) {
	if bin < 2*steps {
		return uint64(bin), uint64(bin) + 1
	}
	shift := bin/steps - 1
	digits := uint64(bin - shift*steps)
	return digits << shift, (digits + 1) << shift
}
