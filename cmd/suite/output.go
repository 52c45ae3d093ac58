package main

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/saved"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/runner/profile"
	"github.com/spf13/cobra"
)

// outputs are the flags about reports: their formats, files and layout.
type outputs struct {
	format string
	out    []string
	ci     string
	parsed []target
	chosen viewFlags
	view   table.View                // chosen, as parsed by check
	stamps bool                      // write timestamps in openmetrics and prometheus
	site   string                    // where the pages of suite site are; empty: html links to none
	known  func(format string) error // refuses formats; nil: knownFormat

	profiles []profile.File // written next to each result
}

// target is one report, FORMAT=FILE. The file - is standard output.
type target struct{ format, file string }

func (o *outputs) flags(c *cobra.Command, e env) {
	o.targets(c, formatNames())
	o.chosen.flags(c, e)
	c.Flags().BoolVar(&o.stamps, "timestamps", false, "add the start time of the run to each number of openmetrics and prometheus, as promtool requires")
	c.Flags().StringVar(&o.site, "site", "", "link html reports to the pages of suite site at a `URL`, or a path relative to the report")
	complete(c, "site", filesEnding("html"))
	ciFlag(c, &o.ci)
}

// targets adds the flags that choose among formats and files.
func (o *outputs) targets(c *cobra.Command, formats []string) {
	list := strings.Join(formats, ", ")
	c.Flags().StringVar(&o.format, "format", "", "`FORMAT` of the report on standard output (default text): "+list)
	c.Flags().StringArrayVarP(&o.out, "out", "o", nil, "write a further report to a file, `FORMAT=FILE`; - is standard output instead of the table; repeatable")
	complete(c, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	complete(c, "out", completeTarget(formats))
}

// formatText is the format for people.
const formatText = "text"

// textOrJSON are the formats of commands that have no others.
var textOrJSON = []string{formatText, "json"}

// formatFlag adds --format to a command that prints one thing.
func formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", formatText, "`FORMAT` of the output: "+strings.Join(textOrJSON, ", "))
	complete(c, "format", cobra.FixedCompletions(textOrJSON, cobra.ShellCompDirectiveNoFileComp))
}

// jsonFlag accepts --json, which scripts use, for --format json. Help does not show it.
func jsonFlag(c *cobra.Command, json *bool) {
	c.Flags().BoolVar(json, "json", false, "the same as --format json")
	_ = c.Flags().MarkHidden("json")
}

// isJSON reports whether the output is JSON.
func isJSON(format string, json bool) (bool, error) {
	if !slices.Contains(textOrJSON, format) {
		return false, unknown("format", format, textOrJSON)
	}
	return json || format == "json", nil
}

