//go:build !nopeg

package peg

import (
	"slices"

	"example.com/suite/peg/pegfile"
)

// Snapshot returns what was measured since the start, or the last reset. Nothing is
// lost by it, and lanes go on meanwhile. It holds what each lane had written when it was
// looked at, all of them within microseconds, and none of what came later.
func Snapshot() *pegfile.Document { return pegs.snapshot(true, false) }

// Reset forgets what was measured. Arcs and spans that are open stay so.
func Reset() { pegs.snapshot(false, true) }

// SnapshotAndReset is both at once: no hit is lost between them, and none counted twice.
func SnapshotAndReset() *pegfile.Document { return pegs.snapshot(true, true) }

// snapshot stops the lanes from working off their logs, not from writing them, so that
// it reads them all as they are within some nanoseconds each; then it works them off itself.
func (r *registry) snapshot(read, reset bool) *pegfile.Document {
	parts, order := r.parts(read, reset)
	if !read {
		return nil
	}
	doc := pegfile.Merge(parts...)
	slices.SortStableFunc(doc.Points, func(a, b pegfile.Hits) int { return order.compare(a.Name, b.Name) })
	doc.End = false
	return doc
}

// parts returns a document for each lane, after one for all that is stated once.
func (r *registry) parts(read, reset bool) (parts []*pegfile.Document, order firsts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stand()
	defer r.goOn()
	if read {
		order = r.order()
		parts = append(parts, r.head())
		for _, t := range r.tracks {
			parts = append(parts, t.ledger.part(t.name))
		}
	}
	if reset {
		r.reset()
	}
	return parts, order
}

// stand takes the locks of all lanes and works off what their logs held at one moment.
func (r *registry) stand() {
	for _, t := range r.tracks {
		t.mu.Lock()
	}
	heads := make([]uint64, len(r.tracks))
	for i, t := range r.tracks {
		heads[i] = t.head.Load()
	}
	for i, t := range r.tracks {
		t.workOff(heads[i])
	}
}

func (r *registry) goOn() {
	for _, t := range r.tracks {
		t.mu.Unlock()
	}
}

func (r *registry) reset() {
	for _, t := range r.tracks {
		t.ledger.reset()
		t.mixed = 0
	}
	r.late.Store(0)
}

// head is what is said once: of the clock, and of what went wrong.
func (r *registry) head() *pegfile.Document {
	d := &pegfile.Document{Protocol: pegfile.Protocol, Points: []pegfile.Hits{}, Arcs: []pegfile.Arc{}, Problems: r.allProblems()}
	if r.clock == nil {
		return d
	}
	d.Clock = r.clock.name
	for _, t := range r.tracks {
		d.Cost = max(d.Cost, r.clock.length(t.costs.ticks))
		d.Residue = max(d.Residue, t.costs.residue)
	}
	return d
}
