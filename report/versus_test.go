package report

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// against gives a case 40 pairs with a base, two of each set-up, whose times are shorter by the ratio,
// and what they say about the time.
func against(c *result.Case, base string, ratio, low, high float64, verdict result.Change) *result.Comparison {
	reporttest.Sample(c, 40, c.Summary("time").Median, 0.01)
	for i := range c.Samples.Block {
		c.Samples.Block[i] = i / 2
	}
	p := &result.Pairs{Base: base, Iterations: c.Iterations, Samples: result.Samples{Columns: map[string]result.Column{}}}
	p.Samples.Launch, p.Samples.Block, p.Samples.At = c.Samples.Launch, c.Samples.Block, c.Samples.At
	for name, col := range c.Samples.Columns {
		for _, x := range col {
			p.Samples.Columns[name] = append(p.Samples.Columns[name], reporttest.Digits(x/ratio, 6))
		}
	}
	for i := range c.Samples.Len() {
		p.First = append(p.First, i*7%3%2)
	}
	c.Pairs = p
	own := c.Summary("time").Median
	c.Comparisons = []result.Comparison{{Metric: "time", Unit: "s", Tolerance: 0.03, Alpha: 0.0025, Base: reporttest.Digits(own/ratio, 6), Candidate: own,
		Ratio: ratio, Low: reporttest.Ptr(low), High: reporttest.Ptr(high), Confidence: 0.995, Pairs: 40, Used: 40, SetUps: 20, Change: verdict}}
	return &c.Comparisons[0]
}

// counted gives both sides of a case a counter.
func bothCount(c *result.Case, metric string, base, own float64) {
	for range c.Samples.Len() {
		c.Samples.Columns[metric] = append(c.Samples.Columns[metric], own)
		c.Pairs.Samples.Columns[metric] = append(c.Pairs.Samples.Columns[metric], base)
	}
}

// tolerance is the implicit gate.
func tolerance(c *result.Case, verdict result.Verdict, reason string) {
	asks(c, "not worse(time, 3%)", "time", verdict, result.FormInterval, reason).ID = "tolerance"
}

// asks is a gate on the ratio of a metric.
func asks(c *result.Case, expr, metric string, verdict result.Verdict, form result.Form, reason string) *result.Gate {
	g := reporttest.Judge(c, expr, verdict, form, reason)
	g.Reads = []result.Reading{{Of: result.OfRatio, Metric: metric}}
	g.Cause = map[result.Verdict]result.Cause{result.Fail: result.CauseLimit, result.Inconclusive: result.CauseNearLimit, result.Error: result.CauseNotMeasured}[verdict]
	return g
}

