package runner

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// size takes over how the host has found a batch to be, and what it costs there.
func (s *series) size(found *wire.Sized, c *calibration) {
	s.N, s.Thread, s.Mixed, s.collected = found.N, found.Thread, found.GCMixed, found.GCShare
	s.Sized = time.Duration(found.Time)
	s.Batch = s.span(s.Sized)
	s.Used += time.Duration(found.Elapsed)
	s.leaks(found.Leaked, found.Left)
	if s.target.IsCommand() {
		s.Runs, s.Killed, s.Said = found.Batches, found.Killed, found.Said
	}
	s.Events, s.Part = found.Empty, found.Part
	if s.hasInputs() {
		s.result.Inputs = &result.Inputs{Size: found.InputSize}
	}
	s.charge(c) // once more: what a step of the clock hides goes by n
	s.addEmpty(s.Events)
	s.result.Iterations, s.result.Thread = int64(s.N), s.Thread
}

// unsuited returns why batches of this size cannot be measured, nil if they can.
func (s *series) unsuited() *result.Failure {
	if failure := s.tooShortForLatency(); failure != nil {
		return failure
	}
	return s.pauses()
}

// even sets one batch size for both sides, the smaller one, and one way to run. Each
// side spreads the cost of two clock readings over its n, so unequal n would bias the
// ratio. If one loop runs better off its thread, both do, because a side that is alone
// on a locked thread would be measured differently. The calibrations are those of the hosts
// of the two sides.
func even(own, base *series, calibrations [2]*calibration) *result.Failure {
	n, thread := min(own.N, base.N), own.Thread
	if base.Thread == "free" {
		thread = base.Thread
	}
	sides := [2]*series{own, base}
	for i, s := range sides {
		s.Mixed = s.Mixed || n < s.N && s.collected > 0
		s.Sized, s.Batch = scale(s.Sized, n, s.N), scale(s.Batch, n, s.N)
		s.N, s.Thread = n, thread
		s.charge(calibrations[i]) // once more: what a step of the clock hides goes by n
		s.addEmpty(s.Events)
		s.result.Iterations, s.result.Thread = int64(n), thread
	}
	evenParts(own, base)
	for _, s := range sides {
		if failure := s.pauses(); failure != nil {
			return s.target.AsBase(failure)
		}
	}
	own.result.Pairs.Iterations = int64(n)
	if base.target.Tree != "" {
		own.result.Pairs.Identity = &base.result.Identity
	}
	return nil
}

func scale(d time.Duration, n, of int) time.Duration {
	return time.Duration(float64(d) * float64(n) / float64(max(of, 1)))
}
