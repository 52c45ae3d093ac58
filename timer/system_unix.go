//go:build unix && !linux

package timer

import "golang.org/x/sys/unix"

// Machine opens the System of this machine, which here has no CPU time, switches and
// waiting of a single thread.
func Machine() System { return &machine{gcReader: newGCReader()} }

type machine struct {
	gcReader
	usage unix.Rusage
}

func (m *machine) ProcessCPU() int64 {
	if unix.Getrusage(unix.RUSAGE_SELF, &m.usage) != nil {
		return Absent
	}
	return m.usage.Utime.Nano() + m.usage.Stime.Nano()
}

func (m *machine) ThreadCPU() int64 { return Absent }

// Switches always returns the switches of the whole process: the system does not
// count them by thread.
func (m *machine) Switches(thread bool) (voluntary, involuntary int64) {
	if unix.Getrusage(unix.RUSAGE_SELF, &m.usage) != nil {
		return Absent, Absent
	}
	return int64(m.usage.Nvcsw), int64(m.usage.Nivcsw)
}

func (m *machine) Wait() int64 { return Absent }
