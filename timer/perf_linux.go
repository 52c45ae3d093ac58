package timer

import (
	"bytes"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// perfKernel contains the system calls that this package makes, so that tests can
// imitate kernels and machines that they do not run on.
type perfKernel interface {
	// open opens an event of the calling thread on any CPU, in the group of a
	// leader or, with -1, as a leader.
	open(attr *unix.PerfEventAttr, group int) (fd int, err error)
	// enable starts a group by its leader.
	enable(fd int) error
	// read is read(2); it allocates nothing.
	read(fd int, into []byte) (int, error)
	// page maps the page through which an event is read without a system call.
	page(fd int) (*unix.PerfEventMmapPage, error)
	unpage(*unix.PerfEventMmapPage) error
	close(fd int) error
	// paranoid reads kernel.perf_event_paranoid. ok is false if it cannot be read.
	paranoid() (level int, ok bool)
	// filtered reports whether a seccomp filter restricts the system calls.
	filtered() bool
	// release is the version of the kernel, as in 5.15.0-91-generic.
	release() string
}

// attrSize is the size of the first published attr: every kernel accepts it, and no
// later field is used here.
const attrSize = unix.PERF_ATTR_SIZE_VER0

const timesFormat = unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING

// userOnly leaves out the kernel and the hypervisor.
const userOnly = unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv

type realKernel struct {
	pid int // whose events, 0 for the calling thread
}

func (k realKernel) open(attr *unix.PerfEventAttr, group int) (int, error) {
	return unix.PerfEventOpen(attr, k.pid, -1, group, unix.PERF_FLAG_FD_CLOEXEC)
}

func (realKernel) enable(fd int) error {
	return unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, unix.PERF_IOC_FLAG_GROUP)
}

// read bypasses Go's scheduler: the call never blocks, and the scheduler must not
// start another goroutine in this one's place between two readings.
func (realKernel) read(fd int, into []byte) (int, error) {
	n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&into[0])), uintptr(len(into)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// page maps the first page only: the ring buffer after it is for sampling.
func (realKernel) page(fd int) (*unix.PerfEventMmapPage, error) {
	p, err := unix.MmapPtr(fd, 0, nil, uintptr(os.Getpagesize()), unix.PROT_READ, unix.MAP_SHARED)
	return (*unix.PerfEventMmapPage)(p), err
}

func (realKernel) unpage(p *unix.PerfEventMmapPage) error {
	return unix.MunmapPtr(unsafe.Pointer(p), uintptr(os.Getpagesize()))
}

func (realKernel) close(fd int) error { return unix.Close(fd) }

func (realKernel) paranoid() (int, bool) {
	text, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	if err != nil {
		return 0, false
	}
	level, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	return level, err == nil
}

func (realKernel) filtered() bool {
	text, _ := os.ReadFile("/proc/self/status")
	return bytes.Contains(text, []byte("\nSeccomp:\t2"))
}

func (realKernel) release() string {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return ""
	}
	return unix.ByteSliceToString(name.Release[:])
}

// openAllowed opens an event with the kernel's part or, if that is not permitted,
// without it; cut reports that it was left out. It tries rather than reads the
// paranoid level, because capabilities count too, and only the kernel knows the result.
func openAllowed(k perfKernel, attr unix.PerfEventAttr, group int) (fd int, cut bool, err error) {
	attr.Size = attrSize
	fd, err = k.open(&attr, group)
	if err == unix.EACCES || err == unix.EPERM {
		attr.Bits |= userOnly
		if user, again := k.open(&attr, group); again == nil || again != err {
			return user, true, again
		}
	}
	return fd, false, err
}

func cyclesAttr() unix.PerfEventAttr {
	return unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_CPU_CYCLES,
		Read_format: timesFormat}
}
