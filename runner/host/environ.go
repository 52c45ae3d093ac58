package host

import (
	"slices"
	"strings"

	"example.com/suite/peg/pegfile"
)

// WithoutPegs takes the variables out of an environment that switch the pegs of a
// program on: they are for the pass with pegs alone. In a sample a hit would take its
// time, and where suite itself was started for its pegs, the file is not for those of
// what it starts. env is changed.
func WithoutPegs(env []string) []string {
	return slices.DeleteFunc(env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == pegfile.Variable || name == pegfile.PointsVariable
	})
}
