package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

// The values of --ci.
const (
	ciAuto   = "auto"
	ciGitHub = "github"
	ciGitLab = "gitlab"
	ciNone   = "none"
)

var ciNames = []string{ciAuto, ciGitHub, ciGitLab, ciNone}

func ciFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "ci", ciNone, "also report to the CI `SYSTEM` that runs suite: auto, github, gitlab or none")
	complete(c, "ci", cobra.FixedCompletions(ciNames, cobra.ShellCompDirectiveNoFileComp))
}

func checkCI(name string) error {
	if name != "" && !slices.Contains(ciNames, name) {
		return diag.Hinted(fmt.Sprintf("unknown CI system %q", name), "--ci takes "+strings.Join(ciNames, ", ")+"; every other system reads --out junit=report.xml")
	}
	return nil
}

// ciSystem resolves a value of --ci. For auto it is the system that has set its
// variable in the environment.
func (e env) ciSystem(name string) string {
	switch {
	case name != ciAuto:
		return name
	case e.variable("GITHUB_ACTIONS") == "true":
		return ciGitHub
	case e.variable("GITLAB_CI") == "true":
		return ciGitLab
	}
	return ciNone
}

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
	var all troubles
	try := func(path string, check func(string) error) {
		if path != "" {
			all = append(all, check(path))
		}
	}
	switch e.ciSystem(name) {
	case ciGitHub:
		try(e.variable(summaryVariable), checkAppend)
		try(e.variable(outputVariable), checkAppend)
	case ciGitLab:
		for _, t := range e.gitLabTargets() {
			try(t.file, report.CheckFile)
		}
	}
	return all.orNil()
}

// checkAppend is report.CheckFile for a file that is appended to. CheckFile needs a
// folder in which a new file can be made, and the folder of this one may be read-only.
func checkAppend(path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return report.CheckFile(path)
	}
	return appendTo(path, func(io.Writer, int64) error { return nil })
}

// reportToCI reports to a CI system in its own formats. A file that the system has not
// named in the environment is not written.
func (e env) reportToCI(doc *result.Document, name string) error {
	switch e.ciSystem(name) {
	case ciGitHub:
		return e.reportToGitHub(doc)
	case ciGitLab:
		return e.reportToGitLab(doc)
	}
	return nil
}

// The variables in which GitHub names the files of a step.
const (
	summaryVariable = "GITHUB_STEP_SUMMARY"
	outputVariable  = "GITHUB_OUTPUT"
)

// reportToGitHub writes annotations to standard error, so that they do not mix with a
// report on standard output, and appends to the summary and the outputs of the step.
func (e env) reportToGitHub(doc *result.Document) error {
	return troubles{
		report.Render(e.stderr, "github", doc, e.options()),
		appendTo(e.variable(summaryVariable), func(w io.Writer, size int64) error { return e.ciSummary(w, size, doc) }),
		appendTo(e.variable(outputVariable), func(w io.Writer, size int64) error { return ciOutputs(w, size, doc.Outcome()) }),
	}.orNil()
}

// ciSummary appends the report to a step's summary, which already has size bytes.
func (e env) ciSummary(w io.Writer, size int64, doc *result.Document) error {
	room := mostSummary - size
	if room < leastSummary { // GitHub would refuse the whole summary
		e.say("--ci github: no room for the report in $%s, which has %d bytes already", summaryVariable, size)
		return nil
	}
	o := e.options()
	o.Most = int(room) - len(blankLine)
	return writeAfter(w, size, blankLine, func() error { return report.Render(w, "markdown", doc, o) })
}

// blankLine ends a paragraph of Markdown: a heading directly below text may be read as
// part of it.
const blankLine = "\n\n"

// writeAfter calls write for a file of size bytes. If the file is not empty it writes
// between first, because its last line may not be complete.
func writeAfter(w io.Writer, size int64, between string, write func() error) error {
	if size > 0 {
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
	}
	return write()
}

// GitHub accepts 1 MiB as the summary of a step, with everything that other programs
// wrote to it. A report cut to less than leastSummary is of no use.
const (
	mostSummary  = 1<<20 - 1
	leastSummary = 4 << 10
)

// ciOutputs writes the outputs that later steps of a job can use, one per line.
func ciOutputs(w io.Writer, size int64, o result.Outcome) error {
	return writeAfter(w, size, "\n", func() error {
		_, err := fmt.Fprintf(w, "verdict=%s\nexit=%d\nsummary=%s\n", o.Word, o.Exit, cut(clean(o.String()), mostOutput))
		return err
	})
}

// mostOutput limits the summary among the outputs, in characters: ten thousand names of
// gates would exceed the 1 MB that GitHub accepts for a job.
const mostOutput = 2000

func cut(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

// appendTo calls write with a file opened for appending and its present size. It does
// nothing if path is empty.
func appendTo(path string, write func(w io.Writer, size int64) error) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", path, paths.Cause(err))
	}
	info, err := f.Stat()
	if err == nil {
		err = write(f, info.Size())
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", path, paths.Cause(err))
	}
	return nil
}

// gitLabFiles are the reports for a GitLab job, under the names that GitLab's
// documentation uses. They are written to the folder of the project.
var gitLabFiles = []target{{"gitlab", "gl-code-quality-report.json"}, {"openmetrics", "metrics.txt"}}

func (e env) gitLabTargets() (all []target) {
	dir := e.variable("CI_PROJECT_DIR")
	if dir == "" {
		return nil
	}
	for _, t := range gitLabFiles {
		all = append(all, target{t.format, filepath.Join(dir, t.file)})
	}
	return all
}

func (e env) reportToGitLab(doc *result.Document) error {
	targets := e.gitLabTargets()
	if targets == nil {
		e.say("--ci gitlab: CI_PROJECT_DIR is not set, so that no file was written")
	}
	var failed troubles
	for _, t := range targets {
		failed = append(failed, e.write(doc, t))
	}
	return failed.orNil()
}

// These options are for a report that is not for a terminal.
func (e env) options() table.Options {
	return table.Options{Width: e.columns(), Path: e.inRepository}
}

// inRepository makes a path relative to the repository of the CI job. A path outside of
// it is left unchanged.
func (e env) inRepository(file string) string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		root := e.variable(name)
		if root == "" {
			continue
		}
		if inside, err := filepath.Rel(paths.Real(root), paths.Real(file)); err == nil && filepath.IsLocal(inside) {
			return inside
		}
	}
	return file
}
