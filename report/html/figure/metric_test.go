package figure

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

// withMetric gives a case a column and its summary.
func withMetric(c *result.Case, name, unit string, xs ...float64) {
	c.Samples.Columns[name] = xs
	c.Metrics = append(c.Metrics, result.Summary{Metric: name, Unit: unit, N: len(xs), Median: median(xs), Min: slices.Min(xs), Max: slices.Max(xs)})
}

// What is the same in each sample, or what another metric says already, is no drawing.
func TestVarying(t *testing.T) {
	c := timed(1, 2, 3, 4)
	c.Kind = result.KindCommand
	c.Declared = []result.Declared{{Name: "hit_rate", Unit: result.Percent, Better: result.Higher}}
	withMetric(c, "wall", "s", 1, 2, 3, 4)
	withMetric(c, "cpu", "s", 1, 2, 3, 5)
	withMetric(c, "rss", "B", 7, 7, 7, 7)
	withMetric(c, "faults", "", 7, 8, 7, 7)
	withMetric(c, "hit_rate", result.Percent, 0.1, 0.12, 0.11, 0.12)
	c.Metrics = append(c.Metrics, result.Summary{Metric: "throughput", Unit: "1/s"}, result.Summary{Metric: "allocs", Exact: true})
	if got := Varying(c); !slices.Equal(got, []string{"cpu", "faults", "hit_rate"}) {
		t.Errorf("got %q", got)
	}
	c.Comparisons = []result.Comparison{{Metric: "faults"}}
	if got := Varying(c); !slices.Equal(got, []string{"faults", "cpu", "hit_rate"}) {
		t.Errorf("what is judged comes first: got %q", got)
	}
}

// Each metric has the axis of its unit.
func TestDrawingsOfOtherMetrics(t *testing.T) {
	c := timed(1, 2, 3, 4, 5, 6)
	c.Declared = []result.Declared{{Name: "share", Unit: result.Percent, Better: result.Higher}, {Name: "lines", Unit: "lines", Better: result.Higher}, {Name: "garbage", Unit: "B/op", Better: result.Lower}}
	withMetric(c, "rss", "B", 1<<20, 2<<20, 3<<20, 4<<20, 5<<20, 6<<20)
	withMetric(c, "share", result.Percent, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
	withMetric(c, "lines", "lines", 100, 200, 300, 400, 500, 600)
	withMetric(c, "garbage", "B/op", 1024, 2048, 3072, 4096, 5120, 6144)
	for metric, want := range map[string]string{"rss": " MiB", "share": "0 %", "lines": "00 lines", "garbage": " KiB/op"} {
		d, s := DistributionOf(c, metric), StripOf(c, metric)
		if d == nil || s == nil {
			t.Errorf("%s is not drawn", metric)
			continue
		}
		for _, one := range []*drawing.Drawing{d, s} {
			check(t, one)
			if texts := strings.Join(texts(one, drawing.Axis), "|"); !strings.Contains(texts, want) {
				t.Errorf("%s: %q is not on the axis of %q: %s", metric, want, one.Title, texts)
			}
			if !strings.Contains(one.Title, metric) {
				t.Errorf("%s: title %q", metric, one.Title)
			}
		}
	}
	if DistributionOf(c, "cycles") != nil || StripOf(c, "cycles") != nil {
		t.Error("what was not measured is drawn")
	}
}

// A histogram has an axis of how many samples a bar holds, to both sides where there is
// a base, and a curve says what its height is.
func TestAxesAreNamed(t *testing.T) {
	d := Distribution(timed(1, 1, 1, 1, 1, 1, 2, 2, 3, 4))
	if got := strings.Join(texts(d, drawing.Axis), "|"); !strings.HasPrefix(got, "2|4|6|samples|") {
		t.Errorf("axis of a histogram: %s", got)
	}
	c := timed(1, 2, 3)
	c.Pairs = &result.Pairs{Samples: timed(2, 3, 4).Samples}
	if got := strings.Join(texts(Distribution(c), drawing.Axis), "|"); !strings.HasPrefix(got, "1|1|samples|") {
		t.Errorf("axes of two sides: %s", got)
	}
	all, _ := Curves(sized("a", 1000, 10, 100), name)
	if got := texts(all[0], drawing.Axis); !slices.Contains(got, "time") {
		t.Errorf("texts of a curve: %q", got)
	}
}

// Ticks and bars of bytes are round as people write bytes.
func TestBytesAreRound(t *testing.T) {
	for x, want := range map[float64]float64{0.3: 0.5, 1: 1, 700: 1024, 1500: 2 << 10, 300 << 10: 500 << 10, 600 << 10: 1 << 20, 3 << 30: 5 << 30} {
		if got := stepIn("B", x); got != want {
			t.Errorf("%g B: got %g, want %g", x, got, want)
		}
	}
	c := timed(1, 2, 3, 4)
	withMetric(c, "rss", "B", 47.2*(1<<20), 49.1*(1<<20), 51.8*(1<<20), 50*(1<<20))
	if got := strings.Join(texts(DistributionOf(c, "rss"), drawing.Axis), "|"); got != "1|samples|48 MiB|50 MiB|52 MiB" {
		t.Errorf("ticks %s", got)
	}
}

// Only times are faster and slower.
func TestForestOfOtherMetrics(t *testing.T) {
	o := result.Comparison{Metric: "rss", Ratio: 1.2, Change: result.Worse}
	d, _ := Forest([]Row{{"a", "+20%", "", &o}})
	if texts := strings.Join(texts(d, drawing.Axis), "|"); !strings.Contains(texts, "more than the base") || strings.Contains(texts, "slower") || d.Title != "Ratios of rss, case ÷ base" {
		t.Errorf("%q: %s", d.Title, texts)
	}
}
