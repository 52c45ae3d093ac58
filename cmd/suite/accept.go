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
	env   env
	asked accepted.Request
}

func (cmd *acceptCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "accept CASE FILE", Short: "accept a failing gate until a day, or a change over commits",
		Long: acceptHelp, Example: acceptExample,
		ValidArgsFunction: suiteArgs,
		RunE:              func(c *cobra.Command, args []string) error { return cmd.run(cmd.env.orderly(c), args) },
	}
	c.Flags().StringVar(&cmd.asked.Gate, "gate", "", "`NAME` of the gate")
	c.Flags().StringVar(&cmd.asked.Until, "until", "",
		"last `DAY`, such as 2026-12-31, 30d or 6w; at most a year from now")
	c.Flags().StringVar(&cmd.asked.Commit, "commit", "", "acknowledge the change of CASE at the commit `HASH`")
	c.Flags().StringVar(&cmd.asked.Reason, "reason", "",
		"why the failure or change is accepted, a `TEXT` of three words or more")
	c.Flags().StringVar(&cmd.asked.By, "by", "", "`NAME` of the person who accepts it")
	c.Flags().StringVar(&cmd.asked.File, "file", "",
		"use `FILE` instead of the "+accept.FileName+" in the folder of the suite file")
	c.Flags().StringVar(&cmd.asked.History, "history", "", historyFlagHelp+", with --commit")
	complete(c, "history", historyPlaces)
	complete(c, "commit", cmd.completeChanged)
	complete(c, "gate", completer{cmd.env}.gate)
	complete(c, "until", choices([]string{"14d", "30d", "6w", "12w"}))
	complete(c, "file", filesEnding("yaml", "yml"))
	c.Flags().BoolVar(&cmd.asked.List, "list", false, "list the entries of suite files and their state")
	c.Flags().BoolVar(&cmd.asked.Remove, "remove", false, "remove an entry")
	return c
}

func (cmd *acceptCommand) run(ctx context.Context, args []string) error {
	if err := cmd.asked.Check(args); err != nil {
		return err
	}
	if cmd.asked.List {
		return cmd.printList(ctx, args)
	}
	plan, err := cmd.onePlan(ctx, args[1])
	if err != nil {
		return err
	}
	f, done, err := cmd.asked.Change(args[0], plan, cmd.env.today(), func() ([]history.Entry, error) {
		return readRunsOf(ctx, cmd.env, project.Store(cmd.asked.History), history.AnyCase)
	})
	if err != nil {
		return err
	}
	return cmd.write(f, done)
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
	files, err := accepted.Files(plans, cmd.asked.File, today)
	if err != nil {
		return err
	}
	return cmd.env.printPage(accepted.List(files, today))
}

// completeChanged completes the commits at which cases of the history changed, each with its subject.
func (cmd *acceptCommand) completeChanged(
	*cobra.Command, []string, string,
) (words []string, _ cobra.ShellCompDirective) {
	entries, err := project.Store(cmd.asked.History).Read(history.AnyCase)
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
