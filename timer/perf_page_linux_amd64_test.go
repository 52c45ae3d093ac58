package timer

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const capsAll = capFixed | capRDPMC | capTime

// simulated is a page on which everything works: half a nanosecond for each tick of
// the TSC, counter 3 (index 4) of 48 bits.
func simulated() *unix.PerfEventMmapPage {
	return &unix.PerfEventMmapPage{Lock: 2, Index: 4, Offset: 1 << 50, Capabilities: capsAll, Pmc_width: 48,
		Time_enabled: 7000, Time_running: 7000, Time_mult: 512, Time_shift: 10, Time_offset: 100}
}

func reader(p *unix.PerfEventMmapPage, pmc, tsc uint64) *pageReader {
	return &pageReader{page: p, rdpmc: func(uint32) uint64 { return pmc }, tsc: func() uint64 { return tsc }}
}

func TestPageGivesCountAndTimes(t *testing.T) {
	for name, test := range map[string]struct {
		change   func(p *unix.PerfEventMmapPage)
		pmc, tsc uint64
		want     pageReading
	}{
		"plain":                   {nil, 42, 2000, pageReading{1<<50 + 42, 8100, 8100, true, false, true}},
		"counter below zero":      {nil, 1<<48 - 16, 2000, pageReading{1<<50 - 16, 8100, 8100, true, false, true}},
		"of 40 bits, below zero":  {func(p *unix.PerfEventMmapPage) { p.Pmc_width = 40 }, 1<<40 - 1, 0, pageReading{1<<50 - 1, 7100, 7100, true, false, true}},
		"top bit of 48 is a sign": {func(p *unix.PerfEventMmapPage) { p.Pmc_width = 49 }, 1<<48 - 16, 0, pageReading{1<<50 + 1<<48 - 16, 7100, 7100, true, false, true}},
		"offset below zero":       {func(p *unix.PerfEventMmapPage) { p.Offset = -10 }, 30, 0, pageReading{20, 7100, 7100, true, false, true}},
		"not on the hardware":     {func(p *unix.PerfEventMmapPage) { p.Index = 0 }, 42, 2000, pageReading{1 << 50, 8100, 7000, true, true, true}},
		"shared hardware":         {func(p *unix.PerfEventMmapPage) { p.Time_running = 3000 }, 42, 2000, pageReading{1<<50 + 42, 8100, 4100, true, false, true}},
		"no time": {func(p *unix.PerfEventMmapPage) { p.Capabilities = capFixed | capRDPMC }, 42, 2000,
			pageReading{1<<50 + 42, 7000, 7000, true, false, false}},
		"no rdpmc": {func(p *unix.PerfEventMmapPage) { p.Capabilities = capFixed | capTime }, 42, 2000,
			pageReading{1 << 50, 8100, 8100, false, false, true}},
		// (1<<62 + 2) × 1<<31 does not fit in 64 bits; the parts do.
		"a product beyond 64 bits": {func(p *unix.PerfEventMmapPage) { p.Time_mult, p.Time_shift = 1<<31, 32 }, 0, 1<<62 + 2,
			pageReading{1 << 50, 7101 + 1<<61, 7101 + 1<<61, true, false, true}},
		// A 32-bit TSC that has gone round: 0x1_0000_0010 is meant.
		"a short time stamp": {func(p *unix.PerfEventMmapPage) {
			p.Capabilities |= capShortTime
			p.Time_cycles, p.Time_mask = 0xfffffff0, 0xffffffff
		}, 0, 0x10, pageReading{1 << 50, 7100 + 0x80000008, 7100 + 0x80000008, true, false, true}},
	} {
		p := simulated()
		if test.change != nil {
			test.change(p)
		}
		for _, edge := range []Edge{T0, T1} {
			var got pageReading
			if ok := reader(p, test.pmc, test.tsc).read(&got, edge); !ok || got != test.want {
				t.Errorf("%s, edge %d: %+v, %t, want %+v", name, edge, got, ok, test.want)
			}
		}
	}
}

func TestPageThatChangesUnderTheReaderIsReadAgain(t *testing.T) {
	p, calls := simulated(), 0
	r := reader(p, 0, 0)
	r.rdpmc = func(counter uint32) uint64 {
		// The thread loses its CPU between the index and the counter, twice.
		if calls++; calls <= 2 {
			p.Lock += 2
			p.Index, p.Offset, p.Time_enabled, p.Time_running = 8, 5000, 9000, 8000
			return 1 << 40
		}
		return uint64(counter)
	}
	var got pageReading
	if ok := r.read(&got, T0); !ok || calls != 3 || got != (pageReading{5007, 9100, 8100, true, false, true}) {
		t.Errorf("%+v, %t after %d tries; want counter 7 on 5000 at the third", got, ok, calls)
	}
}

