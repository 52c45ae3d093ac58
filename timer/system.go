package timer

import "runtime/metrics"

// System reads the counters that are recorded for every batch in addition to the
// clock. They never decrease. A counter that the machine does not have reads as Absent.
type System interface {
	// ProcessCPU is the user and system time of the process, in nanoseconds.
	ProcessCPU() int64
	// ThreadCPU is the CPU time of the calling thread, in nanoseconds.
	ThreadCPU() int64
	// Switches counts the context switches of the calling thread, or of the whole
	// process if thread is false.
	Switches(thread bool) (voluntary, involuntary int64)
	// Wait is the time for which the thread was ready and waited for a CPU, in
	// nanoseconds.
	Wait() int64
	// GCs counts the finished garbage collections.
	GCs() int64
}

// Absent is the reading of a counter that this machine does not have. It is not
// zero, because zero is a measurement.
const Absent int64 = -1

// gcReader counts garbage collections without stopping the world. A reading takes
// 70 ns and, after the first one, allocates nothing.
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
