package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/accepted"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/units"
	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

const acceptHelp = `Accept that a gate fails until a day, for a reason. The entry is written to
accept.yaml in the folder of the suite file, to be reviewed and committed like code;
the file has the entries of all suites in its folder. Until that day the gate is shown
as failed and accepted, and does not make a run fail. The day ends at midnight UTC;
after it the gate fails again. Errors, and cases that could not be measured, are never
accepted.

CASE is the name of a case and --gate the name of one of its gates, as suite check
--plan shows them; the name of a gate without one is its expression. The same command
again renews an entry. In suite run, --strict refuses entries that are unused or
expired.

With --commit, the change of a case that suite trend and suite site name at a commit is
acknowledged: they show it with its reason, and no longer among the changes that somebody
has to look at. It is past, so there is no last day. CASE may be a pattern in which *
matches any text; an entry is written for each case that changed there.`

const acceptExample = "" +
	`  suite accept sha256/64KiB --gate tolerance --until 30d --reason "waits for #12 to land" suite.yaml
  suite accept sort --gate 'time.median < 2ms' --until 2026-12-31 --reason "old runners only" suite.yaml
  suite accept 'parse/*' --commit 9070d49a1a --reason "bought by safer checks" suite.yaml
  suite accept --list bench/
  suite accept --remove sha256/64KiB --gate tolerance suite.yaml`

// acceptCommand is suite accept.
type acceptCommand struct {
	env                           env
	gate, until, reason, by, file string
	commit, history               string
	list, remove                  bool
}

func (cmd *acceptCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "accept CASE FILE", Short: "accept a failing gate until a day, or a change over commits",
		Long: acceptHelp, Example: acceptExample,
		ValidArgsFunction: suiteArgs,
		RunE:              func(c *cobra.Command, args []string) error { return cmd.run(cmd.env.orderly(c), args) },
	}
	c.Flags().StringVar(&cmd.gate, "gate", "", "`NAME` of the gate")
	c.Flags().StringVar(&cmd.until, "until", "", "last `DAY`, such as 2026-12-31, 30d or 6w; at most a year from now")
	c.Flags().StringVar(&cmd.commit, "commit", "", "acknowledge the change of CASE at the commit `HASH`")
	c.Flags().StringVar(&cmd.reason, "reason", "",
		"why the failure or change is accepted, a `TEXT` of three words or more")
	c.Flags().StringVar(&cmd.by, "by", "", "`NAME` of the person who accepts it")
	c.Flags().StringVar(&cmd.file, "file", "",
		"use `FILE` instead of the "+accept.FileName+" in the folder of the suite file")
	c.Flags().StringVar(&cmd.history, "history", "", historyFlagHelp+", with --commit")
	complete(c, "history", historyPlaces)
	complete(c, "commit", cmd.completeChanged)
	complete(c, "gate", completer{cmd.env}.gate)
	complete(c, "until", choices([]string{"14d", "30d", "6w", "12w"}))
	complete(c, "file", filesEnding("yaml", "yml"))
	c.Flags().BoolVar(&cmd.list, "list", false, "list the entries of suite files and their state")
	c.Flags().BoolVar(&cmd.remove, "remove", false, "remove an entry")
	return c
}

func (cmd *acceptCommand) run(ctx context.Context, args []string) error {
	if err := cmd.checkArgs(args); err != nil {
		return err
	}
	if cmd.list {
		return cmd.printList(ctx, args)
	}
	plan, err := cmd.onePlan(ctx, args[1])
	if err != nil {
		return err
	}
	path, err := accepted.Open(cmd.file, plan.File)
	if err != nil {
		return err
	}
	f, done, err := cmd.change(path, args[0], plan)
	if err != nil {
		return err
	}
	return cmd.write(f, done)
}

// change returns the file at path as the command line changes it, and what was done.
func (cmd *acceptCommand) change(path, name string, plan *spec.Plan) (f *accept.File, done string, err error) {
	today := cmd.env.today()
	key := accept.Key{Suite: plan.Suite, Case: name, Gate: cmd.gate}
	switch {
	case cmd.commit != "":
		hash, fault := accept.CheckCommit(cmd.commit)
		if fault != nil {
			return nil, "", diag.Hinted("--"+fault.Message, fault.Hint)
		}
		key.Commit = hash
		if cmd.remove {
			return accepted.Unacknowledge(path, key, today)
		}
		entries, err := readRunsOf(cmd.env, project.Store(cmd.history), history.AnyCase)
		if err != nil {
			return nil, "", err
		}
		changes, err := accepted.ChangedAt(entries, plan.Suite, name, hash)
		if err != nil {
			return nil, "", err
		}
		return accepted.Acknowledge(path, changes, cmd.reason, cmd.by, today)
	case cmd.remove:
		return accepted.Remove(path, key, today)
	}
	return accepted.Add(path, accepted.Request{Key: key, Until: cmd.until, Reason: cmd.reason, By: cmd.by}, plan, today)
}

