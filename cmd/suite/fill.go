package main

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/fill"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

const fillHelp = `Measure the past of the repository, so that suite trend and suite site show it.

RANGE is A..B, or A for A..HEAD: commits along first parents. The ends are compared first,
then points between them, every so many commits (--every). Where two points differ, suite
looks for the commit that made the difference, and compares that commit with its parent
once more, with pairs of its own: of all changes that it names, any is none with a
probability of at most 1 %. Commits between two that cannot differ for a case are not
measured for it, and a commit that does not build, or lacks a case, is skipped.

Each comparison takes pairs, as suite run --against does, so that a slow hour of the machine
is no change of the code. The cases are as your suite files define them, in all commits; the
current folder has the files if none is named. Nothing is written into your work tree.

Each comparison is a run of the history. The same command goes on from there, after Ctrl-C,
after --budget, or with more commits; runs that suite run --save --against has added count
too. With --set judge=instructions instructions are compared in place of times, which takes
seconds for a commit on any machine that has valgrind.

--program measures programs that were published in place of building them: the file that it
names, with the tag or the hash of each commit, replaces the program of every command.
Commits that have no such file are left out.`

const fillExample = `  suite history fill v1.0..HEAD
  suite history fill v1.0..HEAD --every 5 --budget 8h bench/suite.yaml
  suite history fill v1.0 --only 'parse/*' --set judge=instructions
  suite history fill v1.0 --program 'releases/{tag}/tool' bench/suite.yaml
  suite trend`

// fillCommand is suite history fill.
type fillCommand struct {
	env env
	commitFlags
	place   *string // value of --history
	every   int
	budget  time.Duration
	program string
	filter  filter.Filter
}

func (cmd *fillCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "fill RANGE [FILE…]", Short: "measure the past of the repository", Long: fillHelp, Example: fillExample,
		ValidArgsFunction: cmd.complete,
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmd.read(args); err != nil {
				return err
			}
			files := args[1:]
			if len(files) == 0 {
				files = []string{"."}
			}
			return cmd.run(cmd.env.orderly(c), args[0], files)
		},
	}
	c.Flags().IntVar(&cmd.every, "every", 0, "a point every `N` commits (default: about twenty points)")
	c.Flags().DurationVar(&cmd.budget, "budget", 0,
		"stop after this time, such as 8h; the same command goes on from there")
	c.Flags().StringVar(&cmd.program, "program", "",
		"measure published programs: the `FILE` of each commit, such as 'releases/{tag}/tool', or with {commit}")
	filterFlags(c, cmd.env, &cmd.filter)
	cmd.flags(c)
	return c
}

// read checks the command line.
func (cmd *fillCommand) read(args []string) error {
	const usage = "for example: suite history fill v1.0..HEAD"
	switch {
	case len(args) == 0:
		return diag.Hinted("suite history fill needs a range of commits", usage)
	case kept.IsSuite(args[0]):
		return diag.Hinted(fmt.Sprintf("%s is a suite file, and the range of commits comes first", args[0]),
			usage+" "+args[0])
	case cmd.budget < 0:
		return diag.Hinted(fmt.Sprintf("--budget=%v: want a time above 0", cmd.budget), "--budget=8h")
	}
	return cmd.parse()
}

func (cmd *fillCommand) run(ctx context.Context, revisions string, files []string) error {
	plans, err := cmd.load(ctx, cmd.env, files, cmd.filter)
	if err != nil {
		return err
	}
	plans, err = cmd.comparable(plans)
	if err != nil {
		return err
	}
	defer hashOwnProgram(cmd.env, cmd.hosts.Binaries)()
	line, err := fill.Line(ctx, plans[0].File, revisions)
	if stopped := reportInterrupted(ctx, cmd.env); stopped != nil {
		return stopped
	}
	if err != nil {
		return err
	}
	var programs map[string]string
	if cmd.program != "" {
		line, programs, err = fill.Programs(ctx, plans[0].File, cmd.program, line)
		if err != nil {
			return err
		}
	}
	every, err := fill.Every(cmd.every, len(line))
	if err != nil {
		return err
	}
	if err := prepare.CheckTemporary(plans); err != nil {
		return err
	}
	if err := project.CheckSave(true, *cmd.place); err != nil {
		return err
	}
	store := project.Store(*cmd.place)
	past, unread, err := store.Readable(history.AnyCase)
	cmd.env.warn(unread)
	if err != nil {
		return err
	}
	release, err := cmd.env.alone(ctx, planFiles(plans), cmd.noLock)
	if err != nil {
		return err
	}
	defer release()
	trees := &prepare.Trees{}
	defer trees.Close()
	meter := cmd.meter(ctx, plans, trees)
	meter.Programs = programs
	o, failed := fill.Run(ctx, fill.Options{
		Line: line, Every: every, Cases: meter.Cases(cmd.least), Past: past, Budget: cmd.budget, Meter: meter,
		Record: func(run *history.Run) error {
			_, _, err := store.Save(run)
			return err
		},
		Observe: cmd.observe(),
		Now:     cmd.env.now,
	})
	if failed != nil {
		cmd.env.printError(failed)
	}
	return cmd.deliver(ctx, o, failed, store)
}

// comparable leaves out the cases that cannot be compared with another revision, and prints why. If no
// case is left, the error is the reason of the last one.
func (cmd *fillCommand) comparable(plans []*spec.Plan) ([]*spec.Plan, error) {
	left, reasons := fill.Comparable(plans, cmd.program != "")
	if len(left) == 0 {
		return nil, reasons[len(reasons)-1]
	}
	for _, why := range reasons {
		cmd.env.say("left out: %v", why)
	}
	return left, nil
}

func (cmd *fillCommand) meter(ctx context.Context, plans []*spec.Plan, trees *prepare.Trees) *fill.Runs {
	options := cmd.env.runnerOptions()
	options.HostOf = cmd.hosts.Argv
	options.Link = cmd.hosts.Link
	options.Binaries = cmd.hosts.Binaries
	options.Built = trees.Built
	return &fill.Runs{
		Plans:   plans,
		Trees:   trees,
		With:    cmd.comparison(cmd.env),
		Options: options,
		Now:     cmd.env.now,
		During:  cmd.env.during(ctx, cmd.quiet),
	}
}

// observe prints a line for each comparison, after it.
func (cmd *fillCommand) observe() func(fill.Step) {
	if cmd.quiet {
		return nil
	}
	began := cmd.env.now()
	return func(s fill.Step) {
		cmd.env.say("%s  %s", units.RoughTime(cmd.env.now().Sub(began).Seconds()), s.Line())
	}
}

func (cmd *fillCommand) deliver(ctx context.Context, o *fill.Outcome, failed error, store history.Store) error {
	if err := cmd.env.printPage(o.Page()...); err != nil {
		return err
	}
	switch {
	case o.End == fill.Interrupted:
		name := signals.Name(ctx)
		cmd.env.say("%s: what was measured is in %s; the same command goes on from there", name, store.Place)
		return interrupted(ctx)
	case o.End == fill.OverBudget:
		cmd.env.say("the budget is over; the same command goes on from here")
	}
	if failed != nil || !o.Known() {
		return status(exitFail)
	}
	return nil
}

// complete completes the range with branches and tags, then suite files.
func (cmd *fillCommand) complete(c *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		words, _ := completeRevision(c, nil, text)
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	return suiteArgs(c, args, text)
}