func TestPageThatNeverKeepsStillIsReadByASystemCall(t *testing.T) {
	p, zero, calls := simulated(), uint64(0), 0
	c, k := rdpmcOn(p, &zero, &zero)
	if err := c.Preflight(); err != nil {
		t.Fatal(err)
	}
	k.enabled, k.running = 9000, 6000
	want := Instant{NS: 9000, Count: 1000, Enabled: 9000, Running: 6000, TimeOK: true, CountOK: true}
	c.reader.rdpmc = func(uint32) uint64 { calls++; p.Lock += 2; return 0 }
	var in Instant
	if err := c.readPair(&in, T0); err != nil || calls != pageTries || in != want {
		t.Errorf("%+v, %v after %d tries, want %+v after %d", in, err, calls, want, pageTries)
	}
	p.Lock = 3 // the kernel is writing, and has not moved on at the end of the reading
	c.reader.rdpmc = func(uint32) uint64 { t.Error("read while the kernel writes"); return 0 }
	in = Instant{}
	if err := c.readPair(&in, T0); err != nil || in != want {
		t.Errorf("%+v, %v from a page that is being written", in, err)
	}
	if now := c.Now(); now != 9000 {
		t.Errorf("the clock says %d", now)
	}
}

func TestCountLiesInsideTheTime(t *testing.T) {
	for edge, want := range map[Edge]string{T0: "time count ", T1: "count time "} {
		order := ""
		r := &pageReader{page: simulated(), tsc: func() uint64 { order += "time "; return 0 },
			rdpmc: func(uint32) uint64 { order += "count "; return 0 }}
		if r.read(&pageReading{}, edge); order != want {
			t.Errorf("edge %d reads %s, want %s", edge, order, want)
		}
	}
}

// rdpmcOn is a counter on a fake kernel whose page is p.
func rdpmcOn(p *unix.PerfEventMmapPage, pmc, tsc *uint64) (*rdpmcCounter, *fakeKernel) {
	k := &fakeKernel{page_: p}
	return &rdpmcCounter{kernel: k, fd: -1, valgrind: func() bool { return false },
		reader: pageReader{rdpmc: func(uint32) uint64 { return *pmc }, tsc: func() uint64 { return *tsc }}}, k
}

