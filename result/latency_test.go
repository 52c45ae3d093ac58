package result_test

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/result"
)

func TestArrivalsAreChecked(t *testing.T) {
	for want, spoil := range map[string]func(a *result.Arrivals){
		"":                                   func(*result.Arrivals) {},
		"a rate of arrivals is out of range": func(a *result.Arrivals) { a.Utilization = math.NaN() },
		"of 10 iterations 11 were waited for, and 0 had not begun": func(a *result.Arrivals) { a.Waits = 11 },
		"of 10 iterations 5 were waited for, and -1 had not begun": func(a *result.Arrivals) { a.Unserved = -1 },
		"the lag is out of range":                                  func(a *result.Arrivals) { a.Lag = 1 },
	} {
		doc := read(t, recorded(t)["hashing.json"])
		l := &result.Latency{Count: 10, Mean: 1e-6, Min: 1e-6, Max: 1e-6, Stride: 1, Groups: []result.LatencyGroup{{Batches: 1, Bins: []result.ArcBin{{1e-6, 2e-6, 10}}}},
			Arrivals: &result.Arrivals{Rate: 1000, Achieved: 1000, Utilization: 0.5, Waits: 5, Lag: 1e-6, MostLag: 2e-6}}
		spoil(l.Arrivals)
		doc.Cases[0].Latency = l
		switch err := doc.Validate(); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), "latency: "+want)):
			t.Errorf("%v, want %q", err, want)
		}
	}
}
