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
// Own cost. A hit reads the clock once. With a reading at either end (docs/evidence/ancestors.md,
// §5.4) its cost could be subtracted as measured, but one reading of the time stamp
// counter takes 20 ns or more, and the rest of a hit under 8 ns. Instead the ledger subtracts the
// calibrated cost of a hit times the number of hits, and the measured time in which logs
// were processed. An arc over k hits is
//
//	(t_to − t_from) − cost·k − passed
//
// The k include the hit at its end: the arc contains the part of the first hit after the
// stamp and the part of the last hit before the stamp, together one hit.
//
// A processor that executes out of order does a part of a hit at the same time as the
// program's own work. How much is not known and differs from place to place, so the
// program's time is between this difference and the one with no cost subtracted.
type ledger struct {
	cost  uint64  // of a hit, in ticks·2^fraction
	scale float64 // nanoseconds in a tick/2^fraction
	own   uint64  // total time that pegs have taken, in ticks·2^fraction
	table *atomic.Pointer[[]*Point]

	errs hitErrors
	idle int64 // the shortest pause, in ticks·2^fraction

	epoch  uint64 // a point that was left in an earlier epoch begins no arc
	last   uint32 // the last point, 0 for none
	left   moment // when it was left
	at     moment // of the last event of the lane
	places []place
	open   []span
	newest uint64 // number of the last span begun before spans were last cut off
}

// hitErrors are how much a hit may take more or less than its calibrated cost, in nanoseconds.
type hitErrors struct {
	warm    float64 // more, if it follows other hits
	cold    float64 // more, if it follows a pause
	overlap float64 // less, if the program's own work hides it
}

// moment is the time of a hit on a lane.
type moment struct {
	at    int64  // in the program's own time
	hits  uint64 // on the lane so far, with this one
	colds uint64 // hits among them that followed a pause
	cold  uint64 // 1 if this hit followed a pause, else 0
}

// stretch is the time from one hit of a lane to a later one.
type stretch struct {
	ticks int64
	hits  uint64 // without the first
	colds uint64 // hits that followed a pause, without the first; at least 1 if cold is
	cold  uint64 // 1 if any hit may have followed a pause, else 0
}

// to returns the stretch from m to a later hit. It is cold if a hit in it followed a pause,
// or if it is as long as a pause itself.
func (m moment) to(end moment, idle int64) stretch {
	s := stretch{ticks: end.at - m.at, hits: end.hits - m.hits, colds: end.colds - m.colds}
	s.cold = m.cold | min(s.colds, 1) | above(s.ticks, idle)
	s.colds = max(s.colds, s.cold)
	return s
}

// place is a point on a lane.
type place struct {
	point    *Point
	count    uint64
	left     moment // when it was last left
	epoch    uint64 // the ledger's epoch when it was last left
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
// point as last time, within its least and greatest time so far, without another hit in
// between. It returns their number. Programs mostly repeat themselves, and takePlain needs
// a third of the time of take. Both must have the same result.
func (g *ledger) takePlain(events []event) int {
	if g.left.hits != g.at.hits {
		return 0
	}
	// All fields are loaded once, before the loop.
	own := g.own
	last := g.last
	left := g.left.at
	at := g.at.at
	hits := g.at.hits
	colds := g.at.colds
	cold := g.left.cold
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
		hits++
		colds += cold
		p.count++
		p.left = moment{now, hits, colds, cold}
		p.epoch = epoch
		last = n
		left = now
		at = now
	}
	if i > 0 {
		g.own = own
		g.last = last
		g.left = moment{left, hits, colds, cold}
		g.at = g.left
	}
	return i
}

// take counts one event. Arcs are differences of the program's own time: the clock less
// the time that pegs took. That may wrap around without harm.
func (g *ledger) take(e event) {
	g.own += g.cost
	n := pointOf(e.word)
	if int(n) >= len(g.places) {
		g.grow()
	}
	p := &g.places[n]
	now := moment{at: int64(e.at<<fraction - g.own), hits: g.at.hits + 1}
	now.cold = above(now.at-g.at.at, g.idle)
	if !p.seen {
		p.seen = true
		now.cold = 1
	}
	now.colds = g.at.colds + now.cold
	g.at = now
	if deed := e.word & deedMask; deed == deedHit {
		g.count(p, e.at)
		g.arrive(p, now)
		g.leave(n, now)
	} else {
		g.takeOther(p, e, now)
	}
}

// above returns 1 if a time is longer than the limit, else 0. It has no branch: see addUsual.
func above(ticks, limit int64) uint64 { return uint64(limit-ticks) >> 63 }

func (g *ledger) takeOther(p *place, e event, now moment) {
	n := pointOf(e.word)
	if e.word&deedMask == deedEnd {
		g.end(p, spanOf(e.word), now)
		return
	}
	g.count(p, e.at)
	switch e.word & deedMask {
	case deedStart:
		g.leave(n, now)
	case deedStop:
		if !g.arrive(p, now) && !p.directed {
			p.lacked++
		}
	case deedBegin:
		g.begin(n, spanOf(e.word), now)
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

// arrive ends an arc, and reports whether one had begun.
func (g *ledger) arrive(p *place, now moment) bool {
	if p.directed {
		return g.arriveFrom(p, p.point.origin.Load(), now)
	}
	if g.last == 0 {
		return false
	}
	p.next.from(g.last).add(g.left.to(now, g.idle), g.scale)
	return true
}

// arriveFrom ends a directed arc.
func (g *ledger) arriveFrom(p *place, origin uint32, now moment) bool {
	if origin == 0 || int(origin) >= len(g.places) || g.places[origin].epoch != g.epoch {
		p.lacked++
		return false
	}
	p.next.from(origin).add(g.places[origin].left.to(now, g.idle), g.scale)
	return true
}

func (g *ledger) leave(n uint32, now moment) {
	p := &g.places[n]
	p.left = now
	p.epoch = g.epoch
	g.last = n
	g.left = now
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
		*p = place{point: p.point, directed: p.directed, left: p.left, epoch: p.epoch, seen: p.seen}
	}
}

// grow adds the points that were made since the last call.
func (g *ledger) grow() {
	for _, p := range (*g.table.Load())[len(g.places):] {
		g.places = append(g.places, place{point: p, directed: p.from != ""})
	}
}
