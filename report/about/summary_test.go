package about

import (
	"slices"
	"testing"

	"example.com/suite/report/table"
	"example.com/suite/result"
)

// The faster command comes first, with the interval of the factor that is printed.
func TestSummaryNamesTheFasterCommandFirst(t *testing.T) {
	low := func(x float64) *float64 { return &x }
	compared := func(name string, change result.Change, ratio result.Ratio, from, to float64) *result.Case {
		return &result.Case{Name: name, Pairs: &result.Pairs{Base: "first"}, Comparisons: []result.Comparison{
			{Metric: "time", Ratio: ratio, Low: low(from), High: low(to), Change: change, Tolerance: 0.03, Confidence: 0.98, Pairs: 40}}}
	}
	few := compared("few", result.Unclear, 2, 0, 0)
	few.Comparisons[0].Low, few.Comparisons[0].High, few.Comparisons[0].Pairs = nil, nil, 4
	cases := []*result.Case{
		{Name: "first"},
		compared("slow", result.Worse, 1.5, 1.4, 1.6),
		compared("fast", result.Better, 0.5, 0.4, 0.625),
		compared("same", result.Same, 1.001, 0.995, 1.01),
		compared("noisy", result.Unclear, 1.04, 0.9, 1.2),
		compared("far", result.Worse, 250, 200, 300),
		few,
	}
	want := []string{
		"first ran 1.50 (1.40 … 1.60) times faster than slow",
		"fast ran 2.00 (1.60 … 2.50) times faster than first",
		"same took as long as first, to within 3%: 1.001 (0.995 … 1.010) times",
		"noisy took 1.04 (0.90 … 1.20) times as long as first: it is not clear which is faster",
		"first ran 250 (200 … 300) times faster than far",
		"few and first: it takes more than 4 pairs to tell which is faster",
	}
	if got := summaryOf(cases); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if got := summaryHead(cases); got != "summary, with intervals of 98% confidence" {
		t.Errorf("the heading is %q", got)
	}
	if got := Summary(&table.Group{File: "suite.yaml", Cases: cases}); got != nil {
		t.Errorf("a suite file has the summary %v", got)
	}
}
