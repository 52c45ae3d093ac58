package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/runner"
	"example.com/suite/spec"
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
	c.Flags().BoolVar(&v.all, "all", false, "show all cases and gates; by default, of more than 40 only those that need attention")
	c.Flags().StringSliceVar(&v.columns, "columns", nil, "show these columns of the table: `LIST` of base, ratio, distribution, stolen, samples, gates, metrics and METRIC.STATISTIC (time.p99)")
	c.Flags().StringVar(&v.sort, "sort", "", "sort the cases of each suite by `KEY[,desc]`: name, or a column of --columns")
	c.Flags().StringVar(&v.groupBy, "group-by", "", "a row for each value of `PARAM`, a column for each variant of the cases")
	complete(c, "columns", e.completeColumns)
	complete(c, "sort", e.completeSort)
	complete(c, "group-by", e.completeParams)
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
			return out, diag.Hinted("--columns names nothing between two commas", "for example --columns time,time.p99,gates")
		} else if slices.Contains(out.Columns, column) {
			return out, diag.Hinted("--columns names "+column+" twice", "")
		}
		out.Columns = append(out.Columns, column)
	}
	return out, nil
}

// checkView fails if a flag names a metric or parameter that no case has.
func (o *outputs) checkView(names table.Names) error {
	err := o.view.Check(names)
	var unknown table.ViewError
	if errors.As(err, &unknown) {
		return diag.Hinted(unknown.Message, unknown.Hint)
	}
	return err
}

func viewNames(plans []*spec.Plan) (n table.Names) {
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			for _, d := range runner.Declared(c) {
				n.Metrics = append(n.Metrics, d.Name)
			}
			for _, p := range runner.Params(c.Params) {
				n.Params = append(n.Params, p.Name)
			}
		}
	}
	return n
}

// The flags about layout concern only the table on standard output; a file shows
// everything.
func (e env) tableOptions(out target) table.Options {
	o := e.options()
	o.View = table.View{All: true}
	if out.isStdout() {
		o.Color = e.color
		o.View = e.view
	}
	o.ASCII = e.wantsASCII()
	o.Spelt = e.spelt()
	o.Timestamps = e.stamps
	o.Site = e.siteAt
	return o
}

// wantsASCII reports whether the terminal or the locale has only ASCII characters, so that
// drawings must use them.
func (e env) wantsASCII() bool {
	term := e.variable("TERM")
	return term == "dumb" || term == "linux" || e.spelt()
}

// spelt reports whether the locale has only ASCII, as LC_ALL=C, so that all text for
// people is spelt in it. It returns false if no locale is set: most containers have none,
// and their logs are read elsewhere.
func (e env) spelt() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(e.variable(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// words is standard output for text that people read, spelt in ASCII if the locale has
// nothing else. Text for programs is written to e.stdout unchanged.
func (e env) words() io.Writer {
	if e.spelt() {
		return display.Speller(e.stdout)
	}
	return e.stdout
}

// textOptions are for text that is not the report of a result.
func (e env) textOptions() table.Options {
	return table.Options{Color: e.color, Width: e.columns(), Spelt: e.spelt()}
}
