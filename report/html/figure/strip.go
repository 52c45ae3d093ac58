package figure

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"example.com/suite/stats"
)

const (
	stripHeight = 128
	// mostDots is the most samples that are drawn one by one. Dots less than two units
	// apart cannot be distinguished, and 10,000 would be 100 KB.
	mostDots = 240
)

// Strip draws the samples of a case and of its base in the order in which they were
// taken, which shows drift, steps and stalls. It returns nil if there are fewer than two.
func Strip(c *result.Case) *drawing.Drawing { return StripOf(c, headline) }

// StripOf is Strip of any metric that has a number in each sample.
func StripOf(c *result.Case, metric string) *drawing.Drawing {
	w := windowOfCase(c, metric)
	n := c.Samples.Len()
	if n < 2 || w.empty() || c.Samples.Column(metric) == nil {
		return nil
	}
	s := &strip{samples: &c.Samples, n: n, metric: metric, unit: unitOf(c, metric)}
	s.x = axis{low: -0.5, high: float64(n) - 0.5, from: plotLeft, to: plotRight}
	s.y = newAxis(w.low, w.high, plotTop+stripHeight, plotTop, false)
	s.y.unit = s.unit
	d := &drawing.Drawing{
		Width:  caseWidth,
		Left:   plotLeft,
		Right:  plotRight,
		Height: plotTop + stripHeight + axisRoom,
		Title:  "Samples in the order they were taken",
	}
	if metric != headline {
		d.Title = metric + " in the order in which samples were taken"
	}
	s.frame(d)
	s.median(d, c)
	if c.Pairs != nil {
		s.side(d, &c.Pairs.Samples, drawing.BaseDot, drawing.BaseSpan)
	}
	s.side(d, &c.Samples, drawing.CaseDot, drawing.CaseSpan)
	d.Desc, d.Caption = s.desc(), s.caption(c, d)
	return d
}

type strip struct {
	samples      *result.Samples // of the case
	n            int
	metric, unit string
	x, y         axis
}

func (s *strip) frame(d *drawing.Drawing) {
	ticks := s.y.ticks(4)
	grid(d, s.y, plotRight, ticks, s.y.tickLabels(ticks, s.unit))
	var line, borders path
	line.level(plotLeft, plotRight, s.y.from+6)
	for i := 1; i < s.n; i++ {
		if s.samples.Launch[i] != s.samples.Launch[i-1] {
			borders.upright(s.x.at(float64(i)-0.5), plotTop, s.y.from+6)
		}
	}
	if len(borders) < 60*mostDots { // as many launches as samples are no borders
		addPath(d, drawing.Border, borders)
	}
	addPath(d, drawing.Axis, line)
	write(d, plotLeft, s.y.from+22, drawing.Start, drawing.Axis, fmt.Sprintf("%.1f s into the run", s.samples.At[0]))
	write(d, plotRight, s.y.from+22, drawing.End, drawing.Axis, fmt.Sprintf("%.1f s", s.samples.At[s.n-1]))
}

func (s *strip) median(d *drawing.Drawing, c *result.Case) {
	if sum := c.Summary(s.metric); sum != nil && s.y.holds(sum.Median) {
		var p path
		p.level(plotLeft, plotRight, s.y.at(sum.Median))
		addPath(d, drawing.Median, p)
	}
}

// side draws the samples of one side: those that lost the processor as rings, those
// outside of the window as arrows at its edge.
func (s *strip) side(d *drawing.Drawing, samples *result.Samples, dot, span drawing.Role) {
	column := samples.Column(s.metric)
	column = column[:min(s.n, len(column))]
	if len(column) > mostDots {
		s.runs(d, column, dot, span)
		return
	}
	var dots, rings, beyond path
	for i, x := range column {
		at := s.x.at(float64(i))
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
		case x > s.y.high:
			beyond.arrow(at, plotTop-8, -7)
		case x < s.y.low:
			beyond.arrow(at, s.y.from+5, 7)
		case isDisturbed(samples, i):
			rings.ring(at, s.y.at(x), 2.6)
		default:
			dots.dot(at, s.y.at(x))
		}
	}
	addPath(d, dot, dots)
	addPath(d, drawing.Disturbed, rings)
	addPath(d, drawing.Beyond, beyond)
}

func isDisturbed(s *result.Samples, row int) bool {
	_, found := slices.BinarySearchFunc(s.Disturbed, row, func(d result.Disturbed, row int) int {
		return d.Index - row
	})
	return found
}

// run is how many samples in a row are drawn as one dot.
func (s *strip) run() int { return (s.n + mostDots - 1) / mostDots }

// runs draws a dot for the median of each run of samples, and below it a line for their
// range.
func (s *strip) runs(d *drawing.Drawing, column result.Column, dot, span drawing.Role) {
	var dots, spans, beyond path
	step := s.run()
	for i := 0; i < len(column); i += step {
		xs := finite(column[i:min(i+step, len(column))])
		if len(xs) == 0 {
			continue
		}
		at := s.x.at(float64(i) + float64(len(xs)-1)/2)
		spans.upright(at, s.y.at(slices.Min(xs)), s.y.at(slices.Max(xs)))
		dots.dot(at, s.y.at(stats.Median(xs)))
		if slices.Max(xs) > s.y.high {
			beyond.arrow(at, plotTop-8, -7)
		}
	}
	addPath(d, span, spans)
	addPath(d, dot, dots)
	addPath(d, drawing.Beyond, beyond)
}

// desc compares the medians of the first and the second half, because the drawing is
// there to show drift.
func (s *strip) desc() string {
	xs := finite(s.samples.Column(s.metric))
	half := len(xs) / 2
	if half == 0 {
		return ""
	}
	return fmt.Sprintf("%s; the median of the first half is %s, that of the second %s", units.Plural(s.n, "sample"),
		units.Format(stats.Median(xs[:half]), s.unit), units.Format(stats.Median(xs[half:]), s.unit))
}

func (s *strip) caption(c *result.Case, d *drawing.Drawing) string {
	text := "Each dot is a sample"
	if c.Samples.Taken > 0 {
		text = "Each dot is the median of a block of samples"
	}
	if s.n > mostDots {
		text = fmt.Sprintf("Each dot is the median of %d samples in a row, the line behind it their range", s.run())
	}
	if has(d, drawing.BaseDot) {
		text += "; those of the base are grey"
	}
	if has(d, drawing.Median) {
		text += "; the line is the median of all"
	}
	text += "."
	if n := len(c.Samples.Disturbed); has(d, drawing.Disturbed) {
		text += fmt.Sprintf(" Rings lost the processor (%d).", n)
	}
	if n := len(c.Samples.Censored); n > 0 {
		text += fmt.Sprintf(" %s killed by the timeout and took longer than shown.", were(n, "run"))
	}
	return text
}

func were(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return units.Plural(n, what) + " were"
}
