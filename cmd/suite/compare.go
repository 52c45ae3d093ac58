package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/saved"
	"example.com/suite/report"
	"example.com/suite/report/compare"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const compareHelp = `Show saved results side by side: cases of the same name, with the ratio to the first
file and its interval.

The results were measured at different times, perhaps on different machines, and no
statistics can remove that from the difference. So there is no verdict, and the exit
status is 0 whatever the difference. Warnings list what was not the same: the machine,
the suite file, the command of a case. For a verdict measure both in one run, with base:.`

func (e env) compareCommand() *cobra.Command {
	var o sideBySide
	c := &cobra.Command{
		Use: "compare RESULT.json RESULT.json…", Short: "show saved results side by side, unpaired", Long: compareHelp,
		Example:           "  suite compare before.json after.json\n  suite compare --metric allocs --out html=compared.html before.json after.json\n  suite compare --format benchfmt before.json after.json | benchstat -col result -",
		ValidArgsFunction: resultFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return diag.Hinted("suite compare needs two result files or more", "for example: suite compare before.json after.json; suite run --against main FILE compares with a revision")
			}
			return e.compare(args, &o)
		},
	}
	o.outputs.known = holdsSeveral
	o.targets(c, report.UnpairedFormats())
	c.Flags().StringVar(&o.metric, "metric", "time", "`METRIC` to compare; csv and benchfmt contain all")
	c.Flags().BoolVar(&o.chosen.all, "all", false, "show all cases; by default, of more than 40 only those that need attention")
	c.Flags().StringVar(&o.chosen.sort, "sort", "", "sort the cases of each suite by `KEY[,desc]`: name or ratio, of the second file to the first")
	complete(c, "metric", completeMetrics)
	complete(c, "sort", cobra.FixedCompletions(sortWords(report.UnpairedKeys()), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// sideBySide are the flags of suite compare.
type sideBySide struct {
	outputs
	metric string
}

// holdsSeveral fails with the reason why a format cannot show several results.
func holdsSeveral(format string) error {
	formats := report.UnpairedFormats()
	if why := report.WhyNotUnpaired(format); why != "" {
		return diag.Hinted(fmt.Sprintf("suite compare has no format %q: %s", format, why), "one of "+strings.Join(formats, ", ")+"; suite report renders one result")
	}
	if !slices.Contains(formats, format) {
		return unknown("format", format, formats)
	}
	return nil
}

func (e env) compare(paths []string, o *sideBySide) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.spareResults(paths); err != nil {
		return err
	}
	if keys := report.UnpairedKeys(); o.view.Sort != "" && !slices.Contains(keys, o.view.Sort) {
		return unknown("sort key", o.view.Sort, keys)
	}
	results, err := readSaved(paths)
	if err != nil {
		return err
	}
	if names := metricNames(results); !slices.Contains(names, o.metric) {
		return unknown("metric", o.metric, names)
	}
	return e.writeCompared(compare.Results(results, o.metric), &o.outputs)
}

func readSaved(paths []string) (all []table.Saved, err error) {
	docs, err := saved.ReadAll(paths, "a result compared with itself shows nothing")
	for i, doc := range docs {
		all = append(all, table.Saved{Name: paths[i], Doc: doc})
	}
	return all, err
}

// writeCompared writes every report. If one fails, it prints the error and writes the
// others.
func (e env) writeCompared(u *table.Unpaired, o *outputs) (failed error) {
	e.view = o.view
	for _, out := range o.parsed {
		render := func(w io.Writer) error { return report.RenderUnpaired(w, out.format, u, e.tableOptions(out)) }
		var err error
		if out.isStdout() {
			err = render(e.stdout)
		} else {
			err = report.WriteFile(out.file, render)
		}
		if err != nil {
			e.explain(err)
			failed = status(exitFail)
		}
	}
	return failed
}

// metricNames lists the built-in metrics and the metrics that the cases of saved
// declare, each once.
func metricNames(saved []table.Saved) (names []string) {
	for _, m := range result.Metrics() {
		names = append(names, m.Name)
	}
	for _, s := range saved {
		for i := range s.Doc.Cases {
			for _, d := range s.Doc.Cases[i].Declared {
				if !slices.Contains(names, d.Name) {
					names = append(names, d.Name)
				}
			}
		}
	}
	return names
}
