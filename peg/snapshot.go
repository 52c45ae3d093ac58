//go:build !nopeg

package peg

import (
	"slices"

	"example.com/suite/peg/pegfile"
)

// Snapshot returns the measurements since the start, or since the last reset. Lanes
// continue meanwhile, and no hit is lost. The snapshot contains all hits up to one moment,
// which is the same for all lanes within some microseconds.
func Snapshot() *pegfile.Document { return pegs.snapshot(true, false) }

// Reset deletes all measurements. Arcs and spans that have begun stay open.
func Reset() { pegs.snapshot(false, true) }

// SnapshotAndReset does both in one step: each hit is in exactly one snapshot.
func SnapshotAndReset() *pegfile.Document { return pegs.snapshot(true, true) }

// snapshot keeps the lanes from processing their logs, but not from writing to them. It
// notes the ends of all logs, some nanoseconds each, and then processes them itself.
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

// parts returns the head, and then a document for each lane.
func (r *registry) parts(read, reset bool) (parts []*pegfile.Document, order firsts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lockAll()
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

// lockAll takes the locks of all lanes and processes the hits up to one moment.
func (r *registry) lockAll() {
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

// head is the part of the document that is not about lanes: the clock and the problems.
func (r *registry) head() *pegfile.Document {
	d := &pegfile.Document{Protocol: pegfile.Protocol, Points: []pegfile.Hits{}, Arcs: []pegfile.Arc{},
		Problems: r.allProblems()}
	if r.clock == nil {
		return d
	}
	d.Clock = r.clock.name
	d.Cost = r.clock.length(r.clock.own.ticks) // known before the first hit
	d.Residue = r.clock.own.residue
	for _, t := range r.tracks {
		d.Cost = max(d.Cost, r.clock.length(t.costs.ticks))
		d.Residue = max(d.Residue, t.costs.residue)
	}
	d.Overlap = d.Cost
	return d
}
