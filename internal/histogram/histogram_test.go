package histogram

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEveryTimeIsInItsBin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(ns uint64) {
		t.Helper()
		bin := number(ns)
		low, high := Bounds(bin)
		if bin < 0 || bin >= mostBins || ns < low || ns >= high && high > low {
			t.Fatalf("%d ns is in bin %d, from %d to %d", ns, bin, low, high)
		}
		if width := float64(high-low) / max(float64(low), 128); width > 1.0/128 {
			t.Fatalf("bin %d, from %d to %d, is wider than 0.8 %%", bin, low, high)
		}
	}
	for ns := range uint64(5000) {
		check(ns)
	}
	for range 100_000 {
		check(rng.Uint64() >> (1 + rng.IntN(63)))
	}
	check(math.MaxInt64)
}

func TestBinsFollowEachOther(t *testing.T) {
	for bin := range mostBins - 1 {
		_, high := Bounds(bin)
		if low, _ := Bounds(bin + 1); low != high {
			t.Fatalf("bin %d ends at %d, the next begins at %d", bin, high, low)
		}
	}
}

func TestCountsOfKnownTimes(t *testing.T) {
	var h Histogram
	h.Reset()
	for _, ns := range []int64{-5, 0, 3, 3, 1000, 1003, 1004} {
		h.Add(ns)
	}
	want := []Bin{{0, 2}, {3, 2}, {number(1000), 2}, {number(1004), 1}}
	got := h.Bins()
	if len(got) != len(want) || h.Count() != 7 {
		t.Fatalf("%v of %d, want %v", got, h.Count(), want)
	}
	var other Histogram
	for i, b := range got {
		if b != want[i] {
			t.Errorf("bin %v, want %v", b, want[i])
		}
		other.Put(b.Number, b.Count)
	}
	if other.Count() != 7 || len(other.Bins()) != 4 {
		t.Errorf("%v", other.Bins())
	}
	if h.Reset(); h.Count() != 0 || h.Bins() != nil {
		t.Error("not empty")
	}
}

func TestAddAllocatesNothing(t *testing.T) {
	var h Histogram
	h.Reset()
	if n := testing.AllocsPerRun(100, func() { h.Add(123_456) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
