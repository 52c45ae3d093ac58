package figure

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// paired is a case of commands whose pairs have these ratios.
func paired(o result.Comparison, ratios ...float64) *result.Case {
	base := make([]float64, len(ratios))
	for i := range base {
		base[i] = 1
	}
	c := timed(ratios...)
	c.Kind = result.KindCommand
	c.Pairs = &result.Pairs{Base: "b", Iterations: 1, Samples: samplesOf(base...), First: make([]int, len(ratios))}
	o.Metric, o.Unit, o.Pairs, o.Used = "time", "s", len(ratios), len(ratios)
	c.Comparisons = []result.Comparison{o}
	return c
}

func repeated(x float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// At α = 1 % nine pairs on one side are the least that decide (statistics.md): the
// line of that statement ends there, and the others are not shown.
func TestEvidenceEndsWhereItWasDecided(t *testing.T) {
	c := paired(result.Comparison{Ratio: 1.1, Low: ptr(1.05), High: ptr(1.15), Alpha: 0.01, Tolerance: 0.03, Change: result.Worse}, repeated(1.1, 12)...)
	d := Evidence(c, &c.Comparisons[0])
	if want := "pairs: 12; worse was shown after 9; better was not shown; not worse was not shown; not better was shown after 9"; d.Desc != want {
		t.Errorf("it says %q", d.Desc)
	}
	if n := strings.Count(paths(d, drawing.Bad), "L"); n != 8 {
		t.Errorf("the line has %d stretches, want 8", n)
	}
	if n := strings.Count(paths(d, drawing.Good), "L"); n != 11 {
		t.Errorf("that of better has %d stretches, want 11", n)
	}
	if want := []string{"9", "10", "12"}; !cmp.Equal(column(d.Sheet, 0), want) {
		t.Errorf("rows %q", column(d.Sheet, 0))
	}
}

func column(s *drawing.Sheet, i int) (out []string) {
	for _, row := range s.Rows {
		out = append(out, row[i])
	}
	return out
}

// Of a rate more is better.
func TestEvidenceKnowsTheDirection(t *testing.T) {
	c := paired(result.Comparison{Ratio: 1.1, Low: ptr(1.05), High: ptr(1.15), Alpha: 0.01, Tolerance: 0.03}, repeated(0.9, 12)...)
	o := c.Comparisons[0]
	o.Metric = "throughput"
	if d := Evidence(c, &o); !strings.Contains(d.Desc, "; better was shown after 9; worse was not shown") {
		t.Errorf("it says %q", d.Desc)
	}
}

// Where pairs did not decide there is no path.
func TestNoEvidence(t *testing.T) {
	c := paired(result.Comparison{Ratio: 1, Alpha: 0.01, Change: result.Unclear, Reason: "too few"}, 1, 1, 1)
	exact := result.Comparison{Metric: "time", Exact: true, Ratio: 1, Alpha: 0.01}
	for _, o := range []*result.Comparison{nil, &c.Comparisons[0], &exact} {
		if d := Evidence(c, o); d != nil {
			t.Errorf("%+v: %+v", o, d)
		}
	}
}

func TestRatios(t *testing.T) {
	c := paired(result.Comparison{Ratio: 1.1, Low: ptr(1.05), High: ptr(1.15), Alpha: 0.01, Tolerance: 0.25}, 1.1, 1.2, 0.9, 1.1)
	d := Ratios(c, &c.Comparisons[0])
	if n := strings.Count(paths(d, drawing.CaseDot), "h0"); n != 4 {
		t.Errorf("%d dots", n)
	}
	// From −20 % to +25 % over 150 units: +15 % is 33.3 below the top, +5 % 66.7.
	if got, want := paths(d, drawing.Interval), "M64 55.3H530V88.7H64Z"; got != want {
		t.Errorf("interval %s, want %s", got, want)
	}
	if want := []string{"−20%", "−10%", "same", "+10%", "+20%", "first pair", "last pair"}; !cmp.Equal(texts(d, drawing.Axis), want) {
		t.Errorf("axis %q", texts(d, drawing.Axis))
	}
	if d.Desc != "in 3 of 4 pairs the case has more than its base" {
		t.Errorf("it says %q", d.Desc)
	}
}

// The worst stands first, and what changed least is left to the table.
func TestForestOrder(t *testing.T) {
	var rows []Row
	for i, change := range []result.Change{result.Same, result.Better, result.Unclear, result.Worse, result.Worse} {
		rows = append(rows, Row{fmt.Sprint(i), string(change), "", &result.Comparison{Change: change, Ratio: result.Ratio(1 + float64(i)/10), Tolerance: 0.03}})
	}
	d, left := Forest(rows)
	if got := strings.Join(texts(d, drawing.Strong), ""); got != "43201" || left != 0 {
		t.Errorf("order %s, %d left", got, left)
	}
	better := []Row{{"−98", "", "", &result.Comparison{Change: result.Better, Ratio: 0.02}}, {"−23", "", "", &result.Comparison{Change: result.Better, Ratio: 0.77}}}
	if d, _ := Forest(better); texts(d, drawing.Strong)[0] != "−23" {
		t.Errorf("the worst of what has become better is %q", texts(d, drawing.Strong)[0])
	}
	for range mostRows {
		rows = append(rows, rows[0])
	}
	if d, left = Forest(rows); left != 5 || texts(d, drawing.Strong)[0] != "4" {
		t.Errorf("%d left, first %q", left, texts(d, drawing.Strong)[0])
	}
	if d, _ = Forest(nil); d != nil {
		t.Error("nothing is drawn")
	}
}

// The caption explains intervals and the tolerance only if there are any.
func TestForestCaption(t *testing.T) {
	o := result.Comparison{Change: result.Worse, Ratio: 1.2}
	if d, _ := Forest([]Row{{"a", "", "", &o}}); d.Caption != "Each dot is a ratio. Worst first." {
		t.Errorf("got %q", d.Caption)
	}
	o.Low, o.High, o.Tolerance = ptr(1.1), ptr(1.3), 0.03
	want := "Each line is the interval of a ratio, the dot its estimate; the grey band is the tolerance, a change too small to care about. Worst first."
	if d, _ := Forest([]Row{{"a", "", "", &o}}); d.Caption != want {
		t.Errorf("got %q", d.Caption)
	}
}

// 1 lies in the middle of the plot; half and double are as far from it.
func TestForestIsSymmetric(t *testing.T) {
	a := ratioAxis([]Row{{Comparison: &result.Comparison{Ratio: 2, Tolerance: 0.03}}})
	if middle := (a.from + a.to) / 2; math.Abs(a.at(1)-middle) > 1e-9 || math.Abs(a.at(0.5)+a.at(2)-2*middle) > 1e-9 {
		t.Errorf("1 at %g of %g to %g", a.at(1), a.from, a.to)
	}
}

// sized are cases of a matrix over a size.
func sized(hash string, sizes ...float64) (out []*result.Case) {
	for _, n := range sizes {
		c := timed(n*1e-9, n*1e-9)
		c.Name = fmt.Sprintf("%s/%g", hash, n)
		c.Params = []result.Param{{Name: "hash", Text: hash}, {Name: "size", Text: fmt.Sprint(n), Number: ptr(n)}}
		out = append(out, c)
	}
	return out
}

func name(c *result.Case) string { return c.Name }

// Time that grows as the size does is a straight line on logarithmic axes.
func TestCurvesOfALinearTime(t *testing.T) {
	all, left := Curves(append(sized("a", 1000, 10, 100), sized("b", 1, 2)...), name)
	if len(all) != 1 || left != 0 {
		t.Fatalf("%d drawings, %d left", len(all), left)
	}
	d := all[0]
	var x, y [3]float64
	if n, err := fmt.Sscanf(strings.NewReplacer("M", "", "L", " ").Replace(d.Marks[len(d.Marks)-4].Path), "%f %f %f %f %f %f", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]); n != 6 {
		t.Fatalf("%s: %v", paths(d, "series-1"), err)
	}
	if math.Abs(x[2]-2*x[1]+x[0]) > 0.2 || math.Abs(y[2]-2*y[1]+y[0]) > 0.2 || y[2] >= y[0] {
		t.Errorf("not a line that climbs: %v %v", x, y)
	}
	if got := texts(d, "series-1"); !cmp.Equal(got, []string{"hash=a"}) {
		t.Errorf("it is called %q; two sizes of b are no curve", got)
	}
	if d.Title != "Time over size" || len(d.Sheet.Rows) != 3 || d.Sheet.Rows[0][2] != "10 ns" {
		t.Errorf("%s, %q", d.Title, d.Sheet.Rows)
	}
}

