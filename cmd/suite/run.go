package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/machine"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

const runHelp = `Measure the cases of suite files and judge their gates, or measure commands.

FILE is a suite file, a folder of them (NAME.suite.yaml, and .yaml files with
benchmarks: in them), or a pattern such as 'bench/**/*.yaml', which skips hidden
folders; several files make one report and one exit status. Running a suite file runs
the commands in it: run only files that you trust.

Without a file, -- COMMAND [ARG…] or --command LINE measures commands; a further --
separates two, and the first is the base of the others. --write FILE makes a suite file
of them. docs/hyperfine.md has a row for each option of hyperfine.

--against REV measures each case paired with itself in another git revision (at its
merge base with HEAD) or folder, or compares with a saved result.json. Your work tree
is compared as it is, and nothing is written into it. Cases that no change affects
pass at once without being measured, unless you use --all-cases.

Samples are kept in a journal until the run ends. After an interrupt, a crash or a
full disk, the same command with --resume continues the run.

The report goes to standard output, everything else to standard error. One suite
measures at a time on a machine: another one waits, unless you use --no-lock. Ctrl-C
finishes the batch, cleans up and reports what was measured; a second Ctrl-C kills
everything at once.`

const runExample = `  suite run suites/quickstart.yaml
  suite run -- ls -l
  suite run --command 'sleep 0.01' --command 'sleep 0.012'
  suite run --matrix n=1..4 --warmup 3 --runs 20 -- make -j {n}
  suite run --only hash/sha256 --target-time 3s suites/golang.yaml
  suite run --against main suite.yaml
  suite run --out json=result.json --out junit=junit.xml bench/
  suite run --resume --out json=result.json --out junit=junit.xml bench/
  suite run --format json suite.yaml | jq '.cases[] | {name, status}'`

// runOptions are the flags of suite run.
type runOptions struct {
	loading
	settings settingFlags
	outputs  outputs
	journal  journalFlags
	accept   acceptFlags
	profile  profileFlags
	shard    shardFlags
	seed     string
	quiet    bool
	noLock   bool

	noSentinel bool

	save    bool   // add the run to the history
	history string // its folder

	typedFlags typedFlags
}

func (e env) runCommand(o *runOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "run [flags] FILE… | -- COMMAND…", Short: "measure, judge and report", Long: runHelp, Example: runExample,
		Args: runArgs, ValidArgsFunction: suiteArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		is, err := o.typedFlags.read(args, c.ArgsLenAtDash())
		if err != nil {
			return err
		}
		if is {
			return e.runTyped(e.orderly(c), o)
		}
		return e.runSuites(e.orderly(c), args, o)
	}
	c.Flags().SortFlags = false
	o.filter.Measured = true
	filterFlags(c, e, &o.filter)
	o.against.flags(c)
	o.shard.flags(c)
	o.outputs.flags(c, e)
	o.settings.flags(c)
	o.journal.flags(c)
	o.accept.flags(c)
	o.profile.flags(c)
	c.Flags().StringVar(&o.seed, "seed", "", "repeat the random draws of an earlier run, up to 32 hexadecimal `DIGITS`")
	c.Flags().BoolVar(&o.noSentinel, "no-sentinel", false, "do not compare code with itself to find out whether this machine can judge")
	o.typedFlags.flags(c)
	c.Flags().BoolVar(&o.save, "save", false, "add the run to the history, which suite trend shows")
	c.Flags().StringVar(&o.history, "history", "", historyFlagHelp+", with --save, and for gates such as trend(time).drift < 5%")
	complete(c, "history", folders)
	lockFlag(c, &o.noLock)
	c.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "no progress on standard error")
	return c
}

// runTyped measures the commands of the command line.
func (e env) runTyped(ctx context.Context, o *runOptions) error {
	text, err := o.typedFlags.suite(e, o.against.asked == "")
	if err != nil {
		return err
	}
	o.text = text
	if o.typedFlags.write != "" {
		return e.writeTyped(ctx, o)
	}
	return e.runSuites(ctx, nil, o)
}

// writeTyped checks the commands and settings of the command line, and writes them to a
// file.
func (e env) writeTyped(ctx context.Context, o *runOptions) error {
	var err error
	o.overrides, err = o.settings.overrides()
	if err != nil {
		return err
	}
	if _, err := e.plans(ctx, nil, loading{overrides: o.overrides, text: o.text, offline: true}); err != nil {
		return err
	}
	return o.typedFlags.writeSuite(e, o.overrides)
}

