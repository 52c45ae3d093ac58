package figure

import (
	"fmt"
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// Ratios draws the ratio of each pair in the order in which they were taken, with the
// tolerance and the interval of the ratio. It returns nil if there are fewer than two.
func Ratios(c *result.Case, o *result.Comparison) *drawing.Drawing {
	if o == nil || c.Pairs == nil || o.Exact || !(o.Ratio > 0) || o.Ratio.IsInfinite() {
		return nil
	}
	logs := finite(pairs.EvidenceOf(c, o.Metric).Logs)
	if len(logs) < 2 {
		return nil
	}
	r := &ratios{of: o, logs: logs, changes: make([]float64, len(logs))}
	for i, x := range logs {
		r.changes[i] = math.Expm1(min(x, 10)) // what is farther out is an arrow anyway
	}
	r.axes()
	d := &drawing.Drawing{
		Width:  caseWidth,
		Left:   plotLeft,
		Right:  plotRight,
		Height: plotTop + evidenceHeight + axisRoom,
		Title:  "Change of " + o.Metric + " in each pair",
	}
	r.bands(d)
	r.frame(d)
	r.dots(d)
	d.Desc, d.Caption = r.desc(), r.caption(d)
	return d
}

type ratios struct {
	of      *result.Comparison
	logs    []float64
	changes []float64 // ratios less one
	x, y    axis
}

func (r *ratios) axes() {
	t, none := r.of.Tolerance, 0.0
	low := -t / (1 + t)
	w := windowOf([][]float64{r.changes}, &none, &low, &t)
	r.x = axis{low: -0.5, high: float64(len(r.logs)) - 0.5, from: plotLeft, to: plotRight}
	r.y = newAxis(w.low, w.high, plotTop+evidenceHeight, plotTop, false)
}

// bands draws the tolerance, and the interval on top of it.
func (r *ratios) bands(d *drawing.Drawing) {
	var tolerance, interval path
	if t := r.of.Tolerance; t > 0 {
		tolerance.box(plotLeft, r.y.at(t), plotRight, r.y.at(-t/(1+t)))
	}
	if low, high := r.of.Low, r.of.High; low != nil && high != nil {
		top, bottom := r.y.at(*high-1), r.y.at(*low-1)
		interval.box(plotLeft, top, plotRight, max(bottom, top+1))
	}
	addPath(d, drawing.Tolerance, tolerance)
	addPath(d, drawing.Interval, interval)
}

func (r *ratios) frame(d *drawing.Drawing) {
	var grid, zero path
	at := r.y.ticks(5)
	for i, text := range changeLabels(at) {
		if at[i] == 0 {
			zero.level(plotLeft, plotRight, r.y.at(0))
		} else {
			grid.level(plotLeft, plotRight, r.y.at(at[i]))
		}
		write(d, plotLeft-8, r.y.at(at[i])+4, drawing.End, drawing.Axis, text)
	}
	addPath(d, drawing.Grid, grid)
	addPath(d, drawing.Axis, zero)
	write(d, plotLeft, r.y.from+20, drawing.Start, drawing.Axis, "first pair")
	write(d, plotRight, r.y.from+20, drawing.End, drawing.Axis, "last pair")
}

// changeLabels formats changes in percent, with enough decimals to distinguish them.
func changeLabels(changes []float64) []string {
	decimals := 0
	for _, x := range changes {
		decimals = max(decimals, decimalsOf(100*x))
	}
	out := make([]string, len(changes))
	for i, x := range changes {
		switch {
		case x == 0:
			out[i] = "same"
		case x < 0:
			out[i] = fmt.Sprintf("−%.*f%%", decimals, -100*x)
		default:
			out[i] = fmt.Sprintf("+%.*f%%", decimals, 100*x)
		}
	}
	return out
}

// dots draws single pairs, or medians of several in a row if there are over mostDots.
func (r *ratios) dots(d *drawing.Drawing) {
	var dots, beyond, median path
	step := (len(r.changes) + mostDots - 1) / mostDots
	for i := 0; i < len(r.changes); i += step {
		run := r.changes[i:min(i+step, len(r.changes))]
		x, at := stats.Median(run), r.x.at(float64(i)+float64(len(run)-1)/2)
		switch {
		case x > r.y.high:
			beyond.arrow(at, plotTop-8, -7)
		case x < r.y.low:
			beyond.arrow(at, r.y.from+5, 7)
		default:
			dots.dot(at, r.y.at(x))
		}
	}
	if change := float64(r.of.Ratio) - 1; r.y.holds(change) {
		median.level(plotLeft, plotRight, r.y.at(change))
	}
	addPath(d, drawing.Median, median)
	addPath(d, drawing.CaseDot, dots)
	addPath(d, drawing.Beyond, beyond)
}

func (r *ratios) desc() string {
	slower := 0
	for _, x := range r.logs {
		if x > 0 {
			slower++
		}
	}
	return fmt.Sprintf("in %d of %s the case has more than its base", slower, units.Plural(len(r.logs), "pair"))
}

func (r *ratios) caption(d *drawing.Drawing) string {
	text := "Each dot is a pair"
	if len(r.changes) > mostDots {
		text = fmt.Sprintf("Each dot is the median of %d pairs in a row", (len(r.changes)+mostDots-1)/mostDots)
	}
	if has(d, drawing.Median) {
		text += "; the line is the ratio of all"
	}
	if has(d, drawing.Interval) {
		text += "; the blue band is the interval of the ratio"
	}
	if has(d, drawing.Tolerance) {
		text += fmt.Sprintf("; the grey band is what is tolerated (%g%%)", math.Round(1e6*r.of.Tolerance)/1e4)
	}
	return text + "."
}
