package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/internal/pegview"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/spec"
	"example.com/suite/timer"
	"github.com/spf13/cobra"
)

// The functions in this file complete the values of flags. A shell calls them while
// somebody types, so they start no host and build nothing, and an error completes nothing.

// complete registers a function for a flag.
func complete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	_ = c.RegisterFlagCompletionFunc(flag, f) // fails only for an unknown flag
}

// folders completes a flag or an argument with folders.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// suiteArgs completes arguments with suite files and folders, and words of a command after
// -- as the shell does.
func suiteArgs(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if dash := c.ArgsLenAtDash(); dash >= 0 && dash < len(args) { // cobra adds a -- at the end itself
		return nil, cobra.ShellCompDirectiveDefault
	}
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// resultArgs completes arguments with results and suite files.
func resultArgs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json", "yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// resultFiles completes arguments with results.
func resultFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// anyFile completes a flag with files.
func anyFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// filesEnding completes a flag with files of some extensions.
func filesEnding(extensions ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// fromPlans completes a flag with words from the suite files that are already on the
// command line.
func (e env) fromPlans(words func([]*spec.Plan) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		plans, err := e.plans(c.Context(), args, loading{offline: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return units.Distinct(words(plans)), cobra.ShellCompDirectiveNoFileComp
	}
}

// fromCases completes a flag with words of the cases in the suite files that are
// already on the command line.
func (e env) fromCases(words func(*spec.Case) []string) cobra.CompletionFunc {
	return e.fromPlans(func(plans []*spec.Plan) (all []string) {
		for _, plan := range plans {
			for i := range plan.Cases {
				all = append(all, words(&plan.Cases[i])...)
			}
		}
		return all
	})
}

// namesToView lists the metrics and parameters that the suite files or results on the
// command line have, or without any those that every case may have.
func (e env) namesToView(ctx context.Context, args []string) table.Names {
	if len(args) > 0 && !isSuiteName(args[0]) || len(args) == 0 {
		if paths, _, err := e.resultPaths(args); err == nil {
			if doc, err := saved.Read(paths[0]); err == nil {
				return table.NamesOf(doc)
			}
		}
	}
	plans, err := e.plans(ctx, args, loading{offline: true})
	if err != nil {
		return table.Names{}
	}
	return viewNames(plans)
}

// completeColumns completes the last of several columns between commas, and after a point
// the statistics of a metric.
func (e env) completeColumns(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	before, last := "", toComplete
	if i := strings.LastIndex(toComplete, ","); i >= 0 {
		before, last = toComplete[:i+1], toComplete[i+1:]
	}
	var words []string
	for _, key := range table.Keys(e.namesToView(c.Context(), args)) {
		words = append(words, before+key)
		if metric, _, cut := strings.Cut(last, "."); cut && metric == key {
			for _, statistic := range table.Statistics() {
				words = append(words, before+key+"."+statistic)
			}
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeSort completes a key, and the directions after a comma.
func (e env) completeSort(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if key, _, cut := strings.Cut(toComplete, ","); cut {
		return []string{key + ",asc", key + ",desc"}, cobra.ShellCompDirectiveNoFileComp
	}
	words := append([]string{"name"}, table.Keys(e.namesToView(c.Context(), args))...)
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// sortWords lists each key alone and with both directions.
func sortWords(keys []string) (words []string) {
	for _, key := range keys {
		words = append(words, key, key+",asc", key+",desc")
	}
	return words
}

func (e env) completeParams(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return units.Distinct(e.namesToView(c.Context(), args).Params), cobra.ShellCompDirectiveNoFileComp
}

// completeTarget completes FORMAT=FILE: the format, then any file.
func completeTarget(formats []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
		if strings.Contains(toComplete, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		for _, format := range formats {
			words = append(words, format+"=")
		}
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeTimer completes "clock=NAME cycle=NAME": the last word of it.
func completeTimer(_ *cobra.Command, _ []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
	before := toComplete[:strings.LastIndex(toComplete, " ")+1]
	for _, s := range timer.Subtimers() {
		key := "clock="
		if s.Kind == timer.KindCycle {
			key = "cycle="
		}
		if !strings.Contains(before, key) {
			words = append(words, before+key+s.Name+"\t"+s.Help)
		}
	}
	if before == "" {
		words = append(words, "list\tshow what works here")
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeSetting completes KEY=VALUE: the key of a setting, then its words if it has some.
func completeSetting(_ *cobra.Command, _ []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
	_, _, hasKey := strings.Cut(toComplete, "=")
	for _, s := range spec.ListSettings() {
		if !hasKey {
			words = append(words, s.Key+"=\t"+s.Help)
		}
		for _, word := range s.Words {
			words = append(words, s.Key+"="+word)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// gitPatience is how long a shell waits for the names of revisions.
const gitPatience = 2 * time.Second

// completeRevision completes --against with branches and tags of the repository in which
// the first suite file is, else with files: a folder or a saved result.
func completeRevision(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	folder := "."
	if len(args) > 0 {
		folder = filepath.Dir(args[0])
	}
	ctx, cancel := context.WithTimeout(c.Context(), gitPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "-C", folder, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes").Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return append(strings.Fields(string(out)), "HEAD", "HEAD~1"), cobra.ShellCompDirectiveDefault
}

// completeGate completes suite accept --gate with the gates of the case that is already on
// the command line, or of all cases.
func (e env) completeGate(c *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
	name, files := "", args
	if len(args) > 0 && !isSuiteName(args[0]) {
		name, files = args[0], args[1:]
	}
	plans, err := e.plans(c.Context(), files, loading{offline: true})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, plan := range plans {
		for i := range plan.Cases {
			for j := range plan.Cases[i].Gates {
				if name == "" || plan.Cases[i].Name == name {
					words = append(words, plan.Cases[i].Gates[j].ID)
				}
			}
		}
	}
	return units.Distinct(words), cobra.ShellCompDirectiveNoFileComp
}

// completeMetrics completes --metric of suite compare with the metrics of the results.
func completeMetrics(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	results, err := readSaved(args)
	if err != nil {
		results = nil
	}
	return metricNames(results), cobra.ShellCompDirectiveNoFileComp
}

// completePoints completes the last of several points between commas, with the points of
// the pegs in the result.
func (e env) completePoints(_ *cobra.Command, args []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
	path, _, _, err := e.resultPath(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	doc, err := pegview.Read(path)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	before := toComplete[:strings.LastIndex(toComplete, ",")+1]
	for _, point := range pegview.Points(doc) {
		words = append(words, before+point)
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