func (e env) runSuites(ctx context.Context, args []string, o *runOptions) error {
	signals.KeepWriting()
	var err error
	o.overrides, err = o.settings.overrides()
	if err != nil {
		return err
	}
	if isList(o.overrides) {
		return e.printTimers(timers())
	}
	seed, err := o.check(e)
	if err != nil {
		return err
	}
	binaries := new(binary.Hashes)
	go e.loadOwn(binaries) // while the suite files are read
	o.gates = &judge.Gates{}
	o.trees = &others{}
	o.hosts = e.newHosts(ctx)
	o.hosts.Binaries = binaries
	o.hosts.Deep = true
	defer o.trees.Close()
	var doubts diag.Problems
	o.doubts = &doubts
	plans, err := e.plans(ctx, args, o.loading)
	e.warn(doubts)
	if err != nil {
		return err
	}
	err = o.outputs.spare(planFiles(plans))
	if err == nil {
		err = o.outputs.spareBase(o.trees.saved)
	}
	if err != nil {
		return err
	}
	err = o.outputs.checkView(viewNames(plans))
	if err != nil && o.hosts.AskAll(plans) {
		err = o.outputs.checkView(viewNames(plans)) // a column may be what a function reports
	}
	if err != nil {
		return err
	}
	if o.shard.isSet() {
		if o.seed != "" {
			o.shard.seed = seed.String()
		}
		if err := o.shard.divide(e, plans, o.gates); err != nil {
			return err
		}
		plans = o.shard.take(plans)
		e.say("%s", o.shard.shard.Text(o.shard.division, o.shard.by))
	}
	_ = e.vanished(plans) // the run measures the other cases, and ends with the same status
	if o.noSentinel {
		prepare.WithoutSentinels(plans)
	}
	for _, plan := range prepare.PlaceSentinels(plans) {
		e.say("%s: no sentinel: none of its cases is compared with another", plan.File)
	}
	o.journal.suites, _, _ = suitefiles.Resolve(args) // no error: plans has resolved the same arguments
	if o.text != nil {
		o.journal.suites = []string{plans[0].File + " " + plans[0].Hash} // other commands are another run
	}
	if o.text == nil || o.accept.file != "" { // the accept.yaml of a folder is for suite files
		o.accept.files, err = acceptFiles(plans, o.accept.file, e.today())
	}
	if err != nil {
		return err
	}
	o.journal.suites = o.shard.names(o.journal.suites)
	return e.measure(ctx, plans, seed, binaries, o)
}

// check fails if a flag cannot be used, before any suite file is read.
func (o *runOptions) check(e env) (seed draw.Seed, err error) {
	seed, err = seedOf(o.seed)
	for _, check := range []func() error{
		func() error { return o.journal.check(o.seed) },
		func() error { return o.profile.check(e.lookup) },
		o.outputs.check,
		func() error { return e.checkCIFiles(o.outputs.ci) },
		func() error { return o.against.check(false) },
		func() error { return o.shard.check(e) },
		func() error { return project.CheckSave(o.save, o.history) },
	} {
		if err != nil {
			break
		}
		err = check()
	}
	return seed, err
}

