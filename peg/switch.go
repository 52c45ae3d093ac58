//go:build !nopeg

package peg

import "slices"

// Enable switches on the points of these names, of those that are made later too;
// without names all of them. Points that are on stay so. The first time it measures
// clock and hits, for a millisecond or two. After pegs were off no arc goes on from before.
func Enable(names ...string) { pegs.enable(names) }

// Disable switches all points off. What was measured stays.
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

// cut ends what was open on the lanes when pegs were switched off.
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
	r.on, r.all, r.wanted = false, false, nil
	for _, p := range r.names {
		p.live.Store(0)
	}
}
