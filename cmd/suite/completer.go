package main

import (
	"context"
	"strings"

	"example.com/suite/internal/kept"
	"example.com/suite/internal/pegview"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/units"
	"example.com/suite/report/explain"
	"example.com/suite/report/table"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// completer completes what depends on the files on the command line.
type completer struct{ env env }

// fromPlans completes a flag with words from the suite files that are already on the
// command line.
func (k completer) fromPlans(words func([]*spec.Plan) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		plans, err := loadPlans(c.Context(), k.env, args, loading{offline: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return units.Distinct(words(plans)), cobra.ShellCompDirectiveNoFileComp
	}
}

// fromCases completes a flag with words of the cases in the suite files that are
// already on the command line.
func (k completer) fromCases(words func(*spec.Case) []string) cobra.CompletionFunc {
	return k.fromPlans(func(plans []*spec.Plan) (all []string) {
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
func (k completer) namesToView(ctx context.Context, args []string) table.Names {
	if len(args) > 0 && !kept.IsSuite(args[0]) || len(args) == 0 {
		if paths, _, err := k.env.results().ResolveAll(args); err == nil {
			if doc, err := saved.Read(paths[0]); err == nil {
				return table.NamesOf(doc)
			}
		}
	}
	plans, err := loadPlans(ctx, k.env, args, loading{offline: true})
	if err != nil {
		return table.Names{}
	}
	return viewNames(plans)
}

// columns completes the last of several columns between commas, and after a point
// the statistics of a metric.
func (k completer) columns(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	before, last := "", toComplete
	if i := strings.LastIndex(toComplete, ","); i >= 0 {
		before, last = toComplete[:i+1], toComplete[i+1:]
	}
	var words []string
	for _, key := range table.Keys(k.namesToView(c.Context(), args)) {
		words = append(words, before+key)
		if metric, _, cut := strings.Cut(last, "."); cut && metric == key {
			for _, statistic := range table.Statistics() {
				words = append(words, before+key+"."+statistic)
			}
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// sort completes a key, and the directions after a comma.
func (k completer) sort(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if key, _, cut := strings.Cut(toComplete, ","); cut {
		return []string{key + ",asc", key + ",desc"}, cobra.ShellCompDirectiveNoFileComp
	}
	words := append([]string{"name"}, table.Keys(k.namesToView(c.Context(), args))...)
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (k completer) params(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return units.Distinct(k.namesToView(c.Context(), args).Params), cobra.ShellCompDirectiveNoFileComp
}

// gate completes suite accept --gate with the gates of the case that is already on
// the command line, or of all cases.
func (k completer) gate(c *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
	name, files := "", args
	if len(args) > 0 && !kept.IsSuite(args[0]) {
		name, files = args[0], args[1:]
	}
	plans, err := loadPlans(c.Context(), k.env, files, loading{offline: true})
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

// points completes the last of several points between commas, with the points of
// the pegs in the result.
func (k completer) points(
	_ *cobra.Command, args []string, toComplete string,
) (words []string, _ cobra.ShellCompDirective) {
	path, _, _, err := k.env.results().Resolve(args)
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

// completeMetrics completes --metric of suite compare with the metrics of the results.
func completeMetrics(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	results, err := readSaved(args)
	if err != nil {
		results = nil
	}
	return table.MetricNames(results), cobra.ShellCompDirectiveNoFileComp
}

func readSaved(paths []string) (all []table.Saved, err error) {
	docs, err := saved.ReadAll(paths, "a result compared with itself shows nothing")
	for i, doc := range docs {
		all = append(all, table.Saved{Name: paths[i], Doc: doc})
	}
	return all, err
}

// resultCases completes cases of the result that the first argument means. A first
// argument that begins no case of the last run is completed with files.
func (k completer) resultCases(
	_ *cobra.Command, args []string, toComplete string,
) ([]string, cobra.ShellCompDirective) {
	path, rest, _, err := k.env.results().Resolve(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	doc, err := saved.Read(path)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if len(rest) == len(args) { // no result is named yet
		return explain.Names(doc), cobra.ShellCompDirectiveDefault
	}
	return explain.Names(doc), cobra.ShellCompDirectiveNoFileComp
}

func viewNames(plans []*spec.Plan) (n table.Names) {
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			for _, d := range target.Declared(c) {
				n.Metrics = append(n.Metrics, d.Name)
			}
			for _, p := range target.Params(c.Params) {
				n.Params = append(n.Params, p.Name)
			}
		}
	}
	return n
}
