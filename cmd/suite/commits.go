package main

import (
	"context"

	"example.com/suite/internal/bisect"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/signals"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// commitFlags are the flags of commands that compare commits with each other, and what follows from them.
type commitFlags struct {
	tolerance string
	settings  settingFlags
	quiet     bool
	noLock    bool

	least     float64 // tolerance; 0: each case's own
	overrides spec.Overrides
	hosts     *prepare.Hosts // of the plans
}

func (f *commitFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.tolerance, "tolerance", "",
		"look for commits that change a case by this `SHARE` at least, such as 5% (default the case's tolerance)")
	c.Flags().StringArrayVar(&f.settings.set, "set", nil,
		"override any setting of the cases, `KEY=VALUE`, such as judge=instructions; repeatable")
	complete(c, "set", completeSetting)
	lockFlag(c, &f.noLock)
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress on standard error")
}

// parse checks the flags.
func (f *commitFlags) parse() (err error) {
	if f.tolerance != "" {
		f.least, err = bisect.ParseTolerance(f.tolerance)
		if err != nil {
			return err
		}
	}
	f.overrides, err = f.settings.overrides()
	return err
}

// load returns the plans of files with the cases that are to be compared.
func (f *commitFlags) load(ctx context.Context, e env, files []string, cases filter.Filter) ([]*spec.Plan, error) {
	signals.KeepWriting()
	unsetGitVariables()
	f.hosts = newHosts(ctx, e)
	f.hosts.Deep = true
	plans, err := loadPlans(ctx, e, files, loading{filter: cases, overrides: f.overrides, hosts: f.hosts})
	f.hosts.Alike = true
	return plans, err
}

// comparison describes how the cases of two commits are compared.
func (f *commitFlags) comparison(e env) *prepare.Comparison {
	return newComparison(e, f.hosts, f.hosts.Catalogue(e.lookup, false), f.overrides)
}
