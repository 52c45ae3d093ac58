// Package probe measures for some seconds how well this machine can measure:
// the cost of its clocks, the processor time that others take, how steadily the
// core runs, and the processor's settings. From these it derives sentences on the
// precision that can be expected and on what to change. It runs no benchmark and
// judges none.
package probe

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"time"

	"example.com/suite/timer"
)

// Options of a probe.
type Options struct {
	Duration time.Duration // of the spin loop; 0 means DefaultDuration
	Machine  *Machine      // nil for this one
}

// DefaultDuration is long enough for three runs of a second.
const DefaultDuration = 3 * time.Second

// Machine contains what a probe measures and reads.
type Machine struct {
	Timers []Source
	Clock  timer.Clock // of the spin loop
	System timer.System
	Files  fs.FS       // the root of the file system, for proc and sys
	Work   func(n int) // runs n operations, each of which waits for the one before it
}

// Result is the outcome of a probe. Times are in seconds, shares in [0, 1]. A value
// that cannot be read on this machine is absent.
type Result struct {
	Duration    float64    `json:"duration"`              // of the spin loop
	Interrupted bool       `json:"interrupted,omitempty"` // before the duration asked for
	Timers      []Timer    `json:"timers"`
	Processor   Processor  `json:"processor"`
	Speed       *Speed     `json:"speed,omitempty"` // absent if not a single block was measured
	Settings    Settings   `json:"settings"`
	Precision   *Precision `json:"precision,omitempty"` // absent below six blocks
	Expect      []string   `json:"expect"`              // sentences on what can be expected here
	Change      []string   `json:"change,omitempty"`    // sentences on what would make it better
}

// Run probes a machine. If ctx ends, Run ends early and returns what was measured up
// to then. It fails if the clock of the spin loop does not work.
func Run(ctx context.Context, o Options) (*Result, error) {
	runtime.LockOSThread() // the system counts switches and waiting by thread
	defer runtime.UnlockOSThread()
	if o.Duration <= 0 {
		o.Duration = DefaultDuration
	}
	m := o.Machine
	if m == nil {
		var err error
		m, err = thisMachine()
		if err != nil {
			return nil, err
		}
	}
	r := &Result{Timers: timers(ctx, m), Settings: settings(m.Files)}
	s, err := m.spin(ctx, o.Duration)
	if err != nil {
		return nil, fmt.Errorf("probing this machine: %w", err)
	}
	r.Duration, r.Interrupted = float64(s.elapsed)/1e9, ctx.Err() != nil
	r.Processor = s.taken()
	r.Speed = s.speed()
	r.Precision = s.precision()
	r.Expect, r.Change = r.expect(), r.change()
	return r, nil
}

// Call thisMachine on the thread that will spin.
func thisMachine() (*Machine, error) {
	t, err := timer.Open(timer.Prefs{})
	if err != nil {
		return nil, err
	}
	return &Machine{Timers: sources(), Clock: t.Clock, System: timer.Machine(), Files: os.DirFS("/"), Work: chain}, nil
}

// share is clipped to [0, 1], and nil if whole is 0.
func share(part, whole float64) *float64 {
	x := part / whole
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = min(max(x, 0), 1)
	return &x
}
