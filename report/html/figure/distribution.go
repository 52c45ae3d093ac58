package figure

import (
	"fmt"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

// The width of drawings of one case, and the edges of their plots.
const (
	caseWidth  = 560
	plotLeft   = 64
	plotMargin = 30 // to the right of a plot
	plotRight  = caseWidth - plotMargin
	plotTop    = 22
)

const (
	barsHeight = 108 // of one side
	axisRoom   = 26  // below a plot, for the texts of its axis
)

// Distribution draws how often a case took how long, upwards, and its base downwards,
// with the median and its interval. It returns nil if fewer than two samples have a
// number.
func Distribution(c *result.Case) *drawing.Drawing { return DistributionOf(c, headline) }

// DistributionOf is Distribution of any metric that has a number in each sample.
func DistributionOf(c *result.Case, metric string) *drawing.Drawing {
	own, base := sides(c, metric)
	w := windowOfCase(c, metric)
	if len(own) < 2 || w.empty() {
		return nil
	}
	from, width, n := edgesFor(own, w, unitOf(c, metric))
	h := histogram{
		of:     c,
		metric: metric,
		unit:   unitOf(c, metric),
		own:    binned(own, from, width, n),
		base:   binned(base, from, width, n),
		foot:   plotTop + barsHeight,
	}
	h.axis = newAxis(from, from+float64(n)*width, plotLeft, plotRight, false)
	h.axis.unit = h.unit
	h.full = max(1, h.own.most(), h.base.most())
	h.bottom = h.foot
	if len(base) > 0 {
		h.bottom += barsHeight
	}
	return h.draw()
}

type histogram struct {
	of           *result.Case
	metric, unit string
	own, base    bins
	axis         axis
	full         int     // count that fills a side
	foot, bottom float64 // y of the bars' common foot, and of the end of the plot
}

func (h *histogram) draw() *drawing.Drawing {
	d := &drawing.Drawing{
		Width:  caseWidth,
		Left:   plotLeft,
		Right:  plotRight,
		Height: h.bottom + axisRoom,
		Title:  "Distribution of " + nameOf(h.of, h.metric),
	}
	h.interval(d)
	h.counts(d)
	addPath(d, drawing.Base, h.bars(&h.base, +1))
	addPath(d, drawing.Case, h.bars(&h.own, -1))
	h.frame(d)
	h.medians(d)
	h.outside(d)
	d.Desc, d.Caption = h.desc(), h.caption()
	return d
}

// bars go from the foot up (sign −1) or down (sign +1).
func (h *histogram) bars(b *bins, sign float64) (p path) {
	for i, n := range b.counts {
		if n > 0 {
			left, right := h.at(b, i), h.at(b, i+1)
			gap := min(1, (right-left)/8)
			p.box(left+gap/2, h.foot, right-gap/2, h.height(n, sign))
		}
	}
	return p
}

// height is the y at which a bar of n samples ends.
func (h *histogram) height(n int, sign float64) float64 {
	return h.foot + sign*float64(n)/float64(h.full)*(barsHeight-6)
}

// counts draws the axis of samples per bar, with up to four round numbers on each side.
func (h *histogram) counts(d *drawing.Drawing) {
	var grid path
	step := int(max(1, roundStep(float64(h.full)/4)))
	for n := step; n <= h.full; n += step {
		for sign := -1.0; sign <= 1 && (sign < 0 || h.bottom > h.foot); sign += 2 {
			y := h.height(n, sign)
			grid.level(plotLeft, plotRight, y)
			write(d, plotLeft-8, y+4, drawing.End, drawing.Axis, strconv.Itoa(n))
		}
	}
	addPath(d, drawing.Grid, grid)
	write(d, plotLeft-8, plotTop-9, drawing.End, drawing.Axis, "samples")
}

// at is the x at which bin i begins. A bin of no width, of equal samples, is drawn 24
// units wide around their value.
func (h *histogram) at(b *bins, i int) float64 {
	if b.width == 0 {
		return h.axis.at(b.from) + (float64(i)-0.5)*24
	}
	return h.axis.at(b.edge(i))
}

func (h *histogram) frame(d *drawing.Drawing) {
	var line, ticks path
	line.level(plotLeft, plotRight, h.foot)
	at, texts := h.axis.ticks(5), labelRow{}
	for i, text := range h.axis.tickLabels(at, h.unit) {
		x := h.axis.at(at[i])
		ticks.upright(x, h.bottom, h.bottom+4)
		texts.put(d, x, h.bottom+17, drawing.Axis, text)
	}
	if h.bottom > h.foot {
		line.level(plotLeft, plotRight, h.bottom)
		write(d, plotLeft-8, h.foot-8, drawing.End, drawing.Axis, "case")
		write(d, plotLeft-8, h.foot+16, drawing.End, drawing.Axis, "base")
	}
	addPath(d, drawing.Axis, line)
	addPath(d, drawing.Axis, ticks)
}

func (h *histogram) interval(d *drawing.Drawing) {
	s := h.of.Summary(h.metric)
	if s == nil || s.Low == nil || s.High == nil {
		return
	}
	var p path
	left, right := h.axis.at(*s.Low), h.axis.at(*s.High)
	p.box(left, plotTop, max(right, left+1), h.foot)
	addPath(d, drawing.Interval, p)
}

func (h *histogram) medians(d *drawing.Drawing) {
	if s := h.of.Summary(h.metric); s != nil && h.axis.holds(s.Median) {
		x := h.axis.at(s.Median)
		var p path
		p.upright(x, plotTop-4, h.foot)
		addPath(d, drawing.Median, p)
		at, x := h.beside(x)
		write(d, x, plotTop-9, at, drawing.Strong, "median "+units.Format(s.Median, h.unit))
	}
	if base, ok := middleOfBase(h.of, h.metric); ok && h.axis.holds(base) {
		var p path
		p.upright(h.axis.at(base), h.foot, h.bottom)
		addPath(d, drawing.BaseLine, p)
	}
}

// beside keeps a text over x within the drawing.
func (h *histogram) beside(x float64) (drawing.Anchor, float64) {
	switch {
	case x < plotLeft+70:
		return drawing.Start, max(plotLeft, x-20)
	case x > plotRight-70:
		return drawing.End, min(plotRight, x+20)
	}
	return drawing.Middle, x
}

// outside labels how many samples are beyond each end.
func (h *histogram) outside(d *drawing.Drawing) {
	if n := h.own.above + h.base.above; n > 0 {
		write(d, plotRight, plotTop+8, drawing.End, drawing.Axis, fmt.Sprintf("%d above →", n))
	}
	if n := h.own.below + h.base.below; n > 0 {
		write(d, plotLeft+2, plotTop+8, drawing.Start, drawing.Axis, fmt.Sprintf("← %d below", n))
	}
}

func middleOfBase(c *result.Case, metric string) (float64, bool) {
	if c.Pairs == nil {
		return 0, false
	}
	return c.Pairs.Samples.Middle(metric)
}

func (h *histogram) desc() string {
	s := h.of.Summary(h.metric)
	if s == nil {
		return ""
	}
	text := fmt.Sprintf("%s between %s and %s, median %s",
		units.Plural(s.N, "sample"), units.Format(s.Min, h.unit), units.Format(s.Max, h.unit),
		units.Format(s.Median, h.unit))
	if s.Low != nil && s.High != nil {
		text += fmt.Sprintf(", interval %s to %s", units.Format(*s.Low, h.unit), units.Format(*s.High, h.unit))
	}
	if base, ok := middleOfBase(h.of, h.metric); ok {
		text += fmt.Sprintf("; median of the base %s", units.Format(base, h.unit))
	}
	return text
}

func (h *histogram) caption() string {
	text := "All samples are equal."
	if h.own.width > 0 {
		text = fmt.Sprintf("Each bar is %s wide; the tallest holds %s.",
			units.Format(h.own.width, h.unit), units.Plural(h.full, "sample"))
	}
	if s := h.of.Summary(h.metric); s != nil && s.Low != nil && s.High != nil {
		text += fmt.Sprintf(" The band is the %g%% interval of the median.", tenth(100*s.Confidence))
	}
	return text
}
