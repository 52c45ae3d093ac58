package timer

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// fakeKernel is a kernel with every event. Tests set the values of its counters.
type fakeKernel struct {
	opened           []fakeEvent // the descriptor is the index
	refuse           func(attr *unix.PerfEventAttr, group int) error
	enabled, running uint64
	starved          int // groups of more events than this never run; 0 for no limit
	answers          int // system calls of reading
	page_            *unix.PerfEventMmapPage
	pageErr          error
	mapped           int
	level            int // paranoid; below -1 for unknown
	seccomp          bool
	old              bool // before Linux 5.17
}

type fakeEvent struct {
	attr   unix.PerfEventAttr
	group  int
	on     bool
	closed int
	value  uint64
}

func (k *fakeKernel) open(attr *unix.PerfEventAttr, group int) (int, error) {
	if k.refuse != nil {
		if err := k.refuse(attr, group); err != nil {
			return -1, err
		}
	}
	k.opened = append(k.opened, fakeEvent{attr: *attr, group: group, value: uint64(len(k.opened)+1) * 1000})
	return len(k.opened) - 1, nil
}

func (k *fakeKernel) enable(fd int) error { k.opened[fd].on = true; return nil }

// member reports whether event i is open and in the group that fd leads.
func (k *fakeKernel) member(i, fd int) bool {
	return (i == fd || k.opened[i].group == fd) && k.opened[i].closed == 0
}

func (k *fakeKernel) members(fd int) (n int) {
	for i := range k.opened {
		if k.member(i, fd) {
			n++
		}
	}
	return n
}

// read answers as the kernel does, and allocates nothing: tests count that.
func (k *fakeKernel) read(fd int, into []byte) (int, error) {
	k.answers++
	n, running := k.members(fd), k.running
	if k.starved > 0 && n > k.starved {
		running = 0
	}
	at := 0
	word := func(x uint64) { binary.NativeEndian.PutUint64(into[at:], x); at += 8 }
	if k.opened[fd].attr.Read_format&unix.PERF_FORMAT_GROUP == 0 {
		word(k.opened[fd].value)
		word(k.enabled)
		word(running)
		return at, nil
	}
	if len(into) < 8*(3+n) {
		return 0, unix.ENOSPC
	}
	word(uint64(n))
	word(k.enabled)
	word(running)
	for i := range k.opened {
		if k.member(i, fd) {
			word(k.opened[i].value)
		}
	}
	return at, nil
}

func (k *fakeKernel) page(int) (*unix.PerfEventMmapPage, error) {
	if k.pageErr == nil {
		k.mapped++
	}
	return k.page_, k.pageErr
}
func (k *fakeKernel) unpage(*unix.PerfEventMmapPage) error { k.mapped--; return nil }
func (k *fakeKernel) close(fd int) error                   { k.opened[fd].closed++; return nil }
func (k *fakeKernel) paranoid() (int, bool)                { return k.level, k.level >= -1 }
func (k *fakeKernel) filtered() bool                       { return k.seccomp }
func (k *fakeKernel) release() string {
	if k.old {
		return "5.15.0-91-generic"
	}
	return "6.1.0"
}

// leaks counts what was opened and not closed just once.
func (k *fakeKernel) leaks() (n int) {
	for _, e := range k.opened {
		if e.closed != 1 {
			n++
		}
	}
	return n + k.mapped
}

// needsUser is a kernel's answer to an ordinary user at level 2.
func needsUser(attr *unix.PerfEventAttr, _ int) error {
	if attr.Bits&unix.PerfBitExcludeKernel == 0 {
		return unix.EACCES
	}
	return nil
}
