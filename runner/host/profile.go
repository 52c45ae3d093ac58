package host

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// noSampling turns off the sampling of allocations. The runtime samples one in 512 KiB
// because this program can write heap profiles, and samples must not pay for that. A rate
// that an init function of the measured code has set stays.
func noSampling() {
	if runtime.MemProfileRate == usualMemProfileRate {
		runtime.MemProfileRate = 0
	}
}

// usualMemProfileRate is the rate that a Go program starts with.
const usualMemProfileRate = 512 << 10

// Limits of a pass with a profile.
const (
	mostProfiled    = 100_000 // batches: a clock that stands still would never reach the goal
	warmProfileGoal = 5       // the warm-up lasts this part of the goal
	allocGoal       = 8       // likewise the pass with allocations: exact after one batch
	waitGoal        = 3       // likewise the pass with waits
	cpuPatience     = 3       // a CPU profile lasts at most so many times as long, until it has its readings
)

// profiles runs batches under the same settings as batches of samples, with one profile
// after the other.
func (f *function) profiles(k *kit, r *wire.Request) (p *wire.Profiled, failure *wire.Failure) {
	p = &wire.Profiled{}
	f.inside(func() {
		policy := k.startGC(f.spec.GC)
		defer policy.end()
		f.on(k, func(m *meter) {
			var unable *wire.Failure
			failure = guard(wire.PhaseProfile, func() { unable = (&profiler{f, k, m, r, p}).passes() })
			if failure == nil {
				failure = unable
			}
		})
	})
	if failure == nil {
		failure = sendableProfiles(p)
	}
	return p, failure
}

// sendableProfiles fails profiles that do not fit into one message. JSON takes four bytes
// for three.
func sendableProfiles(p *wire.Profiled) *wire.Failure {
	bytes := 0
	for i := range p.Profiles {
		bytes += len(p.Profiles[i].Data) + len(p.Profiles[i].Before)
	}
	if bytes > (wire.MaxFrame-roomInFrame)*3/4 {
		return profileFailure(fmt.Sprintf("the profiles are too large: %d bytes", bytes))
	}
	return nil
}

func profileFailure(message string) *wire.Failure {
	return newFailure(wire.PhaseProfile, wire.FailedError, message, "")
}

// profiler makes the passes of a request for profiles. What was profiled is added to p.
type profiler struct {
	function *function
	kit      *kit
	meter    *meter
	request  *wire.Request
	profiled *wire.Profiled
}

// passes warms up and makes the passes.
func (x *profiler) passes() *wire.Failure {
	x.pass(x.request.Goal/warmProfileGoal, 1)
	start := x.kit.now()
	for _, kind := range x.request.Profiles {
		if x.kit.stop.Load() || x.kit.now()-start >= x.request.Limit {
			return nil
		}
		var failure *wire.Failure
		switch kind {
		case wire.ProfileCPU:
			failure = x.cpu()
		case wire.ProfileAlloc:
			failure = x.allocations()
		case wire.ProfileMutex:
			failure = x.waits()
		case wire.ProfileBlock:
			if !slices.Contains(x.request.Profiles, wire.ProfileMutex) {
				failure = x.waits()
			}
		default:
			failure = refuse(fmt.Sprintf("unknown profile %q", kind)).Failure
		}
		if failure != nil {
			return failure
		}
	}
	return nil
}

// pass runs batches until they have lasted as long as goal, and at least one. With a
// patience above 1 they last until the process has had that much CPU time, or until patience
// times the goal is over: on a busy machine it has a part of a processor.
func (x *profiler) pass(goal, patience int64) (p wire.Profile) {
	start, cpu := x.kit.now(), x.meter.sys.ProcessCPU()
	row := &x.function.blank(x.meter, 1)[:1][0]
	lacks := func() bool {
		used := since(cpu, x.meter.sys.ProcessCPU())
		return p.Elapsed < goal || patience > 1 && used != timer.Absent && used < goal && p.Elapsed < patience*goal
	}
	for p.Batches == 0 ||
		lacks() && p.Batches < mostProfiled && x.kit.now()-start < x.request.Limit && !x.kit.stop.Load() {
		began := x.kit.now()
		x.function.time(x.meter, x.request.N, row)
		p.Batches, p.Elapsed = p.Batches+1, p.Elapsed+x.kit.now()-began
		p.Iterations += (int64(x.request.N) + max(row.void, 0)) * int64(max(x.function.spec.Parallel, 1))
	}
	p.CPU = -1
	if used := since(cpu, x.meter.sys.ProcessCPU()); used != timer.Absent {
		p.CPU = used
	}
	return p
}

// cpu makes the pass with a profile of the CPU time. The runtime keeps a rate that
// was set before, and writes to standard error that it does.
func (x *profiler) cpu() *wire.Failure {
	var data bytes.Buffer
	if x.request.Rate > 0 {
		runtime.SetCPUProfileRate(x.request.Rate)
	}
	if err := pprof.StartCPUProfile(&data); err != nil {
		return profileFailure(err.Error())
	}
	pass := x.pass(x.request.Goal, cpuPatience)
	pprof.StopCPUProfile()
	pass.Kind, pass.Data = wire.ProfileCPU, data.Bytes()
	x.profiled.Profiles = append(x.profiled.Profiles, pass)
	return nil
}

// allocations makes the pass in which each allocation is recorded.
func (x *profiler) allocations() *wire.Failure {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	before, err := allocationsSoFar()
	if err != nil {
		return profileFailure(err.Error())
	}
	pass := x.pass(x.request.Goal/allocGoal, 1)
	pass.Data, err = allocationsSoFar()
	if err != nil {
		return profileFailure(err.Error())
	}
	pass.Kind, pass.Before = wire.ProfileAlloc, before
	x.profiled.Profiles = append(x.profiled.Profiles, pass)
	return nil
}

// allocationsSoFar is the profile of all allocations so far. The runtime publishes an allocation
// after the second collection that follows it.
func allocationsSoFar() ([]byte, error) {
	runtime.GC()
	runtime.GC()
	runtime.GC()
	return currentProfile("allocs")
}

func currentProfile(name string) ([]byte, error) {
	var data bytes.Buffer
	err := pprof.Lookup(name).WriteTo(&data, 0)
	return data.Bytes(), err
}

// waits makes the pass in which each wait is recorded: for locks, by who held them,
// and for everything else.
func (x *profiler) waits() *wire.Failure {
	kinds := slices.DeleteFunc(slices.Clone(x.request.Profiles), func(kind string) bool {
		return kind != wire.ProfileMutex && kind != wire.ProfileBlock
	})
	var before [2][]byte
	var err error
	for i, kind := range kinds {
		before[i], err = currentProfile(kind)
		if err != nil {
			return profileFailure(err.Error())
		}
	}
	fraction := runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	pass := x.pass(x.request.Goal/waitGoal, 1)
	runtime.SetBlockProfileRate(0)
	runtime.SetMutexProfileFraction(fraction)
	for i, kind := range kinds {
		pass.Kind, pass.Before = kind, before[i]
		pass.Data, err = currentProfile(kind)
		if err != nil {
			return profileFailure(err.Error())
		}
		x.profiled.Profiles = append(x.profiled.Profiles, pass)
	}
	return nil
}
