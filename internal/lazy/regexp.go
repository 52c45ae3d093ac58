// Package lazy makes values when they are first needed.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp compiles a regular expression at its first use, and panics then if it is invalid.
// Most runs need none of the expressions that word errors, but all processes of suite,
// hosts included, would pay for them at their start: 2 ms for sixty, 0.3 ms for one with
// \pL.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