// A reader must not take the edge of a drawing for the end of an interval.
func TestACutIntervalIsExplained(t *testing.T) {
	cases := sized("a", 10, 20, 30)
	const said = "Intervals that reach the upper edge end above it."
	all, _ := Curves(cases, name)
	if strings.Contains(all[0].Caption, said) {
		t.Errorf("nothing is cut: %s", all[0].Caption)
	}
	cases[1].Metrics[0].Low, cases[1].Metrics[0].High = ptr(19e-9), ptr(50e-9)
	if all, _ = Curves(cases, name); !strings.Contains(all[0].Caption, said) {
		t.Errorf("50 ns is above the axis: %s", all[0].Caption)
	}
}

// No line is drawn from the time on one machine to the time on another.
func TestACurveIsOfOneMachine(t *testing.T) {
	cases := sized("a", 10, 100, 1000)
	for _, c := range cases {
		c.Shard = 2
	}
	if all, _ := Curves(cases, name); len(all) != 1 {
		t.Errorf("%d drawings of one machine", len(all))
	}
	cases[1].Shard = 1
	if all, _ := Curves(cases, name); len(all) != 0 {
		t.Errorf("%d drawings of two machines", len(all))
	}
}

// A curve is named by what its cases share, and not by the first of its values where
// the last one begins with the same digits.
func TestCurvesAreNamedWithoutTheirValue(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{{"sha256/%s", "sha256"}, {"a/size=%s/x", "a/size"}, {"sort %s numbers", "sort"}} {
		var cases []*result.Case
		for i, text := range []string{"64", "1KiB", "64KiB"} {
			n := []float64{64, 1024, 65536}[i]
			k := timed(n*1e-9, n*1e-9)
			k.Name, k.Params = fmt.Sprintf(c.pattern, text), []result.Param{{Name: "size", Text: text, Number: &n}}
			cases = append(cases, k)
		}
		all, _ := Curves(cases, name)
		if got := texts(all[0], "series-1"); !cmp.Equal(got, []string{c.want}) {
			t.Errorf("%s: it is called %q, want %q", c.pattern, got, c.want)
		}
	}
}

// More curves than can be told apart are several drawings.
func TestCurvesAreCut(t *testing.T) {
	var cases []*result.Case
	for i := range 20 {
		cases = append(cases, sized(fmt.Sprint("h", i), 1, 10, 100)...)
	}
	if all, left := Curves(cases, name); len(all) != 3 || left != 0 {
		t.Errorf("%d drawings of 20 curves, %d left", len(all), left)
	}
}
