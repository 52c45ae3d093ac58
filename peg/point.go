//go:build !nopeg

package peg

import (
	"sync/atomic"

	"example.com/suite/peg/pegfile"
)

// Point is a named place of a program. Points are made once, as package variables
// mostly, and hit from anywhere, on any lane.
type Point struct {
	// live is 0 while the point is off, else what its hits write into the log, so that
	// a hit needs one load to see whether to go on, and with what.
	live atomic.Uint64
	// origin is the number of the point called from, 0 while there is none.
	origin atomic.Uint32

	registry *registry
	number   uint32 // from 1; 0 of a dead point
	name     string
	from     string // of a directed point
	file     string
	line     int
}

// New makes a point. A second point of the same name is dead, and is reported, and so
// is one without a name, or called "…".
func New(name string) *Point { return pegs.make(name, "", callerOf(2)) }

// Directed makes a point whose arcs begin at the point called from, on the same lane,
// whatever lies between. That point may be made later. Where it was not passed on the
// lane, a hit counts as unmatched.
func Directed(name, from string) *Point {
	if from == "" {
		from = pegfile.Other // which no point may be called: it stays unknown, and is reported
	}
	return pegs.make(name, from, callerOf(2))
}

// Here makes a point named after the file and the line of its caller, main.go:17, and
// the folder before it where two files have the same name. The same place may be
// reached many times, and has one point. Finding out the place takes some hundred
// nanoseconds, also while pegs are off, and these lie in the arc that ends here: keep
// the point in a variable where that is much.
func Here() *Point { return pegs.here(callerOf(2)) }

// Hit is Lane.Hit on the default lane, which many goroutines may use, one after the
// other: a mutex sees to that, and arcs between their hits mean nothing.
func (p *Point) Hit() {
	if w := p.live.Load(); w != 0 {
		p.registry.common.record(w)
	}
}

// Start is Lane.Start on the default lane.
func (p *Point) Start() {
	if w := p.live.Load(); w != 0 {
		p.registry.common.record(w | deedStart)
	}
}

// Stop is Lane.Stop on the default lane.
func (p *Point) Stop() {
	if w := p.live.Load(); w != 0 {
		p.registry.common.record(w | deedStop)
	}
}
