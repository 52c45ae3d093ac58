package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

func (c *chart) draw(label func(*result.Case) string) *drawing.Drawing {
	x, y := c.axes()
	d := &drawing.Drawing{
		Width:  curveWidth,
		Left:   plotLeft,
		Right:  curveRight,
		Height: plotTop + curveHeight + 44,
		Title:  "Time" + c.per() + " over " + c.param,
		Sheet:  &drawing.Sheet{Head: []string{"case", c.param, "median", "from", "to"}},
	}
	c.frame(d, x, y)
	var ends []float64
	for i := range c.curves {
		c.curve(d, i, x, y, label)
		points := c.curves[i].points
		ends = append(ends, y.at(points[len(points)-1].summary.Median))
	}
	for i, at := range spread(ends, 16, plotTop+8, plotTop+curveHeight) {
		write(d, curveRight, at-8, drawing.End, series(i), cut(c.curves[i].title(label), nameLength, 0))
	}
	d.Desc = c.desc(label)
	d.Caption = pointsAre("a median",
		slices.ContainsFunc(d.Sheet.Rows, func(row []string) bool { return row[3] != "" })) + " " + scales(x, y)
	if c.isCut(y) {
		d.Caption += " Intervals that reach the upper edge end above it."
	}
	d.Sheet = d.Sheet.WithoutEmpty()
	return d
}

// isCut reports whether an interval ends above the axis.
func (c *chart) isCut(y axis) bool {
	return slices.ContainsFunc(c.curves, func(k curve) bool {
		return slices.ContainsFunc(k.points, func(p point) bool {
			return p.summary.High != nil && *p.summary.High > y.high
		})
	})
}

// pointsAre explains points, and the lines through them if there are any.
func pointsAre(what string, intervals bool) string {
	if intervals {
		return "Each point is " + what + ", the line through it its interval."
	}
	return "Each point is " + what + "."
}

func (c *chart) per() string { return per(&result.Case{Unit: c.unit}) }

// title names the other parameters of a curve or, if it has none, the start that the
// names of its first and last case have in common.
func (k *curve) title(label func(*result.Case) string) string {
	first, last := label(k.points[0].of), label(k.points[len(k.points)-1].of)
	n := 0
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	// The common start of f/64 and f/64KiB ends inside the value: cut it before the value.
	if text := k.points[0].text; text != "" {
		if at := strings.LastIndex(first, text); at >= 0 && at < n && n <= at+len(text) {
			n = at
		}
	}
	if stem := strings.TrimRight(strings.ToValidUTF8(first[:n], ""), "/=-_ .:"); len(stem) > 1 && k.name == "" {
		return stem
	}
	return cmp.Or(k.name, first)
}

// The roles of curves are series-1 to series-8.
func series(i int) drawing.Role { return drawing.Role(fmt.Sprintf("series-%d", i+1)) }

// axes cover all points, with 15 % more room for intervals on the axis of time. An axis
// is logarithmic if its ends differ by logFrom and are above zero.
func (c *chart) axes() (x, y axis) {
	xs, ys := window{math.Inf(1), math.Inf(-1)}, window{math.Inf(1), math.Inf(-1)}
	for _, k := range c.curves {
		for _, p := range k.points {
			xs.low, xs.high = min(xs.low, p.x), max(xs.high, p.x)
			ys.low, ys.high = min(ys.low, p.summary.Median), max(ys.high, p.summary.Median)
		}
	}
	x = newAxis(xs.low, xs.high, plotLeft+16, curveRight-10, xs.low > 0 && xs.high >= logFrom*xs.low)
	y = newAxis(ys.low/1.15, ys.high*1.15, plotTop+curveHeight, plotTop, ys.high >= logFrom*ys.low)
	if !y.log {
		y.low = 0 // heights are proportional to times only from zero on
	}
	return x, y
}

func scales(x, y axis) string {
	switch {
	case x.log && y.log:
		return "Both axes are logarithmic: a straight line is a power, and its slope the exponent."
	case y.log:
		return "The axis of time is logarithmic."
	case x.log:
		return "The axis of the parameter is logarithmic."
	}
	return "Both axes are linear."
}

func (c *chart) frame(d *drawing.Drawing, x, y axis) {
	ticks := y.ticks(6)
	grid(d, y, curveRight, ticks, y.tickLabels(ticks, "s"))
	var line path
	line.level(plotLeft, curveRight, y.from)
	addPath(d, drawing.Axis, line)
	write(d, plotLeft-8, plotTop-9, drawing.Start, drawing.Axis, "time"+c.per())
	c.values(d, x, y.from)
	write(d, (plotLeft+curveRight)/2, y.from+38, drawing.Middle, drawing.Axis, c.param)
}

// values labels the axis of the parameter with its values as they were written. It leaves
// out labels that would overlap the one before.
func (c *chart) values(d *drawing.Drawing, x axis, foot float64) {
	texts, labels := map[float64]string{}, labelRow{}
	for _, k := range c.curves {
		for _, p := range k.points {
			texts[p.x] = p.text
		}
	}
	var ticks path
	for _, value := range slices.Sorted(maps.Keys(texts)) {
		ticks.upright(x.at(value), foot, foot+4)
		labels.put(d, x.at(value), foot+18, drawing.Axis, texts[value])
	}
	addPath(d, drawing.Axis, ticks)
}

func (c *chart) curve(d *drawing.Drawing, i int, x, y axis, label func(*result.Case) string) {
	var line, whiskers path
	role := series(i)
	for j, p := range c.curves[i].points {
		px, py := x.at(p.x), y.at(p.summary.Median)
		if j == 0 {
			line.move(px, py)
		} else {
			line.line(px, py)
		}
		row := []string{label(p.of), p.text, units.Format(p.summary.Median, "s"), "", ""}
		if p.summary.Low != nil && p.summary.High != nil {
			whiskers.upright(px, y.at(max(*p.summary.Low, y.low)), y.at(*p.summary.High))
			row[3], row[4] = units.Format(*p.summary.Low, "s"), units.Format(*p.summary.High, "s")
		}
		d.Sheet.Rows = append(d.Sheet.Rows, row)
	}
	addPath(d, role, line)
	addPath(d, role, whiskers)
	for _, p := range c.curves[i].points {
		var dot path
		dot.dot(x.at(p.x), y.at(p.summary.Median))
		d.Marks = append(d.Marks, drawing.Mark{
			Role: role + "-dot",
			Path: string(dot),
			Tip:  label(p.of) + ": " + units.Format(p.summary.Median, "s"),
		})
	}
}

func (c *chart) desc(label func(*result.Case) string) string {
	var parts []string
	for i := range c.curves {
		k := &c.curves[i]
		first, last := k.points[0], k.points[len(k.points)-1]
		parts = append(parts, fmt.Sprintf("%s: %s at %s, %s at %s", k.title(label),
			units.Format(first.summary.Median, "s"), first.text, units.Format(last.summary.Median, "s"), last.text))
	}
	return strings.Join(parts, "; ")
}
