package timer

// Fake is a Clock and a System for tests. Its time passes only by Advance, Sleep and
// Preempt, and by Cost at each reading of the clock.
type Fake struct {
	Time        int64 // nanoseconds
	Cost        int64 // ns that one reading takes
	Step        int64 // resolution in ns: readings are rounded down to a multiple; 0 or 1 for none
	CPU, Thread int64 // CPU time of process and thread, ns
	Voluntary   int64
	Involuntary int64
	Waited      int64
	Collections int64
	Reads       int // number of readings of the clock
}

// Name of the clock.
func (f *Fake) Name() string { return "fake" }

// Now reads the clock: half of the cost passes before the returned moment and half
// after it, as with a real clock.
func (f *Fake) Now() int64 {
	f.Reads++
	f.pass(f.Cost / 2)
	now := f.Time
	f.pass(f.Cost - f.Cost/2)
	if f.Step > 1 {
		now -= now % f.Step
	}
	return now
}

// Advance lets ns nanoseconds pass, all of them on the CPU.
func (f *Fake) Advance(ns int64) { f.pass(ns) }

// Sleep lets ns nanoseconds pass without using the CPU.
func (f *Fake) Sleep(ns int64) { f.Time += ns; f.Voluntary++ }

// Preempt takes the CPU away for ns nanoseconds.
func (f *Fake) Preempt(ns int64) { f.Time += ns; f.Waited += ns; f.Involuntary++ }

func (f *Fake) pass(ns int64) { f.Time += ns; f.CPU += ns; f.Thread += ns }

// ProcessCPU is the field CPU.
func (f *Fake) ProcessCPU() int64 { return f.CPU }

// ThreadCPU is the field Thread.
func (f *Fake) ThreadCPU() int64 { return f.Thread }

// Switches ignores whether the thread or the process is asked for.
func (f *Fake) Switches(bool) (voluntary, involuntary int64) { return f.Voluntary, f.Involuntary }

// Wait is the field Waited.
func (f *Fake) Wait() int64 { return f.Waited }

// GCs is the field Collections.
func (f *Fake) GCs() int64 { return f.Collections }

// FakeCounter is a cycle counter on the time of a Fake.
type FakeCounter struct {
	Fake   *Fake
	Counts Unit
	PerNS  float64 // counts in each nanosecond of CPU time
	Cost   int64   // ns that one reading takes
	Moves  int     // number of readings at T1, from now on, that come from another CPU
	Share  float64 // of the time on the hardware; 0 means all of it
	Turn   int64   // ns that it is on the hardware, and then off it for as long, in turns; 0 means always on
	Broken error   // the error of every reading
	Reads  int     // number of readings
}

// Name of the counter.
func (f *FakeCounter) Name() string { return "fake" }

// Unit is the field Counts.
func (f *FakeCounter) Unit() Unit { return f.Counts }

// PerThread is true for cycles, as with real counters.
func (f *FakeCounter) PerThread() bool { return f.Counts == Cycles }

// Preflight does nothing and never fails.
func (f *FakeCounter) Preflight() error { return nil }

// Read stores the CPU time of the fake in counts. Half of the cost passes before the
// stored moment and half after it.
func (f *FakeCounter) Read(out *Instant, edge Edge) error {
	f.Reads++
	f.Fake.pass(f.Cost / 2)
	share := f.Share
	if share == 0 {
		share = 1
	}
	out.Enabled, out.Running = uint64(f.Fake.Time), uint64(float64(f.Fake.Time)*share)
	out.Count = uint64(float64(f.Fake.CPU) * f.PerNS * share)
	if f.Turn > 0 {
		out.Running = uint64(f.Fake.Time/(2*f.Turn)*f.Turn + min(f.Fake.Time%(2*f.Turn), f.Turn))
		out.Count = uint64(float64(out.Running) * f.PerNS)
	}
	f.Fake.pass(f.Cost - f.Cost/2)
	if edge == T1 && f.Moves > 0 {
		f.Moves--
		return ErrRetry
	}
	return f.Broken
}

// Close does nothing.
func (f *FakeCounter) Close() error { return nil }

// FakeEvents counts each metric PerNS times in a nanosecond of the fake's CPU time.
type FakeEvents struct {
	Fake  *Fake
	Names []string // metrics
	PerNS float64
	Share float64 // of the time on the hardware; 0 means all of it
	Cost  int64   // ns that one reading takes
}

// Metrics is the field Names.
func (f *FakeEvents) Metrics() []string { return f.Names }

// Read stores the same count for every metric.
func (f *FakeEvents) Read(into []Count) bool {
	f.Fake.pass(f.Cost / 2)
	defer f.Fake.pass(f.Cost - f.Cost/2)
	share := f.Share
	if share == 0 {
		share = 1
	}
	for i := range into {
		into[i] = Count{Value: uint64(float64(f.Fake.CPU) * f.PerNS * share),
			Enabled: uint64(f.Fake.Time), Running: uint64(float64(f.Fake.Time) * share)}
	}
	return true
}

// Close does nothing.
func (f *FakeEvents) Close() error { return nil }
