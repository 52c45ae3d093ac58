package runner

import (
	"context"
	"fmt"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/record"
	"example.com/suite/runner/sample"
	"example.com/suite/timer"
)

// greet opens a host: hello, and calibration if it is the first of its kind in this
// suite. Later hosts get the costs of the first.
func (h *hosts) greet(ctx context.Context, r *remote, kind hostKind) *result.Failure {
	request := &wire.Request{Op: "hello", Kind: kind.kind, Clock: words(kind.clock), Cycle: words(kind.cycle)}
	if kind.side == baseHost || kind.side == ownHost {
		request.After = firstOfBase
	}
	if kind.kind == wire.KindGo && (kind.side == oneHost || kind.side == pairHost) && hasPairs(kind.plan) {
		request.Mark = r.OpenMark()
	}
	response, failure := r.Call(ctx, request, client.Grace)
	r.HideMark()
	if failure != nil {
		if failure.Cause == result.FailedMissing {
			failure.Hint = "suite timers shows what works here; a list of counters that ends with null always works, " +
				"and so does a list of clocks that ends with wall"
		}
		return failure
	}
	hello := response.Hello
	if hello == nil || hello.Version != wire.Version || hello.Hash != h.run.options.HostHash {
		return &result.Failure{Phase: result.PhaseStart, Cause: result.FailedProtocol,
			Message: "the host was built from another version of suite",
			Hint:    "build it again"}
	}
	r.procs = hello.GOMAXPROCS
	return h.calibrate(ctx, r, kind, hello)
}

// calibrate takes the costs of timing from the first host of a kind, and from a later
// one only if it found that they have changed.
func (h *hosts) calibrate(ctx context.Context, r *remote, kind hostKind, hello *wire.Hello) *result.Failure {
	h.run.progress(nil, "calibrate")
	request := &wire.Request{Op: "calibrate", Traced: h.plan.Traced}
	known := h.run.costs(kind)
	if known != nil && (known.Hello.Clock != hello.Clock || known.Hello.Counter != hello.Counter) {
		known = nil // the run was interrupted, and had another timer before
	}
	if known != nil {
		request.Known = known.Costs
	}
	response, failure := r.Call(ctx, request, 2*client.Grace)
	if failure != nil {
		return failure
	}
	if known != nil && response.Costs.Elapsed == known.Costs.Elapsed {
		return nil // it kept them
	}
	c := &sample.Calibration{Hello: hello, Costs: response.Costs}
	if kind.kind == wire.KindGo && (c.Costs.Direct == nil || c.Costs.Indirect == nil) {
		return r.Breach("calibrate", "no cost of loops")
	}
	h.run.calibrated[kind.timing()] = c
	if known != nil && kind.side != oneHost { // one record is enough for up to a hundred hosts
		return nil
	}
	calibration := &record.Calibration{Suite: h.plan.Suite, Kind: kind.kind, Clock: kind.clock, Cycle: kind.cycle,
		Other: kind.plan != h.plan,
		Hello: c.Hello, Costs: c.Costs, Calibration: h.describe(kind, c)}
	h.run.addCalibration(calibration)
	h.run.record(&record.Line{At: h.run.busy(), Calibration: calibration}, false)
	return nil
}

// recheck measures the costs of timing once more after the last case of a suite. If
// they have changed, what was subtracted may be wrong, and a warning states by how
// much. A change is measured twice: a calibration takes 20 ms, and other programs can
// slow all of it. A traced run keeps no times.
func (h *hosts) recheck(ctx context.Context, kind hostKind, r *remote) {
	before := h.run.costs(kind)
	if kind.kind != wire.KindGo || h.plan.Traced || r.Lost || before == nil {
		return
	}
	var found []string
	for range 2 {
		response, failure := r.Call(ctx, &wire.Request{Op: "calibrate"}, 2*client.Grace)
		if failure != nil {
			h.run.doubt(result.WarnCalibrationFailed,
				"the costs of timing could not be measured again at the end: "+failure.Message, "")
			return
		}
		if found = moved(before.Costs, response.Costs); len(found) == 0 {
			return
		}
	}
	for _, m := range found {
		h.run.doubt(result.WarnCalibrationDrift, fmt.Sprintf("suite %s: %s", h.plan.Suite, m),
			"quiet the machine, or fix its frequency")
	}
}

