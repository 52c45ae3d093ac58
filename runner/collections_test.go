package runner

import "testing"

// Batches of pairs are as short as their share of sample_time, also if the body allocates.
func TestBatchesOfPairsAreShort(t *testing.T) {
	plan := against(function("x"))
	one := newTrack(plan, &plan.Cases[0])
	whole := int64(plan.Cases[0].Settings.SampleTime)
	if f := one.own.request().Function; f.SampleTime != whole || f.Spread {
		t.Errorf("alone a batch lasts %d ns, collections spread: %t", f.SampleTime, f.Spread)
	}
	pairUp(plan, []*track{one})
	for _, side := range one.sides() {
		if f := side.request().Function; f.SampleTime != whole/5 || !f.Spread {
			t.Errorf("in a pair it lasts %d ns, collections spread: %t", f.SampleTime, f.Spread)
		}
	}
}
