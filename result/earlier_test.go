package result_test

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// unpaired gives a document of a run that was compared with a saved result.
func unpaired(t *testing.T) *result.Document {
	t.Helper()
	doc := read(t, recorded(t)["verdicts.json"])
	s, c := &doc.Suites[0], &doc.Cases[0]
	s.Against = &result.Against{Asked: "base.json", Kind: result.AgainstResult, Started: doc.Started, Hash: digest}
	c.Counterpart = &result.Counterpart{State: result.CounterpartUnpaired}
	low, high := 1e-6, 1.2e-6
	c.Earlier = &result.Earlier{Floor: 0.02, Doubts: []string{"the CPU differs"}, Metrics: append([]result.Summary{}, c.Metrics...),
		Medians: []result.EarlierMedian{{Metric: "time", Low: &low, High: &high, Confidence: 0.99, Launches: 0.01}, {Metric: "cpu", Reason: "nothing was sampled"}}}
	c.Gates[0].Form = result.FormUnpaired
	return doc
}

func TestComparisonsWithSavedResultsAreWrittenAndRead(t *testing.T) {
	doc := unpaired(t)
	comesBack(t, doc)
}

func TestValidateRefusesHalfASavedResult(t *testing.T) {
	for want, spoil := range map[string]func(c *result.Case){
		"its counterpart and its saved numbers do not fit together":  func(c *result.Case) { c.Counterpart.State = result.CounterpartPaired },
		"it is unpaired, and nothing saved is there":                 func(c *result.Case) { c.Earlier, c.Counterpart = nil, nil },
		"the floor of its saved result is out of range":              func(c *result.Case) { c.Earlier.Floor = -1 },
		"a doubt about its saved result is empty":                    func(c *result.Case) { c.Earlier.Doubts[0] = "" },
		`saved median of "time" is there twice`:                      func(c *result.Case) { c.Earlier.Medians[1] = c.Earlier.Medians[0] },
		`interval of the saved median of "time" is not one`:          func(c *result.Case) { c.Earlier.Medians[0].High = nil },
		`saved median of "cpu" has neither an interval nor a reason`: func(c *result.Case) { c.Earlier.Medians[1].Reason = "" },
		`launches of the saved median of "time" are out of range`:    func(c *result.Case) { c.Earlier.Medians[0].Launches = -1 },
		`metric "time" is there twice`:                               func(c *result.Case) { c.Earlier.Metrics = append(c.Earlier.Metrics, c.Earlier.Metrics[0]) },
	} {
		doc := unpaired(t)
		spoil(&doc.Cases[0])
		if err := doc.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
