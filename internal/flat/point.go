package flat

import (
	"slices"
	"strings"

	"example.com/suite/result"
)

// Point is a number of a row as monitoring systems keep it: a gauge under a name, and labels
// that together make its series.
type Point struct {
	Name   string // time, low_time, change_ratio, gate_passed …; metrics of a suite's own begin with metric_
	Unit   string // as in Row; Ratio for ratios
	Help   string
	Value  float64
	Labels []Label
}

// Label is a property of a series.
type Label struct{ Name, Value string }

// Ratio is the unit of the ratios of points.
const Ratio = "ratio"

// Points returns the numbers of a row: a value, a ratio and the ends of their intervals, or 1
// for a gate that passed and 0 for any other.
func (r *Row) Points() (points []Point) {
	labels := r.labels()
	if r.Gate != "" {
		passed := 0.0
		if r.Verdict == string(result.Pass) {
			passed = 1
		}
		return []Point{{"gate_passed", "", "1 if the gate passed, else 0", passed,
			slices.Concat(labels, []Label{{"gate", r.Gate}, {"verdict", r.Verdict}})}}
	}
	name := r.Metric
	known, ok := result.FindMetric(name)
	help := known.Help
	if !ok {
		name, help = "metric_"+name, "metric of a suite: "+name
	}
	of := labels
	if r.Per != "" {
		of = slices.Concat(labels, []Label{{"per", r.Per}})
	}
	compared := slices.Concat(labels, []Label{{"metric", r.Metric}})
	for _, p := range []struct {
		x *float64
		Point
	}{
		{r.Value, Point{Name: name, Unit: r.Unit, Help: "median: " + help, Labels: of}},
		{r.Low, Point{Name: "low_" + name, Unit: r.Unit, Help: "lower end of the interval of the median: " + help,
			Labels: of}},
		{r.High, Point{Name: "high_" + name, Unit: r.Unit, Help: "upper end of the interval of the median: " + help,
			Labels: of}},
		{r.Ratio, Point{Name: "change_ratio", Unit: Ratio, Help: "case over base, by pairs", Labels: compared}},
		{r.RatioLow, Point{Name: "low_change_ratio", Unit: Ratio, Help: "lower end of the interval of case over base",
			Labels: compared}},
		{r.RatioHigh, Point{Name: "high_change_ratio", Unit: Ratio, Help: "upper end of the interval of case over base",
			Labels: compared}},
	} {
		if p.x != nil {
			p.Value = *p.x
			points = append(points, p.Point)
		}
	}
	return points
}

// labels returns what identifies the case, with the machine: times of two machines are two
// series. Commits are not labels, because each would begin a series of its own.
func (r *Row) labels() []Label {
	labels := []Label{{"suite", r.Suite}, {"case", r.Case}}
	var params []Label
	for name, text := range r.Params {
		params = append(params, Label{"param_" + name, text})
	}
	slices.SortFunc(params, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
	return append(append(labels, params...), Label{"machine", r.Machine})
}
