package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/accepted"
	"example.com/suite/internal/ci"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/plantext"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/problems"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/report/page"
	"example.com/suite/spec"
	"example.com/suite/timer/probe"
	"github.com/spf13/cobra"
)

const checkHelp = `Check suite files without running anything in them. It prints every problem of every
file, and of the accept.yaml in its folder, with its place. A host process is started
to list the Go functions that are registered, and test binaries of gotest: are built
to list their benchmarks; --offline does neither, and does not check those names. If
a gate names a metric that nothing declares, the function of its case is set up and its
loop runs one iteration, because it may report the metric.

--format json, sarif or github writes problems and warnings for programs on standard
output, each with its place, a code, the message and a hint; --plan --format json
writes the plan. The exit status is the
same in all formats: 0 without problems, whatever the warnings are, and 2 with problems.
What is wrong with the command line itself is on standard error in all formats.`

const checkExample = `  suite check suites/
  suite check --plan suite.yaml      settings of every case and where each came from
  suite check --plan --format json suite.yaml
  suite check --against main --why suite.yaml   what a run would measure, and why
  suite check --shard 1/4 bench/     how the cases would be divided
  suite check --format sarif bench/ > suite.sarif`

// checkCommand is suite check.
type checkCommand struct {
	env env
	loading
	settings   settingFlags
	shard      shardFlags
	plan       bool
	why        bool // print why each case is measured or not
	affected   bool // of suite list: print the names of the cases that are measured
	format     string
	planFormat string // in place of format, if the plan is printed: problems are then text on standard error
}

func (cmd *checkCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "check [FILE…]", Short: "find mistakes in suite files", Long: checkHelp, Example: checkExample,
		Args: suiteFileArgs, ValidArgsFunction: suiteArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return cmd.run(cmd.env.orderly(c), namedOrOnly(args))
		},
	}
	filterFlags(c, cmd.env, &cmd.filter)
	cmd.against.flags(c)
	cmd.shard.flags(c)
	cmd.settings.flags(c)
	c.Flags().BoolVar(&cmd.plan, "plan", false, "print what a run would do")
	c.Flags().BoolVar(&cmd.why, "why", false,
		"with --against: print for each case what it reads that has changed, or that nothing has")
	c.Flags().StringVar(&cmd.format, "format", checkText,
		"`FORMAT` of the problems, and of --plan (text, json): "+strings.Join(checkFormats(), ", "))
	complete(c, "format", choices(checkFormats()))
	c.Flags().BoolVar(&cmd.offline, "offline", false,
		"build and start nothing: names of functions and existing benchmarks are not checked")
	return c
}

func (cmd *checkCommand) run(ctx context.Context, args []string) error {
	if err := cmd.checkFormat(); err != nil {
		return err
	}
	overrides, err := cmd.settings.overrides()
	if err != nil {
		return err
	}
	if spec.ListsTimers(overrides, cmd.env.lookup) {
		return cmd.env.printPage(probe.ListPage(timers())...)
	}
	cmd.overrides = overrides
	if err := cmd.against.checkFlags(cmd.offline); err != nil {
		return err
	}
	if (cmd.why || cmd.affected) && (cmd.against.base == "" || cmd.against.isResult()) {
		return diag.Hinted("--why and --affected have a meaning only if trees are compared",
			"--against main names a revision")
	}
	if err := cmd.shard.checkFlags(cmd.env); err != nil {
		return err
	}
	cmd.trees = &others{}
	defer cmd.trees.Close()
	if cmd.shard.isSet() || cmd.why || cmd.affected {
		cmd.gates = &judge.Gates{}
		cmd.hosts = newHosts(ctx, cmd.env)
		cmd.hosts.Deep = !cmd.offline // as a run does, so that the cases are the same
	}
	var doubts diag.Problems
	cmd.doubts = &doubts
	plans, err := loadPlans(ctx, cmd.env, args, cmd.loading)
	wrong, isWrong := diag.AsProblems(err)
	if err != nil && !isWrong {
		return err
	}
	more, err := cmd.acceptProblems(args)
	if err != nil {
		return err
	}
	wrong = append(wrong, more...)
	doubts = append(doubts, prepare.MissingPrograms(plans)...)
	if cmd.format != checkText {
		if err := cmd.writeProblems(plans, doubts, wrong, cmd.format); err != nil {
			return err
		}
	} else {
		cmd.env.warn(doubts)
		if err := wrong.Err(); err != nil {
			return err
		}
		if cmd.shard.isSet() {
			if err := cmd.shard.divide(ctx, cmd.env, plans, cmd.gates); err != nil {
				return err
			}
		}
		finishing := prepare.Finishing{}
		if cmd.plan {
			finishing.Take = cmd.shard.taker(cmd.env)
		}
		ready, _ := prepare.Finish(ctx, plans, finishing) // a run reports the plans without a sentinel
		plans = ready.Plans()
		if err := cmd.printChecked(plans); err != nil {
			return err
		}
	}
	return reportVanished(cmd.env, plans)
}

// checkText is the format of suite check for people.
const checkText = formatText

func checkFormats() []string { return append([]string{checkText}, problems.Formats()...) }

