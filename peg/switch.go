//go:build !nopeg

package peg

import "slices"

// Enable switches on the points with these names, or all points if there are no names.
// Points that are made later are included, and points that are on already stay on. The
// first call measures the clock and the cost of a hit, which takes a millisecond or two.
// No arc continues across a time in which all pegs were off.
func Enable(names ...string) { pegs.enable(names) }

// Disable switches all points off. The measurements are kept.
func Disable() { pegs.disable() }

func (r *registry) enable(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clock == nil {
		r.clock = systemClock()
		r.clock.calibrate()
	}
	if !r.on {
		r.cut()
	}
	r.on = true
	r.all = r.all || len(names) == 0
	for _, name := range names {
		if !slices.Contains(r.wanted, name) { // a program may switch on for each request
			r.wanted = append(r.wanted, name)
		}
	}
	for _, p := range r.names {
		r.light(p)
	}
}

// cut drops the arcs and spans that were open when pegs were switched off.
func (r *registry) cut() {
	for _, t := range r.tracks {
		t.mu.Lock()
		t.workOff(t.head.Load())
		t.ledger.cut()
		t.mu.Unlock()
	}
}

func (r *registry) disable() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on = false
	r.all = false
	r.wanted = nil
	for _, p := range r.names {
		p.live.Store(0)
	}
}
