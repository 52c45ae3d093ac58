package probe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/timer"
)

const unreadable = "not readable here"

// Page has the measurements first and the advice last.
func (r *Result) Page() []page.Block {
	change := r.Change
	if len(change) == 0 && r.Precision != nil {
		change = []string{"Nothing: this machine is steady."}
	}
	blocks := []page.Block{
		r.timers(),
		page.Under("PROCESSOR TIME", r.processor()),
		page.Under("SPEED", r.speedFacts()),
		page.Under("SETTINGS", r.Settings.facts()),
		page.Under("WHAT TO EXPECT", page.Items(r.Expect...)),
	}
	if len(change) > 0 {
		blocks = append(blocks, page.Under("WHAT TO CHANGE", page.Items(change...)))
	}
	return blocks
}

// timers lists the timers that work, and why others do not.
func (r *Result) timers() *page.Table {
	t := &page.Table{Columns: page.Heads("TIMER", "KIND", "READING", "STEP", "RUNS AT")}
	for _, one := range r.Timers {
		if one.Works {
			t.Add(one.Name, string(one.Kind), one.cost(), one.step(), one.rate())
		} else {
			t.Notes = append(t.Notes, page.Say("%s (%s) not here: %s", one.Name, one.Kind, one.Reason))
		}
	}
	return t
}

// The cost is a dash if the clock is too coarse to show it.
func (t *Timer) cost() string {
	if t.Cost == 0 {
		return "–"
	}
	return units.ShortTime(t.Cost) + " ± " + units.ShortTime(t.Error)
}

func (t *Timer) step() string {
	switch {
	case t.Resolution == 0:
		return "–"
	case t.Kind == timer.KindCycle:
		return units.Short(t.Resolution, "") + " " + string(t.Unit)
	}
	return units.ShortTime(t.Resolution)
}

func (t *Timer) rate() string {
	if t.Frequency == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f GHz", t.Frequency/1e9)
}

func (r *Result) processor() page.Facts {
	p := r.Processor
	disturbed := optional(p.Disturbed)
	if p.Switches != nil && p.Disturbed != nil {
		disturbed = fmt.Sprintf("%s (%d involuntary switches in %s)", disturbed, *p.Switches,
			units.ShortTime(r.Duration))
	}
	return page.Facts{
		{"given to other machines (steal)", optional(p.Steal)},
		{"used by other processes", optional(p.Others)},
		{"waiting for a CPU", optional(p.Waited)},
		{"samples of 1 ms disturbed", disturbed},
		{"stalled without a switch", optional(p.Stalled)},
	}
}

func (r *Result) speedFacts() page.Facts {
	f := r.Speed
	if f == nil {
		return page.Facts{{"chain of operations", "not measured: interrupted"}}
	}
	trend := "no trend"
	if f.Trend {
		trend = "a trend"
	}
	return page.Facts{
		{"one multiply and add in a chain", units.ShortTime(f.Operation)},
		{"medians of 10 samples", fmt.Sprintf("%s to %s around it, nine in ten of %d", units.Signed(f.Low, units.Brief),
			units.Signed(f.High, units.Brief), f.Blocks)},
		{"drift of the time", fmt.Sprintf("%s over %s, %s", units.Signed(f.Drift, units.Brief),
			units.ShortTime(r.Duration), trend)},
	}
}

func (s Settings) facts() page.Facts {
	var governors []string
	for _, name := range slices.Sorted(maps.Keys(s.Governors)) {
		governors = append(governors, fmt.Sprintf("%s on %d CPUs", name, s.Governors[name]))
	}
	governor := strings.Join(governors, ", ")
	if governor == "" {
		governor = unreadable
	}
	return page.Facts{{"governor", governor}, {"turbo", onOff(s.Turbo)}, {"SMT", onOff(s.SMT)}}
}

func onOff(x *bool) string {
	switch {
	case x == nil:
		return unreadable
	case *x:
		return "on"
	}
	return "off"
}

func optional(x *float64) string {
	if x == nil {
		return unreadable
	}
	return units.Brief(*x)
}
