package host

import (
	"runtime"
	"runtime/metrics"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// inputs makes what the iterations of a function use up, while the clock is stopped: see
// bench.Fresh and bench.Reset.
type inputs struct {
	*benchcase.Inputs
	part      int   // iterations whose inputs are made together
	size      int64 // bytes that one input takes
	each      int   // inputs of an iteration: one for each goroutine
	collected bool  // the collector is on while batches run
	garbage   int64 // bytes of inputs made since the last collection here
	heap      [2]metrics.Sample
	aside     func(do func()) // surrounds the making of inputs, nil for nothing
}

// Bounds of what is made together. Inputs of 1 MiB stay in the second-level cache of most
// cores. A core that reads 1 MiB of inputs is busy for 50 µs, and pauses of 60 ns do not
// matter to that; larger parts, up to wire.MostInputs, are for operations that look at
// little of their input.
const (
	warmInputs = 1 << 20 // bytes
	mostMade   = 1 << 16 // inputs made together
)

// fewPauses is the share of the time of a body up to which pauses are not worth a larger
// part.
const fewPauses = 0.01

// newInputs measures how large an input is: the most that making one of a few allocates.
// The first ones may allocate more, and then are taken for what they are: too large a size
// makes parts shorter, and never exceeds the memory.
func newInputs(made *benchcase.Inputs, goroutines int, collected bool) *inputs {
	in := &inputs{Inputs: made, part: 1, each: goroutines, collected: collected}
	in.heap[0].Name, in.heap[1].Name = "/gc/heap/goal:bytes", "/gc/heap/live:bytes"
	if in.Alone {
		return in
	}
	for range 3 {
		_, bytes := allocated(func() { in.Make(1) })
		in.size = max(in.size, int64(bytes)+int64(in.Slot))
	}
	in.Make(2) // it fails if both share their memory
	in.Drop()
	in.part = in.fitting(warmInputs)
	return in
}

// fitting is the number of iterations whose inputs take at most so many bytes, at least one.
func (in *inputs) fitting(bytes int64) int {
	return int(min(max(bytes/max(in.size*int64(in.each), 1), 1), mostMade))
}

// widen makes parts long enough that pauses of cost ns each matter little to a body that
// takes ns for an iteration, if there is memory for it.
func (in *inputs) widen(cost, ns float64) {
	if in.Alone {
		return
	}
	wanted := mostMade
	if ns > 0 {
		wanted = int(min(cost/(fewPauses*ns)+1, mostMade))
	}
	in.part = max(in.part, min(wanted, in.fitting(wire.MostInputs)))
}

// pauses is the number of parts of a batch of n iterations.
func (in *inputs) pauses(n int) float64 { return float64((n + in.part - 1) / in.part) }

// prepare makes the inputs of n iterations and, if their garbage is due, collects it.
func (in *inputs) prepare(n int) {
	if n == 0 {
		return
	}
	if in.aside != nil {
		in.aside(func() { in.Make(n * in.each) })
	} else {
		in.Make(n * in.each)
	}
	in.garbage += int64(n*in.each) * in.size
	if in.due() {
		runtime.GC()
		in.garbage = 0
	}
}

// due reports whether the inputs made so far would bring a collection closer that the body
// then pays for. A collection while the clock is stopped also ends one that making the inputs
// has begun. Without a collector only the memory counts.
func (in *inputs) due() bool {
	if !in.collected || in.garbage < warmInputs || in.garbage >= wire.MostInputs {
		return in.garbage >= wire.MostInputs
	}
	metrics.Read(in.heap[:])
	goal, live := in.heap[0].Value.Uint64(), in.heap[1].Value.Uint64()
	return goal <= live || uint64(in.garbage) >= (goal-live)/4
}

// parts times n iterations of a loop with inputs, part by part. Between two parts the
// clock is stopped. The readings of all parts are added up, each with its own cost.
func (m *meter) parts(in *inputs, loop bench.Loop, n int, r *reading) {
	for left := n; ; {
		count := min(left, in.part)
		in.prepare(count)
		if left == n {
			m.batch(loop, count, r)
		} else {
			m.batch(loop, count, m.another())
			r.add(&m.part)
		}
		left -= count
		if left <= 0 {
			break
		}
	}
	if in.Unused() > 0 {
		panic(benchcase.Failure{Message: "the setup called bench.Fresh or bench.Reset, and returned another loop"})
	}
	in.Drop()
}

// another is a reading with room for the events of a part.
func (m *meter) another() *reading {
	if len(m.part.events) != len(m.counts) {
		m.part.events = make([]int64, len(m.counts))
	}
	return &m.part
}

// add adds the reading of another part of the batch.
func (r *reading) add(p *reading) {
	for _, c := range [][2]*int64{{&r.time, &p.time}, {&r.wall, &p.wall}, {&r.cpu, &p.cpu},
		{&r.threadCPU, &p.threadCPU}, {&r.count, &p.count},
		{&r.voluntary, &p.voluntary}, {&r.involuntary, &p.involuntary}, {&r.wait, &p.wait}, {&r.gcs, &p.gcs}} {
		*c[0] = plus(*c[0], *c[1])
	}
	for i := range r.events {
		r.events[i] = plus(r.events[i], p.events[i])
	}
	r.share = min(r.share, p.share)
	r.moved = r.moved || p.moved
}

// plus adds two numbers, either of which may be absent.
func plus(a, b int64) int64 {
	if a == timer.Absent || b == timer.Absent {
		return timer.Absent
	}
	return a + b
}

// Limits of measuring what a pause costs.
const (
	leastPauses = 9          // for a 99% interval
	pausing     = 50_000_000 // ns that this may take, if there are that many
)

// pauseCosts measures by column what reading clocks and counters costs for a part of no
// iterations, right after an input was made: in a loop of empty batches the caches are
// warmer, and the cost lower.
func (f *function) pauseCosts(k *kit, m *meter) map[string]timer.Estimate {
	var rows []reading
	policy := k.startGC(f.spec.GC)
	defer policy.end()
	for start := k.now(); len(rows) < emptyBatches && (len(rows) < leastPauses || k.now()-start < pausing); {
		f.inputs.prepare(1)
		r := reading{events: make([]int64, len(m.counts))}
		m.sample(f.loop, 0, &r)
		rows = append(rows, r)
	}
	f.inputs.Drop()
	return m.costs(rows)
}

// arrange measures what a pause costs, and chooses the parts of a batch for it.
func (f *function) arrange(k *kit, sized *wire.Sized) (failure *wire.Failure) {
	in := f.inputs
	f.inside(func() {
		f.on(k, func(m *meter) {
			failure = guard(wire.PhaseWarmup, func() { sized.Empty = f.pauseCosts(k, m) })
		})
	})
	for _, name := range []string{"time", "wall"} {
		if e := sized.Empty[name]; k.costs != nil { // the median of coarse readings is known to half a step
			e.Error = max(e.Error, float64(k.costs.Resolution)/2)
			sized.Empty[name] = e
		}
	}
	cost := sized.Empty["time"].NS
	pauses := in.pauses(sized.N)
	in.widen(cost, (float64(sized.Time)-pauses*cost)/float64(sized.N))
	sized.Time -= int64((pauses - in.pauses(sized.N)) * cost)
	sized.Part, sized.InputSize = in.part, in.size
	return failure
}
