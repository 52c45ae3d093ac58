package about

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

const (
	mostBins  = 16 // rows of a plot
	leastPlot = 9  // observations below which there is nothing to see, and no verdict
)

// plot is a histogram of the ratios of all observations, with the tolerance on both
// sides.
func plot(o *result.Comparison, e *pairs.Evidence) page.Block {
	logs, each := e.Ratios(), "each "+string(e.Per)
	if e.Per != result.PerPair {
		each += ", the median of its pairs"
	}
	switch {
	case len(logs) < leastPlot:
		return page.Bars{}
	case slices.Min(logs) == slices.Max(logs):
		return page.Paragraph{page.Text("All have the same ratio.")}
	}
	low, high := limits(o)
	b := binsOf(logs, low, high)
	middle := stats.Median(logs)
	bars := page.Bars{Caption: page.Say("%s: case ÷ base, less one", each)}
	for i, n := range b.count {
		row := page.Bar{Label: b.label(i), Count: n}
		if at, ok := b.limitBefore(i, low, high); ok {
			row.Limit = edge(at) + " tolerance"
		}
		if b.in(i, middle) {
			row.Notes = append(row.Notes, "← median")
		}
		for _, at := range []float64{low, high} {
			if b.inside(i, at) {
				row.Notes = append(row.Notes, "← limit "+edge(at))
			}
		}
		bars.Rows = append(bars.Rows, row)
	}
	return bars
}

// edge prints a log ratio as a change.
func edge(log float64) string { return edgeTo(log, 1) }

// edge prints an edge of a bin with as many decimals as distinguish it from the next.
func (b *bins) edge(log float64) string {
	return edgeTo(log, max(1, int(math.Ceil(-math.Log10(100*b.width)))))
}

func edgeTo(log float64, decimals int) string {
	if ratio := math.Exp(log); ratio >= 10 {
		return "×" + units.Short(ratio, "")
	}
	text := fmt.Sprintf("%+.*f%%", decimals, 100*math.Expm1(log))
	if strings.Trim(text, "+-0.%") == "" {
		return "0%"
	}
	return strings.Replace(text, "-", "−", 1)
}

// bins are stretches of log ratios of one width. The first and the last also count
// everything farther out.
type bins struct {
	from, width float64
	count       []int
}

// binsOf counts log ratios in bins that have the tolerance on an edge. The bins reach to
// a limit only if it is within two spreads of the ratios: farther out, it would press
// them into one row.
func binsOf(logs []float64, low, high float64) bins {
	// they are in the outer rows
	near := slices.DeleteFunc(slices.Clone(logs), func(x float64) bool { return math.Abs(x) == pairs.Far })
	first, last := stats.Quantile(near, 0.02), stats.Quantile(near, 0.98)
	spread := max(last-first, 1e-4)
	for _, at := range []float64{low, 0, high} {
		if at < last+2*spread && at > first-2*spread {
			first, last = min(first, at), max(last, at)
		}
	}
	b := bins{width: widthFor(max(last-first, 1e-4), high)}
	b.from = math.Floor((first-high)/b.width+1e-9)*b.width + high
	b.count = make([]int, int(math.Ceil((last-b.from)/b.width-1e-9))+1)
	for _, x := range logs {
		b.count[b.at(x)]++
	}
	return b
}

// widthFor is the tolerance, or 0.01 if that is 0, times a power of two, so that 7 to
// 14 bins fill the stretch.
func widthFor(stretch, tolerance float64) float64 {
	width := tolerance
	if width == 0 {
		width = 0.01
	}
	for stretch/width > mostBins-2 {
		width *= 2
	}
	for stretch/width <= (mostBins-2)/2 {
		width /= 2
	}
	return width
}

func (b *bins) at(x float64) int {
	return max(0, min(len(b.count)-1, int(math.Floor((x-b.from)/b.width+1e-9))))
}

func (b *bins) in(i int, x float64) bool { return b.at(x) == i }

func (b *bins) label(i int) string {
	from, to := b.from+float64(i)*b.width, b.from+float64(i+1)*b.width
	switch i {
	case 0:
		return "below " + b.edge(to)
	case len(b.count) - 1:
		return b.edge(from) + " and above"
	}
	return b.edge(from) + " to " + b.edge(to)
}

// onEdge reports whether a limit is on an edge between bins. The upper limit always is;
// the lower one is inside a bin if bins are wider than twice the tolerance.
func (b *bins) onEdge(at, edge float64) bool { return math.Abs(at-edge) < b.width*1e-6 }

// inside reports whether a limit is in a bin and on neither of its edges.
func (b *bins) inside(i int, at float64) bool {
	from := b.from + float64(i)*b.width
	return i > 0 && i < len(b.count)-1 && from < at && at < from+b.width && !b.onEdge(at, from) &&
		!b.onEdge(at, from+b.width)
}

// limitBefore finds a limit on the lower edge of a bin.
func (b *bins) limitBefore(i int, limits ...float64) (float64, bool) {
	from := b.from + float64(i)*b.width
	for j, at := range limits {
		if b.onEdge(at, from) && (j == 0 || at != limits[0]) {
			return at, true
		}
	}
	return 0, false
}

// limits are the log ratios beyond which a change is greater than the tolerance.
func limits(o *result.Comparison) (low, high float64) {
	high = math.Log1p(o.Tolerance)
	return -high, high
}
