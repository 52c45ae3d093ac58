package main

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/report/table"
	"github.com/spf13/cobra"
)

// viewFlags are the flags about the layout of the table on standard output.
type viewFlags struct {
	columns []string
	sort    string
	groupBy string
	all     bool
}

func (v *viewFlags) flags(c *cobra.Command, e env) {
	c.Flags().BoolVar(&v.all, "all", false,
		"show all cases and gates; by default, of more than 40 only those that need attention")
	c.Flags().StringSliceVar(&v.columns, "columns", nil,
		"show these columns of the table: `LIST` of base, ratio, distribution, stolen, samples, gates, metrics and "+
			"METRIC.STATISTIC (time.p99)")
	c.Flags().StringVar(&v.sort, "sort", "",
		"sort the cases of each suite by `KEY[,desc]`: name, or a column of --columns")
	c.Flags().StringVar(&v.groupBy, "group-by", "",
		"a row for each value of `PARAM`, a column for each variant of the cases")
	complete(c, "columns", completer{e}.columns)
	complete(c, "sort", completer{e}.sort)
	complete(c, "group-by", completer{e}.params)
}

// view parses the flags. It cannot check names of columns and parameters, which depend on
// the cases: checkView does.
func (v *viewFlags) view() (table.View, error) {
	key, direction, cut := strings.Cut(v.sort, ",")
	out := table.View{All: v.all, GroupBy: v.groupBy, Sort: strings.TrimSpace(key), Descending: direction == "desc"}
	if cut && direction != "desc" && direction != "asc" || v.sort != "" && out.Sort == "" {
		return out, diag.Hinted("--sort "+v.sort+": want KEY or KEY,desc", "for example --sort time,desc")
	}
	for _, column := range v.columns {
		column = strings.TrimSpace(column)
		if column == "" {
			return out, diag.Hinted("--columns names nothing between two commas",
				"for example --columns time,time.p99,gates")
		} else if slices.Contains(out.Columns, column) {
			return out, diag.Hinted("--columns names "+column+" twice", "")
		}
		out.Columns = append(out.Columns, column)
	}
	return out, nil
}

// checkView fails if a flag names a metric or parameter that no case has.
func (o *outputs) checkView(names table.Names) error { return o.view.Check(names) }
