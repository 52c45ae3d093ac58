//go:build !nopeg

package peg

import (
	"sync/atomic"

	"example.com/suite/peg/pegfile"
)

// Point is a named place in a program. A point is made once, usually as a package
// variable, and can be hit on any lane.
type Point struct {
	// live is 0 while the point is off, else the word that its hits write into the log.
	// One load decides whether to record a hit, and loads the word.
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

// New returns a new point. If the name is taken, empty or "…", the hits of the point do
// not count, and the document reports it.
func New(name string) *Point { return pegs.make(name, "", callerOf(2)) }

// Directed returns a new point whose arcs begin at the last hit of the point named from
// on the same lane, whatever was hit in between. That point may be made later. If the lane
// has not hit it yet, a hit of the new point counts as unmatched.
func Directed(name, from string) *Point {
	if from == "" {
		from = pegfile.Other // no point can have this name, so the document reports it as unknown
	}
	return pegs.make(name, from, callerOf(2))
}

// Here returns the point of the line that calls it. Its name is the file and the line,
// main.go:17, with a folder if two files have the same name. A line has one point, however
// often it is reached. Finding the line takes some hundred nanoseconds, even while pegs
// are off, and the arc that ends here includes them: if that is too much, keep the point
// in a variable.
func Here() *Point { return pegs.here(callerOf(2)) }

// Hit is Lane.Hit on the default lane. A mutex lets many goroutines use it, but an arc
// between the hits of two goroutines means nothing.
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
