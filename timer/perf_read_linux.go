package timer

import (
	"encoding/binary"
	"errors"
)

// perfRead counts core cycles of one thread; a reading is a system call.
type perfRead struct {
	kernel perfKernel
	fd     int
	cut    bool     // the kernel's cycles are left out
	buf    [24]byte // value, enabled, running; a field, because a local variable would be allocated on each call
}

func openPerfRead() (Counter, error) { return &perfRead{kernel: realKernel{}, fd: -1}, nil }

func (*perfRead) Name() string    { return readName }
func (*perfRead) Unit() Unit      { return Cycles }
func (*perfRead) PerThread() bool { return true }

func (c *perfRead) userOnly() bool { return c.cut }

// Preflight always opens the event anew: the thread of the old event may have ended
// and this thread have the same number, and then the old event would silently count
// nothing.
func (c *perfRead) Preflight() error {
	c.Close()
	fd, cut, err := openAllowed(c.kernel, cyclesAttr(), -1)
	if err != nil {
		return reason(c.kernel, err)
	}
	c.fd, c.cut = fd, cut
	return c.Read(&Instant{}, T0)
}

var errShortRead = errors.New("the kernel's answer is not a performance count")

func (c *perfRead) Read(out *Instant, _ Edge) error {
	n, err := c.kernel.read(c.fd, c.buf[:])
	if err != nil {
		return err
	}
	if n != len(c.buf) {
		return errShortRead
	}
	out.Count = binary.NativeEndian.Uint64(c.buf[0:])
	out.Enabled = binary.NativeEndian.Uint64(c.buf[8:])
	out.Running = binary.NativeEndian.Uint64(c.buf[16:])
	return nil
}

func (c *perfRead) Close() error {
	if c.fd < 0 {
		return nil
	}
	fd := c.fd
	c.fd = -1
	return c.kernel.close(fd)
}