func (cmd *checkCommand) checkFormat() error {
	if err := diag.OneOf("format", cmd.format, checkFormats()); err != nil || !cmd.plan {
		return err
	}
	if !slices.Contains(textOrJSON, cmd.format) {
		return diag.Hinted(fmt.Sprintf("--format %s is about problems, and a plan is printed as text or json", cmd.format),
			"--format json, or without --plan")
	}
	cmd.planFormat, cmd.format = cmd.format, checkText
	return nil
}

// acceptProblems checks the accept.yaml in the folders of suite files, also if a suite
// file has problems, so that all are found at once.
func (cmd *checkCommand) acceptProblems(args []string) (diag.Problems, error) {
	paths, _, err := suitefiles.Resolve(args)
	if err != nil {
		return nil, err
	}
	var plans []*spec.Plan
	for _, path := range paths {
		plans = append(plans, &spec.Plan{File: path})
	}
	_, err = accepted.Files(plans, "", cmd.env.today())
	if wrong, ok := diag.AsProblems(err); ok {
		return wrong, nil
	}
	return nil, err
}

// writeProblems writes what was found for programs. The error is the exit status.
func (cmd *checkCommand) writeProblems(plans []*spec.Plan, doubts, wrong diag.Problems, format string) error {
	r := problems.Report{Version: version(), Path: ci.InRepository(cmd.env.variable)}
	for _, plan := range plans {
		r.Suites = append(r.Suites, problems.Suite{
			File:  plan.File,
			Name:  plan.Suite,
			Cases: len(plan.Cases),
			Gates: plantext.Gates(plan),
		})
	}
	r.Add(problems.Error, wrong)
	r.Add(problems.Warning, doubts)
	if err := r.Write(cmd.env.stdout.Report(format), format); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return status(exitUsage)
	}
	return nil
}

func (cmd *checkCommand) printChecked(plans []*spec.Plan) error {
	switch {
	case cmd.planFormat == "json":
		return cmd.env.printJSON(plans)
	case cmd.plan:
		return cmd.printPlans(plans)
	case cmd.why || cmd.affected:
		return cmd.env.printPage(plantext.Whys(plans, cmd.affected))
	}
	if cmd.offline {
		fmt.Fprintln(cmd.env.stderr, "suite: offline: names of Go functions and existing benchmarks were not checked")
	}
	blocks := []page.Block{plantext.Counts(plans)}
	if cmd.shard.isSet() {
		blocks = append(blocks, cmd.shard.shard.Page(cmd.shard.division)...)
	}
	return cmd.env.printPage(blocks...)
}

func (cmd *checkCommand) printPlans(plans []*spec.Plan) error {
	texts := make([]string, len(plans))
	for i, plan := range plans {
		var b strings.Builder
		if err := plan.Text(&b); err != nil {
			return err
		}
		texts[i] = cleanLines(b.String() + plantext.Comparisons(plan))
	}
	_, err := io.WriteString(cmd.env.words(), strings.Join(texts, "\n"))
	return err
}

const listExample = `  suite list suites/
  suite list --tag io --only 'sort/*' suite.yaml
  suite list --against main --affected suite.yaml   what a run would measure`

// listCommand is suite list.
type listCommand struct {
	env env
	loading
	affected bool // only the cases that a run with --against would measure
	format   string
}

func (cmd *listCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "list [FILE…]", Short: "list the cases of suites", Example: listExample,
		Long: "List the cases of suite files in the order of the files, after expansion. The filters\nare the " +
			"same as for run. With --against REV --affected, print only the names of the cases\nthat a run against " +
			"REV would measure, each on its line, for scripts.",
		Args: suiteFileArgs, ValidArgsFunction: suiteArgs,
		RunE: func(c *cobra.Command, args []string) error {
			args = namedOrOnly(args)
			json, err := isJSON(cmd.format)
			switch {
			case err != nil:
				return err
			case cmd.affected != cmd.against.given() || cmd.affected && json:
				return diag.Hinted("--against and --affected belong together, and print names only",
					"suite list --against main --affected suite.yaml")
			case cmd.affected:
				check := &checkCommand{env: cmd.env, loading: cmd.loading, affected: true, format: checkText}
				return check.run(cmd.env.orderly(c), args)
			}
			plans, err := loadPlans(cmd.env.orderly(c), cmd.env, args, cmd.loading)
			if err != nil {
				return err
			}
			if json {
				return cmd.env.printJSON(plantext.List(plans))
			}
			return cmd.printList(plans)
		},
	}
	filterFlags(c, cmd.env, &cmd.filter)
	cmd.against.flags(c)
	c.Flags().BoolVar(&cmd.affected, "affected", false,
		"with --against: print the names of the cases that a run would measure")
	c.Flags().BoolVar(&cmd.offline, "offline", false,
		"build and start nothing: names of functions and existing benchmarks are not checked")
	formatFlag(c, &cmd.format)
	return c
}

func (cmd *listCommand) printList(plans []*spec.Plan) error {
	t := &page.Table{Columns: page.Heads("SUITE", "CASE", "KIND", "GATES", "TAGS")}
	for _, l := range plantext.List(plans) {
		t.Add(l.Suite, l.Name, l.Kind, fmt.Sprint(l.Gates), strings.Join(l.Tags, ", "))
	}
	return cmd.env.printPage(t)
}
