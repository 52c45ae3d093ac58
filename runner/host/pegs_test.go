package host

import (
	"slices"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

var (
	pegIn   = peg.New("host: in")
	pegOut  = peg.New("host: out")
	pegLane = peg.NewLane("")
)

// pegging is a loop of so many fake nanoseconds an iteration between two points.
func pegging(clock *timer.Fake, ns int64) func(n int) {
	return func(n int) {
		for range n {
			pegLane.Hit(pegIn)
			clock.Advance(ns)
			pegLane.Hit(pegOut)
		}
	}
}

// hits counts the hits of a point, -1 if it does not exist.
func hits(p *wire.Pegged, name string) int {
	for _, point := range p.Document.Points {
		if point.Name == name {
			return int(point.Count)
		}
	}
	return -1
}

// The pass lasts as long as it should, except for one batch that warms the pegs up,
// or takes the given number of batches. Samples before and after it hit nothing.
func TestPegsOfAFunctionAreOfTheirPassAlone(t *testing.T) {
	for name, test := range map[string]struct {
		n, runs, batches int
	}{
		"until the goal":          {1, 0, 100},
		"so many batches":         {1, 7, 7},
		"a long batch is no loss": {10, 0, 10},
		"at least one":            {1000, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &timer.Fake{}
			h := fake(t, clock)
			id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, pegging(clock, ms))
			sample := wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: id, N: 100}}}
			ask(t, h, sample)
			p := ask(t, h, wire.Request{Op: "pegs", ID: id, N: test.n, Runs: test.runs, Goal: 100 * ms, Limit: 10 * second}).Pegged
			ask(t, h, sample)
			if all := test.n * test.batches; p.Batches != test.batches || p.Iterations != int64(all) || p.Elapsed != int64(all)*ms ||
				hits(p, "host: in") != all || hits(p, "host: out") != all || !p.Document.End {
				t.Errorf("%+v of %+v", p.Document.Points, p)
			}
		})
	}
}

func TestPegsThatAreNamedAreMeasuredAlone(t *testing.T) {
	clock := &timer.Fake{}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "between", Thread: "free"}, pegging(clock, ms))
	p := ask(t, h, wire.Request{Op: "pegs", ID: id, N: 10, Runs: 1, Goal: ms, Limit: second, Pegs: []string{"host: out", "host: uot"}}).Pegged
	if hits(p, "host: in") > 0 || hits(p, "host: out") != 10 || !slices.Equal(p.Known, []string{"host: out"}) {
		t.Errorf("%+v, known %q", p.Document.Points, p.Known)
	}
}

// All goroutines hit, and what they do are iterations.
func TestIterationsOfAllGoroutinesCount(t *testing.T) {
	clock := &timer.Fake{}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "free", Parallel: 3}, func(n int) {
		lane := peg.NewLane("")
		for range n {
			lane.Hit(pegIn)
		}
		lane.Close()
	})
	p := ask(t, h, wire.Request{Op: "pegs", ID: id, N: 5, Runs: 2, Limit: second}).Pegged
	if p.Iterations != 30 || hits(p, "host: in") != 30 {
		t.Errorf("%+v of %+v", p.Document.Points, p)
	}
}

// If the clock does not advance there is no goal to reach: a limit ends the pass
// after a batch.
func TestAPassWithPegsEnds(t *testing.T) {
	clock := &timer.Fake{}
	h := fake(t, clock)
	still := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, pegging(clock, 0))
	if p := ask(t, h, wire.Request{Op: "pegs", ID: still, N: 1, Goal: ms, Limit: second}).Pegged; p.Batches != mostPegged {
		t.Errorf("%d batches", p.Batches)
	}
	slow := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, pegging(clock, second))
	if p := ask(t, h, wire.Request{Op: "pegs", ID: slow, N: 2, Runs: 5, Limit: second}).Pegged; p.Batches != 1 {
		t.Errorf("%d batches of 2 s within 1 s", p.Batches)
	}
	h.Stop()
	if p := ask(t, h, wire.Request{Op: "pegs", ID: slow, N: 2, Runs: 5, Limit: second}).Pegged; p.Batches != 0 {
		t.Errorf("%d batches behind an interrupt", p.Batches)
	}
}

// A body that hits nothing has no document of any use, one that panics has none, and
// its pegs are off again.
func TestAPassWithPegsMayComeToNothing(t *testing.T) {
	clock := &timer.Fake{}
	h := fake(t, clock)
	none := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) { clock.Advance(int64(n)) })
	if p := ask(t, h, wire.Request{Op: "pegs", ID: none, N: 2, Runs: 1, Limit: second}).Pegged; p.Document != nil || p.Known != nil {
		t.Errorf("%+v", p)
	}
	name := register(t, func(*bench.Case) bench.Loop {
		return func(int) { pegLane.Hit(pegIn); panic("the sky is falling") }
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Parallel: 1}}).Prepared.ID
	failure := h.answer(&wire.Request{Op: "pegs", ID: id, N: 1, Runs: 1, Limit: second}).Failure
	if failure == nil || failure.Phase != "pegs" || failure.Cause != "panic" || failure.Message != "panic: the sky is falling" {
		t.Errorf("%+v", failure)
	}
	before := hits(&wire.Pegged{Document: peg.Snapshot()}, "host: in")
	pegLane.Hit(pegIn)
	if after := hits(&wire.Pegged{Document: peg.Snapshot()}, "host: in"); after != before {
		t.Errorf("%d hits, and %d with one more: pegs are still on", before, after)
	}
}

// What does not fit into a message ends no host.
func TestTooManyPegsAreRefused(t *testing.T) {
	p := &pegPass{Document: &pegfile.Document{Arcs: make([]pegfile.Arc, 100)}}
	if failure := p.sendable(); failure != nil {
		t.Error(failure)
	}
	p.Document.Arcs = make([]pegfile.Arc, 400_000)
	if failure := p.sendable(); failure == nil || failure.Message != "the pegs are too many: 400000 arcs are 25.2 MiB of text, and there is room for 15.9; pegs: [names] asks for some of them" {
		t.Errorf("%+v", failure)
	}
}
