package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/bisect"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const bisectHelp = `Find the commit that has made a case slower, between a good and a bad revision.

Both are compared first: is there a change at all, and how large is it? Then a binary
search compares commits with the good one, each as suite run --against compares two
revisions: in pairs, with new files and layouts, until the answer is known. In the end
the commit that was found is compared with its parent. The errors of all comparisons
together are at most 1 % (--confidence 99%). A comparison that is hard to decide takes
more launches; it never guesses.

FILE is a suite file, or a folder of them; without it, the current folder. The case is
as your suite file defines it, in all revisions; commits that do not build, or where it
fails, are skipped, and the answer may then be a range. Commits that change nothing that
the case executes are not measured. The search follows first parents; if the answer is a
merge, it looks into the branch that was merged. If the good revision is the later one,
the commit that made the case faster is found. Nothing is written into your work tree.

What was measured is kept until the search is over: after Ctrl-C, or after --max-time, the
same command goes on from there.

Exit statuses: 0 found, a commit or a range; 1 no such commit: the bad revision is not
slower, or many small changes add up; 2 bad command line; 3 the case could not be measured
in the good or the bad revision; 4 not decided; 129, 130 and 143 interrupted.`

const bisectExample = `  suite bisect suite.yaml parse/1MiB --good v1.4 --bad HEAD
  suite bisect parse/1MiB --good v1.4
  suite bisect suite.yaml parse/1MiB --good v1.4 --tolerance 10% --max-time 30m
  suite bisect suite.yaml parse/1MiB --good v1.4 --out json=bisect.json`

// bisectCommand is suite bisect.
type bisectCommand struct {
	env env
	commitFlags
	good, bad  string
	confidence string
	maxTime    time.Duration
	fresh      bool
	outputs    outputs

	file, name string   // of the suite and the case
	given      []string // flags, as words of a command line
	shared     []string // of them, those that another search of the same case would have too
	asked      float64  // confidence
}

func (cmd *bisectCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use:   "bisect [flags] [FILE] CASE --good REV",
		Short: "find the commit that made a case slower", Long: bisectHelp,
		Example:           bisectExample,
		ValidArgsFunction: cmd.complete, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmd.read(c, args); err != nil {
				return err
			}
			return cmd.run(cmd.env.orderly(c))
		},
	}
	c.Flags().StringVar(&cmd.good, "good", "", "`REV` in which the case is fast")
	c.Flags().StringVar(&cmd.bad, "bad", "HEAD", "`REV` in which the case is slow")
	c.Flags().StringVar(&cmd.confidence, "confidence",
		"99%", "`SHARE` of searches in which everything that is reported is true, at least")
	c.Flags().DurationVar(&cmd.maxTime, "max-time", 0,
		"end the search after this time, such as 30m; the same command goes on from there")
	c.Flags().BoolVar(&cmd.fresh, "fresh", false, "forget what an earlier part of this search has measured")
	complete(c, "good", completeBisectRevision)
	complete(c, "bad", completeBisectRevision)
	cmd.outputs.pageFlags(c)
	cmd.flags(c)
	return c
}

// read checks the command line.
func (cmd *bisectCommand) read(c *cobra.Command, args []string) (err error) {
	const usage = "for example: suite bisect suite.yaml CASE --good v1.4 --bad HEAD"
	switch {
	case len(args) == 1:
		cmd.file, cmd.name = ".", args[0]
	case len(args) == 2 && kept.IsSuite(args[1]) && !kept.IsSuite(args[0]):
		cmd.file, cmd.name = args[1], args[0]
	case len(args) == 2:
		cmd.file, cmd.name = args[0], args[1]
	default:
		return diag.Hinted(fmt.Sprintf("suite bisect needs a case, and the suite file that has it; got %s",
			units.Plural(len(args), "argument")),
			usage)
	}
	switch {
	case cmd.good == "":
		return diag.Hinted("--good is missing: the revision in which the case was fast", usage)
	case cmd.bad == "":
		return diag.Hinted("--bad names nothing", usage)
	case cmd.maxTime < 0:
		return diag.Hinted(fmt.Sprintf("--max-time=%v: want a time above 0", cmd.maxTime), "--max-time=30m")
	}
	cmd.asked, err = bisect.ParseConfidence(cmd.confidence)
	if err != nil {
		return err
	}
	if err := cmd.parse(); err != nil {
		return err
	}
	cmd.note(c)
	return cmd.outputs.checkTargets()
}

// note keeps the flags that were given, so that the command that goes on can be printed.
func (cmd *bisectCommand) note(c *cobra.Command) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "good" || f.Name == "bad" || f.Name == "fresh" {
			return
		}
		values := []string{f.Value.String()}
		if list, is := f.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		for _, value := range values {
			words := []string{"--" + f.Name, value}
			if f.Value.Type() == "bool" {
				words = words[:1]
			}
			cmd.given = append(cmd.given, words...)
			if slices.Contains([]string{"tolerance", "confidence", "set"}, f.Name) {
				cmd.shared = append(cmd.shared, words...)
			}
		}
	})
}

// run prepares the search, makes it and reports what it has found.
func (cmd *bisectCommand) run(ctx context.Context) error {
	plans, err := cmd.load(ctx, cmd.env, []string{cmd.file}, filter.Filter{Only: []string{cmd.name}})
	if err != nil {
		return err
	}
	plan, err := bisect.CaseOf(plans, cmd.name)
	if err != nil {
		return err
	}
	if err := cmd.outputs.spare("suite file", []string{plan.File}); err != nil {
		return err
	}
	cmd.hosts.LeavesOut = &filter.Filter{Only: []string{plan.Cases[0].Name}}
	defer hashOwnProgram(cmd.env, cmd.hosts.Binaries)()
	span, err := bisect.FindSpan(ctx, plan.File, cmd.good, cmd.bad)
	if stopped := reportInterrupted(ctx, cmd.env); stopped != nil {
		return stopped
	}
	if err != nil {
		return err
	}
	if err := prepare.CheckTemporary([]*spec.Plan{plan}); err != nil {
		return err
	}
	release, err := cmd.env.alone(ctx, []string{plan.File}, cmd.noLock)
	if err != nil {
		return err
	}
	defer release()
	d, failed := cmd.search(ctx, plan, span)
	if failed != nil {
		cmd.env.printError(failed)
	}
	return cmd.deliver(d)
}

// search makes the search, and completes its document.
func (cmd *bisectCommand) search(ctx context.Context, plan *spec.Plan, span *bisect.Span) (*bisect.Document, error) {
	search := &bisect.Search{
		Plan:       plan,
		Span:       span,
		Tolerance:  cmd.least,
		Confidence: cmd.asked,
		MaxTime:    cmd.maxTime,
		Settings:   cmd.settings.set,
		Flags:      cmd.given,
		Shared:     cmd.shared,
		With:       *cmd.comparison(cmd.env),
		Run:        cmd.env.runnerOptions(),
		During:     cmd.env.during(ctx, cmd.quiet),
		Now:        cmd.env.now,
	}
	if !cmd.quiet {
		search.Observe = cmd.sayStep
	}
	if path := cmd.stateFile(search.Identity()); path != "" {
		if n := search.Keep(path, cmd.fresh); n > 0 && !cmd.quiet {
			cmd.env.say("going on with a search that was not over: %s known; --fresh begins anew",
				units.Plural(n, "comparison"))
		}
	}
	d, err := search.Do(ctx)
	d.Tool = tool()
	d.Interrupt = signals.Name(ctx)
	d.Exit = d.Status()
	return d, err
}

// sayStep prints what a comparison has shown.
func (cmd *bisectCommand) sayStep(s bisect.Step) {
	if s.Answer == nil {
		return
	}
	cmd.env.say("%s", s.Line())
}

// stateFile is the file in which a search is kept, empty if there is no place for it.
func (cmd *bisectCommand) stateFile(identity bisect.Identity) string {
	folder, err := cmd.env.cacheFolder("bisect")
	if err != nil {
		cmd.env.say("this search cannot be continued if it is interrupted: %v", err)
		return ""
	}
	return filepath.Join(folder, kept.Name([]string{identity.File, identity.Case, identity.Good, identity.Bad})+".json")
}

// deliver writes the reports and returns the exit status.
func (cmd *bisectCommand) deliver(d *bisect.Document) error {
	failed := cmd.outputs.writePage(cmd.env, d.Page(), d.WriteJSON)
	return cmp.Or(exit(d.Exit), failed)
}

// complete completes the suite file, then the cases in it.
func (cmd *bisectCommand) complete(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	file := "."
	if len(args) > 0 && kept.IsSuite(args[0]) {
		file = args[0]
	}
	plans, err := loadPlans(c.Context(), cmd.env, []string{file}, loading{offline: true})
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	if err == nil {
		for _, plan := range plans {
			names = append(names, plan.Names()...)
		}
	}
	if len(args) == 0 {
		return units.Distinct(names), cobra.ShellCompDirectiveDefault
	}
	return units.Distinct(names), cobra.ShellCompDirectiveNoFileComp
}

// completeBisectRevision completes --good and --bad with branches and tags.
func completeBisectRevision(c *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 && !kept.IsSuite(args[0]) {
		args = nil
	}
	words, _ := completeRevision(c, args, text)
	return words, cobra.ShellCompDirectiveNoFileComp
}
