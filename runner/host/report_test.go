package host

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// reporter prepares a function whose loop is made with its case.
func reporter(t *testing.T, h *Host, parallel int, setup bench.Setup) int {
	t.Helper()
	f := wire.Function{Function: register(t, setup), GC: "on", Thread: "locked", Parallel: parallel}
	return ask(t, h, wire.Request{Op: "prepare", Function: &f}).Prepared.ID
}

func sameValues(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return true
}

// Each batch has the mean of its own calls, and none if there was no call; an empty loop next to
// it reports nothing.
func TestABatchHasTheValueThatItReports(t *testing.T) {
	h, batch := fake(t, &timer.Fake{Cost: 20}), 0
	id := reporter(t, h, 1, func(c *bench.Case) bench.Loop {
		return func(n int) {
			batch++
			if batch != 2 {
				c.Report("hits", float64(batch), bench.Higher)
			}
			for i := range n {
				c.Report("steps", float64(i), bench.Lower)
			}
		}
	})
	r := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 3}, {ID: id, N: 5}, {ID: wire.EmptyDirect, N: 9}, {ID: id, N: 1}}}).Readings
	nan := math.NaN()
	if !sameValues(r.Values["hits"], []float64{1, nan, nan, 3}) || !sameValues(r.Values["steps"], []float64{1, 2, nan, 0}) {
		t.Errorf("%v", r.Values)
	}
	if want := []wire.Reported{{ID: id, Name: "hits", Higher: true}, {ID: id, Name: "steps"}}; !reflect.DeepEqual(r.Reported, want) {
		t.Errorf("%+v, want %+v", r.Reported, want)
	}
}

func TestGoroutinesOfALoopReportTheirMean(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	id := reporter(t, h, 4, func(c *bench.Case) bench.Loop {
		next := make(chan float64, 4)
		for _, x := range []float64{1, 2, 3, 6} {
			next <- x
		}
		return func(int) { c.Report("x", <-next, bench.Lower) }
	})
	r := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}}).Readings
	if !sameValues(r.Values["x"], []float64{3}) {
		t.Errorf("%v", r.Values)
	}
}

// Both functions of a pair report under one name, each in the rows of its own batches.
func TestSidesOfAPairReportApart(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	reports := func(x float64) bench.Setup {
		return func(c *bench.Case) bench.Loop {
			return func(int) { c.Report("x", x, bench.Lower) }
		}
	}
	base, own := reporter(t, h, 1, reports(10)), reporter(t, h, 1, reports(20))
	r := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Pairs: 2, Batches: []wire.Batch{{ID: own, N: 1}, {ID: base, N: 1}, {ID: base, N: 1}, {ID: own, N: 1}}}).Readings
	if !sameValues(r.Values["x"], []float64{20, 10, 10, 20}) || len(r.Reported) != 2 {
		t.Errorf("%v, %+v", r.Values, r.Reported)
	}
}

// A batch is timed again if the counter was disturbed; what the first try reported is dropped.
func TestABatchThatIsTimedAgainReportsOnce(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	counter := &timer.FakeCounter{Fake: clock, Counts: timer.Ticks, PerNS: 2}
	h, batch := counting(t, clock, counter), 0.0
	id := reporter(t, h, 1, func(c *bench.Case) bench.Loop {
		return func(int) { batch++; c.Report("x", batch, bench.Lower) }
	})
	counter.Moves = 1
	r := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}}).Readings
	if r.Retried != 1 || !sameValues(r.Values["x"], []float64{2}) {
		t.Errorf("%d tries more, %v", r.Retried, r.Values)
	}
}

func TestOnePassHasTheValueOfItsLastBatch(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := reporter(t, h, 1, func(c *bench.Case) bench.Loop {
		return func(n int) { clock.Advance(1000 * int64(n)); c.Report("n", float64(n), bench.Higher) }
	})
	r := ask(t, h, wire.Request{Op: "once", ID: id, N: 1, Goal: 1e6, Limit: 1e9}).Readings
	if len(r.N) != 1 || !sameValues(r.Values["n"], []float64{float64(r.N[0])}) || len(r.Reported) != 1 {
		t.Errorf("n %v, values %v, %+v", r.N, r.Values, r.Reported)
	}
}

func TestReportsOutsideOfBatchesFail(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	failure := refused(t, h, wire.Function{GC: "on"}, func(c *bench.Case) bench.Loop {
		c.Report("early", 1, bench.Lower)
		return func(int) {}
	})
	if failure.Phase != "setup" || !strings.Contains(failure.Message, "no batch is running") {
		t.Errorf("%+v", failure)
	}
	id := reporter(t, h, 1, func(c *bench.Case) bench.Loop {
		c.Cleanup(func() { c.Report("late", 1, bench.Lower) })
		return func(int) {}
	})
	response := h.answer(&wire.Request{Op: "finish", ID: id})
	if response.Failure == nil || !strings.Contains(response.Failure.Message, "no batch is running") {
		t.Errorf("%+v", response.Failure)
	}
}

// A batch of no iterations measures what timing costs, and has nothing to report: 0 of 0 is no
// number.
func TestAnEmptyBatchReportsNothing(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	id := reporter(t, h, 1, func(c *bench.Case) bench.Loop {
		return func(n int) { c.Report("share", float64(n)/float64(n), bench.Higher) }
	})
	r := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 0}, {ID: id, N: 2}}}).Readings
	if !sameValues(r.Values["share"], []float64{math.NaN(), 1}) {
		t.Errorf("%v", r.Values)
	}
}

// A batch whose inputs are made part by part has the mean of its parts.
func TestPartsOfABatchReportTogether(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	part := 0.0
	id := reporter(t, h, 1, func(c *bench.Case) bench.Loop {
		return func(int) { part++; c.Report("part", part, bench.Lower) }
	})
	f := h.cases[id].(*function)
	f.on(&h.kit, func(m *meter) {
		var r reading
		m.steady(&r, func() {
			m.batch(f.loop, 3, &r)
			m.batch(f.loop, 3, m.another())
			r.add(&m.part)
		})
		if !sameValues(r.reported, []float64{1.5}) {
			t.Errorf("%v", r.reported)
		}
	})
}
