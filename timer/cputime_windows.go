package timer

import (
	"errors"

	"golang.org/x/sys/windows"
)

// processTime is the CPU time of this process in the kernel's 100 ns units; it
// steps by the scheduler tick, about 15 ms.
type processTime struct{}

func (processTime) Name() string { return "posix-process-cputime" }

func (processTime) Now() int64 { return processCPU() }

func processCPU() int64 {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks turns the 100 ns units of a duration into nanoseconds.
func ticks(t windows.Filetime) int64 {
	return (int64(t.HighDateTime)<<32 | int64(t.LowDateTime)) * 100
}

func cpuClocks() []Subtimer {
	absent := func() error { return errors.New("not available on windows") }
	works := func() error { return nil }
	return []Subtimer{
		{ThreadCPU, KindClock, "CPU time of the measuring thread", absent, nil},
		{"posix-process-cputime", KindClock, "CPU time of the whole process; hides sleep and I/O", works, func() Clock { return processTime{} }},
	}
}
