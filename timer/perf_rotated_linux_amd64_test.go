package timer

import (
	"math"
	"testing"

	"golang.org/x/sys/unix"
)

// rotatedPage is the page of an event that takes turns on the hardware with others: on
// it for turn nanoseconds, off it for as long, and so on. The core runs at 3 GHz. The
// page is written at each turn, as the kernel does.
type rotatedPage struct {
	page        *unix.PerfEventMmapPage
	now         uint64 // ns; the time stamp counter has one tick in each
	turn        uint64
	on          bool
	since, next uint64 // of the current turn
	ran         uint64 // ns on the hardware before the current turn
}

const cyclesPerNS = 3

func newRotatedPage(turn uint64) *rotatedPage {
	r := &rotatedPage{page: simulated(), turn: turn, on: true, next: turn}
	r.page.Time_mult, r.page.Time_shift = 1, 0
	r.write()
	return r
}

func (r *rotatedPage) running() uint64 {
	if r.on {
		return r.ran + r.now - r.since
	}
	return r.ran
}

// pmc is the counter of the hardware: it starts each turn at a value of its own.
func (r *rotatedPage) pmc(uint32) uint64 {
	r.pass(5)
	return (1<<48 - 1000 + cyclesPerNS*(r.now-r.since)) & (1<<48 - 1)
}

func (r *rotatedPage) tsc() uint64 { r.pass(5); return r.now }

// pass lets ns nanoseconds pass, and makes the turns in them.
func (r *rotatedPage) pass(ns uint64) {
	end := r.now + ns
	for r.next <= end {
		r.now = r.next
		r.ran, r.on = r.running(), !r.on
		r.since, r.next = r.now, r.now+r.turn
		r.write()
	}
	r.now = end
}

// write writes the page as of now, which is the begin of a turn.
func (r *rotatedPage) write() {
	p := r.page
	p.Lock += 2
	p.Time_enabled, p.Time_running, p.Time_offset = r.now, r.ran, -r.now
	p.Index, p.Offset = 0, int64(cyclesPerNS*r.ran)
	if r.on {
		p.Index, p.Offset = 4, p.Offset+1000
	}
}

func (r *rotatedPage) counter() (*rdpmcCounter, *fakeKernel) {
	k := &fakeKernel{page_: r.page}
	return &rdpmcCounter{kernel: k, fd: -1, valgrind: func() bool { return false },
		reader: pageReader{rdpmc: r.pmc, tsc: r.tsc}}, k
}

func TestACountNeedsTheHardwareForOnlyAPartOfTheBatch(t *testing.T) {
	const ms = 1_000_000
	for _, turn := range []uint64{4 * ms, ms, ms / 10, 7 * ms / 3} {
		for name, beside := range map[string]bool{"count": false, "count and clock": true} {
			r := newRotatedPage(turn)
			c, k := r.counter()
			if err := c.Preflight(); err != nil {
				t.Fatal(err)
			}
			var clock Clock = &Fake{}
			if beside {
				clock = c
			}
			batch := Loop{Timer: New(clock, c), Body: func(int) error { r.pass(ms); return nil }}
			times, counts, ran := 0, 0, 0
			for range 400 {
				before := r.running()
				d, err := batch.Time(1)
				if r.running() > before+20 { // more than the readings themselves
					ran++
				}
				if err == nil && d.TimeOK && (!beside || d.NS >= ms && d.NS <= ms+20) {
					times++
				}
				if !d.CountOK {
					continue
				}
				counts++
				// The readings of count and time are 5 ns apart.
				share := batch.Share()
				if off := math.Abs(float64(d.Count) - cyclesPerNS*ms); off > cyclesPerNS*40/share {
					t.Errorf("turns of %d ns, %s: %d cycles in 1 ms, %.2g of it on the hardware", turn, name, d.Count, share)
				}
			}
			t.Logf("turns of %d ns, %s: %d times, %d counts, %d ran; %d readings and %d batches again", turn, name, times, counts, ran, batch.Retries, batch.Repeats)
			if times != 400 || counts < ran || batch.Repeats > 0 || k.answers > 0 {
				t.Errorf("turns of %d ns, %s: of 400 batches %d have a time and %d a count, and %d were on the hardware; %d were repeated, with %d system calls",
					turn, name, times, counts, ran, batch.Repeats, k.answers)
			}
		}
	}
}
