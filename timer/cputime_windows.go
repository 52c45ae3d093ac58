package timer

import (
	"errors"

	"golang.org/x/sys/windows"
)

// processTime is the CPU time of this process. The kernel counts it in units of
// 100 ns, but advances it only at a scheduler tick, about every 15 ms.
type processTime struct{ name string }

func (p processTime) Name() string { return p.name }

func (processTime) Now() int64 { return processCPU() }

func processCPU() int64 {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts a duration in units of 100 ns to nanoseconds.
func ticks(t windows.Filetime) int64 {
	return (int64(t.HighDateTime)<<32 | int64(t.LowDateTime)) * 100
}

func cpuClocks() []Subtimer {
	absent := func(Counter) (Clock, error) { return nil, errors.New("not available on windows") }
	process := func(name string) func(Counter) (Clock, error) {
		return func(Counter) (Clock, error) { return processTime{name}, nil }
	}
	return []Subtimer{
		{Name: ThreadCPU, Kind: KindClock, Help: "CPU time of the measuring thread", openClock: absent},
		{Name: ProcessCPU, Kind: KindClock, Help: "CPU time of the whole process; hides sleep and I/O",
			openClock: process(ProcessCPU)},
		// Microsoft's clock() counts wall time, against the C standard; this one does not.
		{Name: StdcClock, Kind: KindClock, Help: "C's clock(): CPU time of the whole process",
			openClock: process(StdcClock)},
	}
}
