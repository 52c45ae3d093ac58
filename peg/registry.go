//go:build !nopeg

package peg

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/suite/peg/pegfile"
)

// registry holds the points and lanes of a program. mu is locked before the mu of a track.
type registry struct {
	table  atomic.Pointer[[]*Point] // by number; the first is none. Read without mu
	places sync.Map                 // points of Here, by the place of the call
	late   atomic.Uint64            // hits on lanes that are closed
	common *Lane

	mu       sync.Mutex
	names    map[string]*Point
	problems []string // the first mostProblems, each once
	unlisted uint64   // number of problems beyond mostProblems
	clock    *clock   // from the first Enable on
	on       bool
	all      bool
	wanted   []string
	tracks   []*track
	free     map[string][]*track // by the name of the lane
	waiting  map[string][]*Point // directed ones, by a start that is not made yet
}

// pegs is the registry of the program: points are package variables, so there has to be one
// place that knows them all.
var pegs = newRegistry()

func newRegistry() *registry {
	r := &registry{names: map[string]*Point{}, free: map[string][]*track{}, waiting: map[string][]*Point{}}
	r.common = &Lane{registry: r, common: &common{lane: Lane{registry: r}}}
	return r
}

func (r *registry) make(name, from string, pc uintptr) *Point {
	file, line := placeOf(pc)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.addPoint(name, from, file, line)
}

// addPoint returns a new point. If its name is refused, the point gets no number and its hits
// do not count. The caller holds mu.
func (r *registry) addPoint(name, from, file string, line int) *Point {
	p := &Point{registry: r, name: name, from: from, file: file, line: line}
	if err := r.refuse(name); err != nil {
		r.complain(fmt.Sprintf("%s:%d: %v: its hits do not count", file, line, err))
		return p
	}
	r.names[name] = p
	r.enter(p)
	r.connect(p)
	r.light(p)
	return p
}

// mostProblems is the number of problems that are kept: a program may make points in a
// loop.
const mostProblems = 100

func (r *registry) complain(problem string) {
	switch {
	case slices.Contains(r.problems, problem):
	case len(r.problems) == mostProblems:
		r.unlisted++
	default:
		r.problems = append(r.problems, problem)
	}
}

// refuse returns why no point can have this name, nil if one can.
func (r *registry) refuse(name string) error {
	if name == pegfile.Other {
		return fmt.Errorf("a point cannot be called %q, which is the name for all other points", pegfile.Other)
	}
	if first := r.names[name]; first != nil {
		return fmt.Errorf("a second point %q, the first is at %s:%d", name, first.file, first.line)
	}
	if r.table.Load() != nil && len(*r.table.Load()) > mostPoint {
		return fmt.Errorf("more than %d points", mostPoint)
	}
	return pegfile.CheckName(name)
}

// enter sets the number of a point and appends it to the table. Readers without mu still
// see the old table, whose end is before the new point.
func (r *registry) enter(p *Point) {
	table := []*Point{{}}
	if old := r.table.Load(); old != nil {
		table = *old
	}
	p.number = uint32(len(table))
	table = append(table, p)
	r.table.Store(&table)
}

// connect sets the origin of a directed point, and of the directed points that waited for
// this point to be made.
func (r *registry) connect(p *Point) {
	for _, q := range r.waiting[p.name] {
		q.origin.Store(p.number)
	}
	delete(r.waiting, p.name)
	if p.from == "" {
		return
	}
	if start := r.names[p.from]; start != nil {
		p.origin.Store(start.number)
	} else {
		r.waiting[p.from] = append(r.waiting[p.from], p)
	}
}

// light switches a point on if it is wanted.
func (r *registry) light(p *Point) {
	if r.on && p.number != 0 && (r.all || slices.Contains(r.wanted, p.name)) {
		p.live.Store(wordOf(p.number))
	}
}

// now reads the clock, which Enable has set before the first point was on.
func (r *registry) now() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.clock.now()
}

// acquire returns memory for a lane, the memory of a closed lane of its name if there is one.
func (r *registry) acquire(l *Lane) *track {
	r.mu.Lock()
	defer r.mu.Unlock()
	if free := r.free[l.name]; len(free) > 0 {
		r.free[l.name] = free[:len(free)-1]
		return free[len(free)-1]
	}
	t := r.newTrack(l)
	r.tracks = append(r.tracks, t)
	return t
}

func (r *registry) newTrack(l *Lane) *track {
	costs := r.clock.own
	if l == &r.common.common.lane {
		costs = r.clock.common
	}
	return &track{ticks: r.clock.ticks, clock: r.clock, costs: costs, name: l.name,
		ledger: ledger{cost: costs.ticks, scale: r.clock.length(1), idle: r.clock.ticksOf(idle),
			table: &r.table, epoch: 1,
			errs: hitErrors{warm: costs.residue, cold: costs.cold, overlap: r.clock.length(costs.ticks)}}}
}

// release takes the memory of a closed lane back.
func (r *registry) release(t *track) {
	t.mu.Lock()
	t.workOff(t.head.Load())
	t.ledger.cut()
	t.ledger.newest = 0 // the next lane counts its spans from one again
	t.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free[t.name] = append(r.free[t.name], t)
}