func formatNames() (names []string) {
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// check parses the flags and reports all their problems at once. It runs before anything
// is measured and also reports files that cannot be written.
func (o *outputs) check() error {
	var all troubles
	if o.format != "" {
		o.parsed = []target{{o.format, "-"}}
	}
	for _, text := range o.out {
		format, file, ok := strings.Cut(text, "=")
		if !ok || file == "" {
			all = append(all, diag.Hinted(fmt.Sprintf("--out %q: want FORMAT=FILE", text), "for example "+exampleOut(text)))
			continue
		}
		if comma := strings.LastIndex(file, ","); comma >= 0 {
			if next, _, ok := strings.Cut(file[comma+1:], "="); ok && slices.Contains(formatNames(), next) {
				all = append(all, diag.Hinted(fmt.Sprintf("--out %q: one report for each --out", text), fmt.Sprintf("--out %s=%s --out %s", format, file[:comma], file[comma+1:])))
				continue
			}
		}
		o.parsed = append(o.parsed, target{format, file})
	}
	if !slices.ContainsFunc(o.parsed, target.isStdout) {
		o.parsed = slices.Insert(o.parsed, 0, target{"text", "-"}) // written first: somebody is waiting for it
	}
	for i, t := range o.parsed {
		if err := t.check(o.known, o.parsed[:i]); err != nil {
			all = append(all, err)
		}
	}
	if o.stamps && !slices.ContainsFunc(o.parsed, target.hasStamps) {
		all = append(all, diag.Hinted("--timestamps concerns openmetrics and prometheus, and no such report is written", "for example --out openmetrics=metrics.txt"))
	}
	if err := o.checkSite(); err != nil {
		all = append(all, err)
	}
	if err := ci.Check(o.ci); err != nil {
		all = append(all, err)
	}
	view, err := o.chosen.view()
	o.view = view
	if err != nil {
		all = append(all, err)
	}
	if len(all) > 0 {
		return all
	}
	return nil
}

// checkSite refuses a link that no browser follows from a report, and one that no report has.
func (o *outputs) checkSite() error {
	if o.site == "" {
		return nil
	}
	link, err := url.Parse(o.site)
	switch {
	case err != nil || link.Scheme != "" && link.Scheme != "https" && link.Scheme != "http":
		return diag.Hinted(fmt.Sprintf("--site %q is neither a URL of the web nor a path", o.site), "for example --site https://example.org/bench/, or --site index.html for pages next to the report")
	case !slices.ContainsFunc(o.parsed, func(t target) bool { return t.format == "html" }):
		return diag.Hinted("--site concerns html, and no such report is written", "for example --out html=public/report.html")
	}
	return nil
}

// endings are the formats that people mean by the ending of a file's name.
var endings = map[string]string{".json": "json", ".xml": "junit", ".html": "html", ".md": "markdown", ".csv": "csv", ".txt": "text"}

// exampleOut completes a value of --out that is only a format or only a file.
func exampleOut(text string) string {
	text = strings.TrimSuffix(text, "=")
	ending := filepath.Ext(text)
	switch {
	case slices.Contains(formatNames(), text):
		return "--out " + text + "=FILE"
	case endings[ending] != "" && text != ending:
		return "--out " + endings[ending] + "=" + text
	}
	return "--out junit=report.xml"
}

// spare fails if a report would replace a suite file.
func (o *outputs) spare(suites []string) error { return o.spareFiles("suite file", suites) }

func (o *outputs) spareFiles(what string, files []string) error {
	for _, file := range files {
		for _, t := range o.parsed {
			if !t.isStdout() && t.place() == (target{file: file}).place() {
				return diag.Hinted(fmt.Sprintf("the %s report would replace the %s %q", t.format, what, t.file), "give it another file")
			}
		}
	}
	return nil
}

func (t target) isStdout() bool { return t.file == "-" }

// hasStamps reports whether numbers of the format can have timestamps.
func (t target) hasStamps() bool {
	return slices.ContainsFunc(report.Formats(), func(f report.Format) bool { return f.Name == t.format && f.Stamps })
}

// String names the file as messages do.
func (t target) String() string {
	if t.isStdout() {
		return "standard output"
	}
	return t.file
}

// check fails if the target cannot be written or is the same file as an earlier one.
func (t target) check(known func(string) error, earlier []target) error {
	if known == nil {
		known = knownFormat
	}
	if err := known(t.format); err != nil {
		return err
	}
	same := func(other target) bool { return other.place() == t.place() }
	taken := slices.ContainsFunc(earlier, same)
	switch {
	case taken && t.isStdout():
		return diag.Hinted("two reports cannot share standard output", "give one of them a file: --out FORMAT=FILE")
	case taken:
		return diag.Hinted(fmt.Sprintf("two reports go to %q", t.file), "give each a file of its own")
	case t.isStdout():
		return nil
	}
	return report.CheckFile(t.file)
}

// place is the real path of the file, so that two names of one file are equal.
func (t target) place() string {
	if t.isStdout() {
		return t.file
	}
	return paths.Real(t.file)
}

func knownFormat(name string) error {
	if format := endings["."+name]; format != "" && format != name {
		return diag.Hinted(fmt.Sprintf("unknown format %q", name), fmt.Sprintf("did you mean %q?", format))
	}
	if names := formatNames(); !slices.Contains(names, name) {
		return unknown("format", name, names)
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
		if !t.isStdout() && t.place() == (target{file: b.Name}).place() {
			return diag.Hinted(fmt.Sprintf("the %s report would replace %q, which --against compares with", t.format, t.file),
				"write it to another file, and put that in its place once you are content with it")

		}
	}
	return nil
}
