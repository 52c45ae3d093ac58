package main

import (
	"io"

	"example.com/suite/internal/ci"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

func ciFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "ci", ci.None, "also report to the CI `SYSTEM` that runs suite: auto, github, gitlab or none")
	complete(c, "ci", cobra.FixedCompletions(ci.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// ciSystem resolves a value of --ci.
func (e env) ciSystem(name string) ci.System { return ci.Open(name, e.variable) }

func (e env) variable(name string) string {
	if e.lookup == nil {
		return ""
	}
	value, _ := e.lookup(name)
	return value
}

// checkCIFiles reports every file of a CI system that cannot be written. It runs before
// anything is measured.
func (e env) checkCIFiles(name string) error {
	return troubles(e.ciSystem(name).CheckFiles()).orNil()
}

// reportToCI reports to a CI system in its own formats. A file that the system has not
// named in the environment is not written.
func (e env) reportToCI(doc *result.Document, name string) error {
	switch system := e.ciSystem(name); system.Name {
	case ci.GitHub:
		return e.reportToGitHub(doc, system)
	case ci.GitLab:
		return e.reportToGitLab(doc, system)
	}
	return nil
}

// reportToGitHub writes annotations to standard error, so that they do not mix with a
// report on standard output, and appends to the summary and the outputs of the step.
func (e env) reportToGitHub(doc *result.Document, system ci.System) error {
	summary := func(w io.Writer, most int) error {
		o := e.options()
		o.Most = most
		return report.Render(w, "markdown", doc, o)
	}
	noRoom := func(size int64) {
		e.say("--ci github: no room for the report in $%s, which has %d bytes already", ci.SummaryVariable, size)
	}
	return troubles{
		report.Render(e.stderr, "github", doc, e.options()),
		system.AppendSummary(summary, noRoom),
		system.AppendOutputs(doc.Outcome()),
	}.orNil()
}

func (e env) reportToGitLab(doc *result.Document, system ci.System) error {
	files := system.GitLabFiles()
	if files == nil {
		e.say("--ci gitlab: CI_PROJECT_DIR is not set, so that no file was written")
	}
	var failed troubles
	for _, f := range files {
		failed = append(failed, e.write(doc, target{f.Format, f.Path}))
	}
	return failed.orNil()
}

// These options are for a report that is not for a terminal.
func (e env) options() table.Options {
	return table.Options{Width: e.columns(), Path: e.inRepository}
}

// inRepository makes a path relative to the repository of the CI job. A path outside of
// it is left unchanged.
func (e env) inRepository(file string) string { return ci.InRepository(file, e.variable) }
