package main

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/runner/callgrind"
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
	probe  time.Duration // 0: list the timers
	noLock bool
}

func (cmd *timersCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "timers", Short: "list clocks and counters, and their cost here", Args: nothing,
		Long:    timersHelp,
		Example: "  suite timers\n  suite timers --format json\n  suite timers --probe\n  suite timers --probe=10s",
		RunE: func(c *cobra.Command, _ []string) error {
			json, err := isJSON(cmd.format)
			switch {
			case err != nil:
				return err
			case c.Flags().Changed("probe"):
				return cmd.measure(cmd.env.orderly(c), json)
			case json:
				return cmd.env.printJSON(timers())
			}
			return cmd.env.printPage(probe.ListPage(timers())...)
		},
	}
	formatFlag(c, &cmd.format)
	c.Flags().DurationVar(&cmd.probe, "probe", 0, "measure this machine for `TIME`")
	c.Flags().Lookup("probe").NoOptDefVal = "3s"
	lockFlag(c, &cmd.noLock)
	return c
}

// measure measures the machine and prints what precision can be expected of it.
func (cmd *timersCommand) measure(ctx context.Context, json bool) error {
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
	if json {
		err = cmd.env.printJSON(r)
	} else {
		err = cmd.env.printPage(r.Page()...)
	}
	if err == nil && r.Interrupted {
		return interrupted(ctx)
	}
	return err
}

// timers lists the timers of this machine, with valgrind, which counts instructions in place of a counter.
func timers() []probe.Listed {
	return append(probe.List(), probe.NewEvent("instructions: callgrind",
		"instructions that valgrind counts, in runs of their own (judge: instructions)", callgrind.Check()))
}
