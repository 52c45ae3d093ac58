//go:build !nopeg

package peg

import (
	"encoding/binary"
	"reflect"
	"testing"

	"example.com/suite/peg/pegfile"
)

// FuzzLedger takes any events, on five points of which two are directed, one of them at
// nothing. The quick way gives what the plain one gives; every hit ends an arc, or
// ended nothing because nothing had begun; and the document holds together.
func FuzzLedger(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 10, 0, 0, 2, 20, 0, 0, 1, 10, 0, 0, 2, 20, 0})                 // hit a, hit b, again
	f.Add([]byte{1, 1, 10, 0, 2, 2, 20, 0, 2, 4, 9, 0, 2, 5, 9, 0})                   // start a, stop b and the directed ones
	f.Add([]byte{3, 1, 5, 0, 3, 2, 5, 0, 12, 1, 5, 0, 20, 2, 5, 0, 12, 3, 5, 0})      // begin, begin, ends of both, and of none
	f.Add([]byte{0, 1, 0, 128, 0, 1, 255, 255, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 128}) // the clock goes back
	f.Fuzz(func(t *testing.T, data []byte) {
		events := eventsOf(data)
		one, all := newLedger(), newLedger()
		for _, e := range events {
			one.take(e)
		}
		all.takeAll(events)
		if !reflect.DeepEqual(one.part(""), all.part("")) || one.own != all.own || one.left != all.left {
			t.Fatalf("one by one\n%+v\nall at once\n%+v", one.part(""), all.part(""))
		}
		checkCounts(t, events, one)
		if err := pegfile.Merge(one.part("")).Check(); err != nil {
			t.Fatal(err)
		}
	})
}

// newLedger has the points a, b, c, d from a, and e from nothing that there is.
func newLedger() *ledger {
	r := newRegistry()
	for i, from := range []string{"", "", "", "a", "nothing"} {
		r.addPoint(string(rune('a'+i)), from, "", 0)
	}
	return &ledger{cost: 10 << fraction, scale: 1. / (1 << fraction), table: &r.table, epoch: 1}
}

// eventsOf makes an event of four bytes: deed and number of the span, point, and the
// step of the clock, which goes back where it is negative.
func eventsOf(data []byte) (events []event) {
	at := uint64(1 << 40)
	for ; len(data) >= 4; data = data[4:] {
		deed, number := uint64(data[0]&deedMask)%(deedEnd+1), uint64(data[0]>>deedBits)
		at += uint64(int64(int16(binary.LittleEndian.Uint16(data[2:]))))
		events = append(events, event{at, wordOf(uint32(data[1]%5)+1) | number<<deedBits | deed})
	}
	return events
}

// checkCounts holds what was measured against the events themselves.
func checkCounts(t *testing.T, events []event, g *ledger) {
	t.Helper()
	hits, ending, first := map[uint32]uint64{}, uint64(0), uint64(0)
	begun, last := uint64(0), false
	for _, e := range events {
		n, deed := pointOf(e.word), e.word&deedMask
		if deed != deedEnd {
			hits[n]++
		}
		if deed == deedBegin {
			begun++
		}
		if deed == deedHit || deed == deedStop {
			ending++
			if deed == deedHit && !last && n < 4 {
				first++ // of the lane: it ends nothing, and that is no fault
			}
		}
		last = last || deed == deedHit || deed == deedStart
	}
	var next, spans, lacked uint64
	for i := range g.places {
		p := &g.places[i]
		if p.count != hits[uint32(i)] {
			t.Fatalf("point %d: %d hits, want %d", i, p.count, hits[uint32(i)])
		}
		p.next.each(func(_ uint32, a *tally) { next += a.count })
		p.spans.each(func(_ uint32, a *tally) { spans += a.count })
		lacked += p.lacked - p.open
	}
	if next+lacked+first != ending {
		t.Fatalf("%d arcs, %d unmatched and %d at the start of the lane; want %d in all", next, lacked, first, ending)
	}
	var open uint64
	for i := range g.places {
		open += g.places[i].open
	}
	if spans+open+uint64(len(g.open)) != begun {
		t.Fatalf("%d spans, %d left open, %d open; %d have begun", spans, open, len(g.open), begun)
	}
}
