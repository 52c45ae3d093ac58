package host

import (
	"bytes"
	"runtime"
	"testing"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// profiling is a loop of 1 ms an iteration that allocates.
func profiling(clock *timer.Fake) func(n int) {
	var kept [][]byte
	return func(n int) {
		for range n {
			kept = append(kept[:0], make([]byte, 64))
			clock.Advance(ms)
		}
		_ = kept
	}
}

// Each kind has a profile over batches that last as long as asked for, and the runtime is
// left as it was, so that a later sample costs what an earlier one did.
func TestProfilesLeaveTheRuntimeAsItWas(t *testing.T) {
	clock := &timer.Fake{}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, profiling(clock))
	rate, fraction := runtime.MemProfileRate, runtime.SetMutexProfileFraction(-1)
	kinds := []string{wire.ProfileCPU, wire.ProfileAlloc, wire.ProfileMutex, wire.ProfileBlock}
	p := ask(t, h, wire.Request{Op: "profile", ID: id, N: 1, Goal: 240 * ms, Limit: 10 * second, Rate: 100, Profiles: kinds}).Profiled
	if runtime.MemProfileRate != rate || runtime.SetMutexProfileFraction(-1) != fraction {
		t.Errorf("rates %d and %d, were %d and %d", runtime.MemProfileRate, runtime.SetMutexProfileFraction(-1), rate, fraction)
	}
	if len(p.Profiles) != len(kinds) {
		t.Fatalf("%d profiles", len(p.Profiles))
	}
	gzip := []byte{0x1f, 0x8b}
	for i, batches := range []int64{240, 240 / allocGoal, 240 / waitGoal, 240 / waitGoal} {
		one := &p.Profiles[i]
		if one.Kind != kinds[i] || one.Iterations != batches || one.Elapsed != batches*ms || !bytes.HasPrefix(one.Data, gzip) || bytes.HasPrefix(one.Before, gzip) != (i > 0) {
			t.Errorf("%s: %d iterations in %d ns, want %d; %d bytes, before %d", one.Kind, one.Iterations, one.Elapsed, batches, len(one.Data), len(one.Before))
		}
	}
}

func TestProfilesOfWhatIsNoFunctionAreRefused(t *testing.T) {
	h := fake(t, &timer.Fake{})
	for _, r := range []wire.Request{{Op: "profile", ID: 7, N: 1}, {Op: "profile", N: 0}} {
		if f := h.answer(&r).Failure; f == nil || f.Cause != "protocol" {
			t.Errorf("%+v: %+v", r, f)
		}
	}
	clock := &timer.Fake{}
	h = fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, profiling(clock))
	r := wire.Request{Op: "profile", ID: id, N: 1, Goal: ms, Limit: second, Profiles: []string{"heat"}}
	if f := h.answer(&r).Failure; f == nil || f.Message != `unknown profile "heat"` {
		t.Errorf("%+v", f)
	}
}

// A program that can write heap profiles samples its allocations, unless that is turned off.
func TestNoAllocationIsSampled(t *testing.T) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	for rate, want := range map[int]int{usualMemProfileRate: 0, 4096: 4096, 0: 0} {
		runtime.MemProfileRate = rate
		if noSampling(); runtime.MemProfileRate != want {
			t.Errorf("a rate of %d became %d, want %d", rate, runtime.MemProfileRate, want)
		}
	}
}
