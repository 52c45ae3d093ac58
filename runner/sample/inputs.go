package sample

import (
	"fmt"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// hasInputs reports whether the loop of the case was made by bench.Fresh or bench.Reset,
// so that inputs are made for it while the clock stands.
func (s *Series) hasInputs() bool { return s.Result.Loop == "inputs" }

// parts is the number of parts of a batch of n iterations: 1 unless inputs are made
// between them.
func (s *Series) parts(n int) float64 {
	if !s.hasInputs() || s.Part < 1 || n <= s.Part {
		return 1
	}
	return float64((n + s.Part - 1) / s.Part)
}

// BatchOf asks for a batch of n iterations of this side.
func (s *Series) BatchOf(n int) wire.Batch { return wire.Batch{ID: s.ID, N: n, Part: s.Part} }

// evenParts makes the parts of both sides of a pair equally long, if both have inputs: the
// caches are then in the same state on both sides. The longer part is taken as far as the
// memory allows, because fewer pauses cost less.
func evenParts(own, base *Series) {
	if !own.hasInputs() || !base.hasInputs() {
		return
	}
	part := max(own.Part, base.Part)
	for _, s := range []*Series{own, base} {
		if size := int(s.Result.Inputs.Size) * max(s.Target.Spec.Settings.Parallel, 1); size == 0 {
			part = min(part, s.Part)
		} else {
			part = max(min(part, wire.MostInputs/size), 1)
		}
	}
	own.Part, base.Part = part, part
}

// mostPause is the share of the time of a body that the pauses of its clock may cost. What
// is subtracted is known to about a tenth of itself, so the time is then known to 1 %.
const mostPause = 0.1

// Pauses states what pausing the clock costs the case, and refuses the case if that is
// too much. A batch has at least one, before it begins.
func (s *Series) Pauses() *result.Failure {
	if !s.hasInputs() {
		return nil
	}
	pause, parts, n := s.Overhead.empty["time"], s.parts(s.N), float64(max(s.N, 1))
	cost := parts * pause.NS / n
	body := float64(s.Sized)/n - cost
	*s.Result.Inputs = result.Inputs{
		Size: s.Result.Inputs.Size, Part: int64(min(s.Part, s.N)), Parts: int64(parts),
		Pause: result.Cost{Value: seconds(pause.NS), Error: seconds(pause.Error)},
		Margin: result.Cost{Value: seconds(parts*pause.NS) / s.Units(s.N),
			Error: seconds(parts*(pause.NS+pause.Error)) / s.Units(s.N)},
	}
	if cost <= mostPause*body {
		return nil
	}
	text := fmt.Sprintf("an iteration takes %s, and pausing the clock for it costs %s: more than a tenth",
		units.Format(seconds(max(body, 0)), "s"), units.Format(seconds(cost), "s"))
	hint := "let an iteration do more, or use bench.Fresh, which makes many inputs at a time"
	if s.Part > 1 || s.Result.Inputs.Size > 0 {
		hint = fmt.Sprintf("let an iteration do more, or make inputs smaller than %s: the inputs of %d iterations "+
			"are made together",
			units.Format(float64(s.Result.Inputs.Size), "B"), s.Part)
	}
	return &result.Failure{Phase: result.PhaseWarmup, Cause: result.FailedCheck, Message: text, Hint: hint}
}

// Batches asks for so many batches, none begun after limit.
func (s *Series) Batches(count int, limit time.Duration) *wire.Request {
	request := &wire.Request{Op: "run", Limit: int64(limit), Brief: !s.Target.IsCommand() && s.tooShortFor("cpu") &&
		s.tooShortFor("thread_cpu")}
	for range count {
		request.Batches = append(request.Batches, s.BatchOf(s.N))
	}
	return request
}
