//go:build !nopeg

package peg

import (
	"context"
	"runtime"
	"sync"
)

// Lane is the work of one worker, request or goroutine. Arcs connect hits on the same
// lane. Only one goroutine may use a lane at a time, but it can pass the lane on with the
// work. A nil lane ignores hits. The zero Lane is ready to use and has no name.
//
// A hit cannot be interrupted by another hit on its lane: it calls no code that has pegs,
// and no other Go code runs on its goroutine meanwhile.
type Lane struct {
	track    *track // nil until the first hit, and after Close
	registry *registry
	name     string
	spans    uint64 // number of spans begun
	closed   bool
	lost     runtime.Cleanup // releases the track if the lane is never closed
	common   *common         // of the default lane only
}

// common is the lane that records the hits on the default lane, with its lock.
type common struct {
	mu   sync.Mutex
	lane Lane
}

// Mark is a span that has begun.
type Mark struct {
	lane *Lane
	word uint64
}

// NewLane returns a new lane. Snapshots add up lanes with the same name; the default lane
// has no name. Close the lane when its work is over: its arcs are kept, and the next lane
// of that name takes over its memory, some ten kilobytes. The garbage collector closes
// lanes that are never closed, but later.
func NewLane(name string) *Lane { return &Lane{registry: pegs, name: name} }

// Close ends the lane. Spans that are still open count as unmatched.
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

// Start begins an arc without ending one.
func (l *Lane) Start(p *Point) {
	if w := p.live.Load(); w != 0 {
		l.record(w | deedStart)
	}
}

// Stop ends an arc without beginning one: a second Stop measures from the same start. A
// stop without a start counts as unmatched.
func (l *Lane) Stop(p *Point) {
	if w := p.live.Load(); w != 0 {
		l.record(w | deedStop)
	}
}

// Begin opens a span on the lane. Spans nest, also within a span of the same point. They
// neither end nor begin arcs between points, but a directed point may measure from the
// begin of a span.
func (l *Lane) Begin(p *Point) Mark {
	if w := p.live.Load(); w != 0 && l != nil {
		return l.begin(w)
	}
	return Mark{}
}

// End closes the span. Spans inside it that are still open are dropped and count as
// unmatched. The arc goes from the enclosing span, "" if there is none, to this one. End
// counts even if pegs have been switched off since the span began.
func (m Mark) End() {
	if m.lane != nil {
		m.lane.record(m.word)
	}
}

// begin numbers the span, so that End can find it among the open spans.
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

// record writes a hit into the log, and processes the log if it is full.
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
	runtime.KeepAlive(l) // else the cleanup might release the track in the middle of the last hit
}

// slow records a hit on a lane without a track: the default lane, which passes the hit to
// a lane with a lock, a closed lane, or a new one.
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
		if l != &l.registry.common.common.lane { // the registry keeps that lane for ever
			l.lost = runtime.AddCleanup(l, l.registry.release, l.track)
		}
		l.track.full(entered, w)
	}
}

type laneKey struct{}

// WithLane returns a context that carries the lane.
func WithLane(ctx context.Context, l *Lane) context.Context {
	return context.WithValue(ctx, laneKey{}, l)
}

// LaneOf returns the lane that a context carries, the default lane if it carries none.
func LaneOf(ctx context.Context) *Lane {
	if l, ok := ctx.Value(laneKey{}).(*Lane); ok {
		return l
	}
	return pegs.common
}
