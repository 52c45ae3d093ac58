package probe

import (
	"fmt"
	"io/fs"
	"testing/fstest"

	"example.com/suite/timer"
)

// fake is a machine that tests steer: two CPUs, a fake clock, and files that
// follow it.
type fake struct {
	timer.Fake
	files   fstest.MapFS
	steal   float64                // share of the time of all CPUs
	others  float64                // likewise
	perOp   func(ns int64) float64 // time of an operation at a moment
	batch   func(i int)            // called within each call of Work
	batches int                    // calls of Work
	left    float64                // fraction of a nanosecond
	absent  bool                   // the system counts nothing
}

func (f *fake) work(n int) {
	f.left += f.perOp(f.Time) * float64(n)
	whole := int64(f.left)
	f.Advance(whole)
	f.left -= float64(whole)
	f.batches++
	if f.batch != nil {
		f.batch(f.batches)
	}
}

// Open makes /proc/stat of this moment, in microseconds: the CPU time of this process,
// of others, and steal.
func (f *fake) Open(name string) (fs.File, error) {
	if name != "proc/stat" || f.absent {
		return f.files.Open(name)
	}
	total := 2 * float64(f.Time)
	steal, busy := f.steal*total, float64(f.CPU)+f.others*total
	text := fmt.Sprintf("cpu  %.0f 0 0 %.0f 0 0 0 %.0f 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\nintr 5\n",
		busy/1e3, (total-steal-busy)/1e3, steal/1e3)
	return fstest.MapFS{name: {Data: []byte(text)}}.Open(name)
}

// silent is a system that counts nothing.
type silent struct{}

func (silent) ProcessCPU() int64          { return timer.Absent }
func (silent) ThreadCPU() int64           { return timer.Absent }
func (silent) Switches(bool) (_, _ int64) { return timer.Absent, timer.Absent }
func (silent) Wait() int64                { return timer.Absent }
func (silent) GCs() int64                 { return timer.Absent }

func (f *fake) machine() *Machine {
	if f.perOp == nil {
		f.perOp = func(int64) float64 { return 1.36 }
	}
	counter := &timer.FakeCounter{Fake: &f.Fake, Counts: timer.Ticks, PerNS: 2.3, Cost: 10}
	m := &Machine{Clock: &f.Fake, System: &f.Fake, Files: f, Work: f.work, Timers: []Source{
		{"fake", timer.KindClock, func() (*timer.Timer, error) { return timer.New(&f.Fake, nil), nil }},
		{"ticking", timer.KindCycle, func() (*timer.Timer, error) { return timer.New(&f.Fake, counter), nil }},
		{"cycling", timer.KindCycle, func() (*timer.Timer, error) {
			return nil, fmt.Errorf("perf_event_open: no such event\x1b[31m on this machine, which is a virtual one (/proc/sys/kernel/perf_event_paranoid is 2)")
		}},
	}}
	if f.absent {
		m.System = silent{}
	}
	return m
}

func file1(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
