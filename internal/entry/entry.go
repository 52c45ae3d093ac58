// Package entry records the state of the process at its start: the time, and the
// environment variables for pegs, which it removes. Package peg reads the same variables
// when it is initialised, and would take suite for an instrumented program.
//
// Go initialises packages in the order of their import paths as soon as their imports are
// initialised. This package imports nothing that peg does not import, so it comes before
// peg, and before anything that takes time.
package entry

import (
	"os"
	"time"
)

var (
	// Time is when the process started.
	Time = time.Now()
	// Pegs is the value of SUITE_PEGS, or "" if it is not set.
	Pegs = take("SUITE_PEGS")
	// Points is the value of SUITE_PEGS_POINTS, or "" if it is not set.
	Points = take("SUITE_PEGS_POINTS")
)

func take(variable string) string {
	value := os.Getenv(variable)
	_ = os.Unsetenv(variable) // fails for invalid names only
	return value
}
