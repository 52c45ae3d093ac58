package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/scaffold"
	"github.com/spf13/cobra"
)

const initHelp = `Write a first suite file for what FOLDER contains, the current folder by default: the
benchmarks of go test in its Go packages, scripts and programs whose names look like
benchmarks, programs that were built there, or a target of its Makefile. The file is
short, commented, and can be run as it is. Nothing is run to write it, and no file is
ever replaced.

--ci writes a job that measures each change against the commit where it has left its
base, for GitHub Actions, GitLab or Jenkins. There is no published version of suite, so
the job builds it from the git repository that --source names, unless its machine has
suite already.

--go writes a Go module of its own for benchmarks that use package bench, in a folder
of the library whose go.mod FOLDER contains. The library's go.mod does not change.`

const initExample = `  suite init
  suite init --ci github --source https://github.com/OWNER/suite@COMMIT
  suite init --go`

// initOptions are the flags of suite init.
type initOptions struct {
	ci       string
	source   string
	goModule bool
}

func (e env) initCommand() *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use: "init [FOLDER]", Short: "write a first suite file, or a job for CI", Long: initHelp, Example: initExample,
		Args: atMostOneFolder,
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return e.initialise(e.orderly(c), dir, &o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.ci, "ci", "", "write a job for the CI `SYSTEM`: "+strings.Join(scaffold.Systems, ", "))
	c.Flags().StringVar(&o.source, "source", "", "where the job finds suite: `URL@REVISION` of a git repository")
	c.Flags().BoolVar(&o.goModule, "go", false, "write a Go module with benchmarks for a library")
	_ = c.RegisterFlagCompletionFunc("ci", cobra.FixedCompletions(scaffold.Systems, cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
	return c
}

// atMostOneFolder accepts no argument, or a folder that exists.
func atMostOneFolder(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return diag.Hinted(fmt.Sprintf("%s takes one folder, got %d", c.CommandPath(), len(args)), c.CommandPath()+" --help")
	}
	if len(args) == 1 && !paths.IsFolder(args[0]) {
		return diag.Hinted(fmt.Sprintf("no folder %q", args[0]), c.CommandPath()+" --help")
	}
	return nil
}

func (e env) initialise(ctx context.Context, dir string, o *initOptions) error {
	switch {
	case o.goModule && o.ci != "":
		return diag.Hinted("--go and --ci write different things", "suite init --go, and then suite init --ci "+o.ci)
	case o.source != "" && o.ci == "":
		return diag.Hinted("--source is for the job that --ci writes", "suite init --ci github --source "+o.source)
	case o.ci != "":
		return e.initJob(ctx, dir, o)
	case o.goModule:
		return e.initModule(ctx, dir)
	}
	return e.initSuite(ctx, dir)
}

// initSuite writes a suite file.
func (e env) initSuite(ctx context.Context, dir string) error {
	found, err := scaffold.Look(dir)
	if err != nil {
		return err
	}
	file, measures := found.SuiteFile()
	if err := create(dir, file); err != nil {
		return err
	}
	name := shownIn(dir, file.Path)
	next := []step{{"suite run " + name, "measures it"}}
	if branch, is := scaffold.DefaultBranch(ctx, dir); is {
		next = append(next, step{"suite run --against " + branch + " " + name, "on a branch: compares with " + branch},
			step{"suite init --ci github" + folderArgument(dir), "a job that does so for each pull request (or gitlab, jenkins)"})
	}
	return e.printWritten([]string{name + ": " + measures}, next)
}