func TestCompanionClockComesFromTheSameReading(t *testing.T) {
	p, pmc, tsc := simulated(), uint64(0), uint64(0)
	c, k := rdpmcOn(p, &pmc, &tsc)
	if err := c.Preflight(); err != nil {
		t.Fatal(err)
	}
	clock, err := companion(c)
	if err != nil {
		t.Fatal(err)
	}
	tm := New(clock, c)
	if tm.Describe() != "clock="+rdpmcName+" cycle="+rdpmcName {
		t.Error(tm.Describe())
	}
	var a, b Instant
	if err := tm.Now(&a, T0); err != nil {
		t.Fatal(err)
	}
	pmc, tsc = 3000, 2000
	if err := tm.Now(&b, T1); err != nil {
		t.Fatal(err)
	}
	if d := tm.Diff(&a, &b); d != (Delta{NS: 1000, Count: 3000, TimeOK: true, CountOK: true}) {
		t.Errorf("%+v, want 1000 ns and 3000 cycles", d)
	}
	if now := clock.Now(); now != b.NS {
		t.Errorf("the clock says %d, the pair %d", now, b.NS)
	}
	tsc = 0
	if now := clock.Now(); now != b.NS {
		t.Errorf("the clock went back to %d", now)
	}
	p.Index, p.Time_running = 0, 5000
	want := Instant{NS: 7100, Count: 1 << 50, Enabled: 7100, Running: 5000, TimeOK: true, CountOK: true}
	if err := tm.Now(&b, T1); err != nil || b != want {
		t.Errorf("off the hardware: %+v, %v, want %+v", b, err, want)
	}
	c.last, tsc = 0, 4000
	if now := clock.Now(); now != 9100 {
		t.Errorf("off the hardware the clock says %d", now)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil || k.leaks() != 0 {
		t.Errorf("%d pages or descriptors not given back just once", k.leaks())
	}
}

func TestCompanionClockNeedsItsCounterAndTheTime(t *testing.T) {
	for _, other := range []Counter{nil, &FakeCounter{}, &perfRead{fd: -1}} {
		if _, err := companion(other); err == nil || !strings.Contains(err.Error(), "only with the cycle counter of the same name") {
			t.Errorf("beside %T: %v", other, err)
		}
	}
	p, zero := simulated(), uint64(0)
	p.Capabilities = capFixed | capRDPMC
	c, _ := rdpmcOn(p, &zero, &zero)
	if err := c.Preflight(); err != nil {
		t.Fatal(err)
	}
	if _, err := companion(c); err == nil || !strings.Contains(err.Error(), "no time") {
		t.Errorf("without cap_user_time: %v", err)
	}
	var in Instant
	if err := c.Read(&in, T0); err != nil {
		t.Errorf("a counter that never shared its hardware needs no time: %v", err)
	}
	p.Time_running--
	if err := c.Read(&in, T0); err != errNoShare {
		t.Errorf("a shared counter without the time: %v", err)
	}
}

// Before Linux 5.17 the page of an event that is off the hardware is not written when its
// thread gets a CPU, so the sleep before that would count as enabled time.
func TestOldKernelsAreAskedForAnEventOffTheHardware(t *testing.T) {
	for _, old := range []bool{false, true} {
		p, zero := simulated(), uint64(0)
		c, k := rdpmcOn(p, &zero, &zero)
		k.old, k.enabled, k.running = old, 6000, 4000
		if err := c.Preflight(); err != nil {
			t.Fatal(err)
		}
		p.Index, p.Time_running = 0, 4000
		want := Instant{NS: 7100, Count: 1 << 50, Enabled: 7100, Running: 4000, TimeOK: true, CountOK: true}
		if old {
			want.NS, want.Count, want.Enabled = 6000, 1000, 6000
		}
		var in Instant
		if err := c.readPair(&in, T1); err != nil || in != want || (k.answers > 0) != old {
			t.Errorf("old %t: %+v, %v behind %d system calls, want %+v", old, in, err, k.answers, want)
		}
		if now := c.Now(); now != want.NS {
			t.Errorf("old %t: the clock says %d, want %d", old, now, want.NS)
		}
	}
	for release, want := range map[string]bool{"5.16.20": false, "5.17.0-rc1": true, "5.4.0-generic": false, "6.18.2": true, "4.19": false, "10.0": true, "": false, "odd": false} {
		if got := writesIdlePages(release); got != want {
			t.Errorf("%q: %t", release, got)
		}
	}
}

func TestRDPMCIsNotTriedWhereItWouldFault(t *testing.T) {
	for name, test := range map[string]struct {
		change func(c *rdpmcCounter, k *fakeKernel)
		want   string
	}{
		"valgrind":   {func(c *rdpmcCounter, _ *fakeKernel) { c.valgrind = func() bool { return true } }, "valgrind cannot execute rdpmc"},
		"old kernel": {func(_ *rdpmcCounter, k *fakeKernel) { k.page_.Capabilities = capRDPMC | 1 }, "needs Linux 3.12"},
		"forbidden":  {func(_ *rdpmcCounter, k *fakeKernel) { k.page_.Capabilities = capFixed | capTime }, "devices/cpu/rdpmc"},
		"no page":    {func(_ *rdpmcCounter, k *fakeKernel) { k.page_, k.pageErr = nil, unix.EPERM }, "perf_event_mlock_kb"},
		"no event": {func(_ *rdpmcCounter, k *fakeKernel) {
			k.refuse = func(*unix.PerfEventAttr, int) error { return unix.ENOENT }
		}, "no such event"},
	} {
		zero := uint64(0)
		c, k := rdpmcOn(simulated(), &zero, &zero)
		c.reader.rdpmc = func(uint32) uint64 { t.Errorf("%s: rdpmc was executed", name); return 0 }
		test.change(c, k)
		if err := c.Preflight(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if k.leaks() != 0 {
			t.Errorf("%s: %d pages or descriptors left", name, k.leaks())
		}
	}
}

func TestReadingThePageAllocatesNothing(t *testing.T) {
	p, zero := simulated(), uint64(0)
	c, _ := rdpmcOn(p, &zero, &zero)
	if err := c.Preflight(); err != nil {
		t.Fatal(err)
	}
	tm, in := New(c, c), Instant{}
	if n := testing.AllocsPerRun(100, func() { _ = tm.Now(&in, T1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestThisIsNotValgrind(t *testing.T) {
	if inValgrind() {
		t.Skip("it is")
	}
}

func BenchmarkReadingASimulatedPage(b *testing.B) {
	p, zero := simulated(), uint64(0)
	c, _ := rdpmcOn(p, &zero, &zero)
	if err := c.Preflight(); err != nil {
		b.Fatal(err)
	}
	c.reader.tsc = tscBegin
	var in Instant
	for b.Loop() {
		_ = c.Read(&in, T1)
	}
}
