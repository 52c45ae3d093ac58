package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"example.com/suite/compare"
	"example.com/suite/report"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const compareHelp = `Show saved results side by side, each case beside its namesakes, with the ratio to
the first file and its interval.

The results were measured at different times, perhaps on different machines, and
no statistics can take that out of the difference: so this gives no verdict, and
the exit status is 0 whatever it shows. What was not alike (machine, suite file,
what a case runs) is said. For a verdict measure both in one run, with base:.`

func (e env) compareCommand() *cobra.Command {
	metric, format := "", formatText
	c := &cobra.Command{
		Use: "compare RESULT.json RESULT.json…", Short: "saved results side by side, unpaired", Long: compareHelp,
		Example: "  suite compare before.json after.json\n  suite compare --metric allocs before.json after.json\n  suite compare --format benchfmt before.json after.json | benchstat -col result -",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return hinted{"suite compare needs two result files or more", "for example: suite compare before.json after.json"}
			}
			return e.compare(args, metric, format)
		},
	}
	c.Flags().StringVar(&metric, "metric", "time", "the `METRIC` to compare")
	c.Flags().StringVar(&format, "format", formatText, "`FORMAT`: text, or benchfmt for benchstat -col result, with all metrics")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(compareFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("metric", cobra.FixedCompletions(metricNames(nil), cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
	return c
}

// The formats of suite compare.
const (
	formatText     = "text"
	formatBenchfmt = "benchfmt"
)

var compareFormats = []string{formatText, formatBenchfmt}

func (e env) compare(paths []string, metric, format string) error {
	if !slices.Contains(compareFormats, format) {
		return unknown("format", format, compareFormats)
	}
	var saved []report.Saved
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			return hinted{fmt.Sprintf("%q is there twice", path), "a result compared with itself shows nothing"}
		}
		doc, err := readResult(path)
		if err != nil {
			return err
		}
		saved = append(saved, report.Saved{Name: path, Doc: doc})
	}
	if names := metricNames(saved); !slices.Contains(names, metric) {
		return unknown("metric", metric, names)
	}
	if format == formatBenchfmt {
		return report.BenchfmtSaved(e.stdout, saved)
	}
	return report.UnpairedText(e.stdout, compare.Results(saved, metric), report.Options{Color: e.color, Width: e.width})
}

// metricNames are those of the table, and those that cases declare.
func metricNames(saved []report.Saved) (names []string) {
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
