package timer

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"time"

	"example.com/suite/internal/units"
)

// Pass is one batch, less the cost of an empty loop.
type Pass struct {
	Iterations int64   // that were run
	N          float64 // units of work: iterations × base
	Delta              // less the overhead, never below zero
	Raw        Delta   // as it was read
	Counts     Unit    // what the counter counts
	// TimeBelow reports whether the time exceeds the overhead by no more than the
	// overhead's error. Then only an upper bound is known: TimeBound, in ns. The same
	// for counts.
	TimeBelow, CountBelow bool
	TimeBound, CountBound float64
	Retries               int // readings and batches made again
}

// Measure finds a number of iterations of body that lasts target, at least
// target/√2, and returns that one pass less cost. base is the work of one iteration,
// such as the bytes of one call. Measure locks the goroutine to its thread, and
// checks its arguments and the timer before it runs the body. An error of the body
// ends the search and is returned.
//
// Measure has no deadline. With a clock of CPU time, a body that sleeps runs far
// longer than target; return ErrStop from the body to end the search.
func (t *Timer) Measure(target time.Duration, base float64, cost Overhead, body func(n int) error) (Pass, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := t.ready(target, base); err != nil {
		return Pass{}, err
	}
	loop := Loop{Timer: t, Body: body}
	var last Delta
	run := func(n int64) (ns int64, err error) {
		last, err = loop.Time(uint64(n))
		return last.NS, err
	}
	n, ns, reached, err := Grow(1, int64(target), run, nil)
	if err != nil {
		return Pass{}, err
	}
	if !reached {
		return Pass{}, fmt.Errorf("%d iterations took %d ns by the clock %s, and %v were wanted: the body does "+
			"nothing, or the clock does not advance",
			n, ns, t.Clock.Name(), target)
	}
	p := t.Adjust(last, n, base, cost)
	p.Retries = loop.Retries + loop.Repeats
	return p, nil
}

// ready finds the reason why a measurement on this thread cannot succeed, nil if it can.
func (t *Timer) ready(target time.Duration, base float64) error {
	if target <= 0 {
		return fmt.Errorf("target is %v; it has to be above zero", target)
	}
	if !(base > 0) || math.IsInf(base, 1) {
		return fmt.Errorf("base is %g; it is the work of one iteration and has to be above zero", base)
	}
	if err := t.Preflight(); err != nil {
		return fmt.Errorf("%s does not work on this thread: %w", t.Describe(), err)
	}
	loop := Loop{Timer: t, Body: func(int) error { return nil }}
	_, err := loop.Time(0)
	return err
}

func (t *Timer) unit() Unit {
	if t.Counter == nil {
		return ""
	}
	return t.Counter.Unit()
}

// Adjust subtracts the cost of an empty loop of n iterations from the time and the
// count of d; N is n·base. The result is never below zero. An out-of-order core runs
// part of the loop in parallel with the body, so the true value is between the
// result and Raw. Adjust does not know what was counted; Timer.Adjust does.
func Adjust(d Delta, n int64, base float64, cost Overhead) Pass {
	p := Pass{Iterations: n, N: float64(n) * base, Delta: d, Raw: d}
	if d.TimeOK {
		p.NS, p.TimeBound, p.TimeBelow = subtract(d.NS, n, cost.Time)
	}
	if d.CountOK && cost.Count != nil {
		p.Count, p.CountBound, p.CountBelow = subtract(d.Count, n, *cost.Count)
	} else if d.CountOK {
		p.CountBound = float64(d.Count)
	}
	return p
}

// Adjust is the function Adjust for a reading of this timer: its reports name the unit of
// the counter.
func (t *Timer) Adjust(d Delta, n int64, base float64, cost Overhead) Pass {
	p := Adjust(d, n, base, cost)
	p.Counts = t.unit()
	return p
}

// subtract takes the cost from raw. bound is an upper bound of what is left, and below
// reports whether it is below the error of the cost. The error is at least 1, because
// readings are integers. If it is below, the bound exceeds raw, because the loop may
// run in parallel with the body.
func subtract(raw, n int64, cost LoopCost) (left int64, bound float64, below bool) {
	net := max(0, float64(raw)-cost.Batch.NS-float64(n)*cost.Iteration.NS)
	e := max(1, cost.Batch.Error+float64(n)*cost.Iteration.Error)
	bound, below = net+e, net <= e
	if below {
		bound = max(bound, float64(raw)+1)
	}
	if net >= float64(raw) { // nothing was taken; float64 may round up beyond int64
		return max(0, raw), bound, below
	}
	return int64(math.Round(net)), bound, below
}

// Report returns one line in the format of mLib's bench_report: the work, its time,
// the rate, and the time and the ticks or cycles of one unit of work, as in
//
//	15.3 M op in 1.021 s: 15.0 M op/s, 66.7 ns/op, 153.4 ticks/op
//
// "byte" has binary prefixes, "op" and every other unit decimal ones; an empty
// unit means op. A value below the resolution is printed as a bound, "< 0.05 ns/op",
// and what was not measured is left out. If the cost of the loop was subtracted, the value
// as it was read and the difference follow: (2.34 ns/op read, 1.82 ns/op subtracted).
func (p Pass) Report(unit string) string {
	if unit == "" {
		unit = "op"
	}
	text := workText(p.N, unit)
	if p.TimeOK {
		text += p.timeText(unit)
	}
	if p.CountOK {
		text += ", " + p.countText(unit)
	}
	if read, net := float64(p.Raw.NS), float64(p.NS); p.Raw.TimeOK && p.TimeOK && read > net {
		text += subtracted(units.Fixed(read/p.N/1e9, 3, units.Time, ""),
			units.Fixed((read-net)/p.N/1e9, 3, units.Time, ""), unit)
	}
	if read, net := float64(p.Raw.Count), float64(p.Count); p.Raw.CountOK && p.CountOK && read > net {
		counts := " " + p.countUnit()
		text += subtracted(units.Decimals(read/p.N, 3)+counts, units.Decimals((read-net)/p.N, 3)+counts, unit)
	}
	return text
}

func subtracted(read, cost, unit string) string {
	return fmt.Sprintf(" (%s/%s read, %s/%s subtracted)", read, unit, cost, unit)
}

func (p Pass) timeText(unit string) string {
	if p.TimeBelow {
		s := p.TimeBound / 1e9
		return fmt.Sprintf(" in < %s: > %s/s, < %s/%s (below resolution)",
			units.Fixed(s, 4, units.Time, ""), workText(p.N/s, unit), units.Fixed(s/p.N, 3, units.Time, ""), unit)
	}
	s := float64(p.NS) / 1e9
	return fmt.Sprintf(" in %s: %s/s, %s/%s", units.Fixed(s, 4, units.Time, ""), workText(p.N/s, unit),
		units.Fixed(s/p.N, 3, units.Time, ""), unit)
}

func (p Pass) countText(unit string) string {
	each := float64(p.Count) / p.N
	sign := ""
	if p.CountBelow {
		each, sign = p.CountBound/p.N, "< "
	}
	return fmt.Sprintf("%s%s %s/%s", sign, units.Decimals(each, 3), p.countUnit(), unit)
}

func (p Pass) countUnit() string { return cmp.Or(string(p.Counts), "counts") }

// workText formats work with its unit: 15.3 M op, 64.0 MiB, 12 op.
func workText(x float64, unit string) string {
	scale := units.Rate
	if unit == "byte" {
		scale = units.Bytes
		unit = ""
	}
	if x == math.Trunc(x) && x < 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64) + " " + scale[0].Name + unit
	}
	return units.Fixed(x, 3, scale, unit)
}
