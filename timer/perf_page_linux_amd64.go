package timer

import (
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Bits of Capabilities in the kernel's page. Before Linux 3.12 bit 0 meant both
// capRDPMC and capTime; newer kernels set capFixed.
const (
	capFixed     = 1 << 1 // cap_bit0_is_deprecated
	capRDPMC     = 1 << 2 // cap_user_rdpmc
	capTime      = 1 << 3 // cap_user_time
	capShortTime = 1 << 5 // cap_user_time_short
)

// pageTries is the number of tries before a reading counts as disturbed. The kernel
// writes the page at a context switch, so the second try nearly always succeeds; the
// bound is for a page that changes without end.
const pageTries = 16

// pageReader reads an event from the kernel's page by the protocol that
// linux/perf_event.h documents.
type pageReader struct {
	page  *unix.PerfEventMmapPage
	rdpmc func(counter uint32) uint64
	tsc   func() uint64
}

// pageReading is one reading: the event's count, and the nanoseconds for which it was
// enabled and for which it was on the hardware.
type pageReading struct {
	count, enabled, running uint64
	counted                 bool // count is valid
	off                     bool // the event was off the hardware: nothing was counted since the kernel's last update
	timed                   bool // the times are of this moment, not of the kernel's last update
}

// read stores a reading in out and returns false if the page kept changing. The time
// stamp is taken before the count at T0 and after it at T1, so that the interval of
// time contains the interval of counts.
func (r *pageReader) read(out *pageReading, edge Edge) bool {
	p := r.page
	for range pageTries {
		seq := atomic.LoadUint32(&p.Lock)
		if seq&1 != 0 { // the kernel is writing, on another CPU
			continue
		}
		caps := atomic.LoadUint64(&p.Capabilities)
		out.enabled, out.running = atomic.LoadUint64(&p.Time_enabled), atomic.LoadUint64(&p.Time_running)
		out.timed = caps&capTime != 0
		var passed uint64
		if edge == T0 && out.timed {
			passed = since(p, caps, r.tsc())
		}
		index := atomic.LoadUint32(&p.Index)
		out.off = index == 0
		out.counted = out.off || caps&capRDPMC != 0
		out.count = uint64(atomic.LoadInt64(&p.Offset))
		if out.counted && !out.off {
			out.count += extend(r.rdpmc(index-1), p.Pmc_width)
		}
		if edge == T1 && out.timed {
			passed = since(p, caps, r.tsc())
		}
		out.enabled += passed
		if !out.off {
			out.running += passed
		}
		if atomic.LoadUint32(&p.Lock) == seq {
			return true
		}
	}
	return false
}

// extend sign-extends a counter of width bits: the kernel lets it start below zero
// and keeps the rest in Offset.
func extend(pmc uint64, width uint16) uint64 {
	if width == 0 || width >= 64 {
		return pmc
	}
	return uint64(int64(pmc<<(64-width)) >> (64 - width))
}

// since computes the nanoseconds since the kernel wrote the page. It multiplies
// quotient and remainder separately, so that the product does not overflow.
func since(p *unix.PerfEventMmapPage, caps, tsc uint64) uint64 {
	if caps&capShortTime != 0 {
		tsc = p.Time_cycles + (tsc-p.Time_cycles)&p.Time_mask
	}
	quot, rem := tsc>>p.Time_shift, tsc&(1<<p.Time_shift-1)
	return p.Time_offset + quot*uint64(p.Time_mult) + rem*uint64(p.Time_mult)>>p.Time_shift
}

// writesIdlePages reports whether a kernel writes the page of an event that is off the
// hardware whenever its thread gets a CPU. Before Linux 5.17 it does not, and the enabled
// time of the page goes on while the thread sleeps.
func writesIdlePages(release string) bool {
	major, minor := 0, 0
	fmt.Sscanf(release, "%d.%d", &major, &minor)
	return major > 5 || major == 5 && minor >= 17
}
