package main

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/gate/selfcheck"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/signals"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

const selfcheckHelp = `Measure how reliable verdicts are on this machine. Code is compared with itself, and
with code that does 3, 5 and 10 % more, as in every run. The report shows how often
identical code is called different, how often a change is found and in how many pairs
and seconds, and the smallest difference that can be found.

Each cycle takes some seconds; as many are run as fit into --time, at least one. The
last line is the answer. Exit status 4: identical code was called different more often
than chance allows, at a level of 0.1 %; 3: nothing could be measured.`

// selfcheckCommand is suite selfcheck.
type selfcheckCommand struct {
	env     env
	time    time.Duration
	outputs outputs
	seed    string
	quiet   bool
	noLock  bool
}

func (cmd *selfcheckCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "selfcheck", Short: "find out how far verdicts can be trusted here", Args: nothing, Long: selfcheckHelp,
		Example: "  suite selfcheck\n  suite selfcheck --time 10m --out json=selfcheck.json",
		RunE:    func(c *cobra.Command, _ []string) error { return cmd.run(cmd.env.orderly(c)) },
	}
	c.Flags().DurationVar(&cmd.time, "time", time.Minute, "how long the check takes")
	cmd.outputs.pageFlags(c)
	c.Flags().StringVar(&cmd.seed, "seed", "",
		"repeat the random draws of an earlier check, up to 32 hexadecimal `DIGITS`")
	lockFlag(c, &cmd.noLock)
	c.Flags().BoolVarP(&cmd.quiet, "quiet", "q", false, "no progress on standard error")
	return c
}

func (cmd *selfcheckCommand) run(ctx context.Context) error {
	if cmd.time < time.Second || cmd.time > 24*time.Hour {
		return diag.Hinted(fmt.Sprintf("--time=%v: want a second at least and a day at most", cmd.time), "--time=2m")
	}
	if err := cmd.outputs.checkTargets(); err != nil {
		return err
	}
	seed, err := seedOf(cmd.seed)
	if err != nil {
		return err
	}
	release, err := cmd.env.alone(ctx, []string{"selfcheck"}, cmd.noLock)
	if err != nil {
		return err
	}
	defer release()
	r, err := cmd.cycles(ctx, prepare.Catalogue(cmd.env.lookup, false), seed)
	if err != nil {
		return err
	}
	return cmd.deliver(r)
}

// cycles measures until the time of the check is over.
func (cmd *selfcheckCommand) cycles(
	ctx context.Context, catalogue spec.Catalogue, seed draw.Seed,
) (*selfcheck.Report, error) {
	options := cmd.env.runnerOptions()
	options.Seed = seed
	began := cmd.env.now()
	defer cmd.env.during(ctx, cmd.quiet)(&options)()
	done := 0
	r, err := selfcheck.Run(ctx, selfcheck.Options{
		Time:      cmd.time,
		Command:   selfcheck.Quickest(),
		Catalogue: catalogue,
		Now:       cmd.env.now,
		Measure: func(ctx context.Context, plan *spec.Plan, steer runner.Steerer) *result.Document {
			one := options
			one.Steer = steer
			one.Observe = func(p runner.Progress) {
				elapsed := cmd.env.now().Sub(began)
				p.Done += done
				p.Total += done
				p.Share = min(float64(elapsed)/float64(cmd.time), 1)
				p.Left = max(cmd.time-elapsed, 0)
				options.Observe(p)
			}
			doc := runner.Run(ctx, []*spec.Plan{plan}, one)
			done += len(plan.Cases)
			return doc
		},
	})
	if err != nil {
		return nil, err
	}
	r.Seed = seed.String()
	r.Started = began.UTC()
	r.Interrupted = signals.Name(ctx)
	return r, nil
}

// deliver writes the report and returns the exit status that follows from it.
func (cmd *selfcheckCommand) deliver(r *selfcheck.Report) error {
	unwritten := cmd.outputs.writePage(cmd.env, r.Page(), r.WriteJSON)
	switch {
	case r.Interrupted != "":
		return status(result.InterruptStatus(r.Interrupted))
	case unwritten != nil, r.Verdict == selfcheck.Unknown, len(r.Failures) > 0:
		return status(exitFail)
	case r.Verdict == selfcheck.Unfit:
		return status(exitUnfit)
	}
	return nil
}
