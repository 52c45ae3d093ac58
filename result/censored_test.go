package result

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestEndsOfCensoredSamples(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	s := Samples{Block: []int{0, 1, 2, 3}, Columns: map[string]Column{"time": {0.5, 2, 0.25, 2}, "exit_code": {0, nan, 0, nan}},
		Censored: []int{1, 3}, Disturbed: []Disturbed{{Index: 2, Cause: "waited 31 ms for a CPU"}}}
	for metric, want := range map[string]struct {
		low, high []float64
		blocks    []int
	}{
		"time":       {[]float64{0.5, 2, 0.25, 2}, []float64{0.5, inf, 0.25, inf}, []int{0, 1, 2, 3}},
		"throughput": {[]float64{2, 0, 4, 0}, []float64{2, 0.5, 4, 0.5}, []int{0, 1, 2, 3}},
		"exit_code":  {[]float64{0, 0}, []float64{0, 0}, []int{0, 2}},
		"cpu":        {[]float64{}, []float64{}, []int{}},
	} {
		low, high, blocks := s.Ends(metric)
		if !slices.Equal(low, want.low) || !slices.Equal(high, want.high) || !slices.Equal(blocks, want.blocks) {
			t.Errorf("%s: %v to %v of blocks %v", metric, low, high, blocks)
		}
	}
	plain := Samples{Block: []int{0, 0}, Columns: map[string]Column{"time": {1, 2}}}
	if low, high, _ := plain.Ends("time"); &low[0] != &high[0] {
		t.Error("where all is known the ends are one")
	}
}

func TestWhatCannotBeCensored(t *testing.T) {
	valid := func() *Document {
		low := 0.5
		return &Document{Schema: Schema, Seed: strings.Repeat("0", 32), Suites: []Suite{{Name: "s", OnInconclusive: "list"}},
			Cases: []Case{{Suite: "s", Name: "c", Kind: KindCommand, Status: Measured,
				Samples: Samples{Launch: []int{0, 0}, Block: []int{0, 1}, At: []float64{0, 1}, Columns: map[string]Column{"time": {0.5, 2}}, Censored: []int{1}},
				Metrics: []Summary{{Metric: "time", Unit: "s", N: 2, Median: 1, Min: 0.5, Max: 2, Censored: 1, Low: &low, AtLeast: []string{"max"}}}}}}
	}
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Case){
		"censored sample 2 is outside":             func(c *Case) { c.Samples.Censored = []int{2} },
		"not in ascending order: 1 after 1":        func(c *Case) { c.Samples.Censored = []int{1, 1} },
		"censored sample 1 is disturbed":           func(c *Case) { c.Samples.Disturbed = []Disturbed{{Index: 1}} },
		"a summary of samples are censored":        func(c *Case) { c.Samples.Taken = 10 },
		"3 of 2 samples are censored":              func(c *Case) { c.Metrics[0].Censored = 3 },
		"a statistic is a bound, and no sample is": func(c *Case) { c.Metrics[0].Censored = 0 },
		"the interval has only one end":            func(c *Case) { c.Metrics[0].Censored, c.Metrics[0].AtLeast = 0, nil },
		`metric "time": unknown statistic "n"`:     func(c *Case) { c.Metrics[0].AtMost = []string{"n"} },
	} {
		d := valid()
		spoil(&d.Cases[0])
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
