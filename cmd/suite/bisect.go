package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/bisect"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/machine"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/units"
	"example.com/suite/report"
	"example.com/suite/runner"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/host"
	"example.com/suite/runner/process"
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
fails, are skipped, and the answer may then be a range. Commits with the same program
are not measured. The search follows first parents; if the answer is a merge, it looks
into the branch that was merged. If the good revision is the later one, the commit that
made the case faster is found. Nothing is written into your work tree.

What was measured is kept until the search is over: after Ctrl-C, or after --max-time, the
same command goes on from there.

Exit statuses: 0 found, a commit or a range; 1 no such commit: the bad revision is not
slower, or many small changes add up; 2 bad command line; 3 the case could not be measured
in the good or the bad revision; 4 not decided; 129, 130 and 143 interrupted.`

const bisectExample = `  suite bisect suite.yaml parse/1MiB --good v1.4 --bad HEAD
  suite bisect parse/1MiB --good v1.4
  suite bisect suite.yaml parse/1MiB --good v1.4 --tolerance 10% --max-time 30m
  suite bisect suite.yaml parse/1MiB --good v1.4 --out json=bisect.json`

// bisectOptions are the flags of suite bisect.
type bisectOptions struct {
	good, bad  string
	tolerance  string
	confidence string
	maxTime    time.Duration
	fresh      bool
	outputs    outputs
	set        settingFlags
	quiet      bool
	noLock     bool

	file, name string   // of the suite and the case
	flags      []string // that were given, as words of a command line
	shared     []string // of them, those that another search of the same case would have too
	least      float64  // tolerance; 0: the case's own
	asked      float64  // confidence
}

var bisectFormats = []string{"text", "json"}

func (e env) bisectCommand() *cobra.Command {
	var o bisectOptions
	c := &cobra.Command{
		Use: "bisect [flags] [FILE] CASE --good REV", Short: "find the commit that made a case slower", Long: bisectHelp, Example: bisectExample,
		ValidArgsFunction: e.completeBisect, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.read(c, args); err != nil {
				return err
			}
			return e.bisect(e.orderly(c), &o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.good, "good", "", "`REV` in which the case is fast")
	c.Flags().StringVar(&o.bad, "bad", "HEAD", "`REV` in which the case is slow")
	c.Flags().StringVar(&o.tolerance, "tolerance", "", "look for a commit that changes the case by this `SHARE` at least, such as 5% (default the case's tolerance)")
	c.Flags().StringVar(&o.confidence, "confidence", "99%", "`SHARE` of searches in which everything that is reported is true, at least")
	c.Flags().DurationVar(&o.maxTime, "max-time", 0, "end the search after this time, such as 30m; the same command goes on from there")
	c.Flags().BoolVar(&o.fresh, "fresh", false, "forget what an earlier part of this search has measured")
	complete(c, "good", completeBisectRevision)
	complete(c, "bad", completeBisectRevision)
	o.outputs.targets(c, bisectFormats)
	c.Flags().StringArrayVar(&o.set.set, "set", nil, "override any setting of the case, `KEY=VALUE`, such as warmup=10ms; repeatable")
	complete(c, "set", completeSetting)
	lockFlag(c, &o.noLock)
	c.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "no progress on standard error")
	return c
}

// read checks the command line.
func (o *bisectOptions) read(c *cobra.Command, args []string) (err error) {
	const usage = "for example: suite bisect suite.yaml CASE --good v1.4 --bad HEAD"
	switch {
	case len(args) == 1:
		o.file, o.name = ".", args[0]
	case len(args) == 2 && isSuiteName(args[1]) && !isSuiteName(args[0]):
		o.file, o.name = args[1], args[0]
	case len(args) == 2:
		o.file, o.name = args[0], args[1]
	default:
		return diag.Hinted(fmt.Sprintf("suite bisect needs a case, and the suite file that has it; got %s", units.Plural(len(args), "argument")), usage)
	}
	switch {
	case o.good == "":
		return diag.Hinted("--good is missing: the revision in which the case was fast", usage)
	case o.bad == "":
		return diag.Hinted("--bad names nothing", usage)
	case o.maxTime < 0:
		return diag.Hinted(fmt.Sprintf("--max-time=%v: want a time above 0", o.maxTime), "--max-time=30m")
	}
	o.asked, err = bisect.ParseConfidence(o.confidence)
	if err != nil {
		return err
	}
	if o.tolerance != "" {
		o.least, err = bisect.ParseTolerance(o.tolerance)
		if err != nil {
			return err
		}
	}
	o.outputs.known = func(format string) error {
		if !slices.Contains(bisectFormats, format) {
			return unknown("format", format, bisectFormats)
		}
		return nil
	}
	o.note(c)
	return o.outputs.check()
}

// note keeps the flags that were given, so that the command that goes on can be printed.
func (o *bisectOptions) note(c *cobra.Command) {
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
			o.flags = append(o.flags, words...)
			if slices.Contains([]string{"tolerance", "confidence", "set"}, f.Name) {
				o.shared = append(o.shared, words...)
			}
		}
	})
}

// bisect prepares the search, makes it and reports what it has found.
func (e env) bisect(ctx context.Context, o *bisectOptions) error {
	signals.KeepWriting()
	overrides, err := o.set.overrides()
	if err != nil {
		return err
	}
	hosts := e.newHosts(ctx)
	hosts.Deep = true
	plan, err := e.planToBisect(ctx, o, hosts, overrides)
	if err != nil {
		return err
	}
	if err := o.outputs.spare([]string{plan.File}); err != nil {
		return err
	}
	hosts.Alike = true
	hosts.LeavesOut = filter.Filter{Only: []string{plan.Cases[0].Name}}.LeavesOut
	hosts.Binaries = new(binary.Hashes)
	go e.loadOwn(hosts.Binaries)
	span, err := bisect.FindSpan(ctx, plan.File, o.good, o.bad)
	if stopped := e.interrupted(ctx); stopped != nil {
		return stopped
	}
	if err != nil {
		return err
	}
	if err := prepare.CheckTemporary([]*spec.Plan{plan}); err != nil {
		return err
	}
	release, err := e.alone(ctx, []string{plan.File}, o.noLock)
	if err != nil {
		return err
	}
	defer release()
	d, failed := e.search(ctx, plan, hosts, span, o, overrides)
	if failed != nil {
		e.explain(failed)
	}
	return e.deliverBisect(d, o)
}

// planToBisect is the plan of the suite file that has the case, with that case alone.
func (e env) planToBisect(ctx context.Context, o *bisectOptions, hosts *prepare.Hosts, overrides spec.Overrides) (*spec.Plan, error) {
	plans, err := e.plans(ctx, []string{o.file}, loading{filter: filter.Filter{Only: []string{o.name}}, overrides: overrides, hosts: hosts})
	if err != nil {
		return nil, err
	}
	return bisect.CaseOf(plans, o.name)
}

// search makes the search, and completes its document.
func (e env) search(ctx context.Context, plan *spec.Plan, hosts *prepare.Hosts, span *bisect.Span, o *bisectOptions, overrides spec.Overrides) (*bisect.Document, error) {
	catalogue := e.catalogue(false)
	catalogue.Build, catalogue.GoTests = hosts.Functions, hosts.GoTests
	search := &bisect.Search{Plan: plan, Span: span, Tolerance: o.least, Confidence: o.asked, MaxTime: o.maxTime,
		Settings: o.set.set, Flags: o.flags, Shared: o.shared, Now: e.now,
		With:   prepare.Comparison{Hosts: hosts, Catalogue: catalogue, Overrides: overrides},
		Run:    runner.Options{Host: e.host, HostHash: host.Hash(), Tool: tool(), Machine: machine.Fingerprint()},
		During: func(r *runner.Options) func() { return e.during(ctx, r, o.quiet) }}
	if !o.quiet {
		search.Observe = e.sayStep
	}
	if path := e.bisectState(search.Asked()); path != "" {
		if n := search.Keep(path, o.fresh); n > 0 && !o.quiet {
			e.say("going on with a search that was not over: %s known; --fresh begins anew", units.Plural(n, "comparison"))
		}
	}
	d, err := search.Do(ctx)
	d.Tool = tool()
	d.Interrupt = signals.Name(ctx)
	d.Exit = d.Status()
	return d, err
}

// during shows the progress of one comparison, and lets a second signal kill it.
func (e env) during(ctx context.Context, r *runner.Options, quiet bool) (end func()) {
	r.Processes = &process.Set{}
	watch := e.watch(quiet)
	r.Observe = watch.Observe
	endSignals := e.signals.During(r.Processes, watch.Announce)
	stop := context.AfterFunc(ctx, func() { watch.Announce(signals.CleaningUp) })
	return func() {
		stop()
		watch.Close()
		endSignals()
	}
}

// sayStep prints what a comparison has shown.
func (e env) sayStep(s bisect.Step) {
	if s.Answer == nil {
		return
	}
	e.say("%s", s.Line())
}

// bisectState is the file in which a search is kept, empty if there is no place for it.
func (e env) bisectState(asked bisect.Asked) string {
	folder, err := e.cacheFolder("bisect")
	if err != nil {
		e.say("this search cannot be continued if it is interrupted: %v", err)
		return ""
	}
	return filepath.Join(folder, kept.Name([]string{asked.File, asked.Case, asked.Good, asked.Bad})+".json")
}

// deliverBisect writes the reports and returns the exit status.
func (e env) deliverBisect(d *bisect.Document, o *bisectOptions) error {
	var failed error
	for _, t := range o.outputs.parsed {
		render := d.WriteJSON
		if t.format == "text" {
			render = d.WriteText
		}
		var err error
		switch {
		case !t.isStdout():
			err = report.WriteFile(t.file, render)
		case t.format == "text":
			err = render(e.words())
		default:
			err = render(e.stdout)
		}
		if err != nil {
			e.explain(err)
			failed = status(exitFail)
		}
	}
	if d.Exit != exitOK {
		return status(d.Exit)
	}
	return failed
}

// completeBisect completes the suite file, then the cases in it.
func (e env) completeBisect(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	file := "."
	if len(args) > 0 && isSuiteName(args[0]) {
		file = args[0]
	}
	plans, err := e.plans(c.Context(), []string{file}, loading{offline: true})
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
	if len(args) > 0 && !isSuiteName(args[0]) {
		args = nil
	}
	words, _ := completeRevision(c, args, text)
	return words, cobra.ShellCompDirectiveNoFileComp
}