// compared is a document with every kind of comparison.
func compared() *result.Document {
	d := reporttest.Document("sort")
	d.Suites[0].Errors = &result.Errors{Family: 0.01, Calls: 4, Alpha: 0.0025}
	reporttest.Allocates(reporttest.Measure(d, "sort/base", 2.155e-6, 0.01), 2, 128)

	c := reporttest.Measure(d, "sort/worse", 2.31e-6, 0.01)
	against(c, "sort/base", 1.072, 1.061, 1.083, result.Worse).Used = 37
	c.Comparisons[0].Rule = "a side was disturbed"
	bothCount(c, "switches", 0, 0)
	bothCount(c, "instructions", 9211, 9871)
	c.Settings.Counters = []string{"instructions"}
	reporttest.Allocates(c, 3, 192)
	tolerance(c, result.Fail, "time is 7.2% longer than that of sort/base (interval +6.1% to +8.3%), and 3% was allowed")

	c = reporttest.Measure(d, "sort/better", 1.745e-6, 0.01)
	against(c, "sort/base", 0.81, 0.802, 0.8183, result.Better)
	tolerance(c, result.Pass, "")

	c = reporttest.Measure(d, "sort/same", 2.159e-6, 0.01)
	against(c, "sort/base", 1.002, 0.9982, 1.0061, result.Same)
	tolerance(c, result.Pass, "")

	c = reporttest.Measure(d, "sort/unclear", 2.18e-6, 0.01)
	u := against(c, "sort/base", 1.0152, 0.9899, 1.0404, result.Unclear)
	u.Cause, u.Reason = result.CauseNearLimit, "time: the interval −1.0% to +4.0% contains the limit of +3%"
	bothCount(c, "switches", 0, 0)
	tolerance(c, result.Inconclusive, "time: the interval −1.0% to +4.0% contains the limit of +3%")

	c = reporttest.Measure(d, "sort/exact", 2.155e-6, 0.01)
	against(c, "sort/base", 1, 0.9991, 1.0008, result.Same)
	reporttest.Allocates(c, 3, 192)
	c.Comparisons = append(c.Comparisons, result.Comparison{Metric: "allocs", Exact: true, Alpha: 0.0025, Base: 2, Candidate: 3, Ratio: 1.5, Pairs: 40, Used: 40, Change: result.Worse})
	asks(c, "not worse(allocs, 0%)", "allocs", result.Fail, result.FormExact, "allocs is 3, and 2 in sort/base")

	c = reporttest.Measure(d, "sort/zero", 2.155e-6, 0.01)
	o := against(c, "sort/base", 1, 0.9991, 1.0008, result.Better)
	o.Base, o.Candidate, o.Ratio, o.Low, o.High = 2e-6, 0, 0, nil, nil

	c = reporttest.Measure(d, "sort/below", 0.31e-9, 0.01)
	o = against(c, "sort/base", 1, 1, 1, result.Unclear)
	o.Low, o.High, o.Cause = nil, nil, result.CauseResolution
	o.Reason = "time is below resolution, so that there is no ratio"
	c.Summary("time").Bound, c.LoopCost, c.LoopError = reporttest.Ptr(0.05e-9), 0.31e-9, 0.03e-9

	c = reporttest.Measure(d, "sort/orphan", 2.155e-6, 0.01)
	against(c, "sort/base", 1, 1, 1, result.Same)
	c.Comparisons = nil
	asks(c, "ratio(time) < 1.05", "time", result.Error, result.FormExact, `base "sort/base" could not be measured`)
	for i := range d.Cases {
		d.Cases[i].Place = diag.Place{File: "suites/sort.yaml", Line: 6 + i, Col: 5}
	}
	d.Exit = d.Outcome().Exit
	return d
}

// The recorded document with comparisons is the one that compared makes.
func TestComparedIsRecorded(t *testing.T) {
	if got, want := render(t, "json", compared(), Options{}), render(t, "json", recorded(t)["compared"], Options{}); got != want {
		t.Error("testdata/compared.json is not what compared() gives")
	}
}

// A verdict has one colour, whatever the sign of the change.
func TestComparisonsAreColouredByVerdict(t *testing.T) {
	for _, c := range []struct {
		ratio  float64
		change result.Change
		want   Class
	}{
		{1.2, result.Worse, Bad}, {0.8, result.Worse, Bad}, {0.8, result.Better, Good}, {1.2, result.Better, Good},
		{1.02, result.Same, Faint}, {0.98, result.Same, Faint},
	} {
		d := reporttest.Document("s")
		against(reporttest.Measure(d, "a", 1e-6, 0.01), "b", c.ratio, c.ratio-0.01, c.ratio+0.01, c.change)
		if got := versus(&d.Cases[0]); got.Class != c.want || got.Word != string(c.change) {
			t.Errorf("%v %s: class %v with the word %q", c.ratio, c.change, got.Class, got.Word)
		}
	}
}

// What cannot be told has no number that could be taken for a finding.
func TestUnclearShowsAnInterval(t *testing.T) {
	d := reporttest.Document("s")
	against(reporttest.Measure(d, "a", 1e-6, 0.01), "b", 1.0152, 0.99, 1.04, result.Unclear)
	if got := versus(&d.Cases[0]); got.Number != "" || got.Marks[0].Text != "unclear (−1.0% … +4.0%)" {
		t.Errorf("%+v", got)
	}
}

func TestChange(t *testing.T) {
	for want, ratio := range map[string]float64{
		"+7.2%": 1.072, "−0.4%": 0.996, "0.0%": 1.00001, "+900.0%": 9.999999, "×12.3": 12.3, "−100.0%": 0, "×∞": inf(),
	} {
		if got := change(ratio, 1); got != want {
			t.Errorf("change(%v) = %q, want %q", ratio, got, want)
		}
	}
}

func inf() float64 { zero := 0.0; return 1 / zero }

