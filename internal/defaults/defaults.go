// Package defaults holds the numbers that a verdict falls back on if a suite file states
// none. They are needed without a suite file as well: gates of recorded documents,
// comparisons of saved results. The settings of a measurement are in spec.Defaults, which
// takes its tolerance and its confidence from here.
package defaults

const (
	// Family is the chance that any red gate of a suite is false.
	Family = 0.01
	// Tolerance is the relative change against the base that is too small to care about.
	Tolerance = 0.03
	// Floor is the relative difference that two builds of one source are taken to have at
	// least, if nobody has measured or stated another one. Code with a gate of 0 % that had
	// moved by 1 % with its layout alone failed in 86 of 100 comparisons, and at 2 % in none.
	Floor = 0.02
	// Confidence of every interval.
	Confidence = 0.95
	// RatioConfidence is the least confidence of the interval of a ratio against a base: in
	// a suite with a single call each end is wrong with a probability of at most Family.
	RatioConfidence = 0.98
)
