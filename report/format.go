// Package report writes result documents in the formats of Formats. Renderers that people read
// are handed a finished table.Table and only lay it out; the others read the document itself.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/report/about"
	"example.com/suite/report/benchfmt"
	"example.com/suite/report/csv"
	"example.com/suite/report/github"
	"example.com/suite/report/html"
	"example.com/suite/report/hyperfine"
	"example.com/suite/report/junit"
	"example.com/suite/report/markdown"
	"example.com/suite/report/openmetrics"
	"example.com/suite/report/page/text"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Format is one way to write a report.
type Format struct {
	Name   string // as in --out NAME=FILE
	Help   string
	Stamps bool // the format can have a timestamp for each number
}

// renderer is everything about one format.
type renderer struct {
	name, help string
	stamps     bool
	ending     string // of its golden files in testdata/formats; empty: other tests have files of it
	verdicts   bool   // it contains verdicts alone
	write      func(io.Writer, *result.Document, table.Options) error
	// unpaired writes a comparison of saved results. It is nil if the format cannot
	// contain several results.
	unpaired func(io.Writer, *table.Unpaired, table.Options) error
}

// renderers is the one list of formats, in the order in which help shows them.
var renderers = []renderer{
	{name: "text", help: "a table for people, at most 100 columns wide", write: viewed, unpaired: unpairedText},
	{name: "json", help: "the whole result document, to be read again by suite report",
		write: untabled(result.Write), unpaired: UnpairedJSON},
	{name: "junit", help: "JUnit XML with a test case per gate, as current CI systems read it",
		verdicts: true, write: tabled(junit.Render)},
	{name: "junit-strict", help: "JUnit XML with no more than the schemas of Ant and Jenkins allow",
		verdicts: true, write: tabled(junit.RenderStrict)},
	{name: "html", help: "one page with drawings that needs no network, and loses nothing without scripts and styles",
		write: html.Render, unpaired: html.RenderUnpaired},
	{name: "markdown", help: "a comment for a pull request, at most 65,000 characters",
		ending: ".md", write: tabled(markdown.Render), unpaired: besides(markdown.Render)},
	{name: "comment", help: "a short comment for a pull request, with the cases that changed, as suite push posts it",
		ending: ".comment.md", write: markdown.RenderComment},
	{name: "github", help: "annotations for GitHub Actions, as workflow commands",
		ending: ".github", write: tabled(github.Render), unpaired: besides(github.Render)},
	{name: "gitlab", help: "Code Quality report for GitLab", ending: ".gitlab", verdicts: true, write: tabled(GitLab)},
	{name: "benchfmt", help: "the Go benchmark format, for benchstat: a line per block, run or launch",
		ending: ".bench", write: benchfmt.Render, unpaired: saved(benchfmt.RenderSaved)},
	{name: "csv", help: "a row per sample, comma-separated, in SI base units",
		ending: ".csv", write: csv.Render, unpaired: saved(csv.RenderSaved)},
	{name: "csv-summary", help: "a row per metric of a case, with its statistics and its ratio to the base",
		ending: ".summary.csv", write: csv.RenderSummary, unpaired: csv.RenderUnpaired},
	{name: "csv-arcs", help: "a row per arc of pegs, with its times", write: csv.RenderArcs},
	{name: "bmf", help: "Bencher Metric Format", ending: ".bmf", write: BMF},
	{name: "hyperfine", help: "JSON as hyperfine writes it, of commands alone",
		ending: ".hyperfine", write: untabled(hyperfine.Write)},
	{name: "customSmallerIsBetter", help: "times and memory for github-action-benchmark",
		ending: ".smaller", write: CustomSmallerIsBetter},
	{name: "customBiggerIsBetter", help: "rates for github-action-benchmark",
		ending: ".bigger", write: CustomBiggerIsBetter},
	{name: "openmetrics",
		help:   "medians, ratios and verdicts in OpenMetrics, for promtool or the metrics report of GitLab",
		stamps: true, ending: ".om", write: openmetrics.Render},
	{name: "prometheus", help: "the same in the text format of Prometheus, for node_exporter and the Pushgateway",
		stamps: true, ending: ".prom", write: openmetrics.RenderPrometheus},
}

// viewed is the table as its reader wants to see it.
func viewed(w io.Writer, doc *result.Document, o table.Options) error {
	return laidOut(w, table.Viewed(doc, o.View), o)
}

// A report is as wide as fullWidth if nobody asks for another width, and never narrower than leastWidth.
const fullWidth, leastWidth = 100, 40

func laidOut(w io.Writer, t *table.Table, o table.Options) error {
	width := fullWidth
	if o.Width > 0 {
		width = max(leastWidth, o.Width)
	}
	return text.Write(w, about.Run(t), text.Options{Width: width, Color: o.Color,
		ASCII: o.Spelt, ASCIIFigures: o.ASCII})
}

func tabled(
	f func(io.Writer, *table.Table, table.Options) error,
) func(io.Writer, *result.Document, table.Options) error {
	return func(w io.Writer, doc *result.Document, o table.Options) error { return f(w, table.NewTable(doc), o) }
}

func untabled(f func(io.Writer, *result.Document) error) func(io.Writer, *result.Document, table.Options) error {
	return func(w io.Writer, doc *result.Document, _ table.Options) error { return f(w, doc) }
}

// Formats lists the formats that Render knows.
func Formats() []Format {
	out := make([]Format, len(renderers))
	for i, r := range renderers {
		out[i] = Format{Name: r.name, Help: r.help, Stamps: r.stamps}
	}
	return out
}

// Render writes a document that Validate accepts in one of Formats. An unknown
// format is an error that lists them.
func Render(w io.Writer, format string, doc *result.Document, o table.Options) error {
	r := find(format)
	if r == nil {
		return fmt.Errorf("unknown format %q; expected one of %s", format, strings.Join(FormatNames(), ", "))
	}
	return r.write(w, doc, o)
}

// find returns the renderer of a format, nil if there is none.
func find(format string) *renderer {
	i := slices.IndexFunc(renderers, func(r renderer) bool { return r.name == format })
	if i < 0 {
		return nil
	}
	return &renderers[i]
}

// FormatNames lists the names of Formats.
func FormatNames() (names []string) {
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}
