package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/runner"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// viewFlags are what a reader may choose about the table on standard output.
type viewFlags struct {
	columns []string
	sort    string
	groupBy string
	all     bool
}

func (v *viewFlags) flags(c *cobra.Command) {
	c.Flags().BoolVar(&v.all, "all", false, "show all cases and gates, not only those that ask for attention where there are more than 40")
	c.Flags().StringSliceVar(&v.columns, "columns", nil, "show these columns of the table: `LIST` of ratio, distribution, stolen, samples, gates, metrics and METRIC.STATISTIC (time.p99)")
	c.Flags().StringVar(&v.sort, "sort", "", "sort the cases of each suite by `KEY[,desc]`: name, or what --columns takes")
	c.Flags().StringVar(&v.groupBy, "group-by", "", "a row for each value of `PARAM`, a column for each variant of the cases")
}

// view parses the flags. Names in them are checked once they can be known.
func (v *viewFlags) view() (table.View, error) {
	key, direction, cut := strings.Cut(v.sort, ",")
	out := table.View{All: v.all, GroupBy: v.groupBy, Sort: strings.TrimSpace(key), Descending: direction == "desc"}
	if cut && direction != "desc" && direction != "asc" || v.sort != "" && out.Sort == "" {
		return out, hinted{"--sort " + v.sort + ": want KEY or KEY,desc", "for example --sort time,desc"}
	}
	for _, column := range v.columns {
		if column = strings.TrimSpace(column); column == "" {
			return out, hinted{"--columns names nothing between two commas", "for example --columns time,time.p99,gates"}
		} else if slices.Contains(out.Columns, column) {
			return out, hinted{"--columns names " + column + " twice", ""}
		}
		out.Columns = append(out.Columns, column)
	}
	return out, nil
}

// checkView refuses names that no case has. What a name of a column is depends on the
// metrics that cases declare.
func (o *outputs) checkView(names table.Names) error {
	err := o.view.Check(names)
	var unknown table.ViewError
	if errors.As(err, &unknown) {
		return hinted{unknown.Message, unknown.Hint}
	}
	return err
}

// viewNames are those of what is going to be measured.
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

// tableOptions are those of one report: what a reader chose concerns the table on
// standard output, and a file has everything.
func (e env) tableOptions(out target) table.Options {
	o := e.options()
	o.View = table.View{All: true}
	if out.isStdout() {
		o.Color, o.View = e.color, e.view
	}
	o.ASCII, o.Spelt, o.Timestamps = e.wantsASCII(), e.spelt(), e.stamps
	return o
}

// wantsASCII reports whether drawings have to be of ASCII: the terminal has no other
// characters, or the locale has none.
func (e env) wantsASCII() bool {
	term := e.variable("TERM")
	return term == "dumb" || term == "linux" || e.spelt()
}

// spelt reports whether the locale has no more than ASCII, as LC_ALL=C, so that all that
// people read is spelt in it. A locale that is not set says nothing: it is so in most
// containers, whose logs are read elsewhere.
func (e env) spelt() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(e.variable(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// words is standard output for what people read. What programs read stays as it is.
func (e env) words() io.Writer {
	if e.spelt() {
		return display.Speller(e.stdout)
	}
	return e.stdout
}

// textOptions are those of texts that are no reports of a result.
func (e env) textOptions() table.Options {
	return table.Options{Color: e.color, Width: e.columns(), Spelt: e.spelt()}
}
