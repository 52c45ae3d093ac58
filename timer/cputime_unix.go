//go:build unix

package timer

import "golang.org/x/sys/unix"

// cpuTime is a CPU time clock of the kernel. Reading one is a system call,
// about 300 ns, because the vDSO serves only the wall clocks.
type cpuTime struct {
	name string
	id   int32
	step int64 // ns: readings are rounded down to a multiple of it
}

func (c *cpuTime) Name() string { return c.name }

func (c *cpuTime) Now() int64 {
	var ts unix.Timespec
	// It cannot fail: the clock was checked when it was opened.
	_ = unix.ClockGettime(c.id, &ts)
	ns := ts.Nano()
	return ns - ns%c.step
}

func cpuClocks() []Subtimer {
	return []Subtimer{
		cpuClock(ThreadCPU, unix.CLOCK_THREAD_CPUTIME_ID, 1,
			"CPU time of the measuring thread; hides sleep, I/O and other threads"),
		cpuClock(ProcessCPU, unix.CLOCK_PROCESS_CPUTIME_ID, 1, "CPU time of the whole process; hides sleep and I/O"),
		// CLOCKS_PER_SEC is 1,000,000 on every POSIX system.
		cpuClock(StdcClock, unix.CLOCK_PROCESS_CPUTIME_ID, 1000,
			"C's clock(): CPU time of the whole process in steps of 1 µs"),
	}
}

func cpuClock(name string, id int32, step int64, help string) Subtimer {
	open := func(Counter) (Clock, error) {
		var ts unix.Timespec
		if err := unix.ClockGettime(id, &ts); err != nil {
			return nil, err
		}
		return &cpuTime{name, id, step}, nil
	}
	return Subtimer{Name: name, Kind: KindClock, Help: help, openClock: open}
}
