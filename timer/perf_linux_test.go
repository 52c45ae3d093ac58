package timer

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestEveryRefusalOfTheKernelHasAReasonInPlainWords(t *testing.T) {
	for _, test := range []struct {
		errno   unix.Errno
		level   int
		seccomp bool
		want    string
	}{
		{unix.EACCES, 2, false, "kernel.perf_event_paranoid is 2; set it to 1 or lower (sysctl)"},
		{unix.EACCES, 4, false, "kernel.perf_event_paranoid is 4; set it to 2 or lower (sysctl)"},
		{unix.EACCES, 0, false, "although kernel.perf_event_paranoid is 0: a security module"},
		{unix.EPERM, -2, false, "kernel.perf_event_paranoid cannot be read"},
		{unix.EPERM, 2, true, "a seccomp filter, as of a container, forbids perf_event_open"},
		{unix.EACCES, 2, true, "kernel.perf_event_paranoid is 2"}, // filters answer EPERM
		{unix.ENOENT, 2, false, "no such event on this machine (virtual machines often have none)"},
		{unix.EOPNOTSUPP, 2, false, "no such event on this machine"},
		{unix.ENOSYS, 2, false, "this kernel has no performance events"},
		{unix.ENOSYS, 2, true, "a seccomp filter, as of a container, hides perf_event_open"},
		{unix.EINVAL, 2, false, "invalid argument"},
		{unix.EMFILE, 2, false, "too many open files: raise the limit (ulimit -n)"},
		{unix.EBUSY, 2, false, "another program uses the counters"},
		{unix.EIO, 2, false, "perf_event_open: input/output error"},
	} {
		k := &fakeKernel{level: test.level, seccomp: test.seccomp,
			refuse: func(*unix.PerfEventAttr, int) error { return test.errno }}
		c := &perfRead{kernel: k, fd: -1}
		if err := c.Preflight(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s at level %d: %v, want %q", unix.ErrnoName(test.errno), test.level, err, test.want)
		}
		e, skipped := openEvents(k, []string{"cycles"}, ThisThread)
		if e != nil || len(skipped) != 1 || !strings.Contains(skipped[0].Reason, test.want) {
			t.Errorf("%s: event skipped as %v, want %q", unix.ErrnoName(test.errno), skipped, test.want)
		}
	}
}

func TestCyclesAreCountedWithoutTheKernelWhereItIsForbidden(t *testing.T) {
	k := &fakeKernel{level: 2, refuse: needsUser}
	c := &perfRead{kernel: k, fd: -1}
	if err := c.Preflight(); err != nil {
		t.Fatal(err)
	}
	if got := k.opened[0].attr.Bits; got != userOnly || !UserOnlyCounter(c) {
		t.Errorf("bits %b, said to be cut: %t", got, UserOnlyCounter(c))
	}
	// The second try has the better reason: there is no such event.
	k.refuse = func(attr *unix.PerfEventAttr, _ int) error {
		if err := needsUser(attr, -1); err != nil {
			return err
		}
		return unix.ENOENT
	}
	if err := c.Preflight(); err == nil || !strings.Contains(err.Error(), "no such event") {
		t.Errorf("reason %v", err)
	}
}

func TestPerfReadGivesCountAndTimes(t *testing.T) {
	k := &fakeKernel{enabled: 500, running: 250}
	c := &perfRead{kernel: k, fd: -1}
	if err := c.Preflight(); err != nil {
		t.Fatal(err)
	}
	var a, b Instant
	tm := New(&Fake{}, c)
	if err := tm.Now(&a, T0); err != nil || !a.CountOK {
		t.Fatalf("%+v, %v", a, err)
	}
	k.opened[0].value, k.enabled, k.running = k.opened[0].value+100, 700, 350
	if err := tm.Now(&b, T1); err != nil {
		t.Fatal(err)
	}
	if d := tm.Diff(&a, &b); d.Count != 200 || !d.CountOK || !d.Scaled {
		t.Errorf("half of the time on the hardware: %+v, want 200, scaled", d)
	}
	if a := k.opened[0].attr; a.Type != unix.PERF_TYPE_HARDWARE || a.Config != unix.PERF_COUNT_HW_CPU_CYCLES || a.Size != 64 || a.Read_format != 3 {
		t.Errorf("asked for %+v", a)
	}
	if err := c.Preflight(); err != nil || k.opened[0].closed != 1 {
		t.Errorf("another preflight: %v, closed %d times", err, k.opened[0].closed)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil || k.leaks() != 0 {
		t.Errorf("%d descriptors not closed just once", k.leaks())
	}
}

func TestAShortAnswerIsNoCount(t *testing.T) {
	k := &fakeKernel{}
	c := &perfRead{kernel: shortKernel{k}, fd: -1}
	if err := c.Preflight(); !errors.Is(err, errShortRead) {
		t.Errorf("err = %v", err)
	}
	var in Instant
	tm := New(&Fake{}, c)
	if err := tm.Now(&in, T0); err != nil || in.CountOK || !in.TimeOK {
		t.Errorf("%+v, %v: want a time and no count", in, err)
	}
}

// shortKernel answers nothing, as if the kernel had given the event up.
type shortKernel struct{ *fakeKernel }

func (shortKernel) read(int, []byte) (int, error) { return 0, nil }
