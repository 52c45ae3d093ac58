package timer

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Machine opens the System of this machine. Its Wait belongs to the thread that called
// Machine, so call it on the locked thread that will measure.
func Machine() System {
	m := &machine{gcReader: newGCReader(), schedstat: -1}
	path := fmt.Sprintf("/proc/self/task/%d/schedstat", unix.Gettid())
	if f, err := os.Open(path); err == nil {
		m.file, m.schedstat = f, int(f.Fd())
	}
	return m
}

type machine struct {
	gcReader
	file      *os.File // keeps the descriptor open
	schedstat int
	usage     unix.Rusage // a field, because a local variable would be allocated on each call
	text      [64]byte
}

func (m *machine) ProcessCPU() int64 { return cpuNow(unix.CLOCK_PROCESS_CPUTIME_ID) }

func (m *machine) ThreadCPU() int64 { return cpuNow(unix.CLOCK_THREAD_CPUTIME_ID) }

func cpuNow(id int32) int64 {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return Absent
	}
	return ts.Nano()
}

func (m *machine) Switches(thread bool) (voluntary, involuntary int64) {
	who := unix.RUSAGE_SELF
	if thread {
		who = unix.RUSAGE_THREAD
	}
	if unix.Getrusage(who, &m.usage) != nil {
		return Absent, Absent
	}
	return m.usage.Nvcsw, m.usage.Nivcsw
}

// Wait reads the second number of schedstat, nanoseconds on the run queue. The file
// stays open: a reading takes 450 ns, and with opening it 20 µs.
func (m *machine) Wait() int64 {
	if m.schedstat < 0 {
		return Absent
	}
	n, err := unix.Pread(m.schedstat, m.text[:], 0)
	if err != nil {
		return Absent
	}
	return secondNumber(m.text[:n])
}

// The second number of text is Absent if there is none.
func secondNumber(text []byte) int64 {
	field := 0
	x := int64(0)
	digits := 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9' && field == 1:
			x, digits = x*10+int64(c-'0'), digits+1
		case c == ' ':
			field++
		}
	}
	if digits == 0 {
		return Absent
	}
	return x
}
