package host

import (
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// simulate runs n iterations and then twice as many, while callgrind simulates this whole
// process, and makes callgrind write a part of its output before and after each. The difference
// of the second and the fourth part is what n iterations take, on all threads: what a dump and
// the runtime take besides is in both. Inputs that iterations use up are in neither. A batch
// before all of them warms up. No garbage is collected meanwhile.
//
// The answer has n, which may be less than was asked for.
func (f *function) simulate(k *kit, r *wire.Request) *wire.Response {
	if !timer.InValgrind() {
		return refuse("this host is not simulated")
	}
	var failure *wire.Failure
	n := max(r.N, 1)
	if f.inputs != nil {
		if f.inputs.part < 2 {
			return &wire.Response{Failure: told(wire.PhaseRun, wire.FailedError, "its inputs are made one at a time, between iterations", "")}
		}
		n = min(n, f.inputs.part/2)
	}
	f.inside(func() {
		policy := k.startGC("off")
		defer policy.end()
		f.where(func() {
			failure = guard(wire.PhaseRun, func() {
				for i, iterations := range []int{n, n, 2 * n} {
					if f.inputs != nil {
						f.inputs.prepare(iterations)
					}
					if i > 0 {
						timer.CallgrindDump()
					}
					f.loop(iterations)
					if i > 0 {
						timer.CallgrindDump()
					}
				}
				if f.inputs != nil {
					f.inputs.Drop()
				}
			})
		})
	})
	return &wire.Response{Sized: &wire.Sized{N: n}, Failure: failure}
}
