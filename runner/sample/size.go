package sample

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// Size takes over how the host has found a batch to be, and what it costs there.
func (s *Series) Size(found *wire.Sized, c *Calibration) {
	s.N, s.Thread, s.Mixed, s.collected = found.N, found.Thread, found.GCMixed, found.GCShare
	s.Sized = time.Duration(found.Time)
	s.Batch = s.Span(s.Sized)
	s.Used += time.Duration(found.Elapsed)
	s.Leaks(found.Leaked, found.Left)
	if s.Target.IsCommand() {
		s.Runs, s.Killed, s.Said = found.Batches, found.Killed, found.Said
	}
	s.Events, s.Part = found.Empty, found.Part
	if s.hasInputs() {
		s.Result.Inputs = &result.Inputs{Size: found.InputSize}
	}
	s.Charge(c) // once more: what a step of the clock hides goes by n
	s.AddEmpty(s.Events)
	s.Result.Iterations, s.Result.Thread = int64(s.N), s.Thread
}

// Unsuited returns why batches of this size cannot be measured, nil if they can.
func (s *Series) Unsuited() *result.Failure {
	if failure := s.tooShortForLatency(); failure != nil {
		return failure
	}
	return s.Pauses()
}

// Even sets one batch size for both sides, the smaller one, and one way to run. Each
// side spreads the cost of two clock readings over its n, so unequal n would bias the
// ratio. If one loop runs better off its thread, both do, because a side that is alone
// on a locked thread would be measured differently. The calibrations are from the hosts
// of the two sides.
func Even(own, base *Series, calibrations [2]*Calibration) *result.Failure {
	n, thread := min(own.N, base.N), own.Thread
	if base.Thread == "free" {
		thread = base.Thread
	}
	sides := [2]*Series{own, base}
	for i, s := range sides {
		s.Mixed = s.Mixed || n < s.N && s.collected > 0
		s.Sized, s.Batch = scale(s.Sized, n, s.N), scale(s.Batch, n, s.N)
		s.N, s.Thread = n, thread
		s.Charge(calibrations[i]) // once more: what a step of the clock hides goes by n
		s.AddEmpty(s.Events)
		s.Result.Iterations, s.Result.Thread = int64(n), thread
	}
	evenParts(own, base)
	for _, s := range sides {
		if failure := s.Pauses(); failure != nil {
			return s.Target.AsBase(failure)
		}
	}
	own.Result.Pairs.Iterations = int64(n)
	if base.Target.Tree != "" {
		own.Result.Pairs.Identity = &base.Result.Identity
	}
	return nil
}

func scale(d time.Duration, n, of int) time.Duration {
	return time.Duration(float64(d) * float64(n) / float64(max(of, 1)))
}