// moved lists the costs that differ by more than their errors.
func moved(before, after *wire.Costs) (all []string) {
	compare := func(what string, a, b timer.Estimate) {
		if b.Moved(a) {
			all = append(all, fmt.Sprintf("%s took %s ns at the beginning and %s ns at the end", what, pm(a), pm(b)))
		}
	}
	compare("a reading of the clock", before.Reading, after.Reading)
	if before.Direct != nil && after.Direct != nil {
		compare("a step of an empty loop", before.Direct.Time.Iteration, after.Direct.Time.Iteration)
	}
	if before.Indirect != nil && after.Indirect != nil {
		compare("an empty call", before.Indirect.Time.Iteration, after.Indirect.Time.Iteration)
	}
	return all
}

func pm(e timer.Estimate) string { return fmt.Sprintf("%.3g ± %.2g", e.NS, e.Error) }

// raiseFloor keeps the stated floor of peak memory true when the host that
// starts the commands grows.
func (h *hosts) raiseFloor(t *track, peak int64) {
	raised, f := false, &record.Floor{Suite: h.plan.Suite, Host: t.target.WireKind(), RSS: float64(peak)}
	for i := range h.run.calibrations {
		raised = f.Raise(&h.run.calibrations[i]) || raised
	}
	if raised {
		h.run.record(&record.Line{At: h.run.busy(), Floor: f}, false)
	}
}

// describe turns costs into the unit of the document.
func (h *hosts) describe(of hostKind, c *sample.Calibration) result.Calibration {
	kind := of.kind
	d := result.Calibration{
		Suite: h.plan.Suite, Host: kind, Binary: h.run.options.Binaries.Sum(h.run.program(of)[0]),
		Seconds: seconds(float64(c.Costs.Elapsed)),
		Clock: result.ClockInfo{Name: c.Hello.Clock, Resolution: seconds(float64(c.Costs.Resolution)),
			Cost: seconds(c.Costs.Reading.NS), CostError: seconds(c.Costs.Reading.Error)},
	}
	for _, s := range c.Hello.Skipped {
		skipped := result.Skipped{Name: s.Name, Reason: s.Reason}
		switch {
		case s.Kind == timer.KindClock:
			d.Clock.Skipped = append(d.Clock.Skipped, skipped)
		case kind == wire.KindGo: // no counter of a host counts what a command does
			d.Skipped = append(d.Skipped, skipped)
		}
	}
	if kind == wire.KindGo {
		d.Counter = counter(c)
	}
	if c.Costs.Direct != nil {
		d.Direct = loopCost(c.Costs.Direct.Time, 1e-9)
	}
	if c.Costs.Indirect != nil {
		d.Indirect = loopCost(c.Costs.Indirect.Time, 1e-9)
	}
	if f := c.Costs.Floor; f != nil {
		d.SpawnFloor = &result.Spawn{Program: f.Program, Time: seconds(float64(f.Time)),
			Wait: seconds(float64(f.Wait)), RSS: float64(f.RSS)}
	}
	return d
}

// counter describes the cycle counter, nil if there is none.
func counter(c *sample.Calibration) *result.Counter {
	if c.Hello.Counter == "" {
		return nil
	}
	d := &result.Counter{Name: c.Hello.Counter, Unit: string(c.Hello.Unit), UserOnly: c.Hello.UserOnly}
	if c.Costs.Count != nil {
		d.Cost = result.Cost{Value: c.Costs.Count.NS, Error: c.Costs.Count.Error}
	}
	if o := c.Costs.Direct; o != nil && o.Count != nil {
		d.Direct = loopCost(*o.Count, 1)
		d.Frequency = result.Cost{Value: o.Frequency.NS * 1e9, Error: o.Frequency.Error * 1e9}
	}
	if o := c.Costs.Indirect; o != nil && o.Count != nil {
		d.Indirect = loopCost(*o.Count, 1)
	}
	return d
}

func loopCost(c timer.LoopCost, unit float64) *result.LoopCost {
	return &result.LoopCost{Batch: c.Batch.NS * unit, BatchError: c.Batch.Error * unit,
		Iteration: c.Iteration.NS * unit, IterationError: c.Iteration.Error * unit}
}

// seconds turns nanoseconds into the unit of the document. It divides, because 1e-9 is not 10⁻⁹ to a
// float64.
func seconds(ns float64) float64 { return ns / 1e9 }
