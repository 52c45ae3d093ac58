package host

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
)

// gcPolicy is how the collector is set while batches of one case run.
type gcPolicy struct {
	mode    string
	limit   int64 // bytes of heap at which a collection happens all the same
	percent int   // to put back
	memory  int64 // likewise
}

// memoryLimit is how far a heap without a collector may grow, bytes: half of what is
// available now, or 1 GiB if that is not known. Free memory would be far too little:
// most of the rest caches files, and the system frees it on demand.
func memoryLimit() int64 {
	available := spawn.ProcBytes("/proc/meminfo", "MemAvailable")
	if available == 0 {
		return 1 << 30
	}
	return max(available/2, 64<<20)
}

// startGC sets the collector for a row of batches. If none of them may contain a
// collection, it collects first: a collection that another case has begun would
// continue in the first batch, and count against this case.
func (k *kit) startGC(mode string) *gcPolicy {
	p := &gcPolicy{mode: mode}
	if mode == "on" {
		return p
	}
	runtime.GC()
	p.memory = debug.SetMemoryLimit(-1) // reads it
	p.limit = min(k.memory, p.memory)
	debug.SetMemoryLimit(p.limit)
	p.percent = debug.SetGCPercent(-1)
	return p
}

// end puts the collector back. The garbage is collected here, so that the next
// case does not pay for it.
func (p *gcPolicy) end() {
	if p.mode == "on" {
		return
	}
	debug.SetGCPercent(p.percent)
	debug.SetMemoryLimit(p.memory)
	runtime.GC()
}

// check fails if gc is off and the batch contains a collection.
func (p *gcPolicy) check(r *reading) *wire.Failure {
	if p.mode != "off" || r.gcs <= 0 {
		return nil
	}
	return &wire.Failure{Phase: wire.PhaseRun, Cause: wire.FailedMemory,
		Message: fmt.Sprintf("gc: off, but the heap reached the limit of %d MiB and was collected", p.limit>>20)}
}

// holdCollections makes batches long enough to contain a collection: if some
// batches of the warm-up did and others did not (between 1 % and 90 %), n grows
// until the typical batch does, up to gcLongest; an allocation regression then
// shows in the median. If that takes too long the samples stay mixed.
func (f *function) holdCollections(s *sizer, sized *wire.Sized, seen *census) {
	share := seen.share()
	if share < 0.01 || share > 0.9 || seen.gcs == 0 {
		return
	}
	period := seen.time / seen.gcs
	goal := period + period/4
	if goal > gcLongest || s.elapsed()+4*goal > s.limit {
		sized.GCMixed = true
		return
	}
	s.goal, s.warmup = goal, 0
	sized.N, sized.Time, sized.Cut = s.find()
}

// allocated counts allocations in a pass of its own: collector off, three
// batches, the smallest total, because whatever else the runtime allocates only
// adds.
func (f *function) allocated(k *kit, n int) (a *wire.Allocated, failure *wire.Failure) {
	n = min(n, 1000)
	var body, none counts
	f.inside(func() {
		policy := k.startGC("off")
		defer policy.end()
		f.on(k, func(*meter) {
			failure = guard(wire.PhaseRun, func() { body = countThrice(f.counted, n) })
		})
		if f.spec.Parallel > 1 { // its goroutines allocate too
			empty := inParallel(func(int) {}, f.spec.Parallel)
			none = countThrice(func(n int) (uint64, uint64) { return allocated(func() { empty(n) }) }, n)
		}
	})
	if failure != nil {
		return nil, failure
	}
	per := float64(n * max(f.spec.Parallel, 1))
	return &wire.Allocated{N: n, Allocs: less(body.allocs, none.allocs) / per,
		Bytes: less(body.bytes, none.bytes) / per,
		Exact: body.exact, ExactBytes: body.exactBytes,
		Slack:      float64(body.moreAllocs+none.moreAllocs) / per,
		SlackBytes: float64(body.moreBytes+none.moreBytes) / per}, nil
}

// counts are the least of three batches, and whether the three agree.
type counts struct {
	allocs, bytes     uint64
	exact, exactBytes bool

	moreAllocs, moreBytes uint64 // that the largest had
}

func countThrice(count func(n int) (allocs, bytes uint64), n int) counts {
	var allocs, bytes [3]uint64
	for i := range allocs {
		allocs[i], bytes[i] = count(n)
	}
	c := counts{allocs: slices.Min(allocs[:]), bytes: slices.Min(bytes[:])}
	c.moreAllocs, c.moreBytes = slices.Max(allocs[:])-c.allocs, slices.Max(bytes[:])-c.bytes
	c.exact = c.moreAllocs <= 1
	c.exactBytes = c.exact && sameSizes(allocs, bytes)
	return c
}

// tinyBlocks is how many bytes equal batches may differ by: objects below 16 bytes
// share blocks of 16, and chance decides how many are in the first and the last.
const tinyBlocks = 64

// sameSizes reports whether batches with equally many allocations took equally many
// bytes. A body whose objects have random sizes allocates as often every time, but
// not as many bytes.
func sameSizes(allocs, bytes [3]uint64) bool {
	for i := range allocs {
		for j := range i {
			if allocs[i] == allocs[j] && max(bytes[i], bytes[j])-min(bytes[i], bytes[j]) > tinyBlocks {
				return false
			}
		}
	}
	return true
}

func less(x, y uint64) float64 { return max(float64(x)-float64(y), 0) }

// counted counts the allocations of n iterations. What their inputs allocate is not
// included.
func (f *function) counted(n int) (allocs, bytes uint64) {
	if f.inputs == nil {
		return allocated(func() { f.loop(n) })
	}
	for left := n; left > 0; {
		part := min(left, f.inputs.part)
		f.inputs.prepare(part)
		a, b := allocated(func() { f.loop(part) })
		f.inputs.Drop()
		allocs += a
		bytes += b
		left -= part
	}
	return allocs, bytes
}

// allocated counts what do allocates on the heap.
func allocated(do func()) (allocs, bytes uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}
