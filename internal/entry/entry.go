// Package entry keeps what a process found when it was entered: the time, and what
// the environment says of pegs, which it takes out of there. Package peg reads the same
// variables when it is initialised, and would take suite for an instrumented program.
//
// Packages are initialised by import path among those whose imports are, and this one
// imports nothing that peg does not: so it comes first, also before what takes time.
package entry

import (
	"os"
	"time"
)

var (
	// Time at which the process was entered.
	Time = time.Now()
	// Pegs is the value of SUITE_PEGS, empty where it is not set.
	Pegs = take("SUITE_PEGS")
	// Points is the value of SUITE_PEGS_POINTS, empty where it is not set.
	Points = take("SUITE_PEGS_POINTS")
)

func take(variable string) string {
	value := os.Getenv(variable)
	_ = os.Unsetenv(variable) // it fails for names that are none
	return value
}
