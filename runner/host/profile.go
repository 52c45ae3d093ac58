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

// profile answers the request for profiles.
func (h *Host) profile(r *wire.Request) func(body) *wire.Response {
	return func(b body) *wire.Response {
		f, ok := b.(*function)
		if !ok || r.N < 1 {
			return refuse("profile needs a function and the iterations of a batch")
		}
		p, failure := f.profiles(&h.kit, r)
		if failure != nil {
			return &wire.Response{Failure: failure}
		}
		return &wire.Response{Profiled: p}
	}
}

// profiles runs batches under the same settings as batches of samples, with one profile
// after the other.
func (f *function) profiles(k *kit, r *wire.Request) (p *wire.Profiled, failure *wire.Failure) {
	p = &wire.Profiled{}
	f.inside(func() {
		policy := k.startGC(f.spec.GC)
		defer policy.end()
		f.on(k, func(m *meter) {
			var unable *wire.Failure
			failure = guard("profile", func() { unable = f.profilePasses(k, m, r, p) })
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
		return profileFailure("error", fmt.Sprintf("the profiles are too large: %d bytes", bytes))
	}
	return nil
}

func profileFailure(cause, message string) *wire.Failure {
	return told("profile", cause, message, "")
}

// profilePasses warms up and makes the passes. What was profiled is added to p.
func (f *function) profilePasses(k *kit, m *meter, r *wire.Request, p *wire.Profiled) *wire.Failure {
	f.profiled(k, m, r, r.Goal/warmProfileGoal, 1)
	start := k.now()
	for _, kind := range r.Profiles {
		if k.stop.Load() || k.now()-start >= r.Limit {
			return nil
		}
		var failure *wire.Failure
		switch kind {
		case wire.ProfileCPU:
			failure = f.cpuProfile(k, m, r, p)
		case wire.ProfileAlloc:
			failure = f.allocProfile(k, m, r, p)
		case wire.ProfileMutex:
			failure = f.waitProfiles(k, m, r, p)
		case wire.ProfileBlock:
			if !slices.Contains(r.Profiles, wire.ProfileMutex) {
				failure = f.waitProfiles(k, m, r, p)
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

// profiled runs batches until they have lasted as long as goal, and at least one. With a
// patience above 1 they last until the process has had that much CPU time, or until patience
// times the goal is over: on a busy machine it has a part of a processor.
func (f *function) profiled(k *kit, m *meter, r *wire.Request, goal, patience int64) (p wire.Profile) {
	start, cpu := k.now(), m.sys.ProcessCPU()
	row := &f.blank(m, 1)[:1][0]
	lacks := func() bool {
		used := since(cpu, m.sys.ProcessCPU())
		return p.Elapsed < goal || patience > 1 && used != timer.Absent && used < goal && p.Elapsed < patience*goal
	}
	for p.Batches == 0 || lacks() && p.Batches < mostProfiled && k.now()-start < r.Limit && !k.stop.Load() {
		began := k.now()
		f.time(m, r.N, row)
		p.Batches, p.Elapsed = p.Batches+1, p.Elapsed+k.now()-began
		p.Iterations += (int64(r.N) + max(row.void, 0)) * int64(max(f.spec.Parallel, 1))
	}
	p.CPU = -1
	if used := since(cpu, m.sys.ProcessCPU()); used != timer.Absent {
		p.CPU = used
	}
	return p
}

// cpuProfile makes the pass with a profile of the CPU time. The runtime keeps a rate that
// was set before, and writes to standard error that it does.
func (f *function) cpuProfile(k *kit, m *meter, r *wire.Request, p *wire.Profiled) *wire.Failure {
	var data bytes.Buffer
	if r.Rate > 0 {
		runtime.SetCPUProfileRate(r.Rate)
	}
	if err := pprof.StartCPUProfile(&data); err != nil {
		return profileFailure("error", err.Error())
	}
	pass := f.profiled(k, m, r, r.Goal, cpuPatience)
	pprof.StopCPUProfile()
	pass.Kind, pass.Data = wire.ProfileCPU, data.Bytes()
	p.Profiles = append(p.Profiles, pass)
	return nil
}

// allocProfile makes the pass in which each allocation is recorded.
func (f *function) allocProfile(k *kit, m *meter, r *wire.Request, p *wire.Profiled) *wire.Failure {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	before, err := allocationsSoFar()
	if err != nil {
		return profileFailure("error", err.Error())
	}
	pass := f.profiled(k, m, r, r.Goal/allocGoal, 1)
	pass.Data, err = allocationsSoFar()
	if err != nil {
		return profileFailure("error", err.Error())
	}
	pass.Kind, pass.Before = wire.ProfileAlloc, before
	p.Profiles = append(p.Profiles, pass)
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

// waitProfiles makes the pass in which each wait is recorded: for locks, by who held them,
// and for everything else.
func (f *function) waitProfiles(k *kit, m *meter, r *wire.Request, p *wire.Profiled) *wire.Failure {
	kinds := slices.DeleteFunc(slices.Clone(r.Profiles), func(kind string) bool {
		return kind != wire.ProfileMutex && kind != wire.ProfileBlock
	})
	var before [2][]byte
	var err error
	for i, kind := range kinds {
		before[i], err = currentProfile(kind)
		if err != nil {
			return profileFailure("error", err.Error())
		}
	}
	fraction := runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	pass := f.profiled(k, m, r, r.Goal/waitGoal, 1)
	runtime.SetBlockProfileRate(0)
	runtime.SetMutexProfileFraction(fraction)
	for i, kind := range kinds {
		pass.Kind, pass.Before = kind, before[i]
		pass.Data, err = currentProfile(kind)
		if err != nil {
			return profileFailure("error", err.Error())
		}
		p.Profiles = append(p.Profiles, pass)
	}
	return nil
}
