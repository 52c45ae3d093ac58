package summary

import (
	"math"
	"testing"

	"example.com/suite/result"
)

// Every sample is 490 ns by a clock that steps by 20 ns: the interval is a step wide to each side,
// and not 0. Extremes have the same error.
func TestAnIntervalIsNeverNarrowerThanTheErrorOfTheClock(t *testing.T) {
	c := &result.Case{Kind: result.KindGo, Work: 1, Iterations: 1, ClockError: 20e-9, Settings: result.Settings{Confidence: 0.95},
		Samples: result.Samples{Columns: map[string]result.Column{}}}
	for i := range 40 {
		s := &c.Samples
		s.Columns["time"], s.Columns["cpu"] = append(s.Columns["time"], 490e-9), append(s.Columns["cpu"], 490e-9)
		s.Block, s.Launch, s.At = append(s.Block, i), append(s.Launch, 0), append(s.At, float64(i))
	}
	near := func(x, want float64) bool { return math.Abs(x-want) < 1e-15 }
	for _, s := range Of(c) {
		low, high, e := 490e-9, 490e-9, 0.0
		switch s.Metric {
		case "time":
			low, high, e = 470e-9, 510e-9, 20e-9
		case "throughput":
			low, high = 1/510e-9, 1/470e-9
			if math.Abs(*s.Low/low-1) > 1e-12 || math.Abs(*s.High/high-1) > 1e-12 {
				t.Errorf("throughput %g to %g", *s.Low, *s.High)
			}
			continue
		}
		if s.Low == nil || s.High == nil || !near(*s.Low, low) || !near(*s.High, high) || s.Error != e {
			t.Errorf("%+v, want %g to %g and an error of %g", s, low, high, e)
		}
	}
	c.ClockError = 600e-9
	for _, s := range Of(c) {
		switch {
		case s.Metric == "time" && *s.Low != 0:
			t.Errorf("a time of %g or more", *s.Low)
		case s.Metric == "throughput" && s.High != nil:
			t.Errorf("a rate of at most %g of a time that may be 0", *s.High)
		}
	}
}