// measure is the flow of the whole program: plans → samples → verdicts → report.
func (e env) measure(ctx context.Context, plans []*spec.Plan, seed draw.Seed, binaries *binary.Hashes, o *runOptions) error {
	verdicts := o.gates.Judge(plans)
	past, err := e.past(verdicts.Trends(), o)
	if err != nil {
		return err
	}
	debug, err := e.debug()
	if err != nil {
		return err
	}
	if err := prepare.CheckTemporary(plans); err != nil {
		return err
	}
	commits := prepare.Commits(ctx, plans, e.cache())
	release, err := e.alone(ctx, planFiles(plans), o.noLock)
	if err != nil {
		return err
	}
	defer release() // runs after the journal is finished: the next run may need its file
	processes := &process.Set{}
	options := runner.Options{Host: e.host, HostHash: host.Hash(), HostOf: o.hosts.Argv, Link: o.hosts.Link, Seed: seed, Steer: verdicts.Watch(), Tool: tool(), Machine: machine.Fingerprint(), Debug: debug, Processes: processes, Built: o.trees.Built, Binaries: binaries}
	journal, err := e.journal(plans, options, &o.journal, o.quiet)
	if err != nil {
		return err
	}
	over := false // stays false if suite itself fails, so that the journal is kept
	defer func() { e.finishJournal(journal, over, o.quiet) }()
	watch := e.watch(o.quiet || debug != nil)
	options.Observe = watch.Observe
	options.Finished = func(c *result.Case) { watch.Finished(table.FinishedCase(c)) }
	if journal != nil {
		options.Journal, options.Seed = journal, journal.Seed()
	}
	measured, unknown := commits()
	for _, err := range unknown {
		e.explain(err)
	}
	past = project.NotAfter(ctx, past, measured)
	stop, end := context.AfterFunc(ctx, func() { watch.Announce(signals.CleaningUp) }), e.signals.During(processes, watch.Announce)
	doc := runner.Run(ctx, plans, options)
	defer end() // not before the reports are written: a second signal must not cut them off
	stop()
	watch.Close()
	lost := journal != nil && journal.Err() != nil
	if lost {
		e.explain(journal.Err())
	}
	doc.Division = o.shard.division
	verdicts.Finish(doc, judge.Run{Interrupted: signals.Name(ctx), Unrecorded: lost, Commits: measured, Earlier: o.trees.saved, Past: past,
		Accept: func(doc *result.Document) { o.accept.judge(doc, o.filter.Empty() && !o.shard.isSet(), e.today()) }})
	e.profile(ctx, plans, doc, &o.profile, options, o.quiet)
	_ = doc.Seal() // writing the document will return the same error
	o.outputs.profiles = o.profile.files
	written, failed := e.deliver(doc, &o.outputs)
	e.keep(doc, o.journal.suites, written, o.profile.files) // last: on a full disk the reports that were asked for have the room
	if o.save {
		failed = cmp.Or(failed, e.save(context.WithoutCancel(ctx), doc, o.history))
	}
	over = failed == nil && doc.Interrupted == "" && (journal == nil || journal.Err() == nil)
	if failed != nil && doc.Interrupted == "" {
		return failed
	}
	if doc.Exit != exitOK {
		return status(doc.Exit)
	}
	return nil
}

func planFiles(plans []*spec.Plan) (files []string) {
	for _, plan := range plans {
		files = append(files, plan.File)
	}
	return files
}

// debug is the writer for notes of hosts on how they calibrate and size, nil if
// wire.DebugVariable does not ask for them.
func (e env) debug() (io.Writer, error) {
	words, _ := e.lookup(wire.DebugVariable)
	if on, err := wire.Debug(words); !on {
		return nil, err
	}
	return e.stderr, nil
}

// deliver writes every report and returns those that were written. If one cannot be
// written, deliver explains why, still writes the others, saves the result elsewhere, and
// returns exit status 3.
func (e env) deliver(doc *result.Document, o *outputs) (written []target, failed error) {
	written, failed = e.writeAll(doc, o)
	if failed != nil {
		e.salvage(doc, written)
	}
	return written, failed
}

func (e env) writeAll(doc *result.Document, o *outputs) (written []target, failed error) {
	e.view, e.stamps, e.siteAt = o.view, o.stamps, o.site
	for _, out := range o.parsed {
		if err := e.write(doc, out); err != nil {
			e.explain(err)
			failed = status(exitFail)
			continue
		}
		written = append(written, out)
		if out.format != "json" || out.isStdout() {
			continue
		}
		if err := saved.WriteProfiles(out.file, o.profiles); err != nil {
			e.explain(err)
			failed = status(exitFail)
		}
	}
	if err := e.reportToCI(doc, o.ci); err != nil {
		e.explain(err)
		failed = status(exitFail)
	}
	return written, failed
}

func (e env) write(doc *result.Document, out target) error {
	render := func(w io.Writer) error {
		return report.Render(w, out.format, doc, e.tableOptions(out))
	}
	if out.isStdout() {
		return render(e.stdout)
	}
	if isPipe(out.file) {
		if err := e.signals.Await(func() error { return report.WriteFile(out.file, render) }); err != signals.ErrWaiting {
			return err
		}
		return fmt.Errorf("cannot write %q: %w", out.file, signals.ErrWaiting)
	}
	return report.WriteFile(out.file, render)
}

// isPipe reports whether writing to a file may wait for another process.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

func seedOf(text string) (draw.Seed, error) {
	if text == "" {
		return draw.NewSeed(), nil
	}
	return draw.ParseSeed(text)
}

func tool() result.Tool {
	return result.Tool{Name: "suite", Version: version(), Go: runtime.Version()}
}
