package main

import (
	"context"

	"example.com/suite/internal/prepare"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/profile"
	"github.com/spf13/cobra"
)

// profileFlags choose what is profiled after the samples.
type profileFlags struct {
	which  string
	choice profile.Choice
	files  []profile.File // of this run
}

func (p *profileFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&p.which, "profile", "",
		"after the samples, profile `WHAT` on both sides: failed (default: cases with a failed comparison), "+
			"none, or of every case "+
			profile.KindList())
	complete(c, "profile", choices([]string{profile.Failed, profile.None, "cpu", "cpu,alloc", "cpu,alloc,mutex,block"}))
}

// checkFlags reads the flag, or the variable if the flag was not given.
func (p *profileFlags) checkFlags(lookup func(string) (string, bool)) (err error) {
	p.choice, err = profile.ParseChoice(p.which, lookup)
	return err
}

// takeProfiles profiles cases of a judged document and adds what that shows. It changes nothing
// else in it but the wall time of the run.
func (cmd *runCommand) takeProfiles(
	ctx context.Context, ready prepare.Ready, doc *result.Document, p *profileFlags, options runner.Options, quiet bool,
) {
	if doc.Interrupted != "" || ctx.Err() != nil || options.Processes.Killed() {
		return
	}
	targets := p.choice.Chosen(ready.Plans(), doc)
	if len(targets) == 0 {
		return
	}
	if !quiet {
		cmd.env.say("%s", doc.Outcome())
		cmd.env.say("profiling %s, for %s at most: Ctrl-C ends that and loses nothing",
			units.Plural(p.choice.Most(len(targets)), "case"), units.ShortTime(p.choice.Together(targets).Seconds()))
	}
	p.files = p.choice.TakeAll(ctx, targets, doc, profile.Options{Run: options})
	if ctx.Err() != nil {
		cmd.env.say("the profiling was interrupted; all samples and verdicts were complete before")
	}
}
