//go:build !nopeg

package peg

// The word of an event contains, from the top bit, the number of the point, the number of
// the span if it begins or ends one, and the deed.
const (
	deedBits  = 3
	spanBits  = 45
	pointBits = 16

	deedMask = 1<<deedBits - 1
	spanMask = 1<<spanBits - 1
	// mostPoint is far more than anybody writes down, and few enough that a program which
	// makes points in a loop, by the names of its users say, does not eat the memory: each
	// takes some 200 bytes in each lane that hits a later one.
	mostPoint = 1<<pointBits - 1
)

// The deeds.
const (
	deedHit = iota // 0, so that the word of a point is the word of its hit
	deedStart
	deedStop
	deedBegin
	deedEnd
)

// wordOf a point, which is not 0.
func wordOf(point uint32) uint64 { return uint64(point) << (deedBits + spanBits) }

func pointOf(w uint64) uint32 { return uint32(w >> (deedBits + spanBits)) }
func spanOf(w uint64) uint64  { return w >> deedBits & spanMask }
