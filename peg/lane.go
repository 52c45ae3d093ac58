//go:build !nopeg

package peg

import (
	"runtime"
	"sync"
)

// Lane is what arcs are measured along: the work of one worker, request or goroutine.
// It has one user at a time, and may be handed on with the work. A nil lane takes
// hits and does nothing with them. The zero Lane is one without a name.
//
// A hit needs no guard against a hit inside of it: it calls nothing that has pegs, and
// no Go code runs on a goroutine in the middle of it.
type Lane struct {
	track    *track // nil until the first hit, and after Close
	registry *registry
	name     string
	spans    uint64 // that have begun
	closed   bool
	lost     runtime.Cleanup // takes the memory back where nobody closes the lane
	common   *common         // of the default lane only
}

// common is the lane that the hits on the default lane go to, and its lock.
type common struct {
	mu   sync.Mutex
	lane Lane
}

// Mark is a span that has begun.
type Mark struct {
	lane *Lane
	word uint64
}

// NewLane makes a lane. Lanes of one name are put together in a snapshot, apart from
// those of other names; the default lane has no name. Close it when its work is over:
// what it has measured stays, and the next lane of the name goes on with its memory,
// some ten kilobytes, which a lane takes at its first hit. A lane that is forgotten is
// closed when the garbage collector finds it, which may be late.
func NewLane(name string) *Lane { return &Lane{registry: pegs, name: name} }

// Close ends the lane. Spans that are open are left open, which is counted.
func (l *Lane) Close() {
	if l == nil || l.closed || l.common != nil {
		return
	}
	l.closed = true
	if t := l.track; t != nil {
		l.track = nil
		l.lost.Stop()
		l.registry.release(t)
	}
}

// Hit ends the arc from the last point hit on the lane, and begins the next.
func (l *Lane) Hit(p *Point) {
	if w := p.live.Load(); w != 0 {
		l.record(w)
	}
}

// Start begins an arc, and ends none.
func (l *Lane) Start(p *Point) {
	if w := p.live.Load(); w != 0 {
		l.record(w | deedStart)
	}
}

// Stop ends an arc, and begins none: a second Stop measures from the same start. A
// stop without a start is counted as unmatched.
func (l *Lane) Stop(p *Point) {
	if w := p.live.Load(); w != 0 {
		l.record(w | deedStop)
	}
}

// Begin opens a span of the lane. Spans nest, and may hold themselves. They are apart
// from the arcs between points, but directed points may be measured from the begin of
// a span.
func (l *Lane) Begin(p *Point) Mark {
	if w := p.live.Load(); w != 0 && l != nil {
		return l.begin(w)
	}
	return Mark{}
}

// End closes the span, and those inside it that were left open, which are counted as
// unmatched. Its arc goes from the span around it, "" for none, to it. It counts also
// where pegs have been switched off since the span began.
func (m Mark) End() {
	if m.lane != nil {
		m.lane.record(m.word)
	}
}

// begin numbers the span, so that its end finds it.
func (l *Lane) begin(w uint64) Mark {
	if c := l.common; c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		return Mark{l, c.lane.begin(w).word}
	}
	l.spans++
	w |= l.spans & spanMask << deedBits
	l.record(w | deedBegin)
	return Mark{l, w | deedEnd}
}

// record writes the hit into the log, and works it off when it is full.
func (l *Lane) record(w uint64) {
	if l == nil {
		return
	}
	t := l.track
	if t == nil {
		l.slow(w)
		return
	}
	if t.ticks {
		if !stampTicks(t, w) {
			t.full(t.clock.now(), w)
		}
	} else if at := t.clock.now(); !stamp(t, at, w) {
		t.full(at, w)
	}
	runtime.KeepAlive(l) // or the collector might hand its memory on in the middle of a last hit
}

// slow is for lanes without memory: the default one, which stands for another lane that
// hits wait for, those that are closed, and new ones.
func (l *Lane) slow(w uint64) {
	if l.registry == nil {
		l.registry = pegs
	}
	switch {
	case l.common != nil:
		l.common.mu.Lock()
		l.common.lane.record(w)
		l.common.mu.Unlock()
	case l.closed:
		l.registry.late.Add(1)
	default:
		entered := l.registry.now()
		l.track = l.registry.acquire(l)
		if l != &l.registry.common.common.lane { // which is part of what lives for ever
			l.lost = runtime.AddCleanup(l, l.registry.release, l.track)
		}
		l.track.full(entered, w)
	}
}
