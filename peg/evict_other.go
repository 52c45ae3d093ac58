//go:build !amd64 && !nopeg

package peg

import "time"

// evict does nothing: a program may not throw a line out of the caches on all of these
// systems. What is cold after a rest has to do.
func evict[T any](*T) {}

// rest parks the goroutine for as short a time as the system can: 50 µs to 1 ms.
func rest() { time.Sleep(time.Microsecond) }
