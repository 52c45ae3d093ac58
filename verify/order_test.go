package verify

import (
	"testing"

	"example.com/suite/result"
)

// How times grow follows from the medians, and a document that says otherwise is found.
func TestOrdersAreVerified(t *testing.T) {
	d := document(t)
	d.Orders = []result.Order{{Suite: "s", Family: "sort", Param: "size", Metric: "time", Cases: 5, From: 1, To: 100, Plausible: []string{"n"}, Best: "n", Exponent: 1}}
	r := check(t, d)
	if len(r.Findings) != 1 || r.Findings[0].What != "growth of times" || r.Findings[0].Recomputed != "0 families" {
		t.Errorf("%+v", r.Findings)
	}
	if d.Orders = []result.Order{}; len(check(t, d).Findings) != 0 {
		t.Error("no families differ from none")
	}
}
