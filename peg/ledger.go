//go:build !nopeg

package peg

import "sync/atomic"

// fraction is how many binary digits of a tick are counted: the cost of a hit is
// subtracted hundreds of times from a directed arc, and half a tick too little
// each time would show.
const fraction = 8

// ledger holds the measurements of a lane. It depends only on the lane's events and their
// order.
//
// Own cost. A hit reads the clock once. With a reading at either end (docs/ancestors.md,
// §5.4) its cost could be subtracted as measured, but one reading of the time stamp
// counter takes 20 ns or more, and the rest of a hit under 8 ns. Instead the ledger subtracts the
// calibrated cost of a hit times the number of hits, and the measured time in which logs
// were processed. An arc over k hits is
//
//	(t_to − t_from) − cost·k − passed
//
// The k include the hit at its end: the arc contains the part of the first hit after the
// stamp and the part of the last hit before the stamp, together one hit.
type ledger struct {
	cost  uint64  // of a hit, in ticks·2^fraction
	scale float64 // nanoseconds in a tick/2^fraction
	own   uint64  // total time that pegs have taken, in ticks·2^fraction
	table *atomic.Pointer[[]*Point]

	coldResidue float64 // of arcs with a hit that followed a pause, in nanoseconds
	idle        int64   // the shortest pause, in ticks·2^fraction

	epoch  uint64 // a point that was left in an earlier epoch begins no arc
	last   uint32 // the last point, 0 for none
	left   int64  // when it was left
	cold   uint64 // 1 if the hit that left it followed a pause, else 0
	at     int64  // time of the last event of the lane
	places []place
	open   []span
	newest uint64 // number of the last span begun before spans were last cut off
}

// place is a point on a lane.
type place struct {
	point    *Point
	count    uint64
	left     int64  // when it was last left, in the program's own time
	epoch    uint64 // the ledger's epoch when it was last left
	cold     uint64 // 1 if the hit that left it followed a pause, else 0
	seen     bool   // it has been hit; a reset does not clear this
	directed bool
	next     incoming
	spans    incoming
	first    uint64 // stamp of the first hit
	lacked   uint64 // hits that ended no arc because none had begun, and spans never ended
	open     uint64 // spans that were never ended
	stray    uint64 // ends of spans that were not open
}

// takeAll counts events in their order.
func (g *ledger) takeAll(events []event) {
	for len(events) > 0 {
		events = events[g.takePlain(events):]
		if len(events) > 0 {
			g.take(events[0])
			events = events[1:]
		}
	}
}

// takePlain counts the first events as long as they are hits that end an arc from the same
// point as last time, within its least and greatest time so far. It returns their number.
// Programs mostly repeat themselves, and takePlain needs a third of the time of take. Both
// must have the same result.
func (g *ledger) takePlain(events []event) int {
	// All fields are loaded once, before the loop.
	own := g.own
	last := g.last
	left := g.left
	at := g.at
	cold := g.cold
	cost := g.cost
	scale := g.scale
	idle := g.idle
	epoch := g.epoch
	places := g.places
	i := 0
	for ; i < len(events); i++ {
		e := &events[i]
		n := pointOf(e.word)
		if e.word&deedMask != deedHit || int(n) >= len(places) {
			break
		}
		p := &places[n]
		if p.next.recent != last || p.next.found == nil || p.directed || p.count == 0 {
			break
		}
		now := int64(e.at<<fraction - (own + cost))
		if !p.next.found.addUsual(now-left, scale, cold|above(now-left, idle)) {
			break
		}
		cold = above(now-at, idle)
		own += cost
		p.count++
		p.left = now
		p.epoch = epoch
		p.cold = cold
		last = n
		left = now
		at = now
	}
	g.own = own
	g.last = last
	g.left = left
	g.at = at
	g.cold = cold
	return i
}

// take counts one event. Arcs are differences of the program's own time: the clock less
// the time that pegs took. That may wrap around without harm.
func (g *ledger) take(e event) {
	g.own += g.cost
	now := int64(e.at<<fraction - g.own)
	n := pointOf(e.word)
	if int(n) >= len(g.places) {
		g.grow()
	}
	p := &g.places[n]
	cold := above(now-g.at, g.idle)
	if !p.seen {
		p.seen = true
		cold = 1
	}
	g.at = now
	if deed := e.word & deedMask; deed == deedHit {
		g.count(p, e.at)
		g.arrive(p, now, cold)
		g.leave(n, now, cold)
	} else {
		g.takeOther(p, e, now, cold)
	}
}

// above returns 1 if a time is longer than the limit, else 0. It has no branch: see addUsual.
func above(ticks, limit int64) uint64 { return uint64(limit-ticks) >> 63 }

func (g *ledger) takeOther(p *place, e event, now int64, cold uint64) {
	n := pointOf(e.word)
	if e.word&deedMask == deedEnd {
		g.end(p, spanOf(e.word), now, cold)
		return
	}
	g.count(p, e.at)
	switch e.word & deedMask {
	case deedStart:
		g.leave(n, now, cold)
	case deedStop:
		if !g.arrive(p, now, cold) && !p.directed {
			p.lacked++
		}
	case deedBegin:
		g.begin(n, spanOf(e.word), now, cold)
	}
}

// pass leaves ticks out of all arcs, since the program could do nothing in that time.
func (g *ledger) pass(ticks uint64) { g.own += ticks << fraction }

func (g *ledger) count(p *place, at uint64) {
	if p.count == 0 {
		p.first = at
	}
	p.count++
}

// arrive ends an arc, and reports whether one had begun. An arc is cold if one of its ends
// was hit after a pause, or if it is as long as a pause itself.
func (g *ledger) arrive(p *place, now int64, cold uint64) bool {
	if p.directed {
		return g.arriveFrom(p, p.point.origin.Load(), now, cold)
	}
	if g.last == 0 {
		return false
	}
	p.next.from(g.last).add(now-g.left, g.scale, g.cold|cold|above(now-g.left, g.idle))
	return true
}

// arriveFrom ends a directed arc.
func (g *ledger) arriveFrom(p *place, origin uint32, now int64, cold uint64) bool {
	if origin == 0 || int(origin) >= len(g.places) || g.places[origin].epoch != g.epoch {
		p.lacked++
		return false
	}
	start := &g.places[origin]
	p.next.from(origin).add(now-start.left, g.scale, start.cold|cold|above(now-start.left, g.idle))
	return true
}

func (g *ledger) leave(n uint32, now int64, cold uint64) {
	p := &g.places[n]
	p.left = now
	p.epoch = g.epoch
	p.cold = cold
	g.last = n
	g.left = now
	g.cold = cold
}

// cut ends all spans and arcs: the lane was closed, or pegs were switched off.
func (g *ledger) cut() {
	g.leaveOpen(0)
	g.last = 0
	g.epoch++
}

// reset forgets all measurements. Open spans and arcs stay open.
func (g *ledger) reset() {
	for i := range g.places {
		p := &g.places[i]
		*p = place{point: p.point, directed: p.directed, left: p.left, epoch: p.epoch, cold: p.cold, seen: p.seen}
	}
}

// grow adds the points that were made since the last call.
func (g *ledger) grow() {
	for _, p := range (*g.table.Load())[len(g.places):] {
		g.places = append(g.places, place{point: p, directed: p.from != ""})
	}
}
