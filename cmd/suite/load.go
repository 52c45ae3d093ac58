package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/typed"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// suiteFileArgs accepts one suite file or more, and none if there is only one here, which
// namedOrOnly then returns. Otherwise the error for none names the files that are here.
func suiteFileArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	hint := suitefiles.HintHere()
	if against := c.Flags().Lookup("against"); against != nil &&
		suitefiles.IsName(filepath.Base(against.Value.String())) {
		file := against.Value.String()
		hint = fmt.Sprintf("--against has taken %q as the revision: %s --against main %s", file, c.CommandPath(), file)
	} else if suitefiles.Only() != "" {
		return nil
	}
	return diag.Hinted(c.CommandPath()+" needs a suite file", hint)
}

// namedOrOnly returns the suite files that arguments name or, without arguments, the only
// suite file here.
func namedOrOnly(args []string) []string {
	if only := suitefiles.Only(); len(args) == 0 && only != "" {
		return []string{only}
	}
	return args
}

// loading controls how suite files become plans.
type loading struct {
	filter    filter.Filter
	overrides spec.Overrides
	offline   bool           // ask no host what is registered
	doubts    *diag.Problems // filled with the parts of suite files that have no effect; nil: not wanted
	hosts     *prepare.Hosts // nil: built for this load alone
	gates     *judge.Gates   // of the plans, compiled by this load; nil: not wanted
	against   againstFlags
	written   []string    // files and folders that the run writes
	builds    bool        // run build: of both trees before it is observed what cases read
	trees     *others     // filled by compared, closed by the caller; nil if nothing is compared
	text      *typed.Text // of the command line, in place of files; nil if there are files
}

// loadPlans loads files into plans. One error contains all problems of all files.
func loadPlans(ctx context.Context, e env, args []string, l loading) ([]*spec.Plan, error) {
	files, skipped, err := suitefiles.Resolve(args)
	if err != nil {
		return nil, err
	}
	if l.text != nil {
		files = []string{result.CommandLine}
	}
	if len(skipped) > 0 {
		e.say("skipped, as no suite files: %s", units.List(skipped, suitefiles.MostNamed))
	}
	if l.hosts == nil {
		l.hosts = newHosts(ctx, e)
	}
	if l.gates == nil {
		l.gates = &judge.Gates{}
	}
	l.hosts.Alike = l.against.base != "" && !l.against.isResult()
	offline := l.offline
	if l.hosts.Alike {
		unsetGitVariables()
		offline = offline || !l.against.hasRevision(ctx, files) // a build would be in vain, and may take minutes
	}
	catalogue := l.hosts.Catalogue(e.lookup, offline)
	if l.text != nil {
		catalogue.Read = func(string) ([]byte, error) { return l.text.Bytes(), nil }
	}
	if !offline {
		catalogue.Reports = l.hosts.Reports
	}
	if !l.filter.Empty() {
		l.hosts.LeavesOut = &l.filter
	}
	plans, problems, err := loadFiles(ctx, e, files, catalogue, l)
	lacks := func() bool {
		return len(problems) > 0 || slices.ContainsFunc(plans, l.filter.Lacks) || l.filter.Known(plans) != nil
	}
	if err == nil && l.hosts.SomeLeftOut() && lacks() {
		l.hosts.LeavesOut = nil // the filter or a message needs the benchmarks that were left out
		plans, problems, err = loadFiles(ctx, e, files, catalogue, l)
	}
	if err != nil {
		return nil, err
	}
	if l.text != nil && len(problems) == 0 {
		problems = typed.CheckPrograms(plans, l.text)
	} else if l.text != nil {
		problems = l.text.Explain(result.CommandLine, problems)
	}
	if err := problems.Unique().Err(); err != nil {
		return nil, err
	}
	sayBelow(e, args, plans)
	if err := compareAgainst(ctx, e, plans, &l, catalogue); err != nil {
		return nil, err
	}
	for _, plan := range plans {
		plan.FindMissing(paths.IsProgram)
	}
	if err := prepare.CheckBudgets(plans).Err(); err != nil {
		return nil, err
	}
	if l.doubts != nil {
		*l.doubts = prepare.Doubts(plans) // of all cases: a filter may leave out those with a base
	}
	return l.filter.Apply(plans)
}

// sayBelow names the suite files in folders below the folders of args, apart from those that
// another one includes.
func sayBelow(e env, args []string, plans []*spec.Plan) {
	included := map[string]bool{}
	for _, plan := range plans {
		for _, source := range plan.Sources {
			included[filepath.Clean(source.File)] = true
		}
	}
	left := slices.DeleteFunc(suitefiles.Below(args), func(file string) bool { return included[file] })
	if len(left) > 0 {
		e.say("not taken, as they are in folders below: %s", units.List(left, suitefiles.MostNamed))
	}
}

// loadFiles loads each file. If a signal ends the context, it prints that nothing was run
// and returns its exit status.
func loadFiles(
	ctx context.Context, e env, paths []string, catalogue spec.Catalogue, l loading,
) (plans []*spec.Plan, problems diag.Problems, err error) {
	for _, path := range paths {
		plan, found := prepare.Load(path, catalogue, l.overrides, l.gates)
		problems = append(problems, found...)
		if plan != nil {
			plans = append(plans, plan)
		}
		if err := reportInterrupted(ctx, e); err != nil { // then the problems are not the file's
			return nil, nil, err
		}
	}
	return plans, append(problems, prepare.CheckNames(plans)...), nil
}

// newHosts returns hosts that are built in the user's cache.
func newHosts(ctx context.Context, e env) *prepare.Hosts {
	hosts := prepare.NewHosts(ctx, e.say, e.cache())
	hosts.Own = e.host
	hosts.Binaries = new(binary.Hashes)
	return hosts
}

// filterFlags adds the flags that choose cases.
func filterFlags(c *cobra.Command, e env, f *filter.Filter) {
	c.Flags().StringArrayVar(&f.Only, "only", nil,
		"only the case `NAME`, the cases below it (NAME/…), or the cases that match it (* matches any "+
			"text); repeatable")
	c.Flags().StringArrayVar(&f.Skip, "skip", nil,
		"skip the case `NAME`, the cases below it or the cases that match it; repeatable")
	c.Flags().StringArrayVar(&f.Tags, "tag", nil, "only cases with this `TAG`; if repeated, with any of the tags")
	names := completer{e}.fromCases(func(c *spec.Case) []string { return []string{c.Name} })
	tags := completer{e}.fromCases(func(c *spec.Case) []string { return c.Tags })
	complete(c, "only", names)
	complete(c, "skip", names)
	complete(c, "tag", tags)
}
