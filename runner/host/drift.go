package host

import (
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/stats"
)

// Samples that show whether a benchmark drifts as it is repeated: their number, those thrown away before them in a new
// process, the change that counts, and how many more pairs of them have to rise than to fall, or the other way round:
// of 66. A benchmark that does not drift has that once in 2,000 times, and twice in the same direction once in 10⁷.
const (
	driftSamples = 12
	driftWarmup  = 3
	driftChange  = 1.1
	driftPairs   = 50
	driftSample  = time.Millisecond       // of iterations
	driftTime    = 250 * time.Millisecond // a benchmark that needs longer for all of them is not tried
)

// drifting is the search for a drift of a benchmark whose processes stay. It is a part of the warm-up.
type drifting struct {
	sample   func(phase wire.Phase, n int) (r run, nsPerIteration float64, failure *wire.Failure)
	renew    func() // ends the process, so that the next sample begins a new one
	sized    *wire.Sized
	isN      bool          // the suite file states the iterations of a sample
	length   time.Duration // of a sample at most, unless it does
	overhead int64         // ns that come with each sample
	left     int64         // ns that the search may take
}

// way is 1 if the time grows while it is repeated in one process, in two processes alike, -1 if it falls, else 0.
func (d *drifting) way() (way int, failure *wire.Failure) {
	n := d.sized.N
	if !d.isN {
		n = max(1, int(float64(n)*min(1, float64(d.length)/float64(max(d.sized.Time, 1)))))
	}
	one := d.overhead + int64(float64(d.sized.Time)*float64(n)/float64(d.sized.N))
	if (2*driftSamples+driftWarmup)*one > d.left {
		return 0, nil
	}
	first, failure := d.in(n, 0)
	if failure != nil || first == 0 {
		return 0, failure
	}
	d.renew()
	second, failure := d.in(n, driftWarmup)
	if failure != nil || second != first {
		return 0, failure
	}
	return first, nil
}

// in is the way of one process, after samples that are thrown away.
func (d *drifting) in(n, discard int) (way int, failure *wire.Failure) {
	var times []float64
	for i := range discard + driftSamples {
		_, ns, failure := d.sample(wire.PhaseWarmup, n)
		d.sized.Batches++
		if failure != nil {
			failure.Batch = d.sized.Batches
			return 0, failure
		}
		if i >= discard {
			times = append(times, ns)
		}
	}
	return trendOf(times), nil
}

// drifted is the failure of a benchmark that drifts, nil if it does not: then each sample is a process.
func drifted(way int) *wire.Failure {
	if way == 0 {
		return nil
	}
	word := map[int]string{1: "longer", -1: "shorter"}[way]
	return newFailure(wire.PhaseWarmup, wire.FailedRepeat,
		"it takes "+word+" and "+word+" as it runs again in one process", "")
}

// trendOf compares all pairs of some numbers (the test of Mann and Kendall), and the first third of them with the last.
func trendOf(xs []float64) int {
	rising := 0
	for i, a := range xs {
		for _, b := range xs[i+1:] {
			switch {
			case b > a:
				rising++
			case b < a:
				rising--
			}
		}
	}
	third := len(xs) / 3
	first, last := stats.Median(xs[:third]), stats.Median(xs[len(xs)-third:])
	switch {
	case rising >= driftPairs && last > first*driftChange:
		return 1
	case rising <= -driftPairs && first > last*driftChange:
		return -1
	}
	return 0
}
