package spec

import "time"

// Defaults returns what a suite file means when it says nothing. No other code
// holds a fallback; help, docs and schema are tested against it (design.md §8.10).
func Defaults() Settings {
	return Settings{
		Batch:      0,                                // found by sizing
		Warmup:     Duration(100 * time.Millisecond), // thrown away
		SampleTime: Duration(time.Millisecond),       // wanted length of one batch
		// Starting a test binary took 3 ms here: a sample is six times as long, and
		// the 20 samples that there are at least still fit into a second.
		Benchtime:  Benchtime{Time: Duration(20 * time.Millisecond)},
		TargetTime: Duration(time.Second),      // measured time of a case
		MaxTime:    Duration(10 * time.Second), // ends a case always, warm-up included
		Timeout:    Duration(time.Minute),      // of one run or request
		SamplesMin: 20,
		SamplesMax: 10000,
		Precision:  0, // off
		Coalesce:   5, // shortest batch, in clock costs
		GC:         "on",
		Thread:     "auto",
		Parallel:   1,
		Pin:        "auto",
		Confidence: 0.95, // of every interval
		Sampling:   "many",
		Keep:       "samples",
		Quorum:     0.5, // of the iterations, or runs
		Tolerance:  0.03,
	}
}

// What a suite file means when it does not name these; they are no settings of
// the measurement.
const (
	DefaultUnit           = "op"
	DefaultWork           = 1.0
	DefaultOnInconclusive = "auto"
	DefaultSeverity       = "fail"
	DefaultClock          = "wall"
	DefaultCycle          = "null"
	DefaultReport         = "raw"
	DefaultStop           = "SIGTERM"                  // of a service
	DefaultServiceTimeout = Duration(10 * time.Second) // until it is ready
)
