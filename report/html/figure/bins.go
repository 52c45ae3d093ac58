package figure

import (
	"math"

	"example.com/suite/stats"
)

const (
	leastBins = 8
	mostBins  = 40
)

// bins are stretches of one width.
type bins struct {
	from, width  float64
	counts       []int
	below, above int // samples outside
}

// edgesFor chooses the start of the first bin, the width, which is a round number, and
// the number of bins that fill a window. The width is at least a 40th of the window and
// about an 8th at most: fewer bins hide the shape, and more cannot be distinguished.
//
// Source: Freedman and Diaconis (1981): 2·IQR/∛n.
func edgesFor(xs []float64, w window, unit string) (from, width float64, n int) {
	stretch := w.high - w.low
	if stretch <= 0 {
		return w.low, 0, 1
	}
	width = 2 * (stats.Quantile(xs, 0.75) - stats.Quantile(xs, 0.25)) / math.Cbrt(float64(len(xs)))
	// stepIn rounds up, by half on average, so it is asked for two thirds.
	width = stepIn(unit, max(stretch/mostBins, min(stretch/leastBins, width)*2/3))
	from = math.Floor(w.low/width+1e-9) * width
	return from, width, int(math.Floor((w.high-from)/width+1e-9)) + 1
}

// binned counts samples into n bins; the upper edge of a bin belongs to the next.
func binned(xs []float64, from, width float64, n int) bins {
	b := bins{from: from, width: width, counts: make([]int, n)}
	for _, x := range xs {
		i := 0
		if width > 0 {
			i = int(math.Floor((x-from)/width + 1e-9))
		}
		switch {
		case i < 0:
			b.below++
		case i >= n:
			b.above++
		default:
			b.counts[i]++
		}
	}
	return b
}

func (b *bins) edge(i int) float64 { return b.from + float64(i)*b.width }

// most is the count of the fullest bin.
func (b *bins) most() (n int) {
	for _, c := range b.counts {
		n = max(n, c)
	}
	return n
}
