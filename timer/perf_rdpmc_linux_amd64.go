package timer

import (
	"errors"
	"fmt"
)

// rdpmc reads a performance counter of this CPU. It faults if the kernel has not
// allowed it, and in valgrind.
func rdpmc(counter uint32) uint64

// rdpmcCounter counts core cycles of one thread without a system call. It is also
// its own companion clock, which reads the time for which the event was enabled: the
// thread's CPU time since Preflight.
type rdpmcCounter struct {
	kernel   perfKernel
	valgrind func() bool
	fd       int
	cut      bool // the kernel's cycles are left out
	idle     bool // the kernel writes the page of an event that is off the hardware too
	reader   pageReader
	reading  pageReading
	call     perfRead // the same event, read by a system call
	answer   Instant  // of call
	moment   Instant  // of Now
	last     int64    // last reading of the clock, ns
}

func openRDPMC() (Counter, error) {
	return &rdpmcCounter{kernel: realKernel{}, valgrind: inValgrind, fd: -1,
		reader: pageReader{rdpmc: rdpmc, tsc: tscBegin}}, nil
}

func (*rdpmcCounter) Name() string    { return rdpmcName }
func (*rdpmcCounter) Unit() Unit      { return Cycles }
func (*rdpmcCounter) PerThread() bool { return true }

func (c *rdpmcCounter) userOnly() bool { return c.cut }

// Preflight opens the event anew, for the same reason as perfRead.Preflight. It checks
// the page before the first rdpmc, because a forbidden rdpmc ends the process.
func (c *rdpmcCounter) Preflight() error {
	c.Close()
	if c.valgrind() {
		return errors.New("valgrind cannot execute rdpmc: run without it")
	}
	fd, cut, err := openAllowed(c.kernel, cyclesAttr(), -1)
	if err != nil {
		return reason(c.kernel, err)
	}
	c.fd, c.cut = fd, cut
	c.call = perfRead{kernel: c.kernel, fd: fd}
	c.idle = writesIdlePages(c.kernel.release())
	page, err := c.kernel.page(fd)
	if err != nil {
		c.Close()
		return fmt.Errorf("the kernel does not map the page of the event (%w): see kernel.perf_event_mlock_kb "+
			"and ulimit -l", err)
	}
	c.reader.page, c.last = page, 0
	c.reading.timed = c.timeless() == nil
	if err := c.usable(); err != nil {
		c.Close()
		return err
	}
	return nil
}

// usable is nil if rdpmc can be used with the mapped page, otherwise the reason why
// not.
func (c *rdpmcCounter) usable() error {
	switch caps := c.reader.page.Capabilities; {
	case caps&capFixed == 0:
		return errors.New("the kernel is too old for rdpmc: it needs Linux 3.12")
	case caps&capRDPMC == 0:
		return errors.New("the kernel does not let programs execute rdpmc: see /sys/bus/event_source/devices/cpu/rdpmc")
	}
	return nil
}

// timeless is nil if the page has the time, otherwise the reason why not.
func (c *rdpmcCounter) timeless() error {
	if c.reader.page == nil || c.reader.page.Capabilities&capTime == 0 {
		return errors.New("the kernel provides no time with the counter (its clock is not the time stamp counter)")
	}
	return nil
}

// errNoShare is the error of a count that may be an unknown part of the whole.
var errNoShare = errors.New("the counter shares its hardware and the kernel does not report for how long")

// Read reads the page, or makes a system call if the page does not have the count: it
// keeps changing, or rdpmc was forbidden meanwhile, or the event is off the hardware and
// the kernel does not write its page then.
func (c *rdpmcCounter) Read(out *Instant, edge Edge) error {
	r := &c.reading
	if steady := c.reader.read(r, edge); !steady || !r.counted || r.off && !c.idle {
		if err := c.call.Read(&c.answer, edge); err != nil {
			return err
		}
		r.count, r.enabled, r.running = c.answer.Count, c.answer.Enabled, c.answer.Running
	}
	// Without the time both numbers are as of the kernel's last update. If they
	// are equal the hardware was never shared, else the scale is unknown.
	if !r.timed && r.enabled != r.running {
		return errNoShare
	}
	out.Count = r.count
	out.Enabled = r.enabled
	out.Running = r.running
	return nil
}

// readPair stores time and cycles of one reading.
func (c *rdpmcCounter) readPair(out *Instant, edge Edge) error {
	err := c.Read(out, edge)
	out.NS = int64(c.reading.enabled)
	out.TimeOK = err == nil && c.reading.timed
	out.CountOK = err == nil
	return nil
}

// Now is the enabled time in ns. If it cannot be read, Now repeats the previous one.
func (c *rdpmcCounter) Now() int64 {
	if c.Read(&c.moment, T0) == nil && c.reading.timed {
		c.last = max(c.last, int64(c.reading.enabled))
	}
	return c.last
}

func (c *rdpmcCounter) Close() (err error) {
	if page := c.reader.page; page != nil {
		c.reader.page = nil
		err = c.kernel.unpage(page)
	}
	if c.fd >= 0 {
		err = errors.Join(err, c.kernel.close(c.fd))
		c.fd = -1
	}
	return err
}

var _ interface {
	Clock
	Counter
	pairReader
} = (*rdpmcCounter)(nil)
