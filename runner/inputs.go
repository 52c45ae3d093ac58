package runner

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// hasInputs reports whether the loop of the case was made by bench.Fresh or bench.Reset,
// so that inputs are made for it while the clock stands.
func (t *series) hasInputs() bool { return t.result.Loop == "inputs" }

// parts is the number of parts of a batch of n iterations: 1 unless inputs are made
// between them.
func (t *series) parts(n int) float64 {
	if !t.hasInputs() || t.Part < 1 || n <= t.Part {
		return 1
	}
	return float64((n + t.Part - 1) / t.Part)
}

// batchOf asks for a batch of n iterations of this side.
func (t *series) batchOf(n int) wire.Batch { return wire.Batch{ID: t.id, N: n, Part: t.Part} }

// evenParts makes the parts of both sides of a pair equally long, if both have inputs: the
// caches are then in the same state on both sides. The longer part is taken as far as the
// memory allows, because fewer pauses cost less.
func (t *track) evenParts() {
	b := t.base
	if !t.hasInputs() || !b.hasInputs() {
		return
	}
	part := max(t.Part, b.Part)
	for _, s := range t.sides() {
		if size := int(s.result.Inputs.Size) * max(s.spec.Settings.Parallel, 1); size == 0 {
			part = min(part, s.Part)
		} else {
			part = max(min(part, wire.MostInputs/size), 1)
		}
	}
	t.Part, b.Part = part, part
}

// mostPause is the share of the time of a body that the pauses of its clock may cost. What
// is subtracted is known to about a tenth of itself, so the time is then known to 1 %.
const mostPause = 0.1

// pauses states what pausing the clock costs the case, and refuses the case if that is
// too much. A batch has at least one, before it begins.
func (t *series) pauses() *result.Failure {
	if !t.hasInputs() {
		return nil
	}
	pause, parts, n := t.empty["time"], t.parts(t.N), float64(max(t.N, 1))
	cost := parts * pause.NS / n
	body := float64(t.Sized)/n - cost
	*t.result.Inputs = result.Inputs{
		Size: t.result.Inputs.Size, Part: int64(min(t.Part, t.N)), Parts: int64(parts),
		Pause:  result.Cost{Value: seconds(pause.NS), Error: seconds(pause.Error)},
		Margin: result.Cost{Value: seconds(parts*pause.NS) / t.units(t.N), Error: seconds(parts*(pause.NS+pause.Error)) / t.units(t.N)},
	}
	if cost <= mostPause*body {
		return nil
	}
	text := fmt.Sprintf("an iteration takes %s, and pausing the clock for it costs %s: more than a tenth", units.Format(seconds(max(body, 0)), "s"), units.Format(seconds(cost), "s"))
	hint := "let an iteration do more, or use bench.Fresh, which makes many inputs at a time"
	if t.Part > 1 || t.result.Inputs.Size > 0 {
		hint = fmt.Sprintf("let an iteration do more, or make inputs smaller than %s: the inputs of %d iterations are made together",
			units.Format(float64(t.result.Inputs.Size), "B"), t.Part)
	}
	return &result.Failure{Phase: result.PhaseWarmup, Cause: result.FailedCheck, Message: text, Hint: hint}
}
