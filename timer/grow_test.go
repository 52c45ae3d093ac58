package timer

import "testing"

// A calibration is as long as its precision needs: a fine clock takes a quarter of what
// a coarse one takes, or one that is read around a counter.
func TestBatchesOfACalibrationAreAsLongAsTheClockNeeds(t *testing.T) {
	for _, c := range []struct {
		what       string
		resolution float64
		counted    bool
		want       int64 // ns at 1 ns an iteration: the power of two from there on
	}{
		{"fine", 25, false, 65_536},
		{"coarse", 1000, false, 262_144},
		{"between", 60, false, 131_072},
		{"counted", 25, true, 262_144},
	} {
		measure := func(n int) Delta { return Delta{NS: int64(n), TimeOK: true, CountOK: c.counted} }
		if got := grow(measure, c.resolution); int64(got) != c.want {
			t.Errorf("%s: %d iterations, want %d", c.what, got, c.want)
		}
	}
	if got := grow(func(int) Delta { return Delta{} }, 25); got != longestN {
		t.Errorf("a clock that sees nothing: %d iterations, want %d", got, longestN)
	}
}
