package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

const (
	curveWidth  = 1120
	curveHeight = 300
	curveRight  = curveWidth - plotMargin
	mostCurves  = 8  // of one drawing: more colours cannot be distinguished
	leastPoints = 3  // of a curve: two points are always a straight line
	mostCharts  = 12 // of one suite
	logFrom     = 8  // an axis whose ends differ by this factor is logarithmic
	nameLength  = 32 // letters of a curve's name that there is room for
)

// Curves draws the time of cases over each parameter that is a number, with a curve for
// each combination of the other parameters. label returns the name of a case. left is the
// number of drawings beyond mostCharts, which are not returned.
func Curves(cases []*result.Case, label func(*result.Case) string) (out []*drawing.Drawing, left int) {
	for _, chart := range charts(cases) {
		for first := 0; first < len(chart.curves); first += mostCurves {
			part := chart
			part.curves = chart.curves[first:min(first+mostCurves, len(chart.curves))]
			if len(out) == mostCharts {
				left++
				continue
			}
			out = append(out, part.draw(label))
		}
	}
	return out, left
}

// chart is what is drawn over one parameter in one unit.
type chart struct {
	param, unit string
	curves      []curve
}

// curve is the cases that differ in the parameter alone.
type curve struct {
	name   string // the other parameters
	place  string
	points []point
}

type point struct {
	x       float64
	text    string // of the parameter, as it was written
	summary *result.Summary
	of      *result.Case
}

// charts groups cases into curves. Cases are of one benchmark if they have the same place
// in the suite file.
func charts(cases []*result.Case) (out []chart) {
	for _, c := range cases {
		s := c.Summary(headline)
		if c.Status != result.Measured || s == nil || s.Bound != nil || !(s.Median > 0) {
			continue
		}
		for i, p := range c.Params {
			if p.Number != nil && !math.IsInf(*p.Number, 0) {
				chart := chartFor(&out, p.Name, c.Unit)
				chart.addPoint(c.Place.String(), others(c, i), point{*p.Number, p.Text, s, c})
			}
		}
	}
	for i := range out {
		out[i].tidy()
	}
	return slices.DeleteFunc(out, func(c chart) bool { return len(c.curves) == 0 })
}

func chartFor(all *[]chart, param, unit string) *chart {
	i := slices.IndexFunc(*all, func(c chart) bool { return c.param == param && c.unit == unit })
	if i < 0 {
		*all, i = append(*all, chart{param: param, unit: unit}), len(*all)
	}
	return &(*all)[i]
}

func (c *chart) addPoint(place, name string, p point) {
	i := slices.IndexFunc(c.curves, func(k curve) bool { return k.place == place && k.name == name })
	if i < 0 {
		c.curves, i = append(c.curves, curve{name: name, place: place}), len(c.curves)
	}
	c.curves[i].points = append(c.curves[i].points, p)
}

// others lists all parameters but one: hash=fnv, mode=fast.
func others(c *result.Case, but int) string {
	var parts []string
	for i, p := range c.Params {
		if i != but {
			parts = append(parts, p.Name+"="+p.Text)
		}
	}
	return strings.Join(parts, ", ")
}

// tidy sorts the points of curves, and drops curves with too few, with two at the same
// place, or of several machines, whose times cannot be compared.
func (c *chart) tidy() {
	for i := range c.curves {
		slices.SortStableFunc(c.curves[i].points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	}
	c.curves = slices.DeleteFunc(c.curves, func(k curve) bool {
		xs, machines := map[float64]bool{}, map[int]bool{}
		for _, p := range k.points {
			xs[p.x] = true
			machines[p.of.Shard] = true
		}
		return len(xs) < leastPoints || len(xs) < len(k.points) || len(machines) > 1
	})
}
