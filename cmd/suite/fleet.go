package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/fleet"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/manual"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/shard"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const fleetHelp = `Print the job with which an engine that you have measures a suite on several machines:
the script of a Slurm array, an Indexed Job of Kubernetes, a batch job of Nomad, or a
command line of GNU parallel. The head of the job has the commands that start it, and
suite merge, which joins the results.

Each of N machines measures one shard of the suite (suite run --shard) and saves one
result. Words after -- are further flags of suite run, which all shards get. A red gate
does not make a shard fail: suite merge judges all of them together. A shard that was
stopped is not started again.

Every shard gets CPUs that nothing else uses. It is stopped after --time, by default
twice the longest time that the gates can ask for, and ten minutes. Paths in the job
are those of the command line: start the job where they mean the same.`

const fleetExample = `  suite fleet slurm perf.yaml -n 4 -- --against origin/main > perf.sbatch
  suite fleet kubernetes perf.yaml -n 20 --image registry.example.org/perf:1 > perf.k8s.yaml
  suite fleet nomad perf.yaml -n 4 --image registry.example.org/perf:1 --time 1h > perf.nomad
  suite fleet parallel perf.yaml -n 4 --hosts node1,node2 | sh`

// fleetCommand is suite fleet.
type fleetCommand struct {
	env     env
	job     fleet.Job
	offline bool
	shared  runCommand // whose flags all shards get
}

func (cmd *fleetCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use:               "fleet ENGINE FILE… -n N [flags] [-- RUN-FLAGS]",
		Short:             "print a job that measures a suite on several machines",
		Long:              fleetHelp,
		Example:           fleetExample,
		ValidArgsFunction: completeFleet, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error { return cmd.run(c, args) },
	}
	own := c.Flags()
	own.IntVarP(&cmd.job.Shards, "shards", "n", 0, "the `NUMBER` of machines that measure a part each")
	own.StringVar(&cmd.job.Name, "name", "",
		"`NAME` of the job (default the suite's, with the time if a job can be run only once)")
	own.StringVar(&cmd.job.Results, "results", "",
		"`FOLDER` of the results, for kubernetes where the volume is mounted (default results, for "+
			"kubernetes /results)")
	own.DurationVar(&cmd.job.Limit, "time", 0,
		"stop a shard after this `TIME`, such as 1h30m (default derived from the suite)")
	own.IntVar(&cmd.job.CPUs, "cpus", 0, "`NUMBER` of whole CPUs of a shard (default for slurm the whole node, else 2)")
	own.IntVar(&cmd.job.Memory, "memory", 0,
		"memory of a shard in `MIB` (default for slurm the whole node's, else 2048)")
	own.StringVar(&cmd.job.Image, "image", "",
		"kubernetes, nomad: `IMAGE` with suite, sh, the suite file and what it measures")
	own.StringVar(&cmd.job.Claim, "claim", "",
		"kubernetes: PersistentVolumeClaim `NAME` for the results (default suite-results)")
	own.StringVar(&cmd.job.Hosts, "hosts", "",
		"parallel: `LIST` of machines, as its --sshlogin takes them (default this one)")
	own.BoolVar(&cmd.offline, "offline", false,
		"build and start nothing to list the cases: names of functions are not checked")
	for _, name := range []string{"shards", "name", "cpus", "memory", "image", "claim", "hosts"} {
		complete(c, name, cobra.NoFileCompletions)
	}
	complete(c, "results", folders)
	return c
}

// completeFleet completes the engine, then suite files.
func completeFleet(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return fleet.Names(), cobra.ShellCompDirectiveNoFileComp
	}
	return suiteArgs(c, args, word)
}

func (cmd *fleetCommand) run(c *cobra.Command, args []string) error {
	var words []string // of suite run
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		args, words = args[:dash], args[dash:]
	}
	engine, err := fleet.Find(args, func(arg string) bool { return suitefiles.IsName(arg) || paths.IsFolder(arg) },
		suitefiles.HintHere)
	if err != nil {
		return err
	}
	job := &cmd.job
	for _, file := range args[1:] {
		job.Suites = append(job.Suites, filepath.ToSlash(file))
	}
	job.Flags = words
	problems := append(cmd.withoutMeaning(c, engine), engine.Check(job)...)
	if err := errors.Join(append(problems, cmd.passOn(words))...); err != nil {
		return err
	}
	most, err := cmd.longest(cmd.env.orderly(c), args[1:])
	if err != nil {
		return err
	}
	if job.Limit == 0 {
		job.Limit = fleet.Limit(most)
		if job.Limit > longLimit {
			cmd.env.say("a shard may take %s, and is stopped only then: --time 1h is a limit of your own",
				units.Format(job.Limit.Seconds(), "s"))
		}
	}
	if job.Name == "" {
		job.Name = engine.NameOf(args[1], cmd.env.now())
	}
	text, err := engine.Write(*job)
	if err != nil {
		return err
	}
	_, err = io.WriteString(cmd.env.stdout.Report("job"), text)
	return err
}

// longLimit is longer than anybody expects the shard of a suite to take.
const longLimit = 24 * time.Hour

// withoutMeaning refuses flags for other engines.
func (cmd *fleetCommand) withoutMeaning(c *cobra.Command, engine fleet.Engine) (all []error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if names := fleet.Takers(f.Name); len(names) > 0 && !slices.Contains(names, engine.Name) {
			all = append(all,
				diag.Hinted(fmt.Sprintf("--%s has no meaning for %s", f.Name, engine.Name),
					"it is for "+strings.Join(names, ", ")))
		}
	})
	return all
}

// passOn reads the flags of suite run, so that mistakes are found before the job starts.
func (cmd *fleetCommand) passOn(words []string) error {
	cmd.shared.env = cmd.env
	run := cmd.shared.command()
	(&cobra.Command{Use: "suite"}).AddCommand(run) // errors name suite run
	keepOrder(run)                                 // mistakes are listed in the order of the words
	err := manual.SingleDash(run, words)
	if err == nil {
		err = run.ParseFlags(words)
		if err != nil {
			err = flagError(run, err)
		}
	}
	if err != nil {
		return err
	}
	var all []error
	run.Flags().Visit(func(f *pflag.Flag) {
		if hint := fleet.NotPassedOn(f.Name); hint != "" {
			all = append(all, diag.Hinted(fmt.Sprintf("--%s has no meaning for one shard", f.Name), hint))
		}
	})
	for _, name := range cmd.shared.typedFlags.given() {
		all = append(all,
			diag.Hinted(fmt.Sprintf("--%s has a meaning for commands without a suite file", name),
				"suite run --write FILE makes a suite file of them"))
	}
	if rest := run.Flags().Args(); len(rest) > 0 {
		all = append(all,
			diag.Hinted(fmt.Sprintf("%q after -- is no flag of suite run", rest[0]),
				"suite files are in front of the --"))
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	_ = run.Flags().Set("shard", "1/1") // so that flags about shards have a meaning; divided sets the number
	_, err = cmd.shared.checkFlags()
	return err
}

// longest is the longest time for which any shard may be measured. It fails if the suite
// cannot be divided among so many.
func (cmd *fleetCommand) longest(ctx context.Context, files []string) (most time.Duration, err error) {
	run := &cmd.shared
	run.overrides, err = run.settings.overrides()
	if err != nil {
		return 0, err
	}
	against := run.against
	run.against = againstFlags{} // trees are built where they are measured
	run.offline, run.gates = cmd.offline, &judge.Gates{}
	plans, err := loadPlans(ctx, cmd.env, files, run.loading)
	if err != nil {
		return 0, err
	}
	if against.base != "" && !against.isResult() {
		compareAll(plans)
	}
	return shard.Longest(plans, cmd.job.Shards, func(shards int) (*result.Division, error) {
		flags := run.shard
		flags.shard.Count = shards
		err := flags.divide(ctx, cmd.env, plans, run.gates)
		return flags.division, err
	})
}

// compareAll gives every case another side, as the shards will.
func compareAll(plans []*spec.Plan) {
	for _, plan := range plans {
		for i := range plan.Cases {
			plan.Cases[i].CompareWith(&spec.Other{})
		}
	}
}