// checkArgs refuses arguments and flags that do not fit together.
func (cmd *acceptCommand) checkArgs(args []string) error {
	const usage = `for example: suite accept CASE --gate GATE --until 30d --reason "why it may fail" suite.yaml`
	const usageOfChange = `for example: suite accept CASE --commit HASH --reason "what it was for" suite.yaml`
	given := func(flags ...string) bool { return strings.Join(flags, "") != "" }
	switch {
	case cmd.list && cmd.remove:
		return diag.Hinted("--list and --remove exclude each other", "")
	case cmd.list && given(cmd.gate, cmd.commit, cmd.until, cmd.reason, cmd.by):
		return diag.Hinted("--list takes no gate, commit, day or reason", "for example: suite accept --list suite.yaml")
	case cmd.list && len(args) == 0:
		return diag.Hinted("suite accept --list needs a suite file", "for example: suite accept --list suite.yaml")
	case cmd.list:
		return nil
	case cmd.remove && given(cmd.until, cmd.reason, cmd.by):
		return diag.Hinted("--remove takes no day or reason",
			"for example: suite accept --remove CASE --gate GATE suite.yaml")
	case len(args) != 2:
		return diag.Hinted(fmt.Sprintf("suite accept needs a case and a suite file, got %s",
			units.Plural(len(args), "argument")),
			usage)
	case cmd.commit != "" && given(cmd.gate, cmd.until):
		return diag.Hinted("--commit takes no gate and no day: a change is past, and stays acknowledged",
			usageOfChange)
	case cmd.commit == "" && cmd.history != "":
		return diag.Hinted("--history is for --commit", usage)
	case !cmd.remove && cmd.commit == "" && cmd.until == "":
		return diag.Hinted("--until is missing: nothing is accepted for ever", usage)
	case !cmd.remove && cmd.reason == "" && cmd.commit != "":
		return diag.Hinted("--reason is missing: whoever reviews it wants to know why", usageOfChange)
	case !cmd.remove && cmd.reason == "":
		return diag.Hinted("--reason is missing: whoever reviews it wants to know why", usage)
	}
	return nil
}

// onePlan loads the suite of a file, and refuses a folder with several.
func (cmd *acceptCommand) onePlan(ctx context.Context, file string) (*spec.Plan, error) {
	plans, err := loadPlans(ctx, cmd.env, []string{file}, loading{})
	switch {
	case err != nil:
		return nil, err
	case len(plans) > 1:
		return nil, diag.Hinted(fmt.Sprintf("%q has %s", file, units.Plural(len(plans), "suite")),
			"name the suite file that has the case")
	}
	return plans[0], nil
}

// write replaces a file of accepted failures and prints what was done.
func (cmd *acceptCommand) write(f *accept.File, done string) error {
	text, err := f.Text()
	if err != nil {
		return err
	}
	err = report.WriteFile(f.Name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return cmd.env.fail(err)
	}
	return cmd.env.printLine(f.Name + ": " + done)
}

// printList prints the entries for suite files and the state of each.
func (cmd *acceptCommand) printList(ctx context.Context, args []string) error {
	plans, err := loadPlans(ctx, cmd.env, args, loading{})
	if err != nil {
		return err
	}
	today := cmd.env.today()
	files, err := accepted.Files(plans, cmd.file, today)
	if err != nil {
		return err
	}
	return cmd.env.printPage(accepted.List(files, today))
}

// completeChanged completes the commits at which cases of the history changed, each with its subject.
func (cmd *acceptCommand) completeChanged(
	*cobra.Command, []string, string,
) (words []string, _ cobra.ShellCompDirective) {
	entries, err := project.Store(cmd.history).Read(history.AnyCase)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	subjects := map[string]string{}
	for i := range entries {
		subjects[display.Commit(entries[i].Commit)] = entries[i].Subject
	}
	for _, commit := range accepted.Commits(entries) {
		words = append(words, strings.TrimSuffix(commit+"\t"+clean(subjects[commit]), "\t"))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// acceptFlags are the flags of accepted failures, and the files that were read.
type acceptFlags struct {
	file   string
	strict bool
	files  []accepted.File // set before anything is measured
}

func (a *acceptFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.file, "accept", "",
		"take accepted failures from `FILE` instead of the "+accept.FileName+" in the folder of each suite file")
	complete(c, "accept", filesEnding("yaml", "yml"))
	c.Flags().BoolVar(&a.strict, "strict", false,
		"exit with 4 if anything is undecided: inconclusive gates, acceptances that are unused or expired, "+
			"nothing judged or compared")
}

// judge marks the accepted failures in a document whose gates have been judged. whole
// reports that no filter left a case out, so an entry without a failure is unused.
func (a *acceptFlags) judge(doc *result.Document, whole bool, today accept.Day) {
	accepted.Judge(doc, a.files, whole, today)
	if a.strict {
		doc.MakeStrict()
	}
}
