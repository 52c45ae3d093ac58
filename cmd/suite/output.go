package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/saved"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/runner/profile"
	"github.com/spf13/cobra"
)

// outputs are the flags about reports: their formats, files and layout.
type outputs struct {
	format  string
	out     []string
	ci      string
	parsed  []report.Target
	view    table.View // columns and sort are parsed by checkTargets
	columns []string
	sort    string
	stamps  bool                      // write timestamps in openmetrics and prometheus
	site    string                    // where the pages of suite site are; empty: html links to none
	known   func(format string) error // refuses formats; nil: report.KnownFormat

	profiles []profile.File // written next to each result
}

func (o *outputs) flags(c *cobra.Command, e env) {
	o.targets(c, report.FormatNames())
	o.viewFlags(c, e)
	c.Flags().BoolVar(&o.stamps, "timestamps", false,
		"add the start time of the run to each number of openmetrics and prometheus, as promtool requires")
	c.Flags().StringVar(&o.site, "site", "",
		"link html reports to the pages of suite site at a `URL`, or a path relative to the report")
	complete(c, "site", filesEnding("html"))
	ciFlag(c, &o.ci)
}

// viewFlags adds the flags about the layout of the table on standard output.
func (o *outputs) viewFlags(c *cobra.Command, e env) {
	c.Flags().BoolVar(&o.view.All, "all", false,
		"show all cases and gates; by default, of more than 40 only those that need attention")
	c.Flags().StringSliceVar(&o.columns, "columns", nil,
		"show these columns of the table: `LIST` of base, ratio, distribution, stolen, samples, gates, metrics and "+
			"METRIC.STATISTIC (time.p99)")
	c.Flags().StringVar(&o.sort, "sort", "",
		"sort the cases of each suite by `KEY[,desc]`: name, or a column of --columns")
	c.Flags().StringVar(&o.view.GroupBy, "group-by", "",
		"a row for each value of `PARAM`, a column for each variant of the cases")
	complete(c, "columns", completer{e}.columns)
	complete(c, "sort", completer{e}.sort)
	complete(c, "group-by", completer{e}.params)
}

// targets adds the flags that choose among formats and files.
func (o *outputs) targets(c *cobra.Command, formats []string) {
	list := strings.Join(formats, ", ")
	c.Flags().StringVar(&o.format, "format", "", "`FORMAT` of the report on standard output (default text): "+list)
	c.Flags().StringArrayVarP(&o.out, "out", "o", nil,
		"write a further report to a file, `FORMAT=FILE`; - is standard output instead of the table; repeatable")
	complete(c, "format", choices(formats))
	complete(c, "out", completeTarget(formats))
}

// pageFlags adds the flags of a report that is either a page or JSON.
func (o *outputs) pageFlags(c *cobra.Command) {
	o.targets(c, textOrJSON)
	o.known = func(format string) error { return diag.OneOf("format", format, textOrJSON) }
}

// formatText is the format for people.
const formatText = "text"

// textOrJSON are the formats of commands that have no others.
var textOrJSON = []string{formatText, "json"}

// formatFlag adds --format to a command that prints one thing.
func formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", formatText, "`FORMAT` of the output: "+strings.Join(textOrJSON, ", "))
	complete(c, "format", choices(textOrJSON))
}

// isJSON reports whether the output is JSON.
func isJSON(format string) (bool, error) {
	return format == "json", diag.OneOf("format", format, textOrJSON)
}

// checkTargets parses the flags and reports all their problems at once. It runs before anything
// is measured and also reports files that cannot be written.
func (o *outputs) checkTargets() error {
	var all []error
	o.parsed, all = report.ParseTargets(o.format, o.out, o.known)
	if o.stamps && !slices.ContainsFunc(o.parsed, report.Target.HasStamps) {
		all = append(all,
			diag.Hinted("--timestamps concerns openmetrics and prometheus, and no such report is written",
				"for example --out openmetrics=metrics.txt"))
	}
	return errors.Join(append(all, o.checkSite(), ci.Check(o.ci), o.view.Parse(o.columns, o.sort))...)
}

// checkSite refuses a link that no browser follows from a report, and one that no report has.
func (o *outputs) checkSite() error {
	if o.site == "" {
		return nil
	}
	link, err := url.Parse(o.site)
	switch {
	case err != nil || link.Scheme != "" && link.Scheme != "https" && link.Scheme != "http":
		return diag.Hinted(fmt.Sprintf("--site %q is neither a URL of the web nor a path", o.site),
			"for example --site https://example.org/bench/, or --site index.html for pages next to the report")
	case !slices.ContainsFunc(o.parsed, func(t report.Target) bool { return t.Format == "html" }):
		return diag.Hinted("--site concerns html, and no such report is written",
			"for example --out html=public/report.html")
	}
	return nil
}

// spare fails if a report would replace one of the files, which are what the word says.
func (o *outputs) spare(what string, files []string) error {
	for _, file := range files {
		for _, t := range o.parsed {
			if t.IsFile(file) {
				return diag.Hinted(fmt.Sprintf("the %s report would replace the %s %q", t.Format, what, t.File),
					"give it another file")
			}
		}
	}
	return nil
}

// spareBase refuses to replace the saved result by the report of the run that is compared
// with it: one that is slower would be what the next one is compared with, and nobody
// would ever hear of it again.
func (o *outputs) spareBase(b *saved.Base) error {
	if b == nil {
		return nil
	}
	for _, t := range o.parsed {
		if t.IsFile(b.Name) {
			return diag.Hinted(fmt.Sprintf("the %s report would replace %q, which --against compares with", t.Format,
				t.File),
				"write it to another file, and put that in its place once you are content with it")

		}
	}
	return nil
}