// One number after a ± stands for an interval only if that is about as long on both
// sides: +17.7 % ± 85.6 % was shown for +3.6 to +103 %.
func TestLopsidedIntervalsAreShown(t *testing.T) {
	for _, c := range []struct {
		ratio, low, high float64
		want             string
	}{
		{1.177, 1.036, 2.033, "(+3.6% … +103.3%)"}, {1.072, 1.061, 1.083, "± 1.1%"}, {1.072, 1.062, 1.091, "± 1.9%"},
		{1.0002, 0.9999, 1.0006, "± 0.04%"}, {12.3, 11, 14, "(×11 … ×14)"},
	} {
		d := reporttest.Document("s")
		against(reporttest.Measure(d, "a", 1e-6, 0.01), "b", c.ratio, c.low, c.high, result.Worse)
		if got := versus(&d.Cases[0]).Spread; got != c.want {
			t.Errorf("%v within %v and %v: %q, want %q", c.ratio, c.low, c.high, got, c.want)
		}
	}
	for want, bounds := range map[string][2]float64{
		"(4.8 … 12.4)": {4.8e-3, 12.4e-3}, "± 10.9%": {5.1e-3, 6.1e-3}, "(4.80 ms … 13.0 s)": {4.8e-3, 13}, "(0.40 … 5.6)": {0.4e-3, 5.6e-3},
	} {
		d := reporttest.Document("s")
		s := reporttest.Measure(d, "a", 5.5e-3, 0.01).Summary("time")
		s.Low, s.High = &bounds[0], &bounds[1]
		for _, format := range []string{"text", "markdown", "html"} {
			if page := render(t, format, d, Options{}); !strings.Contains(page, want) {
				t.Errorf("%s of 5.5 ms within %v does not hold %q", format, bounds, want)
			}
		}
	}
}

// A metric that moved as the time did is pointed at, one that did not is not, and
// neither is any where the time has not moved.
func TestSidesPointAtWhatMovedAlike(t *testing.T) {
	d := compared()
	c := &d.Cases[1]
	bothCount(c, "faults", 100, 400)
	if s := sidesOf(d, c); !strings.HasSuffix(s.Hint, ": instructions") {
		t.Errorf("hint %q of %+v", s.Hint, s.Rows)
	}
	c.Comparisons[0].Change = result.Same
	if s := sidesOf(d, c); s.Hint != "" {
		t.Errorf("hint %q where the time is the same", s.Hint)
	}
}

// A time that may have moved either way has no ratio that others could share.
func TestSidesPointAtNothingWhereTheTimeMayNotHaveMoved(t *testing.T) {
	d := compared()
	c := &d.Cases[1]
	o := &c.Comparisons[0]
	low := 1 / o.Ratio
	o.Change, o.Low = result.Unclear, &low
	if s := sidesOf(d, c); s.Hint != "" {
		t.Errorf("hint %q", s.Hint)
	}
}

// A metric is named only if its own ratio is close to that of the time and its own
// interval excludes no change, however wide the interval of the time is.
func TestSidesPointAtNoChangeOfAnotherSize(t *testing.T) {
	vary := func(scale func(i int) float64) func(*result.Case) {
		return func(c *result.Case) {
			for i := range c.Samples.Len() {
				c.Samples.Columns["rss"] = append(c.Samples.Columns["rss"], scale(i)*1e6)
				c.Pairs.Samples.Columns["rss"] = append(c.Pairs.Samples.Columns["rss"], 1e6)
			}
		}
	}
	for _, c := range []struct {
		name string
		give func(*result.Case)
		want string
	}{
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
		against(own, "b", 1.248, 1.036, 2.03, result.Worse)
		reporttest.Allocates(own, 100, 128)
		c.give(own)
		s := sidesOf(d, own)
		if _, got, _ := strings.Cut(s.Hint, ": "); got != c.want {
			t.Errorf("%s: it names %q, want %q: %+v", c.name, got, c.want, s.Rows)
		}
	}
}

// The base is named once in the heading, or with each case where it differs.
func TestBaseIsNamed(t *testing.T) {
	d := compared()
	if text := render(t, "text", d, Options{}); !strings.Contains(text, "vs sort/base") {
		t.Error("no heading names the base")
	}
	d.Cases[2].Pairs.Base = "sort/same"
	text := render(t, "text", d, Options{})
	if !strings.Contains(text, "compared with sort/same") || !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return w == "vs" }) {
		t.Errorf("no footnote names the base:\n%s", text)
	}
}
