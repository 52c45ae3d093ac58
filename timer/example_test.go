package timer_test

import (
	"fmt"
	"log"
	"runtime"
	"time"

	"example.com/suite/timer"
)

// A loop of one's own on the real clock: open, calibrate, measure, report. The
// numbers are this machine's, so the example is compiled and not compared.
func Example() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tm, err := timer.Open(timer.Prefs{Clock: []string{"wall"}, Cycle: []string{timer.Any, timer.Null}})
	if err != nil {
		log.Fatal(err)
	}
	defer tm.Close()
	if err := tm.Preflight(); err != nil {
		log.Fatal(err)
	}

	empty := func(n int) error {
		for range n {
		}
		return nil
	}
	step, err := timer.Resolution(tm.Clock)
	if err != nil {
		log.Fatal(err)
	}
	cost := timer.Calibrate([]timer.Measure{func(n int) timer.Delta {
		d, _ := tm.Time(uint64(n), empty)
		return d
	}}, step)

	x := uint64(88172645463325252)
	pass, err := tm.Measure(time.Second, 1, cost, func(n int) error {
		for range n { // xorshift64
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pass.Report("op"))
	runtime.KeepAlive(x)
}

// With a fake clock the numbers of these examples are the same everywhere; with
// timer.Open they are the machine's.
var clock = &timer.Fake{Cost: 26}

// work takes 66.7 ns an iteration.
func work(n int) error {
	clock.Advance(int64(n) * 667 / 10)
	return nil
}

func ExampleTimer_Measure() {
	tm := timer.New(clock, &timer.FakeCounter{Fake: clock, Counts: timer.Ticks, PerNS: 2.3})
	pass, err := tm.Measure(time.Second, 1, timer.Overhead{}, work)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pass.Report("op"))
	// Output: 15.0 M op in 1.000 s: 15.0 M op/s, 66.7 ns/op, 153.4 ticks/op
}

// The search of Measure, written out.
func ExampleAdapt() {
	tm := timer.New(clock, nil)
	for n, done := int64(1), false; !done; {
		d, err := tm.Time(uint64(n), work)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n, "iterations took", time.Duration(d.NS))
		n, done = timer.Adapt(n, d.NS, int64(time.Millisecond))
	}
	// Output:
	// 1 iterations took 92ns
	// 100 iterations took 6.696µs
	// 10000 iterations took 667.026µs
	// 14991 iterations took 999.925µs
}

// A body may stop its loop, and a loop may count what had to be read again.
func ExampleLoop() {
	calls := 0
	loop := timer.Loop{Timer: timer.New(clock, nil), Body: func(n int) error {
		if calls++; calls == 3 {
			return timer.ErrStop
		}
		return work(n)
	}}
	for {
		d, err := loop.Time(10)
		if err == timer.ErrStop {
			break
		}
		fmt.Println(time.Duration(d.NS), loop.Retries+loop.Repeats)
	}
	fmt.Println("stopped in call", calls)
	// Output:
	// 693ns 0
	// 693ns 0
	// stopped in call 3
}

// A loop of 1000 iterations took 2.03 µs, of which the empty one costs 0.53 µs.
func ExampleAdjust() {
	cost := timer.Overhead{Time: timer.LoopCost{
		Batch:     timer.Estimate{NS: 30, Error: 2},
		Iteration: timer.Estimate{NS: 0.5, Error: 0.01},
	}}
	pass := timer.Adjust(timer.Delta{NS: 2030, TimeOK: true}, 1000, 1, cost)
	fmt.Println(pass.Report("op"))
	pass = timer.Adjust(timer.Delta{NS: 535, TimeOK: true}, 1000, 1, cost)
	fmt.Println(pass.Report("op"))
	// Output:
	// 1.00 k op in 1.500 µs: 666.7 M op/s, 1.50 ns/op (2.03 ns/op read, 0.530 ns/op subtracted)
	// 1.00 k op in < 536.0 ns: > 1.87 G op/s, < 0.536 ns/op (below resolution) (0.535 ns/op read, 0.530 ns/op subtracted)
}

// Each iteration works on a buffer of 4 KiB: bytes have binary prefixes.
func ExamplePass_Report() {
	pass := timer.Adjust(timer.Delta{NS: 1_000_000_000, TimeOK: true}, 500_000, 4096, timer.Overhead{})
	fmt.Println(pass.Report("byte"))
	// Output: 1.91 GiB in 1.000 s: 1.91 GiB/s, 0.488 ns/byte
}
