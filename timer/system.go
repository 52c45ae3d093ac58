package timer

import "runtime/metrics"

// System reads what is kept for every batch beside the chosen clock. The
// counters only grow; what a machine does not have reads as Absent.
type System interface {
	// ProcessCPU is user and system time of the process, nanoseconds.
	ProcessCPU() int64
	// ThreadCPU is the CPU time of the calling thread, nanoseconds.
	ThreadCPU() int64
	// Switches counts context switches of the calling thread, or of the whole
	// process where thread is false.
	Switches(thread bool) (voluntary, involuntary int64)
	// Wait is how long the calling thread has been ready and waiting for a CPU,
	// nanoseconds.
	Wait() int64
	// GCs counts finished garbage collections.
	GCs() int64
}

// Absent is the reading of a counter that this machine does not have. It is
// never zero, because zero is a measurement.
const Absent int64 = -1

// gcReader counts garbage collections without stopping the world: 70 ns, no
// allocation after the first reading.
type gcReader struct{ sample [1]metrics.Sample }

func newGCReader() gcReader {
	return gcReader{[1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}}
}

func (g *gcReader) GCs() int64 {
	metrics.Read(g.sample[:])
	if g.sample[0].Value.Kind() != metrics.KindUint64 {
		return Absent
	}
	return int64(g.sample[0].Value.Uint64())
}
