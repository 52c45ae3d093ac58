package selfcheck

import (
	"bytes"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page/text"
)

// recorded is what a run of 98 seconds found on two virtual CPUs.
func recorded() *Report {
	ordered := func(hits, trials int) *Rate { r := rate(hits, trials); return &r }
	number := func(x float64) *float64 { return &x }
	return &Report{
		Seconds: 98.2, Verdict: Fit, Comparisons: make([]Comparison, 342),
		Text: "this machine can judge differences from 23% on (functions), from 20% on (commands)",
		Alarms: []Alarms{
			{Kind: Functions, Alpha: 0.01, Comparisons: 152, Worse: rate(1, 152), Better: rate(1, 152), Unclear: 150, Ordered: ordered(73, 152)},
			{Kind: Functions, Tolerance: 0.03, Alpha: 0.01, Comparisons: 152, Worse: rate(0, 152), Better: rate(0, 152), Same: 76, Unclear: 76},
			{Kind: Commands, Alpha: 0.01, Comparisons: 76, Worse: rate(0, 76), Better: rate(0, 76), Unclear: 76, Ordered: ordered(2, 76)},
			{Kind: Commands, Tolerance: 0.03, Alpha: 0.01, Comparisons: 76, Worse: rate(0, 76), Better: rate(0, 76), Same: 3, Unclear: 73},
		},
		Suites: []Suites{
			{Kind: Functions, Gates: 4, Family: 0.01, Suites: 38, Red: rate(0, 38)},
			{Kind: Commands, Gates: 4, Family: 0.01, Suites: 19, Red: rate(0, 19)},
		},
		Power: []Power{
			{Injected: 0.03, Comparisons: 38, Found: rate(19, 38), Ratio: 1.029, Pairs: Spread{200, 200}, Seconds: Spread{0.2515, 0.5353}},
			{Injected: 0.05, Comparisons: 38, Found: rate(19, 38), Ratio: 1.049, Pairs: Spread{120, 200}, Seconds: Spread{0.1783, 0.4941}},
			{Injected: 0.1, Comparisons: 38, Found: rate(19, 38), Ratio: 1.082, Pairs: Spread{160, 200}, Seconds: Spread{0.2535, 0.4766}},
		},
		Floors: []Floor{
			{Work: "arithmetic", Pairs: 200, Seconds: 0.2243, HalfWidth: number(0.0055), Smallest: number(0.026)},
			{Work: "memory", Pairs: 200, Seconds: 0.3989, HalfWidth: number(0.077), Smallest: number(0.23)},
			{Work: "command", Pairs: 60, Seconds: 0.1297, HalfWidth: number(0.049), Smallest: number(0.2)},
		},
	}
}

func TestTextOfARecordedRun(t *testing.T) {
	var b bytes.Buffer
	if err := text.Write(&b, recorded().Page(), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/recorded.txt", b.String())
}

// Shorter times have the sign of all reports, and factors are written in full.
func TestTextOfARatio(t *testing.T) {
	for ratio, want := range map[float64]string{1.029: "  +2.9%  ", 0.9911: "  −0.89%  ", 3.5: "  +250%  "} {
		r := recorded()
		r.Power = r.Power[:1]
		r.Power[0].Ratio = ratio
		var b bytes.Buffer
		if err := text.Write(&b, r.Page(), text.Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("a ratio of %v is not%sin\n%s", ratio, want, &b)
		}
	}
}
