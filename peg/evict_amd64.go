//go:build !nopeg

package peg

import "unsafe"

// cacheLine is the step of evict, in bytes. Lines of x86 have been 64 bytes since 2003.
const cacheLine = 64

// flushLine throws the cache line of an address out of all caches.
//
//go:noescape
func flushLine(at unsafe.Pointer)

// rest does nothing: evict leaves the caches colder than a pause does. Pairs of hits after
// evict exceed their cost by 140 to 330 ns at the dearest but one of twelve. After a pause
// as well it is hardly more, and each pause takes 50 µs to 1 ms of the program's start.
func rest() {}

// evict throws a value out of all caches, so that the next hit finds it in memory.
func evict[T any](value *T) {
	base, size := unsafe.Pointer(value), unsafe.Sizeof(*value)
	for at := uintptr(0); at < size; at += cacheLine {
		flushLine(unsafe.Add(base, at))
	}
	flushLine(unsafe.Add(base, size-1)) // its last line, if it does not begin on a line
}
