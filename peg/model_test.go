//go:build !nopeg

package peg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/suite/peg/pegfile"
)

// modelKey tells the arcs of a model apart, which has one lane.
type modelKey struct {
	from, to string
	kind     pegfile.Kind
}

// model is what arcs should come to: a program whose clock stands still in pegs.
type model struct {
	at    float64
	last  string
	moved float64            // on from there, in no span
	left  map[string]float64 // when points were left
	open  []string           // spans
	begun []float64
	arcs  map[modelKey][]float64
}

func (m *model) add(from, to string, kind pegfile.Kind, begun float64) {
	key := modelKey{from: from, to: to, kind: kind}
	m.arcs[key] = append(m.arcs[key], m.at-begun)
}

// arrive ends an arc at a point; d is directed from a.
func (m *model) arrive(name string) {
	begun, known := m.left["a"]
	switch {
	case name == "d" && known:
		m.add("a", name, pegfile.KindDirected, begun)
	case name != "d" && m.last != "":
		m.add(m.last, name, pegfile.KindNext, m.moved)
	}
}

func (m *model) leave(name string) { m.last, m.moved, m.left[name] = name, m.at, m.at }

func (m *model) begin(name string) {
	m.open, m.begun, m.left[name] = append(m.open, name), append(m.begun, m.at), m.at
}

func (m *model) end() {
	inner, around := len(m.open)-1, ""
	if inner > 0 {
		around = m.open[inner-1]
	}
	m.add(around, m.open[inner], pegfile.KindSpan, m.begun[inner])
	m.open, m.begun = m.open[:inner], m.begun[:inner]
}

// Programs that do anything in any order have in each arc the time that they worked,
// exactly: whatever number of hits, spans, snapshots and logs worked off lie in it.
func TestArcsOfAnyProgramAreItsOwnTime(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w, m := newWorld(t), model{left: map[string]float64{}, arcs: map[modelKey][]float64{}}
		points := append(w.points("a", "b", "c"), w.directed("d", "a"))
		marks := []Mark{}
		for range 200 + rng.IntN(5*logged) {
			p, work := points[rng.IntN(len(points))], uint64(rng.IntN(50))
			w.works(work)
			m.at += float64(work)
			switch deed := rng.IntN(9); {
			case deed == 0:
				w.snapshot()
			case deed == 1:
				marks = append(marks, w.lane.Begin(p))
				m.begin(p.name)
			case deed == 2 && len(marks) > 0:
				marks[len(marks)-1].End()
				marks = marks[:len(marks)-1]
				m.end()
			case deed == 3:
				w.lane.Start(p)
				m.leave(p.name)
			case deed == 4:
				w.lane.Stop(p)
				m.arrive(p.name)
			default:
				w.lane.Hit(p)
				m.arrive(p.name)
				m.leave(p.name)
			}
		}
		m.check(t, w.snapshot())
	}
}

func (m *model) check(t *testing.T, d *pegfile.Document) {
	t.Helper()
	if len(d.Arcs) != len(m.arcs) {
		t.Fatalf("%d arcs, want %d", len(d.Arcs), len(m.arcs))
	}
	for _, a := range d.Arcs {
		times, sum := m.arcs[modelKey{a.From, a.To, a.Kind}], 0.0
		for _, ns := range times {
			sum += ns
		}
		if a.Count != uint64(len(times)) || a.Sum != sum || a.Min != slices.Min(times) || a.Max != slices.Max(times) || a.Zero > 0 {
			t.Fatalf("%+v, want %d times that come to %g, from %g to %g", a, len(times), sum, slices.Min(times), slices.Max(times))
		}
	}
}
