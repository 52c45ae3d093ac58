package table

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/report/column"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// A verdict has one colour, whatever the sign of the change.
func TestComparisonsAreColouredByVerdict(t *testing.T) {
	for _, c := range []struct {
		ratio     float64
		RatioText result.Change
		want      page.Tone
	}{
		{1.2, result.Worse, page.Bad}, {0.8, result.Worse, page.Bad}, {0.8, result.Better, page.Good}, {1.2, result.Better, page.Good},
		{1.02, result.Same, page.Faint}, {0.98, result.Same, page.Faint},
	} {
		d := reporttest.Document("s")
		reporttest.Against(reporttest.Measure(d, "a", 1e-6, 0.01), "b", c.ratio, c.ratio-0.01, c.ratio+0.01, c.RatioText)
		if got := column.Versus(&d.Cases[0]); got.Tone != c.want || got.Word != string(c.RatioText) {
			t.Errorf("%v %s: class %v with the word %q", c.ratio, c.RatioText, got.Tone, got.Word)
		}
	}
}

// An unclear change has no number that could be taken for a finding.
func TestUnclearShowsAnInterval(t *testing.T) {
	d := reporttest.Document("s")
	reporttest.Against(reporttest.Measure(d, "a", 1e-6, 0.01), "b", 1.0152, 0.99, 1.04, result.Unclear)
	if got := column.Versus(&d.Cases[0]); got.Number != "" || got.Marks[0].Text != "unclear (−1.0% … +4.0%)" {
		t.Errorf("%+v", got)
	}
}

func TestChange(t *testing.T) {
	for want, ratio := range map[string]float64{
		"+7.2%": 1.072, "−0.4%": 0.996, "0.0%": 1.00001, "+900.0%": 9.999999, "×12.3": 12.3, "×1001": 1001, "×1000": 999.9, "×1235": 1234.7, "−100.0%": 0, "×∞": math.Inf(1),
	} {
		if got := number.RatioText(ratio, 1); got != want {
			t.Errorf("change(%v) = %q, want %q", ratio, got, want)
		}
	}
}

// Only metrics that moved like the time are marked, and none if the time has not
// moved.
func TestSidesPointAtWhatMovedAlike(t *testing.T) {
	d := reporttest.Compared()
	c := &d.Cases[1]
	reporttest.BothCount(c, "faults", 100, 400)
	if s := SidesOf(d, c); !strings.HasSuffix(s.Hint, ": instructions") {
		t.Errorf("hint %q of %+v", s.Hint, s.Rows)
	}
	c.Comparisons[0].Change = result.Same
	if s := SidesOf(d, c); s.Hint != "" {
		t.Errorf("hint %q where the time is the same", s.Hint)
	}
}

// A time that may have moved either way has no ratio that others could share.
func TestSidesPointAtNothingWhereTheTimeMayNotHaveMoved(t *testing.T) {
	d := reporttest.Compared()
	c := &d.Cases[1]
	o := &c.Comparisons[0]
	low := 1 / float64(o.Ratio)
	o.Change, o.Low = result.Unclear, &low
	if s := SidesOf(d, c); s.Hint != "" {
		t.Errorf("hint %q", s.Hint)
	}
}

// A metric is named only if its own ratio is close to the time's and its own interval
// excludes no change, however wide the time's interval is.
func TestSidesPointAtNoChangeOfAnotherSize(t *testing.T) {
	vary := func(scale func(i int) float64) func(*result.Case) {
		return func(c *result.Case) {
			for i := range c.Samples.Len() {
				c.Samples.Columns["rss"] = append(c.Samples.Columns["rss"], scale(i)*1e6)
				c.Pairs.Samples.Columns["rss"] = append(c.Pairs.Samples.Columns["rss"], 1e6)
			}
		}
	}
	writes := func(base, own float64) func(*result.Case) {
		return func(c *result.Case) {
			for range c.Samples.Len() {
				c.Samples.Columns["written_bytes"] = append(c.Samples.Columns["written_bytes"], own)
				c.Pairs.Samples.Columns["written_bytes"] = append(c.Pairs.Samples.Columns["written_bytes"], base)
			}
		}
	}
	for _, c := range []struct {
		name string
		give func(*result.Case)
		want string
	}{
		{"one more digit is written", writes(4, 5), ""},
		{"another megabyte is written", writes(4e6, 5e6), "written_bytes"},
		{"close", vary(func(i int) float64 { return 1.25 + 0.002*float64(i%5) }), "rss"},
		{"+6.8% against +24.8%", vary(func(int) float64 { return 1.068 }), ""},
		{"close in the median, and as often less", vary(func(i int) float64 { return []float64{0.5, 0.5, 1.25, 1.25, 1.3}[i/2%5] }), ""},
		{"counted, and once as few as in the base", func(c *result.Case) {
			*c.Summary("allocs") = result.Summary{Metric: "allocs", Exact: true, N: 3, Median: 125, Min: 100, Max: 125}
		}, ""},
		{"one pair", func(c *result.Case) {
			c.Comparisons[0].Low, c.Comparisons[0].High = nil, nil
			vary(func(int) float64 { return 1.248 })(c)
		}, ""},
	} {
		d := reporttest.Document("s")
		reporttest.Allocates(reporttest.Measure(d, "b", 1e-3, 0.01), 100, 128)
		own := reporttest.Measure(d, "a", 1.248e-3, 0.01)
		reporttest.Against(own, "b", 1.248, 1.036, 2.03, result.Worse)
		reporttest.Allocates(own, 100, 128)
		c.give(own)
		s := SidesOf(d, own)
		if _, got, _ := strings.Cut(s.Hint, ": "); got != c.want {
			t.Errorf("%s: it names %q, want %q: %+v", c.name, got, c.want, s.Rows)
		}
	}
}

// A change shows both ends of its interval, which a reader compares with 0 and a tolerance.
func TestChangesShowBothEnds(t *testing.T) {
	for _, c := range []struct {
		ratio, low, high float64
		want             string
	}{
		{1.177, 1.036, 2.033, "(+3.6% … +103.3%)"}, {1.072, 1.061, 1.083, "(+6.1% … +8.3%)"}, {1.141, 0.99, 1.34, "(−1.0% … +34.0%)"},
		{1.0002, 0.9999, 1.0006, "(−0.01% … +0.06%)"}, {1.5, 1.49999, 1.50001, "± <0.01%"}, {12.3, 11, 14, "(×11 … ×14)"},
	} {
		d := reporttest.Document("s")
		reporttest.Against(reporttest.Measure(d, "a", 1e-6, 0.01), "b", c.ratio, c.low, c.high, result.Worse)
		if got := column.Versus(&d.Cases[0]).Spread; got != c.want {
			t.Errorf("%v within %v and %v: %q, want %q", c.ratio, c.low, c.high, got, c.want)
		}
	}
}
