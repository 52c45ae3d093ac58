package figure

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func ptr[T any](x T) *T { return &x }

// timed is a case whose samples have these times, in one block.
func timed(times ...float64) *result.Case {
	c := &result.Case{Kind: result.KindGo, Status: result.Measured, Unit: "op", Name: "a"}
	c.Samples = samplesOf(times...)
	xs, _, _ := c.Samples.Headline("time")
	c.Metrics = []result.Summary{{Metric: "time", Unit: "s", N: len(xs), Median: median(xs), Min: times[0], Max: times[len(times)-1]}}
	return c
}

func median(xs []float64) float64 { return xs[len(xs)/2] }

func samplesOf(times ...float64) result.Samples {
	s := result.Samples{Columns: map[string]result.Column{"time": times}}
	for i := range times {
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i), append(s.At, float64(i)/10)
	}
	return s
}

// paths gives those of a role, joined.
func paths(d *drawing.Drawing, role drawing.Role) string {
	var out []string
	for _, m := range d.Marks {
		if m.Role == role {
			out = append(out, m.Path)
		}
	}
	return strings.Join(out, " ")
}

func texts(d *drawing.Drawing, role drawing.Role) (out []string) {
	for _, l := range d.Labels {
		if l.Role == role {
			out = append(out, l.Text)
		}
	}
	return out
}

func TestRoundStep(t *testing.T) {
	for x, want := range map[float64]float64{1: 1, 1.01: 2, 2: 2, 3: 5, 5.1: 10, 0.0021: 0.005, 1e-9: 1e-9, 7e-9: 1e-8} {
		if got := roundStep(x); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%g: got %g, want %g", x, got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		a    axis
		n    int
		want []string
	}{
		{axis{low: 0, high: 10, to: 1}, 5, []string{"0 s", "2 s", "4 s", "6 s", "8 s", "10 s"}},
		{axis{low: 1.21e-3, high: 1.2142e-3, to: 1}, 5, []string{"1.210 ms", "1.211 ms", "1.212 ms", "1.213 ms", "1.214 ms"}},
		{axis{low: -0.1, high: 0.1, to: 1}, 4, []string{"-100 ms", "-50 ms", "0 ms", "50 ms", "100 ms"}},
		{axis{low: 0.99e-9, high: 1.1e-3, to: 1, log: true}, 6, []string{"1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms"}},
		{axis{low: 1.5e-6, high: 60e-6, to: 1, log: true}, 6, []string{"2 µs", "5 µs", "10 µs", "20 µs", "50 µs"}},
		{axis{low: 1e-9, high: 1e3, to: 1, log: true}, 4, []string{"1 ns", "1 µs", "1 ms", "1 s", "16.67 min"}},
	} {
		if got := c.a.tickLabels(c.a.ticks(c.n), "s"); !cmp.Equal(got, c.want) {
			t.Errorf("%v: got %q, want %q", c.a, got, c.want)
		}
	}
}

// Times that differ in their last bit have an axis, too.
func TestTicksOfAlmostEqualNumbers(t *testing.T) {
	low := 1e4
	high := math.Nextafter(low, 2*low)
	if n := len((axis{low: low, high: high, to: 1}).ticks(5)); n > mostTicks {
		t.Errorf("%d ticks", n)
	}
	if d := Distribution(timed(low, high, low, high)); d == nil || len(d.Labels) > 2*mostTicks {
		t.Errorf("got %+v", d)
	}
}

func TestAxisKeepsWithinItsEnds(t *testing.T) {
	line := axis{low: 10, high: 20, from: 100, to: 0}
	power := axis{low: 1, high: 100, from: 0, to: 10, log: true}
	for _, c := range []struct{ got, want float64 }{
		{line.at(10), 100}, {line.at(15), 50}, {line.at(20), 0}, {line.at(9), 100}, {line.at(1e9), 0},
		{power.at(10), 5}, {power.at(100), 10}, {power.at(0.1), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("got %g, want %g", c.got, c.want)
		}
	}
	if same := newAxis(5, 5, 0, 100, false); same.at(5) != 50 {
		t.Errorf("the only number is at %g, not in the middle", same.at(5))
	}
}

// A sample on an edge belongs to the bin above it, whatever floats make of the edge;
// what lies outside is counted and not shown.
func TestBins(t *testing.T) {
	b := binned([]float64{0.1, 0.2, 0.3, 0.3, 0.35, 0.7, -1, 9}, 0.1, 0.1, 3)
	if want := (bins{from: 0.1, width: 0.1, counts: []int{1, 1, 3}, below: 1, above: 2}); !cmp.Equal(b, want, cmp.AllowUnexported(bins{})) {
		t.Errorf("got %+v", b)
	}
}