// initModule writes a module with benchmarks.
func (e env) initModule(ctx context.Context, dir string) error {
	files, folder, err := scaffold.GoModule(ctx, dir)
	if err != nil {
		return withHint(dir, err)
	}
	if err := create(dir, files...); err != nil {
		return err
	}
	var names []string
	suiteFile := ""
	for _, f := range files {
		names = append(names, shownIn(dir, f.Path))
		if strings.HasSuffix(f.Path, scaffold.Ending) {
			suiteFile = shownIn(dir, f.Path)
		}
	}
	next := []step{
		{"suite run " + suiteFile, "measures the function in " + shownIn(dir, path.Join(folder, "benchmarks.go"))},
	}
	if work := workspace(dir); work != "" {
		next = append([]step{{"go work use " + shownIn(dir, folder), work + " has to name the new module"}}, next...)
	}
	return e.printWritten(names, next)
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

// initJob writes a job for a CI system.
func (e env) initJob(ctx context.Context, dir string, o *initOptions) error {
	if !slices.Contains(scaffold.Systems, o.ci) {
		return diag.Hinted(fmt.Sprintf("no job for the CI system %q", o.ci), "--ci takes "+strings.Join(scaffold.Systems, ", "))
	}
	source, revision := splitSource(o.source)
	if err := scaffold.CheckSource(source, revision); err != nil {
		return diag.Hinted(err.Error(), "--source https://github.com/OWNER/suite@COMMIT")
	}
	top, inside, err := scaffold.Top(ctx, dir)
	if err != nil {
		return err
	}
	suites, err := scaffold.SuiteFiles(dir)
	if err != nil {
		return err
	}
	if len(suites) == 0 {
		return diag.Hinted(fmt.Sprintf("no suite file in %q, so there is nothing that the job could run", dir), "suite init"+folderArgument(dir))
	}
	for i := range suites {
		suites[i] = path.Join(inside, suites[i])
	}
	branch, _ := scaffold.DefaultBranch(ctx, dir)
	file, wiring := scaffold.Job(top, scaffold.JobOptions{System: o.ci, Suites: suites, Branch: branch, Source: source, Revision: revision})
	if err := create(top, file); err != nil {
		return err
	}
	name := filepath.Join(top, filepath.FromSlash(file.Path))
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, name); err == nil {
			name = rel
		}
	}
	var next []step
	if source == "" {
		next = append(next, step{"set SUITE_SOURCE in it", "the git URL of suite's repository, unless the machine of the job has suite"})
	}
	if wiring != "" {
		next = append(next, step{wiring, ""})
	}
	next = append(next, step{"commit it with " + strings.Join(suites, ", "), "then a change that makes something slower is red"})
	return e.printWritten([]string{name}, next)
}

// splitSource cuts URL@REVISION. Without a revision it is the one that this program was built
// from, if the build has recorded it.
func splitSource(text string) (source, revision string) {
	at := strings.LastIndex(text, "@")
	if at > strings.LastIndexAny(text, "/:") {
		return text[:at], text[at+1:]
	}
	return text, builtFrom()
}

// The revision is the commit that this program was built from, empty if it is unknown
// or the work tree had changes.
func builtFrom() (revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value != "false":
			return ""
		}
	}
	return revision
}

// create writes files below a folder, and returns an error with a hint if one of them exists.
func create(dir string, files ...scaffold.File) error {
	return withHint(dir, scaffold.Write(dir, files))
}

// withHint adds a hint to the error about files that exist.
func withHint(dir string, err error) error {
	var there *scaffold.ExistsError
	if errors.As(err, &there) {
		hint := "move it away first; suite init never replaces a file"
		if strings.HasSuffix(there.Paths[0], scaffold.Ending) {
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

// step is something to do next, and what it is good for.
type step struct{ what, why string }

func (e env) printWritten(names []string, next []step) error {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "wrote %s\n", clean(name))
	}
	b.WriteString("\nnext:\n")
	widest := 0
	for _, s := range next {
		if s.why != "" {
			widest = max(widest, len(s.what))
		}
	}
	for _, s := range next {
		line := fmt.Sprintf("  %-*s   %s", widest, clean(s.what), s.why)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := fmt.Fprint(e.words(), b.String())
	return err
}
