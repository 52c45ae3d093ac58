package timer

// Fake is a clock and a System that tests steer. Time passes only when it is
// told to: by Advance, and by Cost at each reading of the clock.
type Fake struct {
	Time        int64 // nanoseconds
	Cost        int64 // that one reading takes
	Step        int64 // resolution: readings are rounded down to it; 0 or 1 for none
	CPU, Thread int64 // CPU time beside Time
	Voluntary   int64
	Involuntary int64
	Waited      int64
	Collections int64
	Reads       int // how often the clock was read
}

// Name of the clock.
func (f *Fake) Name() string { return "fake" }

// Now reads the clock: half of the cost passes before, half behind the moment
// that is returned, as with a real one.
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

// ProcessCPU and the others give the fields.
func (f *Fake) ProcessCPU() int64 { return f.CPU }

// ThreadCPU gives Thread.
func (f *Fake) ThreadCPU() int64 { return f.Thread }

// Switches gives Voluntary and Involuntary.
func (f *Fake) Switches(bool) (voluntary, involuntary int64) { return f.Voluntary, f.Involuntary }

// Wait gives Waited.
func (f *Fake) Wait() int64 { return f.Waited }

// GCs gives Collections.
func (f *Fake) GCs() int64 { return f.Collections }

// FakeCounter is a cycle counter on the time of a Fake.
type FakeCounter struct {
	Fake   *Fake
	Counts Unit
	PerNS  float64 // counts in each nanosecond of CPU time
	Cost   int64   // ns that one reading takes
	Moves  int     // so many readings at T1 from now on come from another CPU
	Share  float64 // of the time on the hardware; 0 means all of it
	Broken error   // what every reading fails with
	Reads  int     // how often it was read
}

// Name of the counter.
func (f *FakeCounter) Name() string { return "fake" }

// Unit gives Counts.
func (f *FakeCounter) Unit() Unit { return f.Counts }

// PerThread is true for cycles, as with real counters.
func (f *FakeCounter) PerThread() bool { return f.Counts == Cycles }

// Preflight always works.
func (f *FakeCounter) Preflight() error { return nil }

// Read gives the CPU time of the fake in counts. Half of the cost passes before,
// half behind the moment that is returned.
func (f *FakeCounter) Read(out *Instant, edge Edge) error {
	f.Reads++
	f.Fake.pass(f.Cost / 2)
	share := f.Share
	if share == 0 {
		share = 1
	}
	out.Enabled, out.Running = uint64(f.Fake.Time), uint64(float64(f.Fake.Time)*share)
	out.Count = uint64(float64(f.Fake.CPU) * f.PerNS * share)
	f.Fake.pass(f.Cost - f.Cost/2)
	if edge == T1 && f.Moves > 0 {
		f.Moves--
		return ErrRetry
	}
	return f.Broken
}

// Close does nothing.
func (f *FakeCounter) Close() error { return nil }

// FakeEvents counts PerNS of each metric in a nanosecond of the fake's CPU time.
type FakeEvents struct {
	Fake  *Fake
	Names []string // metrics
	PerNS float64
	Share float64 // of the time on the hardware; 0 means all of it
	Cost  int64   // ns that one reading takes
}

// Metrics gives Names.
func (f *FakeEvents) Metrics() []string { return f.Names }

// Read gives the same count for every metric.
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
