package probe

import (
	"fmt"
	"runtime"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/timer"
)

// Listed is one row of suite timers. Times are seconds.
type Listed struct {
	Name       string   `json:"name"`
	Aliases    []string `json:"aliases,omitempty"`
	Kind       string   `json:"kind"` // clock, cycle, event
	Works      bool     `json:"works"`
	Reason     string   `json:"reason,omitempty"` // why it does not work
	Cost       float64  `json:"cost,omitempty"`   // between two readings, the median
	Error      float64  `json:"error,omitempty"`  // half of the 99% interval of the median
	Counts     float64  `json:"counts,omitempty"` // between two readings of a cycle counter, in its unit
	Resolution float64  `json:"resolution,omitempty"`
	Unit       string   `json:"unit,omitempty"` // ticks or cycles

	Single *timer.Singles `json:"single,omitempty"` // readings of a clock
	Help   string         `json:"help"`
}

const kindEvent = "event"

// List measures every clock and cycle counter that works here, and finds the events that do.
func List() (all []Listed) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, s := range timer.Subtimers() {
		row := Listed{Name: s.Name, Aliases: s.Aliases, Kind: string(s.Kind), Unit: string(s.Unit), Help: s.Help}
		if err := s.Check(); err != nil {
			row.Reason = err.Error()
		} else {
			row.Works = true
			row.measure(s)
		}
		all = append(all, row)
	}
	for _, event := range timer.AllEvents() {
		all = append(all, listEvent(event))
	}
	return all
}

// measure sets the cost of a reading, and the resolution of a clock.
func (row *Listed) measure(s timer.Subtimer) {
	t, err := timer.Open(prefs(s))
	if err != nil {
		return // Check passed, so it works, but has no numbers
	}
	defer t.Close()
	if s.Kind == timer.KindCycle {
		if cost, ok := t.CountCost(); ok {
			row.Counts = cost.NS
		}
		return
	}
	row.Cost, row.Error, row.Single, row.Resolution = clockCosts(t.Clock)
}

// listEvent is an event that counters: can name.
func listEvent(event timer.Event) Listed {
	row := NewEvent(event.Name, event.Help, nil)
	open, skipped := timer.OpenEvents([]string{event.Name}, timer.ThisThread)
	if open != nil {
		open.Close()
	}
	if len(skipped) > 0 {
		row.Works = false
		row.Reason = skipped[0].Reason
	}
	return row
}

// NewEvent returns the row of an event, which works if the error is nil.
func NewEvent(name, help string, err error) Listed {
	row := Listed{Name: name, Kind: kindEvent, Works: err == nil, Help: help}
	if err != nil {
		row.Reason = err.Error()
	}
	return row
}

// ListPage has a table for each kind of timer.
func ListPage(rows []Listed) []page.Block {
	clocks := &page.Table{Columns: []page.Column{{Head: "CLOCK"}, {Head: "READING"}, {Head: "MEAN", Worth: 10},
		{Head: "MIN", Worth: 20}, {Head: "MAX", Worth: 30}, {Head: "STEP", Worth: 40}, {Head: "WHAT IT IS"}}}
	cycles := &page.Table{Columns: page.Heads("CYCLE COUNTER", "READING", "WHAT IT IS")}
	events := &page.Table{Columns: page.Heads("EVENT", "", "WHAT IT IS")}
	tables := map[string]*page.Table{
		string(timer.KindClock): clocks, string(timer.KindCycle): cycles, kindEvent: events}
	for _, row := range rows {
		tables[row.Kind].Add(slices.Concat([]string{row.Name}, row.readings(), []string{row.what()})...)
	}
	return []page.Block{clocks, cycles, events}
}

// what describes the timer, or why it does not work.
func (row *Listed) what() string {
	if row.Works {
		return row.Help
	}
	return "not here: " + row.Reason
}

// readings are what a reading costs, and the step of a clock.
func (row *Listed) readings() []string {
	switch {
	case row.Kind == kindEvent && row.Works:
		return []string{"works"}
	case row.Counts > 0:
		return []string{fmt.Sprintf("%.0f %s", row.Counts, row.Unit)}
	case row.Kind != string(timer.KindClock):
		return []string{"–"}
	case !row.Works || row.Cost == 0:
		return []string{"–", "–", "–", "–", "–"}
	}
	var cells []string
	for _, seconds := range []float64{row.Cost, row.Single.Mean, row.Single.Min, row.Single.Max, row.Resolution} {
		cells = append(cells, units.Format(seconds, "s"))
	}
	return cells
}
