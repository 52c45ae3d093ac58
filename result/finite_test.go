package result_test

import (
	"bytes"
	"math"
	"testing"

	"example.com/suite/result"
)

// A number of one case that no document can hold fails that case, and the results of the
// others are written.
func TestNoCaseKeepsTheOthersFromBeingWritten(t *testing.T) {
	inf := math.Inf(1)
	for name, change := range map[string]func(d *result.Document, c *result.Case){
		"work":                 func(d *result.Document, c *result.Case) { c.Work = inf },
		"samples.columns.cpu":  func(d *result.Document, c *result.Case) { c.Samples.Columns["cpu"][3] = -inf },
		"samples.columns.time": func(d *result.Document, c *result.Case) { c.Samples.Columns["time"][3] = nan },
		"samples.at":           func(d *result.Document, c *result.Case) { c.Samples.At[0] = inf },
		"params.number": func(d *result.Document, c *result.Case) {
			c.Params = []result.Param{{Name: "n", Text: "n", Number: &inf}}
		},
		"settings.timeout":   func(d *result.Document, c *result.Case) { c.Settings.Timeout = inf },
		"metrics.mean":       func(d *result.Document, c *result.Case) { c.Metrics[0].Mean = inf },
		"metrics.low":        func(d *result.Document, c *result.Case) { c.Metrics[0].Low = &nan },
		"pairs.samples.at":   func(d *result.Document, c *result.Case) { c.Pairs.Samples.At = []float64{inf} },
		"comparisons.ratio":  func(d *result.Document, c *result.Case) { c.Comparisons[0].Ratio = result.Ratio(nan) },
		"gates.values.value": func(d *result.Document, c *result.Case) { c.Gates[0].Values = []result.Value{{Value: inf}} },
		"stolen":             func(d *result.Document, c *result.Case) { c.Stolen = &inf },
		"pegs.arcs.sum":      func(d *result.Document, c *result.Case) { c.Pegs = &result.Pegs{Arcs: []result.Arc{{Sum: inf}}} },
		"a growth of times":  func(d *result.Document, c *result.Case) { d.Orders = []result.Order{{Exponent: inf}} },
		"a sentinel": func(d *result.Document, c *result.Case) {
			d.Suites[0].Sentinel = &result.Sentinel{Builds: 1, Case: *c}
			c.Seconds = inf
		},
	} {
		doc := paired(t)
		doc.FailUnwritable()
		if doc.Cases[0].Status != result.Measured {
			t.Fatal("a case that can be written fails")
		}
		change(doc, &doc.Cases[0])
		doc.FailUnwritable()
		doc.Exit = doc.Outcome().Exit
		var out bytes.Buffer
		if err := result.Write(&out, doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again := read(t, out.Bytes())
		if failed := again.Cases[0]; name[:2] != "a " && (failed.Failure == nil || failed.Failure.Message != name+" is no finite number" || failed.Gates[0].Verdict != result.Error || again.Exit != 3) {
			t.Errorf("%s: %+v, gate %+v, exit %d", name, failed.Failure, failed.Gates[0], again.Exit)
		}
		if other := again.Cases[1]; other.Status != result.Measured || other.Samples.Len() == 0 {
			t.Errorf("%s: the other case is %s, with %d samples", name, other.Status, other.Samples.Len())
		}
	}
}
