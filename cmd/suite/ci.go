package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

// The systems that --ci knows.
const (
	ciAuto   = "auto"
	ciGitHub = "github"
	ciGitLab = "gitlab"
	ciNone   = "none"
)

var ciNames = []string{ciAuto, ciGitHub, ciGitLab, ciNone}

func ciFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "ci", ciNone, "also report to the CI `SYSTEM` that runs this: auto, github, gitlab or none")
	_ = c.RegisterFlagCompletionFunc("ci", cobra.FixedCompletions(ciNames, cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
}

func checkCI(name string) error {
	if name != "" && !slices.Contains(ciNames, name) {
		return hinted{fmt.Sprintf("unknown CI system %q", name), "--ci takes " + strings.Join(ciNames, ", ")}
	}
	return nil
}

// ciSystem is the one that is meant: auto asks the environment, in which both say
// their name.
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

// checkCIFiles tries before anything is measured whether the files of a CI system can be
// written, and gives every problem.
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

// checkAppend is CheckFile for a file that is not replaced, so that its folder may be
// read-only.
func checkAppend(path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return report.CheckFile(path)
	}
	return appendTo(path, func(io.Writer, int64) error { return nil })
}

// tellCI reports to a CI system in its own ways. What it has no file for is not
// written.
func (e env) tellCI(doc *result.Document, name string) error {
	switch e.ciSystem(name) {
	case ciGitHub:
		return e.tellGitHub(doc)
	case ciGitLab:
		return e.tellGitLab(doc)
	}
	return nil
}

// The files that GitHub gives a step.
const (
	summaryVariable = "GITHUB_STEP_SUMMARY"
	outputVariable  = "GITHUB_OUTPUT"
)

// tellGitHub writes annotations to standard error, where they do not get between
// the lines of a report, and appends to the files of summary and outputs.
func (e env) tellGitHub(doc *result.Document) error {
	return troubles{
		report.Render(e.stderr, "github", doc, e.options()),
		appendTo(e.variable(summaryVariable), func(w io.Writer, size int64) error { return e.ciSummary(w, size, doc) }),
		appendTo(e.variable(outputVariable), func(w io.Writer, size int64) error { return ciOutputs(w, size, doc.Outcome()) }),
	}.orNil()
}

// ciSummary adds the report to what a step has said already, size bytes.
func (e env) ciSummary(w io.Writer, size int64, doc *result.Document) error {
	room := mostSummary - size
	if room < leastSummary { // GitHub would refuse all of it
		e.say("--ci github: no room for the report in $%s, which holds %d bytes already", summaryVariable, size)
		return nil
	}
	o := e.options()
	o.Most = int(room) - len(blankLine)
	return behind(w, size, blankLine, func() error { return report.Render(w, "markdown", doc, o) })
}

// blankLine ends a line and a block of Markdown, in which a heading would be text.
const blankLine = "\n\n"

// behind has write go on in a file of which nobody knows that its last line is ended.
func behind(w io.Writer, size int64, between string, write func() error) error {
	if size > 0 {
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
	}
	return write()
}

// GitHub takes a summary of 1 MiB for a step, whoever wrote it. Below leastSummary a
// report says nothing.
const (
	mostSummary  = 1<<20 - 1
	leastSummary = 4 << 10
)

// ciOutputs are what later steps of a job may ask about the run, each in one line.
func ciOutputs(w io.Writer, size int64, o result.Outcome) error {
	return behind(w, size, "\n", func() error {
		_, err := fmt.Fprintf(w, "verdict=%s\nexit=%d\nsummary=%s\n", o.Word, o.Exit, cut(clean(o.String()), mostOutput))
		return err
	})
}

// mostOutput is how long a summary may be, characters: ten thousand names of gates are
// above the megabyte that GitHub takes for a job.
const mostOutput = 2000

func cut(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

// appendTo has write add to a file, and tells it how long that is already. Nothing
// happens where path is empty.
func appendTo(path string, write func(w io.Writer, size int64) error) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", path, unwrapped(err))
	}
	info, err := f.Stat()
	if err == nil {
		err = write(f, info.Size())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("cannot write %q: %w", path, unwrapped(err))
	}
	return nil
}

// unwrapped leaves out the path, which is said already.
func unwrapped(err error) error {
	var perr *os.PathError
	if errors.As(err, &perr) {
		return perr.Err
	}
	return err
}

// The files of a GitLab job, in the folder of its project, under the names that
// GitLab's documentation uses.
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

func (e env) tellGitLab(doc *result.Document) error {
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

// options are those of every report that is no terminal.
func (e env) options() table.Options {
	return table.Options{Width: e.columns(), Path: e.inRepository}
}

// inRepository gives the path that a file has in the repository of a CI job; the
// path as it is outside of one.
func (e env) inRepository(file string) string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		root, err := realPath(e.variable(name))
		if err != nil {
			continue
		}
		path, err := realPath(file)
		if err != nil {
			continue
		}
		if inside, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(inside) {
			return inside
		}
	}
	return file
}

// realPath is absolute and without symbolic links where there is such a file.
func realPath(path string) (string, error) {
	if path == "" {
		return "", os.ErrNotExist
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	return path, nil
}
