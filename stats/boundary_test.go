package stats

import (
	"math"
	"testing"
)

// The recurrence and the closed form agree, over every step and far out.
func TestBoundaryIsThreshold(t *testing.T) {
	for _, alpha := range []float64{0.05, 0.01, 0.001, 0.0002, 1e-9} {
		b := newBoundary(alpha)
		for n := 1; n <= 2000; n++ {
			b.step()
			k, ok := Threshold(n, alpha)
			if ok != (b.rank() > 0) || ok && k != b.k {
				t.Fatalf("α = %v, n = %d: stepped to k* = %d, rank %d; Threshold is %d, %v", alpha, n, b.k, b.rank(), k, ok)
			}
		}
	}
}

func TestBoundaryFarOut(t *testing.T) {
	b := newBoundary(0.0002)
	for b.n < 1e6 {
		b.step()
	}
	if k, _ := Threshold(1e6, 0.0002); k != b.k {
		t.Errorf("n = 10⁶: stepped to k* = %d, Threshold is %d", b.k, k)
	}
	if got, want := math.Log(b.e), evidence(b.n, b.k); math.Abs(got-want) > 1e-6 {
		t.Errorf("n = 10⁶: stepped to ln E = %v, evidence is %v", got, want)
	}
}

func TestBoundaryOfNoErrorRate(t *testing.T) {
	for _, alpha := range []float64{0, -1, math.NaN(), 5e-324} {
		if n := FirstVerdict(alpha); n != FirstVerdict(1e-300) {
			t.Errorf("first verdict at %v: %d", alpha, n)
		}
	}
}
