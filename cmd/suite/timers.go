package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/runner/callgrind"
	"example.com/suite/timer"
	"example.com/suite/timer/probe"
	"github.com/spf13/cobra"
)

const timersHelp = `List every clock, cycle counter and event: whether it works on this machine, or why
it does not, what a reading costs, and its smallest step.

--probe measures this machine for some seconds, steal and frequency included, and
prints in plain words what precision can be expected here and what to change.`

// timersCommand is suite timers.
type timersCommand struct {
	env    env
	format string
	json   bool
	probe  time.Duration // 0: list the timers
	noLock bool
}

func (cmd *timersCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "timers", Short: "list clocks and counters, and their cost here", Args: nothing,
		Long:    timersHelp,
		Example: "  suite timers\n  suite timers --format json\n  suite timers --probe\n  suite timers --probe=10s",
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			cmd.json, err = isJSON(cmd.format, cmd.json)
			switch {
			case err != nil:
				return err
			case c.Flags().Changed("probe"):
				return cmd.measure(cmd.env.orderly(c))
			case cmd.json:
				return cmd.env.printJSON(timers())
			}
			return cmd.env.printPage(timersPage(timers())...)
		},
	}
	formatFlag(c, &cmd.format)
	jsonFlag(c, &cmd.json)
	c.Flags().DurationVar(&cmd.probe, "probe", 0, "measure this machine for `TIME`")
	c.Flags().Lookup("probe").NoOptDefVal = "3s"
	lockFlag(c, &cmd.noLock)
	return c
}

// measure measures the machine and prints what precision can be expected of it.
func (cmd *timersCommand) measure(ctx context.Context) error {
	if cmd.probe <= 0 || cmd.probe > time.Hour {
		return diag.Hinted(fmt.Sprintf("--probe=%v: want more than zero and at most an hour", cmd.probe), "--probe=10s")
	}
	release, err := cmd.env.alone(ctx, []string{"timers --probe"}, cmd.noLock)
	if err != nil {
		return err
	}
	defer release()
	r, err := probe.Run(ctx, probe.Options{Duration: cmd.probe})
	if err != nil {
		return err
	}
	if cmd.json {
		err = cmd.env.printJSON(r)
	} else {
		err = cmd.env.printPage(r.Page()...)
	}
	if err == nil && r.Interrupted {
		return status(result.InterruptStatus(signals.Name(ctx)))
	}
	return err
}

// subtimer is one row of suite timers. Times are seconds.
type subtimer struct {
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

// timers measures every subtimer that works here.
func timers() (all []subtimer) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, s := range timer.Subtimers() {
		row := subtimer{Name: s.Name, Aliases: s.Aliases, Kind: string(s.Kind), Unit: string(s.Unit), Help: s.Help}
		if err := s.Check(); err != nil {
			row.Reason = err.Error()
		} else {
			row.Works = true
			row.measure()
		}
		all = append(all, row)
	}
	return append(append(all, events()...), byValgrind())
}

// measure sets the cost of a reading, and the resolution of a clock.
func (s *subtimer) measure() {
	prefs := timer.Prefs{Clock: []string{s.Name}, Cycle: []string{s.Name}}
	if s.Kind == string(timer.KindCycle) {
		prefs.Clock = nil
	} else if !timer.OneThread(s.Name) || s.Name == timer.ThreadCPU {
		prefs.Cycle = nil
	}
	t, err := timer.Open(prefs)
	if err != nil {
		return // Check passed, so the row says that it works, but it has no numbers
	}
	defer t.Close()
	if s.Kind == string(timer.KindCycle) {
		if cost, ok := t.CountCost(); ok {
			s.Counts = cost.NS
		}
		return
	}
	cost := timer.ReadingCost(t.Clock)
	s.Cost, s.Error = cost.NS/1e9, cost.Error/1e9
	s.Single = cost.Singles.Seconds()
	if step, err := timer.Resolution(t.Clock); err == nil {
		s.Resolution = time.Duration(step).Seconds()
	}
}

// byValgrind is the row of valgrind, which counts instructions in place of a counter.
func byValgrind() subtimer {
	row := subtimer{Name: "instructions: callgrind", Kind: "event", Works: true,
		Help: "instructions that valgrind counts, in runs of their own (judge: instructions)"}
	if err := callgrind.Check(); err != nil {
		row.Works, row.Reason = false, err.Error()
	}
	return row
}

// Each event that counters: can name has a row.
func events() (all []subtimer) {
	for _, event := range timer.AllEvents() {
		row := subtimer{Name: event.Name, Kind: "event", Help: event.Help, Works: true}
		open, skipped := timer.OpenEvents([]string{event.Name}, timer.ThisThread)
		if open != nil {
			open.Close()
		}
		if len(skipped) > 0 {
			row.Works = false
			row.Reason = skipped[0].Reason
		}
		all = append(all, row)
	}
	return all
}

// timersPage has a table for each kind of timer.
func timersPage(rows []subtimer) []page.Block {
	clocks := &page.Table{Columns: []page.Column{{Head: "CLOCK"}, {Head: "READING"}, {Head: "MEAN", Worth: 10},
		{Head: "MIN", Worth: 20}, {Head: "MAX", Worth: 30}, {Head: "STEP", Worth: 40}, {Head: "WHAT IT IS"}}}
	cycles := &page.Table{Columns: page.Heads("CYCLE COUNTER", "READING", "WHAT IT IS")}
	events := &page.Table{Columns: page.Heads("EVENT", "", "WHAT IT IS")}
	tables := map[string]*page.Table{string(timer.KindClock): clocks, string(timer.KindCycle): cycles, "event": events}
	for _, s := range rows {
		tables[s.Kind].Add(slices.Concat([]string{s.Name}, s.readings(), []string{s.what()})...)
	}
	return []page.Block{clocks, cycles, events}
}

// what describes the timer, or why it does not work.
func (s *subtimer) what() string {
	if s.Works {
		return s.Help
	}
	return "not here: " + s.Reason
}

// readings are what a reading costs, and the step of a clock.
func (s *subtimer) readings() []string {
	switch {
	case s.Kind == "event" && s.Works:
		return []string{"works"}
	case s.Counts > 0:
		return []string{fmt.Sprintf("%.0f %s", s.Counts, s.Unit)}
	case s.Kind != string(timer.KindClock):
		return []string{"–"}
	case !s.Works || s.Cost == 0:
		return []string{"–", "–", "–", "–", "–"}
	}
	var cells []string
	for _, seconds := range []float64{s.Cost, s.Single.Mean, s.Single.Min, s.Single.Max, s.Resolution} {
		cells = append(cells, units.Format(seconds, "s"))
	}
	return cells
}
