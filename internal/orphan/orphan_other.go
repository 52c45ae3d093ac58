//go:build !linux

package orphan

import "time"

// Adopt, Keep and Kill need a system that hands orphans to an ancestor.
func Adopt() {}

func Keep() (done func()) { return func() {} }

func Kill() {}

// Self is empty where processes of a dead run cannot be found.
func Self() string { return "" }

// Alive reports whether a process that Self has named may still run.
func Alive(string) bool { return true }

// Environ is empty where nothing reads Variable.
func Environ() []string { return nil }

// KillDead finds none.
func KillDead(time.Duration) []Left { return nil }
