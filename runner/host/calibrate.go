package host

import (
	"os"
	"slices"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// calibrate measures what timing costs, by the same loop that measures cases: at
// most 0.3 s for both kinds of loop. A later host receives the costs that the first
// one found and keeps them, unless its clock costs something else here. A traced host starts no
// program for it: that would be ten launches whose times nobody reads.
func (h *Host) calibrate(known *wire.Costs, traced bool) *wire.Response {
	start := h.kit.now()
	if known != nil && h.agrees(known) {
		h.kit.costs = known
		return &wire.Response{Costs: known}
	}
	resolution, err := timer.Resolution(h.kit.timer.Clock)
	if err != nil {
		return &wire.Response{Failure: &wire.Failure{Phase: wire.PhaseStart,
			Cause: wire.FailedError, Message: err.Error()}}
	}
	h.kit.costs = &wire.Costs{Resolution: resolution, Reading: timer.ReadingCost(h.kit.timer.Clock).Estimate}
	if cost, ok := h.kit.timer.CountCost(); ok {
		h.kit.costs.Count = &cost
	}
	switch {
	case h.kind == wire.KindCommand && traced:
	case h.kind == wire.KindCommand:
		h.kit.costs.Floor = h.floor()
	default:
		m := &meter{loop: timer.Loop{Timer: h.kit.timer}, wall: h.kit.wall, sys: h.kit.sys, thread: true}
		m.trace = h.kit.trace.of("calibration")
		direct := timer.Calibrate(m.measures("direct", h.kit.machine.Direct()), resolution)
		indirect := timer.Calibrate(m.measures("indirect", h.kit.machine.Indirect()), resolution)
		h.kit.costs.Direct, h.kit.costs.Indirect = &direct, &indirect
		h.kit.costs.Empty = m.empty()
	}
	h.kit.costs.Elapsed = h.kit.now() - start
	h.kit.trace.of("calibration").costs(h.kit.costs)
	return &wire.Response{Costs: h.kit.costs}
}

// floorRuns is how often a program that does nothing is run to measure what every
// command costs here, after a first run that brings it into the caches. A run takes
// 0.2 ms.
const floorRuns = 9

// floor measures a static program of a few machine instructions, which is the least that
// any command takes, or else `true`. The result is shown and never subtracted. It is nil
// if there is neither.
func (h *Host) floor() *wire.Floor {
	if path, err := writeNothing(); err == nil {
		defer os.Remove(path)
		if f := h.floorOf(path); f != nil {
			f.Program = wire.OwnFloor
			return f
		}
	}
	return h.floorOf("true")
}

// floorOf measures a program that does nothing, nil if it does not run.
func (h *Host) floorOf(program string) *wire.Floor {
	c, _, failure := prepareCommand(wire.Command{Argv: []string{program}, Dir: os.TempDir(),
		ExitCodes: []int{0}, Timeout: 2e9}, &h.kit)
	if failure != nil {
		return nil
	}
	defer c.close()
	var walls, waits []int64
	for i := range 1 + floorRuns {
		r, failure := c.attempt(wire.PhaseRun)
		if failure != nil || r.TimedOut {
			return nil
		}
		if i > 0 {
			walls, waits = append(walls, r.Wall), append(waits, r.Wait)
		}
	}
	slices.Sort(waits)
	return &wire.Floor{Program: c.path, Time: slices.Min(walls), Wait: max(waits[floorRuns/2], 0),
		RSS: h.kit.starter.Peak()}
}

// agrees checks one number of an earlier calibration: the cost of a reading must be
// within three errors of it, or within 10 % if three errors are less.
func (h *Host) agrees(known *wire.Costs) bool {
	return !timer.ReadingCost(h.kit.timer.Clock).Moved(known.Reading)
}
