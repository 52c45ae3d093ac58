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
