package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/accepted"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/trend"
	"github.com/spf13/cobra"
)

const trendHelp = `Show how a metric of each case changed over the commits of the history: the commits at
which its level changed, and slow drift, such as ten times +1 % of which every step
passed its gate.

A history without any change shows one with a probability of at most 1 %, all cases
together, and of the cases shown at most 1 % have none, on average, however their noise is
distributed (docs/history.md has the method). Each machine has
levels of its own: a change of the machine is never taken for one of the code. Runs
that were compared with another revision have ratios, which connect machines.

A change that people have acknowledged, with suite accept --commit, is shown apart, with
its reason, and is not among the changes.

CASE is the name of a case or a pattern in which * matches any text.`

const trendExample = `  suite trend
  suite trend --last 100 'parse/*'
  suite trend --metric allocs --all
  suite trend --format json | jq '.series[] | select(.changes)'`

// trendFlags choose what suite trend and suite site show.
type trendFlags struct {
	history string
	accept  string // file of acknowledged changes
	last    int
	least   float64
}

// trendCommand is suite trend.
type trendCommand struct {
	env env
	trendFlags
	metric, format string
	all            bool
}

func (cmd *trendCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "trend [CASE…]", Short: "show how cases changed over commits", Long: trendHelp, Example: trendExample,
		RunE: func(c *cobra.Command, args []string) error { return cmd.run(cmd.env.orderly(c), args) },
	}
	c.Flags().StringVar(&cmd.metric, "metric", "",
		"`METRIC` that is shown (default time or, without times, the first metric of the history)")
	c.Flags().BoolVar(&cmd.all, "all", false, "show cases without a change, too")
	formatFlag(c, &cmd.format)
	complete(c, "metric", completeMetrics)
	cmd.flags(c)
	return c
}

func (o *trendFlags) flags(c *cobra.Command) {
	c.Flags().IntVar(&o.last, "last", 0, "look at the newest `N` commits only")
	c.Flags().Float64Var(&o.least, "least", 100*trend.Least, "smallest change that is shown, in `PERCENT`")
	c.Flags().StringVar(&o.history, "history", "", historyFlagHelp)
	c.Flags().StringVar(&o.accept, "accept", "",
		"take acknowledged changes from `FILE` instead of each "+accept.FileName+
			" of the repository that a suite file is next to")
	complete(c, "history", historyPlaces)
	complete(c, "accept", filesEnding("yaml", "yml"))
}

func (cmd *trendCommand) run(ctx context.Context, patterns []string) error {
	json, err := isJSON(cmd.format)
	if err != nil {
		return err
	}
	entries, search, err := cmd.read(ctx, cmd.env)
	if err != nil {
		return err
	}
	search.Metric = cmp.Or(cmd.metric, trend.UsualMetric(entries))
	all := slices.DeleteFunc(trend.Of(entries, search), func(s trend.Series) bool {
		return len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool {
			return filter.Match(p, s.Case)
		})
	})
	if len(all) == 0 {
		return trend.NoSeries(patterns, search.Metric, project.Store(cmd.history).String())
	}
	if json {
		return trend.JSON(cmd.env.stdout.Report("json"), all, search)
	}
	return cmd.env.printPage(trend.Page(all, cmd.all || len(patterns) > 0)...)
}

// read returns the runs of the history, and what is looked for in them, in any metric.
func (o *trendFlags) read(ctx context.Context, e env) (entries []history.Entry, search trend.Options, err error) {
	switch {
	case o.last < 0:
		return nil, search, diag.Hinted(fmt.Sprintf("--last %d: want a number of commits", o.last),
			"without --last all commits are shown")
	case !(o.least >= 0 && o.least < 100):
		return nil, search, diag.Hinted(fmt.Sprintf("--least %g: want a percentage from 0 to 100", o.least),
			"--least 2 leaves out changes below 2%")
	}
	entries, err = readRunsOf(ctx, e, project.Store(o.history), history.AnyCase)
	if err != nil {
		return nil, search, err
	}
	project.Complete(ctx, entries)
	known, err := accepted.Changes(ctx, o.accept, entries, e.today())
	return entries, trend.Options{Last: o.last, Least: o.least / 100, Acknowledged: known}, err
}
