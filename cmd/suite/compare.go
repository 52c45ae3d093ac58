package main

import (
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/report"
	"example.com/suite/report/compare"
	"example.com/suite/report/table"
	"github.com/spf13/cobra"
)

const compareHelp = `Show saved results side by side: cases of the same name, with the ratio to the first
file and its interval.

The results were measured at different times, perhaps on different machines, and no
statistics can remove that from the difference. So there is no verdict, and the exit
status is 0 whatever the difference. Warnings list what was not the same: the machine,
the suite file, the command of a case. For a verdict measure both in one run, with base:.`

func (cmd *compareCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "compare RESULT.json RESULT.json…", Short: "show saved results side by side, unpaired", Long: compareHelp,
		Example: "  suite compare before.json after.json\n  suite compare --metric allocs --out " +
			"html=compared.html before.json after.json\n  suite compare --format benchfmt before.json after.json " +
			"| benchstat -col result -",
		ValidArgsFunction: resultFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return diag.Hinted("suite compare needs two result files or more",
					"for example: suite compare before.json after.json; suite run --against main FILE compares "+
						"with a revision")
			}
			return cmd.run(args)
		},
	}
	cmd.outputs.known = holdsSeveral
	cmd.targets(c, report.UnpairedFormats())
	c.Flags().StringVar(&cmd.metric, "metric", "time", "`METRIC` to compare; csv and benchfmt contain all")
	c.Flags().BoolVar(&cmd.view.All, "all", false,
		"show all cases; by default, of more than 40 only those that need attention")
	c.Flags().StringVar(&cmd.sort, "sort", "",
		"sort the cases of each suite by `KEY[,desc]`: name or ratio, of the second file to the first")
	complete(c, "metric", completeMetrics)
	complete(c, "sort", choices(sortWords(report.UnpairedKeys())))
	return c
}

// compareCommand is suite compare.
type compareCommand struct {
	env env
	outputs
	metric string
}

// holdsSeveral fails with the reason why a format cannot show several results.
func holdsSeveral(format string) error {
	formats := report.UnpairedFormats()
	if why := report.WhyNotUnpaired(format); why != "" {
		return diag.Hinted(fmt.Sprintf("suite compare has no format %q: %s", format, why),
			"one of "+strings.Join(formats, ", ")+"; suite report renders one result")
	}
	return diag.OneOf("format", format, formats)
}

func (cmd *compareCommand) run(paths []string) error {
	if err := cmd.checkTargets(); err != nil {
		return err
	}
	if err := cmd.spare("result", paths); err != nil {
		return err
	}
	if cmd.view.Sort != "" {
		if err := diag.OneOf("sort key", cmd.view.Sort, report.UnpairedKeys()); err != nil {
			return err
		}
	}
	results, err := readSaved(paths)
	if err != nil {
		return err
	}
	if err := diag.OneOf("metric", cmd.metric, table.MetricNames(results)); err != nil {
		return err
	}
	return cmd.write(compare.Results(results, cmd.metric))
}

// write writes every report. If one fails, it prints the error and writes the
// others.
func (cmd *compareCommand) write(u *table.Unpaired) (failed error) {
	for _, out := range cmd.parsed {
		err := cmd.env.writeTarget(out, func(w io.Writer) error {
			return report.RenderUnpaired(w, out.Format, u, cmd.tableOptions(cmd.env, out))
		})
		if err != nil {
			failed = cmd.env.fail(err)
		}
	}
	return failed
}
