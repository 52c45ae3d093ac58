package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/accepted"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"github.com/spf13/cobra"
)

// acknowledgedFlag adds the flag of the file of acknowledged changes.
func acknowledgedFlag(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "accept", "",
		"take acknowledged changes from `FILE` instead of each "+accept.FileName+
			" of the repository that a suite file is next to")
	complete(c, "accept", filesEnding("yaml", "yml"))
}

// acknowledged reads the acknowledged changes of file, or of the accept.yaml next to each suite file of
// the repository if file is empty. The error is diag.Problems if contents are wrong, or about something
// that the history does not have.
func acknowledged(
	ctx context.Context, file string, entries []history.Entry, today accept.Day,
) ([]trend.Acknowledged, error) {
	files := []string{file}
	if file == "" {
		files = slices.DeleteFunc(project.FilesNamed(ctx, accept.FileName), func(path string) bool {
			suites, err := suitesIn(filepath.Dir(path))
			return err != nil || len(suites) == 0
		})
	}
	changes, err := accepted.Changes(files, today)
	switch {
	case errors.Is(err, fs.ErrNotExist) && file != "":
		return nil, suitefiles.NotFound(file)
	case err != nil:
		return nil, err
	}
	var all []trend.Acknowledged
	for _, e := range changes {
		all = append(all, trend.Acknowledged{
			Suite:  e.Suite,
			Case:   e.Case,
			Commit: e.Commit,
			Reason: e.Reason,
			At:     e.At,
			Place:  e.Place,
		})
	}
	return all, trend.CheckAcknowledged(all, entries)
}

// changesOf are the keys of the changes at a commit, of the cases of a suite that a pattern matches.
// There is at least one, else the error names changes that there are.
func (cmd *acceptCommand) changesOf(ctx context.Context, suite, pattern, commit string) (keys []accept.Key, err error) {
	store := project.Store(cmd.history)
	entries, err := readRunsOf(cmd.env, store, history.AnyCase)
	if err != nil {
		return nil, err
	}
	all := trend.OfAll(entries, trend.Options{Least: trend.Least})
	all = slices.DeleteFunc(all, func(s trend.Series) bool {
		return s.Suite != suite || !filter.Match(pattern, s.Case)
	})
	if len(all) == 0 {
		return nil, diag.Hinted("the history has no case that "+pattern+" matches in suite "+suite,
			"suite history show lists the cases")
	}
	for _, c := range trend.ChangedAt(all, commit) {
		keys = append(keys, accept.Key{Suite: c.Suite, Case: c.Case, Commit: display.Commit(c.Commit)})
	}
	if len(keys) == 0 {
		hint := "suite trend shows the changes"
		if commits := trend.CommitsOfChanges(all); len(commits) > 0 {
			hint = "there are changes at " + units.List(commits, suitefiles.MostNamed)
		}
		return nil, diag.Hinted("no case that "+pattern+" matches changed at "+commit, hint)
	}
	return keys, nil
}

// completeChanged completes the commits at which cases of the history changed, each with its subject.
func (cmd *acceptCommand) completeChanged(
	*cobra.Command, []string, string,
) (words []string, _ cobra.ShellCompDirective) {
	entries, err := project.Store(cmd.history).Read(history.AnyCase)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all := trend.OfAll(entries, trend.Options{Least: trend.Least})
	subjects := map[string]string{}
	for i := range entries {
		subjects[display.Commit(entries[i].Commit)] = entries[i].Subject
	}
	for _, commit := range trend.CommitsOfChanges(all) {
		words = append(words, strings.TrimSuffix(commit+"\t"+clean(subjects[commit]), "\t"))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
