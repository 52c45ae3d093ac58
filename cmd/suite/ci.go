package main

import (
	"errors"
	"io"

	"example.com/suite/internal/ci"
	"example.com/suite/report"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

func ciFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "ci", ci.None,
		"also report to the CI `SYSTEM` that runs suite: auto, github, gitlab or none")
	complete(c, "ci", choices(ci.Names()))
}

// ciSystem resolves a value of --ci.
func ciSystem(e env, name string) ci.System { return ci.Open(name, e.variable) }

// checkCIFiles reports every file of a CI system that cannot be written. It runs before
// anything is measured.
func checkCIFiles(e env, name string) error {
	return errors.Join(ciSystem(e, name).CheckFiles()...)
}

// reportToCI reports to a CI system in its own formats. A file that the system has not
// named in the environment is not written.
func (o *outputs) reportToCI(e env, doc *result.Document) error {
	switch system := ciSystem(e, o.ci); system.Name {
	case ci.GitHub:
		return reportToGitHub(e, doc, system)
	case ci.GitLab:
		return o.reportToGitLab(e, doc, system)
	}
	return nil
}

// reportToGitHub writes annotations to standard error, so that they do not mix with a
// report on standard output, and appends to the summary and the outputs of the step.
func reportToGitHub(e env, doc *result.Document, system ci.System) error {
	summary := func(w io.Writer, most int) error {
		o := e.reportOptions()
		o.Most = most
		return report.Render(w, "markdown", doc, o)
	}
	noRoom := func(size int64) {
		e.say("--ci github: no room for the report in $%s, which has %d bytes already", ci.SummaryVariable, size)
	}
	return errors.Join(
		report.Render(e.annotations, "github", doc, e.reportOptions()),
		e.signals.AwaitReader(e.variable(ci.SummaryVariable), func() error { return system.AppendSummary(summary, noRoom) }),
		e.signals.AwaitReader(e.variable(ci.OutputVariable), func() error { return system.AppendOutputs(doc.Outcome()) }),
	)
}

func (o *outputs) reportToGitLab(e env, doc *result.Document, system ci.System) error {
	files := system.GitLabFiles()
	if files == nil {
		e.say("--ci gitlab: CI_PROJECT_DIR is not set, so that no file was written")
	}
	var failed error
	for _, f := range files {
		failed = errors.Join(failed, o.write(e, doc, report.Target{Format: f.Format, File: f.Path}))
	}
	return failed
}
