package probe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/timer"
)

// Below these limits the probe recommends no change: medians that move by half a
// percent show changes of one percent, and less cannot be traced to a cause.
const (
	calmMoves  = 0.005
	calmSteal  = 0.005
	calmLost   = 0.02 // of the batches, or of the time
	calmOthers = 0.10 // of all CPUs: two of them leave room for another process
	coarse     = 1e-6 // s: a thousandth of a sample of 1 ms
)

// promisable lists the relative changes that a sentence may promise to show.
var promisable = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5}

// expect describes in sentences what can be expected of measurements here.
func (r *Result) expect() []string {
	var all []string
	if r.Interrupted {
		all = append(all, fmt.Sprintf("Interrupted: this rests on %s.", units.ShortTime(r.Duration)))
	}
	all = append(all, r.moves())
	if d := r.Processor.Disturbed; d != nil && *d >= 0.001 {
		text := fmt.Sprintf("%s of samples of 1 ms lose the processor; they are marked and left out of the median.",
			units.Brief(*d))
		if *d > 0.5 {
			text = fmt.Sprintf("%s of samples of 1 ms lose the processor: too many to leave them out.", units.Brief(*d))
		}
		all = append(all, text)
	}
	if c := r.clock(); c != nil && c.Cost > 0 {
		all = append(all, fmt.Sprintf("A reading of the clock takes %s: batches of %s and longer keep it below 0.1%%.",
			units.ShortTime(c.Cost), units.ShortTime(c.Cost*1000)))
	}
	return all
}

// If medians move by p, two of them have to differ by 2p to show a change.
func (r *Result) moves() string {
	p := r.Precision
	if p == nil {
		needed := 1.0
		if r.Speed != nil {
			needed = max(needed, math.Ceil(leastBlocks*r.Duration/float64(r.Speed.Blocks)))
		}
		return fmt.Sprintf("%s are too short to predict the precision: let the probe run for %s.",
			units.ShortTime(r.Duration), units.ShortTime(needed))
	}
	about := "by about ±" + units.Brief(p.Moves)
	if p.Moves < 0.0005 {
		about = "by less than ±0.1%"
	}
	text := fmt.Sprintf("Medians of %s runs here move %s", units.ShortTime(math.Round(p.Run*100)/100), about)
	for _, change := range promisable {
		if change >= 2*p.Moves {
			return fmt.Sprintf("%s; one run of each side can show a change of %s.", text, units.Brief(change))
		}
	}
	return text + "; changes below a half need pairs."
}

// change suggests what would make measurements better, the gravest first; nothing if
// the machine was steady.
func (r *Result) change() []string {
	all := slices.Concat(r.shortOf(), r.taken())
	if r.unsteady() {
		all = append(all, r.set()...)
		if len(all) == 0 {
			all = append(all,
				"The cause is not visible on this machine: probe again later and for longer (--probe=30s).")
		}
		all = append(all,
			"Compare cases within one run: they take turns, so changes of the machine affect both and cancel.")
	}
	return all
}

func (r *Result) unsteady() bool {
	return r.Precision != nil && r.Precision.Moves > calmMoves || r.Speed != nil && r.Speed.drifts()
}

// drifts reports whether the speed has a trend that is large enough to matter.
func (f *Speed) drifts() bool { return f.Trend && math.Abs(f.Drift) > calmMoves }

// shortOf advises on the clock.
func (r *Result) shortOf() (all []string) {
	if c := r.clock(); c != nil && c.Resolution > coarse {
		all = append(all, fmt.Sprintf("The clock %s steps by %s: set sample_time to %s or more.",
			c.Name, units.ShortTime(c.Resolution), units.ShortTime(c.Resolution*100)))
	}
	return all
}

// taken advises on processor time that others used.
func (r *Result) taken() (all []string) {
	p := r.Processor
	if above(p.Steal, calmSteal) {
		all = append(all,
			fmt.Sprintf("The hypervisor gave %s of the processor time to other machines: use a dedicated host, "+
				"or a quieter hour.", units.Brief(*p.Steal)))
	}
	if above(p.Stalled, calmLost) {
		all = append(all,
			fmt.Sprintf("%s of samples stalled without any process of this machine taking over: that is the "+
				"hypervisor, the firmware or a shared core; a dedicated host has less of it.", units.Brief(*p.Stalled)))
	}
	var what []string
	if above(p.Others, calmOthers) {
		what = append(what, fmt.Sprintf("used %s of the processors", units.Brief(*p.Others)))
	}
	if above(p.Disturbed, calmLost) {
		what = append(what, fmt.Sprintf("took the processor from %s of samples", units.Brief(*p.Disturbed)))
	} else if above(p.Waited, calmLost) {
		what = append(what, fmt.Sprintf("made this one wait for %s of its time", units.Brief(*p.Waited)))
	}
	if len(what) > 0 {
		all = append(all, "Other processes "+strings.Join(what, " and ")+
			": stop them while measuring, or keep a CPU free of them (Linux: isolcpus= and taskset).")
	}
	return all
}

// set advises on the core's frequency and the settings that change it.
func (r *Result) set() (all []string) {
	if f := r.Speed; f != nil && f.drifts() {
		faster := "slower"
		if f.Drift < 0 {
			faster = "faster"
		}
		all = append(all,
			fmt.Sprintf("The core became %s %s within %s: lengthen warmup, and let the machine cool or settle first.",
				units.Brief(math.Abs(f.Drift)), faster, units.ShortTime(r.Duration)))
	}
	for _, governor := range slices.Sorted(maps.Keys(r.Settings.Governors)) {
		if governor != "performance" {
			all = append(all,
				fmt.Sprintf("The frequency of %d CPUs is governed by %q: cpupower frequency-set -g performance.",
					r.Settings.Governors[governor], governor))
		}
	}
	if on(r.Settings.Turbo) {
		all = append(all, "Turbo is on, so that the speed depends on heat and on the neighbour cores: write 1 to "+
			"/sys/devices/system/cpu/intel_pstate/no_turbo or 0 to /sys/devices/system/cpu/cpufreq/boost.")
	}
	if on(r.Settings.SMT) {
		all = append(all, "Two threads share each core (SMT): leave the other one idle, or write off to "+
			"/sys/devices/system/cpu/smt/control.")
	}
	return all
}

// The first clock that works is the default of a suite.
func (r *Result) clock() *Timer {
	for i, t := range r.Timers {
		if t.Works && t.Kind == timer.KindClock {
			return &r.Timers[i]
		}
	}
	return nil
}

func above(x *float64, limit float64) bool { return x != nil && *x > limit }

func on(x *bool) bool { return x != nil && *x }
