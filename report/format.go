// Package report writes result documents in the formats of Formats. Renderers that people read
// are handed a finished table.Table and only lay it out; the others read the document itself.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/report/benchfmt"
	"example.com/suite/report/csv"
	"example.com/suite/report/hyperfine"
	"example.com/suite/report/junit"
	"example.com/suite/report/markdown"
	"example.com/suite/report/openmetrics"
	"example.com/suite/report/table"
	"example.com/suite/report/text"
	"example.com/suite/result"
)

// Format is one way to write a report.
type Format struct {
	Name string // as in --out NAME=FILE
	Help string
}

type renderer struct {
	Format
	write func(io.Writer, *result.Document, table.Options) error
}

// renderers is the one list of formats, in the order in which help shows them.
var renderers = []renderer{
	{Format{"text", "a table for people, at most 100 columns wide"}, viewed},
	{Format{"json", "the whole result document, to be read again by suite report"},
		func(w io.Writer, doc *result.Document, _ table.Options) error { return result.Write(w, doc) }},
	{Format{"junit", "JUnit XML with a test case per gate, as current CI systems read it"}, tabled(junit.Render)},
	{Format{"junit-strict", "JUnit XML with no more than the schemas of Ant and Jenkins allow"}, tabled(junit.RenderStrict)},
	{Format{"html", "one page with drawings that needs no network, and loses nothing without scripts and styles"}, HTML},
	{Format{"markdown", "a comment for a pull request, at most 65,000 characters"}, tabled(markdown.Render)},
	{Format{"github", "annotations for GitHub Actions, as workflow commands"}, tabled(GitHub)},
	{Format{"gitlab", "Code Quality report for GitLab"}, tabled(GitLab)},
	{Format{"benchfmt", "the Go benchmark format, for benchstat: a line per block, run or launch"}, benchfmt.Render},
	{Format{"csv", "a row per sample, comma-separated, in SI base units"}, csv.Render},
	{Format{"csv-summary", "a row per metric of a case, with its statistics and its ratio to the base"}, csv.RenderSummary},
	{Format{"csv-arcs", "a row per arc of pegs, with its times"}, csv.RenderArcs},
	{Format{"bmf", "Bencher Metric Format"}, BMF},
	{Format{"hyperfine", "JSON as hyperfine writes it, of commands alone"},
		func(w io.Writer, doc *result.Document, _ table.Options) error { return hyperfine.Write(w, doc) }},
	{Format{"customSmallerIsBetter", "times and memory for github-action-benchmark"}, CustomSmallerIsBetter},
	{Format{"customBiggerIsBetter", "rates for github-action-benchmark"}, CustomBiggerIsBetter},
	{Format{"openmetrics", "medians, ratios and verdicts in OpenMetrics, for promtool or the metrics report of GitLab"}, openmetrics.Render},
	{Format{"prometheus", "the same in the text format of Prometheus, for node_exporter and the Pushgateway"}, openmetrics.RenderPrometheus},
}

// viewed is the table as its reader wants to see it.
func viewed(w io.Writer, doc *result.Document, o table.Options) error {
	return text.Render(w, table.Viewed(doc, o.View), o)
}

func tabled(f func(io.Writer, *table.Table, table.Options) error) func(io.Writer, *result.Document, table.Options) error {
	return func(w io.Writer, doc *result.Document, o table.Options) error { return f(w, table.NewTable(doc), o) }
}

// Formats lists the formats that Render knows.
func Formats() []Format {
	out := make([]Format, len(renderers))
	for i, r := range renderers {
		out[i] = r.Format
	}
	return out
}

// Render writes a document that Validate accepts in one of Formats. An unknown
// format is an error that lists them.
func Render(w io.Writer, format string, doc *result.Document, o table.Options) error {
	i := slices.IndexFunc(renderers, func(r renderer) bool { return r.Name == format })
	if i < 0 {
		return fmt.Errorf("unknown format %q; expected one of %s", format, names())
	}
	return renderers[i].write(w, doc, o)
}

func names() string {
	var out []string
	for _, f := range Formats() {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}
