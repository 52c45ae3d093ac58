// Package ci reports the result of a run to the CI system that runs it, in the system's own
// formats. It finds files in the environment, and gets every report from its caller.
package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/paths"
	"example.com/suite/report"
	"example.com/suite/result"
)

// The names of CI systems.
const (
	Auto   = "auto" // the system that has set its variable in the environment
	GitHub = "github"
	GitLab = "gitlab"
	None   = "none"
)

// Names lists the names that people may choose.
func Names() []string { return []string{Auto, GitHub, GitLab, None} }

// Check refuses a name that is unknown. An empty one is None.
func Check(name string) error {
	if name != "" && !slices.Contains(Names(), name) {
		return diag.Hinted(fmt.Sprintf("unknown CI system %q", name),
			"--ci takes "+strings.Join(Names(), ", ")+"; every other system reads --out junit=report.xml")
	}
	return nil
}

// System is the CI system of a run.
type System struct {
	Name     string              // never Auto
	variable func(string) string // of the environment; empty if it is not set
}

// Open resolves a name.
func Open(name string, variable func(string) string) System {
	s := System{name, variable}
	switch {
	case name != Auto:
	case variable("GITHUB_ACTIONS") == "true":
		s.Name = GitHub
	case variable("GITLAB_CI") == "true":
		s.Name = GitLab
	default:
		s.Name = None
	}
	return s
}

// CheckFiles returns the problem of every file of the system that cannot be written.
func (s System) CheckFiles() (problems []error) {
	try := func(path string, check func(string) error) {
		if path != "" {
			problems = append(problems, check(path))
		}
	}
	switch s.Name {
	case GitHub:
		try(s.variable(SummaryVariable), checkAppend)
		try(s.variable(OutputVariable), checkAppend)
	case GitLab:
		for _, f := range s.GitLabFiles() {
			try(f.Path, report.CheckFile)
		}
	}
	return problems
}

// checkAppend is report.CheckFile for a file that is appended to. CheckFile needs a
// folder in which a new file can be made, and the folder of this one may be read-only.
func checkAppend(path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return report.CheckFile(path)
	}
	return appendTo(path, func(io.Writer, int64) error { return nil })
}

// The variables in which GitHub names the files of a step.
const (
	SummaryVariable = "GITHUB_STEP_SUMMARY"
	OutputVariable  = "GITHUB_OUTPUT"
)

// AppendSummary appends a report in Markdown to the summary of a GitHub step. render writes it
// in at most so many bytes. noRoom is called with the size of the summary, in bytes, if there is
// no room for the report.
func (s System) AppendSummary(render func(w io.Writer, most int) error, noRoom func(size int64)) error {
	return appendTo(s.variable(SummaryVariable), func(w io.Writer, size int64) error {
		return writeSummary(w, size, render, noRoom)
	})
}

// writeSummary appends the report to a step's summary, which already has size bytes.
func writeSummary(w io.Writer, size int64, render func(w io.Writer, most int) error, noRoom func(size int64)) error {
	room := mostSummary - size
	if room < leastSummary { // GitHub would refuse the whole summary
		noRoom(size)
		return nil
	}
	return writeAfter(w, size, blankLine, func() error { return render(w, int(room)-len(blankLine)) })
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

// AppendOutputs appends the outputs that later steps of a GitHub job can use, one per line.
func (s System) AppendOutputs(o result.Outcome) error {
	return appendTo(s.variable(OutputVariable), func(w io.Writer, size int64) error {
		return writeAfter(w, size, "\n", func() error {
			_, err := fmt.Fprintf(w, "verdict=%s\nexit=%d\nsummary=%s\n", o.Word, o.Exit,
				diag.ClipTo(display.Visible(o.String()), mostOutput))
			return err
		})
	})
}

// mostOutput limits the summary among the outputs, in characters: ten thousand names of
// gates would exceed the 1 MB that GitHub accepts for a job.
const mostOutput = 2000

// appendTo calls write with a file opened for appending and its present size. It does
// nothing if path is empty.
func appendTo(path string, write func(w io.Writer, size int64) error) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", path, diag.WithoutPath(err))
	}
	info, err := f.Stat()
	if err == nil {
		err = write(f, info.Size())
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", path, diag.WithoutPath(err))
	}
	return nil
}

// File is a report of a run in a file.
type File struct{ Format, Path string }

// GitLabFiles are the reports for a GitLab job, under the names that GitLab's documentation
// uses, in the folder of the project. There are none if the environment does not name it.
func (s System) GitLabFiles() []File {
	dir := s.variable("CI_PROJECT_DIR")
	if dir == "" {
		return nil
	}
	return []File{{"gitlab", filepath.Join(dir, "gl-code-quality-report.json")},
		{"openmetrics", filepath.Join(dir, "metrics.txt")}}
}

// InRepository returns a function that makes a path relative to the repository of the CI job. A path
// outside of it is left unchanged.
func InRepository(variable func(string) string) func(file string) string {
	return func(file string) string {
		for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
			root := variable(name)
			if root == "" {
				continue
			}
			if inside, err := filepath.Rel(paths.Real(root), paths.Real(file)); err == nil && filepath.IsLocal(inside) {
				return inside
			}
		}
		return file
	}
}

// JobURL is the address of the job that has measured, as far as the CI system reports it: in a workflow that GitHub
// starts after another one, of that one. It is empty elsewhere.
func JobURL(variable func(string) string) string {
	if file := variable("GITHUB_EVENT_PATH"); file != "" {
		var event struct {
			Run struct {
				URL string `json:"html_url"`
			} `json:"workflow_run"`
		}
		text, err := os.ReadFile(file)
		if err == nil && json.Unmarshal(text, &event) == nil && event.Run.URL != "" {
			return event.Run.URL
		}
	}
	if run := variable("GITHUB_RUN_ID"); run != "" {
		return variable("GITHUB_SERVER_URL") + "/" + variable("GITHUB_REPOSITORY") + "/actions/runs/" + run
	}
	return variable("CI_JOB_URL")
}