// The tallest bar fills its side, the others follow their counts, and the median
// stands where it is.
func TestDistribution(t *testing.T) {
	c := timed(1, 1, 1, 1, 2, 2, 3, 5)
	c.Metrics[0].Median, c.Metrics[0].Low, c.Metrics[0].High, c.Metrics[0].Confidence = 2, ptr(1.0), ptr(3.0), 0.95
	d := Distribution(c)
	// Edges 1, 1.5 … 5.5 from 64 to 530: 103.6 a second. 102 high for four samples.
	if got, want := paths(d, drawing.Case), "M64.5 130H115.3V28H64.5ZM168.1 130H218.8V79H168.1ZM271.6 130H322.4V104.5H271.6ZM478.7 130H529.5V104.5H478.7Z"; got != want {
		t.Errorf("bars\n got %s\nwant %s", got, want)
	}
	if got, want := paths(d, drawing.Median), "M167.6 18V130"; got != want {
		t.Errorf("median %s, want %s", got, want)
	}
	if got, want := paths(d, drawing.Interval), "M64 22H271.1V130H64Z"; got != want {
		t.Errorf("interval %s, want %s", got, want)
	}
	if want := "Each bar is 500 ms wide; the tallest holds 4 samples. The band is the 95% interval of the median."; d.Caption != want {
		t.Errorf("caption %q", d.Caption)
	}
}

// One stall does not press all other samples into one bar.
func TestFarOutSamplesAreNamed(t *testing.T) {
	d := Distribution(timed(1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 100))
	if got := strings.Join(texts(d, drawing.Axis), " "); !strings.Contains(got, "1 above →") {
		t.Errorf("texts %s", got)
	}
	if n := strings.Count(paths(d, drawing.Case), "Z"); n < 4 {
		t.Errorf("%d bars", n)
	}
}

func TestEqualSamplesAreOneBar(t *testing.T) {
	d := Distribution(timed(2, 2, 2))
	if n := strings.Count(paths(d, drawing.Case), "Z"); n != 1 || d.Caption != "All samples are equal." {
		t.Errorf("%d bars, %q", n, d.Caption)
	}
	if Distribution(timed(2)) != nil || Strip(timed(2)) != nil {
		t.Error("one sample is drawn")
	}
}

// Samples stand in their order; one that lost the processor is a ring, one far out an
// arrow.
func TestStrip(t *testing.T) {
	c := timed(1, 1.1, 1.2, 50, 1.3, 1.2, 1.1, 1.2)
	c.Samples.Disturbed = []result.Disturbed{{Index: 1, Cause: result.Preempted, Count: 1}}
	c.Samples.Launch = []int{0, 0, 0, 0, 1, 1, 1, 1}
	d := Strip(c)
	if n := strings.Count(paths(d, drawing.CaseDot), "h0"); n != 6 {
		t.Errorf("%d dots", n)
	}
	if n := strings.Count(paths(d, drawing.Disturbed), "M"); n != 1 || !strings.HasPrefix(paths(d, drawing.Disturbed), "M148.8") {
		t.Errorf("rings %s", paths(d, drawing.Disturbed))
	}
	if n := strings.Count(paths(d, drawing.Beyond), "Z"); n != 1 {
		t.Errorf("%d arrows", n)
	}
	if got := paths(d, drawing.Border); got != "M297 22V156" {
		t.Errorf("launches are parted by %s", got)
	}
	if want := "8 samples; the median of the first half is 1.15 s, that of the second 1.2 s"; d.Desc != want {
		t.Errorf("it says %q", d.Desc)
	}
}

// More samples than can be told apart stand for each other, and the drawing says so.
func TestStripOfManySamples(t *testing.T) {
	times := make([]float64, 1000)
	for i := range times {
		times[i] = 1 + float64(i%5)/10
	}
	d := Strip(timed(times...))
	if n := strings.Count(paths(d, drawing.CaseDot), "h0"); n != 200 {
		t.Errorf("%d dots", n)
	}
	if !strings.Contains(d.Caption, "the median of 5 samples in a row") {
		t.Errorf("caption %q", d.Caption)
	}
}

func TestSpreadKeepsOrderAndBounds(t *testing.T) {
	for _, c := range []struct{ at, want []float64 }{
		{[]float64{10, 50}, []float64{10, 50}},
		{[]float64{10, 10, 12}, []float64{10, 20, 30}},
		{[]float64{95, 90}, []float64{100, 90}},
		{[]float64{99, 98, 97}, []float64{100, 90, 80}},
		{[]float64{-5}, []float64{0}},
	} {
		if got := spread(c.at, 10, 0, 100); !cmp.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.at, got, c.want)
		}
	}
}

// One failure of 10,000 gates is seen.
func TestSharesShowTheSmallest(t *testing.T) {
	d := Shares("gates", []Part{{drawing.Bad, "failed", 1}, {drawing.Doubtful, "undecided", 0}, {drawing.Good, "passed", 9999}})
	if len(d.Marks) != 2 || d.Marks[0].Path != "M0 0H2.1V12H0Z" || d.Marks[0].Tip != "failed: 1" {
		t.Errorf("got %+v", d.Marks)
	}
	if d.Desc != "1 failed, 9999 passed" {
		t.Errorf("it says %q", d.Desc)
	}
	if Shares("gates", []Part{{drawing.Good, "passed", 0}}) != nil {
		t.Error("nothing is drawn")
	}
}
