package pegfile

import (
	"math"
	"testing"
)

func TestBinsHoldTheirTimesAndAreASixteenthWide(t *testing.T) {
	for _, ns := range []float64{0, 0.5, 1, 1.06, 2, 15.99, 16, 1000, 123456789, 1e18} {
		low, high := BinOf(ns)
		if ns < low || ns >= high {
			t.Errorf("%g lies in [%g, %g)", ns, low, high)
		}
		if ns >= 1 && (high-low)/low > 1.0/16 {
			t.Errorf("the bin [%g, %g) is too wide", low, high)
		}
		if _, next := BinOf(high); high != 1 && next <= high {
			t.Errorf("the bin behind %g ends at %g", high, next)
		}
	}
}

func TestCountsDoNotWrapAround(t *testing.T) {
	for _, two := range [][2]uint64{{math.MaxUint64, 5}, {math.MaxInt64, 1}} {
		if sum := plus(two[0], two[1]); sum != math.MaxInt64 {
			t.Errorf("%d", sum)
		}
	}
}
