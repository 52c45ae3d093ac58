// Package lazy makes things where they are first asked for.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp compiles a regular expression at its first use. Most runs of suite need none of
// those that word errors, and all processes of suite, its hosts among them, would pay for
// them at their start: 2 ms for sixty, a third of a millisecond for one with \pL. A faulty
// one panics there.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
