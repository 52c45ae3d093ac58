package scaffold

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
)

// Written is what a Request has written, as the user of this system calls it.
type Written struct {
	Names []string // of files; the name of a suite file is followed by what it measures
	Next  []Step
}

// Text lists what was written, and what to do next.
func (w *Written) Text() string {
	var b strings.Builder
	for _, name := range w.Names {
		fmt.Fprintf(&b, "wrote %s\n", display.Visible(name))
	}
	b.WriteString("\nnext:\n")
	widest := 0
	for _, s := range w.Next {
		if s.Why != "" {
			widest = max(widest, len(s.What))
		}
	}
	for _, s := range w.Next {
		line := fmt.Sprintf("  %-*s   %s", widest, display.Visible(s.What), s.Why)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Request is what a command line asks for: a suite file, unless a job or a module is named.
type Request struct {
	CI       string // the system of a job
	Source   string // of suite, for the job: URL@REVISION
	Tool     Tool   // what else of suite the job is told
	GoModule bool
}

// Write writes what is asked for into a folder. version is the version of this program.
func (r Request) Write(ctx context.Context, dir, version string) (*Written, error) {
	switch {
	case r.GoModule && r.CI != "":
		return nil, diag.Hinted("--go and --ci write different things", "suite init --go, and then suite init --ci "+r.CI)
	case r.Source != "" && r.CI == "":
		return nil, diag.Hinted("--source is for the job that --ci writes", "suite init --ci github --source "+r.Source)
	case r.Tool != Tool{} && r.CI == "":
		return nil, diag.Hinted("--archive and --sha256 are for the job that --ci writes",
			"suite init --ci github --archive URL --sha256 SUM")
	case r.CI != "":
		r.Tool.SetSource(r.Source, version)
		return writeJob(ctx, dir, r.CI, r.Tool)
	case r.GoModule:
		return writeGoModule(ctx, dir)
	}
	return writeSuite(ctx, dir)
}

// Step is something to do next, and what it is good for.
type Step struct{ What, Why string }

// writeSuite writes a suite file for what a folder contains.
func writeSuite(ctx context.Context, dir string) (*Written, error) {
	found, err := Look(dir)
	if err != nil {
		return nil, err
	}
	file, measures := found.SuiteFile()
	if err := create(dir, file); err != nil {
		return nil, err
	}
	name := shownIn(dir, file.Path)
	next := []Step{{"suite run " + name, "measures it"}}
	if branch, is := DefaultBranch(ctx, dir); is {
		next = append(next, Step{"suite run --against " + branch + " " + name, "on a branch: compares with " + branch},
			Step{"suite init --ci github" + folderArgument(dir),
				"a job that does so for each pull request (or gitlab, jenkins)"})
	}
	return &Written{[]string{name + ": " + measures}, next}, nil
}

// writeGoModule writes a module with benchmarks for the Go library in a folder.
func writeGoModule(ctx context.Context, dir string) (*Written, error) {
	files, folder, err := GoModule(ctx, dir)
	if err != nil {
		return nil, withHint(dir, err)
	}
	if err := create(dir, files...); err != nil {
		return nil, err
	}
	var names []string
	suiteFile := ""
	for _, f := range files {
		names = append(names, shownIn(dir, f.Path))
		if strings.HasSuffix(f.Path, Ending) {
			suiteFile = shownIn(dir, f.Path)
		}
	}
	next := []Step{
		{"suite run " + suiteFile, "measures the function in " + shownIn(dir, path.Join(folder, "benchmarks.go"))},
	}
	if work := workspace(dir); work != "" {
		next = append([]Step{{"go work use " + shownIn(dir, folder), work + " has to name the new module"}}, next...)
	}
	return &Written{names, next}, nil
}

// workspace looks for the go.work that the go command uses in a folder. It is empty if
// there is none.
func workspace(dir string) string {
	for folder, err := filepath.Abs(dir); err == nil; {
		file := filepath.Join(folder, "go.work")
		if _, err := os.Stat(file); err == nil && os.Getenv("GOWORK") != "off" {
			return file
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return ""
		}
		folder = parent
	}
	return ""
}

// writeJob writes a job for the repository of a folder. system is one of Systems.
func writeJob(ctx context.Context, dir, system string, tool Tool) (*Written, error) {
	if !slices.Contains(Systems, system) {
		return nil, diag.Hinted(fmt.Sprintf("no job for the CI system %q", system),
			"--ci takes "+strings.Join(Systems, ", "))
	}
	if err := tool.Check(); err != nil {
		return nil, err
	}
	top, inside, err := Top(ctx, dir)
	if err != nil {
		return nil, err
	}
	suites, err := SuiteFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(suites) == 0 {
		return nil, diag.Hinted(fmt.Sprintf("no suite file in %q, so there is nothing that the job could run", dir),
			"suite init"+folderArgument(dir))
	}
	for i := range suites {
		suites[i] = path.Join(inside, suites[i])
	}
	branch, _ := DefaultBranch(ctx, dir)
	file, wiring := Job(top, JobOptions{System: system, Suites: suites, Branch: branch, Tool: tool})
	if err := create(top, file); err != nil {
		return nil, err
	}
	name := filepath.Join(top, filepath.FromSlash(file.Path))
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, name); err == nil {
			name = rel
		}
	}
	var next []Step
	if tool.Source == "" && tool.Archive == "" {
		next = append(next, Step{"set SUITE_SOURCE in it",
			"the git URL of suite's repository, unless the machine of the job has suite"})
	}
	if wiring != "" {
		next = append(next, Step{wiring, ""})
	}
	next = append(next, Step{"commit it with " + strings.Join(suites, ", "),
		"then a change that makes something slower is red"})
	return &Written{[]string{name}, next}, nil
}

// create writes files below a folder, and returns an error with a hint if one of them exists.
func create(dir string, files ...File) error {
	return withHint(dir, Write(dir, files))
}

// withHint adds a hint to the error about files that exist.
func withHint(dir string, err error) error {
	var there *ExistsError
	if errors.As(err, &there) {
		hint := "move it away first; suite init never replaces a file"
		if strings.HasSuffix(there.Paths[0], Ending) {
			hint = "suite run " + shownIn(dir, there.Paths[0])
		}
		return diag.Hinted(err.Error(), hint)
	}
	return err
}

// shownIn turns a slash-separated path below a folder into what a user of this system
// types.
func shownIn(dir, file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }

// folderArgument is empty for the current folder, which need not be named.
func folderArgument(dir string) string {
	if filepath.Clean(dir) == "." {
		return ""
	}
	return " " + dir
}
