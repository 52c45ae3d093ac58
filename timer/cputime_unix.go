//go:build unix

package timer

import "golang.org/x/sys/unix"

// cpuTime is a CPU time clock of the kernel. Reading one is a system call,
// about 300 ns, because the vDSO serves only the wall clocks.
type cpuTime struct {
	name string
	id   int32
}

func (c *cpuTime) Name() string { return c.name }

func (c *cpuTime) Now() int64 {
	var ts unix.Timespec
	// The clocks were checked when the timer was opened and cannot fail later.
	_ = unix.ClockGettime(c.id, &ts)
	return ts.Nano()
}

func cpuClocks() []Subtimer {
	return []Subtimer{
		cpuClock(ThreadCPU, unix.CLOCK_THREAD_CPUTIME_ID, "CPU time of the measuring thread; hides sleep, I/O and other threads"),
		cpuClock("posix-process-cputime", unix.CLOCK_PROCESS_CPUTIME_ID, "CPU time of the whole process; hides sleep and I/O"),
	}
}

func cpuClock(name string, id int32, help string) Subtimer {
	check := func() error {
		var ts unix.Timespec
		return unix.ClockGettime(id, &ts)
	}
	return Subtimer{name, KindClock, help, check, func() Clock { return &cpuTime{name, id} }}
}
