package result_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
)

// paired gives a document whose first case has pairs and a comparison.
func paired(t *testing.T) *result.Document {
	t.Helper()
	doc := read(t, recorded(t)["verdicts.json"])
	c, low, high := &doc.Cases[0], 1.01, 1.09
	base := c.Samples
	base.Columns = map[string]result.Column{"time": slices.Clone(c.Samples.Columns["time"])}
	c.Pairs = &result.Pairs{Base: "parse/large", Iterations: 100, First: make([]int, base.Len()), Samples: base}
	c.Comparisons = []result.Comparison{{Metric: "time", Unit: "s", Tolerance: 0.03, Alpha: 0.01, Base: 1e-6, Candidate: 1.05e-6,
		Ratio: 1.05, Low: &low, High: &high, Confidence: 0.98, Pairs: base.Len(), Used: base.Len(), Change: result.Worse}}
	doc.Suites[0].Errors = &result.Errors{Family: 0.01, Calls: 1, Alpha: 0.01}
	return doc
}

func TestPairsAreWrittenAndRead(t *testing.T) {
	doc := paired(t)
	comesBack(t, doc)
	if c := doc.Cases[0]; c.Comparison("time") != &doc.Cases[0].Comparisons[0] || c.Comparison("cpu") != nil {
		t.Error("a comparison is not found by its metric, or one that is not there is")
	}
}

func TestPairsThatDoNotFitAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(c *result.Case){
		"comparisons and no pairs":           func(c *result.Case) { c.Pairs = nil },
		"name no base":                       func(c *result.Case) { c.Pairs.Base = "" },
		"have batches of 0 iterations":       func(c *result.Case) { c.Pairs.Iterations = 0 },
		"neither 0 nor 1":                    func(c *result.Case) { c.Pairs.First[0] = 2 },
		"neighbours in":                      func(c *result.Case) { c.Pairs.First = c.Pairs.First[1:] },
		`column "time" has`:                  func(c *result.Case) { c.Pairs.Samples.Columns["time"] = c.Pairs.Samples.Columns["time"][1:] },
		"is compared twice":                  func(c *result.Case) { c.Comparisons = append(c.Comparisons, c.Comparisons[0]) },
		`unknown verdict "slower"`:           func(c *result.Case) { c.Comparisons[0].Change = "slower" },
		"the interval is not one":            func(c *result.Case) { c.Comparisons[0].Low = nil },
		"pairs are used":                     func(c *result.Case) { c.Comparisons[0].Used = c.Comparisons[0].Pairs + 1 },
		"tolerance or alpha is out of range": func(c *result.Case) { c.Comparisons[0].Alpha = 1.5 },
	} {
		doc := paired(t)
		spoil(&doc.Cases[0])
		if err := doc.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want a problem with %q, got %v", want, err)
		}
	}
}

// What instructions show about a change comes back as it was, and unknown words are refused.
func TestWitnessesComeBack(t *testing.T) {
	low, high := 1.119, 1.121
	doc := paired(t)
	o := &doc.Cases[0].Comparisons[0]
	o.Witness = &result.Witness{Source: result.WitnessCounter, Base: 4000, Candidate: 4480, Ratio: 1.12, Low: &low, High: &high,
		Tolerance: 0.01, Change: result.WitnessMore, Cause: result.WitnessCode}
	comesBack(t, doc)
	for what, spoil := range map[string]func(w *result.Witness){
		"source":   func(w *result.Witness) { w.Source = "guess" },
		"change":   func(w *result.Witness) { w.Change = "some" },
		"cause":    func(w *result.Witness) { w.Cause = "gremlins" },
		"interval": func(w *result.Witness) { w.High = nil },
		"numbers":  func(w *result.Witness) { w.Base = -1 },
	} {
		w := *o.Witness
		spoil(&w)
		bad := *doc
		bad.Cases = append([]result.Case{}, doc.Cases...)
		bad.Cases[0].Comparisons = append([]result.Comparison{}, doc.Cases[0].Comparisons...)
		bad.Cases[0].Comparisons[0].Witness = &w
		if err := bad.Validate(); err == nil {
			t.Errorf("a wrong %s is accepted", what)
		}
	}
}
