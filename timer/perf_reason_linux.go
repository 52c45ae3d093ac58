package timer

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// reason explains in plain words why the kernel did not open an event, and what can be
// done about it.
func reason(k perfKernel, err error) error {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return err
	}
	switch errno {
	case unix.EACCES, unix.EPERM:
		return forbidden(k, errno)
	case unix.ENOENT, unix.ENODEV, unix.ENXIO, unix.EOPNOTSUPP:
		return errors.New("no such event on this machine (virtual machines often have none)")
	case unix.ENOSYS:
		if k.filtered() {
			return errors.New("a seccomp filter, as of a container, hides perf_event_open: allow that system call")
		}
		return errors.New("this kernel has no performance events (perf_event_open is not there)")
	case unix.EINVAL, unix.E2BIG:
		return errors.New("the kernel refuses the event as it was asked for (invalid argument): it may be too old, " +
			"or its counters too few")
	case unix.EMFILE, unix.ENFILE:
		return errors.New("too many open files: raise the limit (ulimit -n)")
	case unix.EBUSY, unix.ENOSPC:
		return errors.New("another program uses the counters: end other profilers")
	}
	return fmt.Errorf("perf_event_open: %w", errno)
}

// forbidden explains a missing permission. The paranoid level causes EACCES; a
// container's filter or a locked-down kernel causes EPERM.
func forbidden(k perfKernel, errno unix.Errno) error {
	if errno == unix.EPERM && k.filtered() {
		return errors.New("a seccomp filter, as of a container, forbids perf_event_open: allow that system call or " +
			"add the capability PERFMON")
	}
	level, ok := k.paranoid()
	switch {
	case !ok:
		return fmt.Errorf("not permitted (%w), and kernel.perf_event_paranoid cannot be read: add the "+
			"capability PERFMON", errno)
	case level > 2:
		return fmt.Errorf("not permitted: kernel.perf_event_paranoid is %d; set it to 2 or lower (sysctl) or add the "+
			"capability PERFMON", level)
	case level > 1:
		return fmt.Errorf("not permitted: kernel.perf_event_paranoid is %d; set it to 1 or lower (sysctl) or add the "+
			"capability PERFMON", level)
	}
	return fmt.Errorf("not permitted (%w) although kernel.perf_event_paranoid is %d: a security module or a "+
		"locked-down kernel forbids it", errno, level)
}
