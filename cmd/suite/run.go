package main

import (
	"cmp"
	"context"
	"io"

	"example.com/suite/gate"
	"example.com/suite/internal/accepted"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/progress"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
	"example.com/suite/timer/probe"
	"github.com/spf13/cobra"
)

const runHelp = `Measure the cases of suite files and judge their gates, or measure commands.

FILE is a suite file, a folder of them (NAME.suite.yaml, and .yaml files with
benchmarks: in them; those in folders below are named and not run), or a pattern such
as 'bench/**/*.yaml', which skips hidden folders; several files make one report and one
exit status. Without FILE the only suite file of the current folder or its folder bench
is run. Running a suite file runs the commands in it: run only files that you trust.

In place of a file, -- COMMAND [ARG…] or --command LINE measures commands; a further --
separates two, and the first is the base of the others. --write FILE makes a suite file
of them. docs/hyperfine.md has a row for each option of hyperfine.

--against REV measures each case paired with itself in another git revision (at its
merge base with HEAD) or folder, or compares with a saved result.json. Your work tree
is compared as it is, and nothing is written into it. Cases that no change affects
pass at once without being measured, unless you use --all-cases or --save: a case that
then differs is named. Gates that your tree removed or relaxed judge as REV has them,
unless you use --accept-gates.

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

// runCommand is suite run.
type runCommand struct {
	env env
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
	history string // its place

	typedFlags typedFlags
}

func (cmd *runCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "run [flags] [FILE…] | -- COMMAND…", Short: "measure, judge and report",
		Long: runHelp, Example: runExample, Args: runArgs, ValidArgsFunction: suiteArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		is, err := cmd.typedFlags.read(args, c.ArgsLenAtDash())
		if err != nil {
			return err
		}
		if is {
			return cmd.runTyped(cmd.env.orderly(c))
		}
		return cmd.runSuites(cmd.env.orderly(c), namedOrOnly(args))
	}
	cmd.filter.Measured = true
	filterFlags(c, cmd.env, &cmd.filter)
	cmd.against.flags(c)
	cmd.shard.flags(c)
	cmd.outputs.flags(c, cmd.env)
	cmd.settings.flags(c)
	cmd.journal.flags(c)
	cmd.accept.flags(c)
	cmd.profile.flags(c)
	c.Flags().StringVar(&cmd.seed, "seed", "",
		"repeat the random draws of an earlier run, up to 32 hexadecimal `DIGITS`")
	c.Flags().BoolVar(&cmd.noSentinel, "no-sentinel", false,
		"do not compare code with itself to find out whether this machine can judge")
	cmd.typedFlags.flags(c)
	c.Flags().BoolVar(&cmd.save, "save", false, "add the run to the history, which suite trend shows")
	c.Flags().StringVar(&cmd.history, "history", "",
		historyFlagHelp+", with --save, and for gates such as trend(time).drift < 5%")
	complete(c, "history", historyPlaces)
	lockFlag(c, &cmd.noLock)
	c.Flags().BoolVarP(&cmd.quiet, "quiet", "q", false, "no progress on standard error")
	return c
}

// runTyped measures the commands of the command line.
func (cmd *runCommand) runTyped(ctx context.Context) error {
	text, err := cmd.typedFlags.suite(cmd.env, cmd.against.base == "")
	if err != nil {
		return err
	}
	cmd.text = text
	if cmd.typedFlags.write != "" {
		return cmd.writeTyped(ctx)
	}
	return cmd.runSuites(ctx, nil)
}

// writeTyped checks the commands and settings of the command line, and writes them to a
// file.
func (cmd *runCommand) writeTyped(ctx context.Context) error {
	var err error
	cmd.overrides, err = cmd.settings.overrides()
	if err != nil {
		return err
	}
	l := loading{overrides: cmd.overrides, text: cmd.text, offline: true}
	if _, err := loadPlans(ctx, cmd.env, nil, l); err != nil {
		return err
	}
	return cmd.typedFlags.writeSuite(cmd.env, cmd.overrides)
}

func (cmd *runCommand) runSuites(ctx context.Context, args []string) error {
	signals.KeepWriting()
	var err error
	cmd.overrides, err = cmd.settings.overrides()
	if err != nil {
		return err
	}
	if spec.ListsTimers(cmd.overrides, cmd.env.lookup) {
		return cmd.env.printPage(probe.ListPage(timers())...)
	}
	seed, err := cmd.checkFlags()
	if err != nil {
		return err
	}
	cmd.gates = &judge.Gates{}
	cmd.trees = &others{}
	cmd.hosts = newHosts(ctx, cmd.env)
	defer hashOwnProgram(cmd.env, cmd.hosts.Binaries)() // while the suite files are read
	cmd.hosts.Deep = true
	defer cmd.trees.Close()
	var doubts diag.Problems
	cmd.doubts, cmd.written = &doubts, cmd.writes()
	cmd.builds = true
	plans, err := loadPlans(ctx, cmd.env, args, cmd.loading)
	cmd.env.warn(doubts)
	if err != nil {
		return err
	}
	err = cmd.outputs.spare("suite file", planFiles(plans))
	if err == nil {
		err = cmd.outputs.spareBase(cmd.trees.saved)
	}
	if err != nil {
		return err
	}
	err = cmd.outputs.view.Check(viewNames(plans))
	if err != nil && cmd.hosts.AskAll(plans) {
		err = cmd.outputs.view.Check(viewNames(plans)) // a column may be what a function reports
	}
	if err != nil {
		return err
	}
	if cmd.shard.isSet() {
		if cmd.seed != "" {
			cmd.shard.seed = seed.String()
		}
		if err := cmd.shard.divide(ctx, cmd.env, plans, cmd.gates); err != nil {
			return err
		}
	}
	ready, without := prepare.Finish(ctx, plans, prepare.Finishing{
		Take:        cmd.shard.taker(cmd.env),
		NoSentinels: cmd.noSentinel,
		Trees:       &cmd.trees.Trees,
	})
	if cmd.shard.isSet() {
		cmd.env.say("%s", cmd.shard.shard.Text(cmd.shard.division, cmd.shard.by))
	}
	_ = reportVanished(cmd.env, ready.Plans()) // the run measures the other cases, and ends with the same status
	for _, plan := range without {
		cmd.env.say("%s: no sentinel: none of its cases is compared with another", plan.File)
	}
	cmd.journal.suites, _, _ = suitefiles.Resolve(args) // no error: plans has resolved the same arguments
	if cmd.text != nil {
		cmd.journal.suites = []string{plans[0].File + " " + plans[0].Hash} // other commands are another run
	}
	if cmd.text == nil || cmd.accept.file != "" { // the accept.yaml of a folder is for suite files
		cmd.accept.files, err = accepted.Files(ready.Plans(), cmd.accept.file, cmd.env.today())
	}
	if err != nil {
		return err
	}
	cmd.journal.suites = cmd.shard.names(cmd.journal.suites)
	return cmd.measure(ctx, ready, seed)
}

// writes lists the files and folders that the run writes.
func (cmd *runCommand) writes() (all []string) {
	for _, t := range cmd.outputs.parsed {
		if !t.IsStdout() {
			all = append(all, t.File)
		}
	}
	for _, name := range []string{cmd.journal.file, project.FolderOf(cmd.history)} {
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// checkFlags fails if a flag cannot be used, before any suite file is read.
func (cmd *runCommand) checkFlags() (seed draw.Seed, err error) {
	seed, err = seedOf(cmd.seed)
	for _, check := range []func() error{
		func() error { return cmd.journal.checkFlags(cmd.seed) },
		func() error { return cmd.profile.checkFlags(cmd.env.lookup) },
		cmd.outputs.checkTargets,
		func() error { return checkCIFiles(cmd.env, cmd.outputs.ci) },
		func() error { return cmd.against.checkFlags(false) },
		func() error { cmd.against.allCases = cmd.against.allCases || cmd.save; return nil },
		func() error { return cmd.shard.checkFlags(cmd.env) },
		func() error { return project.CheckSave(cmd.save, cmd.history) },
	} {
		if err != nil {
			break
		}
		err = check()
	}
	return seed, err
}

// measure is the flow of the whole program: plans → samples → verdicts → report.
func (cmd *runCommand) measure(ctx context.Context, ready prepare.Ready, seed draw.Seed) error {
	plans := ready.Plans()
	verdicts := cmd.gates.Judge(plans)
	past, err := cmd.readHistory(verdicts.Trends())
	if err != nil {
		return err
	}
	debug, err := cmd.debug()
	if err != nil {
		return err
	}
	if err := prepare.CheckTemporary(plans); err != nil {
		return err
	}
	commits := prepare.Commits(ctx, plans, cmd.env.cache(), cmd.written)
	defer commits() // no git process is left if the run ends before it needs them
	release, err := cmd.env.alone(ctx, planFiles(plans), cmd.noLock)
	if err != nil {
		return err
	}
	defer release() // runs after the journal is finished: the next run may need its file
	options := cmd.options(verdicts, seed, debug)
	journal, err := openJournal(cmd.env, ready, options, &cmd.journal, cmd.quiet)
	if err != nil {
		return err
	}
	over := false // stays false if suite itself fails, so that the journal is kept
	defer func() { finishJournal(cmd.env, journal, over, cmd.quiet) }()
	watch := cmd.env.watch(cmd.quiet || debug != nil)
	options.Observe = watch.Observe
	options.Finished = func(c *result.Case, isLast bool) {
		watch.Finished(progress.Case{
			Text:     table.FinishedCase(verdicts.Masked(c)),
			IsFailed: c.Failure != nil,
			IsLast:   isLast,
		})
	}
	if journal != nil {
		options.Journal = journal
		options.Seed = journal.Seed()
	}
	measured, unknown := commits()
	for _, err := range unknown {
		cmd.env.printError(err)
	}
	past = project.NotAfter(ctx, past, measured)
	stop := context.AfterFunc(ctx, func() { watch.Announce(signals.CleaningUp) })
	end := cmd.env.signals.During(options.Processes, watch.Announce)
	doc := runner.Run(ctx, plans, options)
	defer end() // not before the reports are written: a second signal must not cut them off
	stop()
	watch.Close()
	lost := journal != nil && journal.Err() != nil
	if lost {
		cmd.env.printError(journal.Err())
	}
	doc.Division = cmd.shard.division
	verdicts.Finish(doc, judge.Run{
		Interrupted: signals.Name(ctx),
		Unrecorded:  lost,
		Commits:     measured,
		Earlier:     cmd.trees.saved,
		Past:        past,
		Accept: func(doc *result.Document) {
			cmd.accept.judge(doc, cmd.filter.Empty(), cmd.env.today())
		},
	})
	failed := cmd.deliver(ctx, ready, doc, options)
	over = failed == nil && doc.Interrupted == "" && (journal == nil || journal.Err() == nil)
	if failed != nil && doc.Interrupted == "" {
		return failed
	}
	return exit(doc.Exit)
}

// deliver profiles the cases that were asked for, and writes the reports of a judged document. The error is exit status
// 3, if one of them could not be written.
func (cmd *runCommand) deliver(
	ctx context.Context, ready prepare.Ready, doc *result.Document, options runner.Options,
) error {
	cmd.takeProfiles(ctx, ready, doc, &cmd.profile, options, cmd.quiet)
	_ = doc.Seal() // writing the document will return the same error
	cmd.outputs.profiles = cmd.profile.files
	written, failed := cmd.outputs.deliver(cmd.env, doc)
	// last: on a full disk the reports that were asked for have the room
	cmd.env.results().Keep(doc, cmd.journal.suites, jsonFiles(written), cmd.profile.files)
	if cmd.save {
		failed = cmp.Or(failed, saveRun(context.WithoutCancel(ctx), cmd.env, doc, cmd.history))
	}
	return failed
}

func planFiles(plans []*spec.Plan) (files []string) {
	for _, plan := range plans {
		files = append(files, plan.File)
	}
	return files
}

// options are the options of the run, apart from its journal and what observes it.
func (cmd *runCommand) options(verdicts *judge.Judge, seed draw.Seed, debug io.Writer) runner.Options {
	options := cmd.env.runnerOptions()
	options.HostOf = cmd.hosts.Argv
	options.Link = cmd.hosts.Link
	options.Binaries = cmd.hosts.Binaries
	options.Built = cmd.trees.Built
	options.Seed = seed
	options.Steer = verdicts.Watch()
	options.Unsettled = verdicts.Watch().Unsettled
	options.Debug = debug
	options.Processes = &process.Set{}
	return options
}

// debug is the writer for notes of hosts on how they calibrate and size, nil if
// wire.DebugVariable does not ask for them.
func (cmd *runCommand) debug() (io.Writer, error) {
	words, _ := cmd.env.lookup(wire.DebugVariable)
	if on, err := wire.Debug(words); !on {
		return nil, err
	}
	return cmd.env.stderr, nil
}

func seedOf(text string) (draw.Seed, error) {
	if text == "" {
		return draw.NewSeed(), nil
	}
	return draw.ParseSeed(text)
}

// readHistory reads what gates need of the history. Without a history it returns no runs.
func (cmd *runCommand) readHistory(reads []gate.TrendRead) ([]history.Entry, error) {
	switch {
	case len(reads) == 0 && cmd.history != "" && !cmd.save:
		return nil, diag.Hinted("--history names the place of --save, and the run is not saved",
			"add --save, or a gate such as trend(time).drift < 5%, which reads it")
	case len(reads) == 0:
		return nil, nil
	}
	entries, unread, err := project.Store(cmd.history).Readable(judge.CasesOf(reads))
	cmd.env.warn(unread)
	if err != nil {
		return nil, diag.Hinted("gates read the history: "+err.Error(), "--history names another folder")
	}
	return entries, nil
}
