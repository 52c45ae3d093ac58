package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/trend"
	"github.com/spf13/cobra"
)

const trendHelp = `Show how a metric of each case changed over the commits of the history: the commits at
which its level changed, and slow drift, such as ten times +1 % of which every step
passed its gate.

A series without any change shows one in at most 1 % of histories, all cases together,
however its noise is distributed (docs/history.md has the method). Each machine has
levels of its own: a change of the machine is never taken for one of the code. Runs
that were compared with another revision have ratios, which connect machines.

CASE is the name of a case or a pattern in which * matches any text.`

const trendExample = `  suite trend
  suite trend --last 100 'parse/*'
  suite trend --metric allocs --all
  suite trend --format json | jq '.series[] | select(.changes)'`

// trendOptions are the flags of suite trend.
type trendOptions struct {
	history, metric, format string
	last                    int
	least                   float64
	all                     bool
}

func (e env) trendCommand() *cobra.Command {
	var o trendOptions
	c := &cobra.Command{
		Use: "trend [CASE…]", Short: "show how cases changed over commits", Long: trendHelp, Example: trendExample,
		RunE: func(_ *cobra.Command, args []string) error { return e.trend(args, &o) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.metric, "metric", "time", "`METRIC` that is shown")
	c.Flags().IntVar(&o.last, "last", 0, "look at the newest `N` commits only")
	c.Flags().BoolVar(&o.all, "all", false, "show cases without a change, too")
	c.Flags().Float64Var(&o.least, "least", 1, "smallest change that is shown, in `PERCENT`")
	c.Flags().StringVar(&o.format, "format", "text", "`FORMAT` of the output: "+strings.Join(trendFormats, ", "))
	c.Flags().StringVar(&o.history, "history", "", historyFlagHelp)
	complete(c, "history", folders)
	complete(c, "metric", completeMetrics)
	complete(c, "format", cobra.FixedCompletions(trendFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

var trendFormats = []string{"text", "json"}

func (e env) trend(patterns []string, o *trendOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if !slices.Contains(trendFormats, o.format) {
		return unknown("format", o.format, trendFormats)
	}
	wanted := func(_, name string) bool {
		return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return filter.Match(p, name) })
	}
	store := project.Store(o.history)
	entries, err := e.runsOf(store, wanted)
	if err != nil {
		return err
	}
	search := o.search(o.metric)
	all := trend.Of(entries, search)
	if len(all) == 0 {
		return noSeries(patterns, o.metric, store.Dir)
	}
	if o.format == "json" {
		return trend.JSON(e.stdout, all, search)
	}
	return trend.Text(e.words(), all, trend.TextOptions{ASCII: e.wantsASCII(), All: o.all || len(patterns) > 0})
}

// check fails if a flag has a number that makes no sense.
func (o *trendOptions) check() error {
	switch {
	case o.last < 0:
		return diag.Hinted(fmt.Sprintf("--last %d: want a number of commits", o.last), "without --last all commits are shown")
	case !(o.least >= 0 && o.least < 100):
		return diag.Hinted(fmt.Sprintf("--least %g: want a percentage from 0 to 100", o.least), "--least 2 leaves out changes below 2%")
	}
	return nil
}

func (o *trendOptions) search(metric string) trend.Options {
	return trend.Options{Metric: metric, Last: o.last, Alpha: trendAlpha, Least: o.least / 100}
}

// noSeries explains why nothing is shown.
func noSeries(patterns []string, metric, folder string) error {
	if len(patterns) > 0 {
		return diag.Hinted(fmt.Sprintf("no case of %s matches %s and has metric %q", folder, strings.Join(patterns, " or "), metric), "suite history show lists cases and metrics")
	}
	return diag.Hinted(fmt.Sprintf("no case of %s has metric %q at a commit", folder, metric), "suite history show lists metrics; runs of a changed work tree are left out")
}

// trendAlpha is the chance that a history without any change shows one.
const trendAlpha = 0.01
