//go:build !linux

package orphan

import "time"

// Adopt does nothing: this system does not hand orphans to an ancestor. Neither do Keep and
// Kill.
func Adopt() {}

func Keep() (done func()) { return func() {} }

func Kill() {}

// Self is "": processes of a dead run cannot be found.
func Self() string { return "" }

// Alive is true for all: nobody can know.
func Alive(string) bool { return true }

// Environ is nil: nothing reads Variable.
func Environ() []string { return nil }

// KillDead finds none.
func KillDead(time.Duration) []Left { return nil }
