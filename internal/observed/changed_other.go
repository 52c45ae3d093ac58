//go:build !linux

package observed

import "time"

// Nothing is observed here.
func changed(string) (at time.Time, known bool) { return time.Time{}, false }

// state is of no use if nothing is observed.
func state(string, bool) (now string, at time.Time) { return "", time.Now() }

// surroundings is of no use if nothing is observed.
func surroundings() string { return "" }
