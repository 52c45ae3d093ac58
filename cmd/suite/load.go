package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/benchcase"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/scaffold"
	"example.com/suite/internal/typed"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/timer"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"
)

// suiteFiles resolves arguments: files as they are, folders to the suite files
// directly in them, globs (with **) to what they match outside of hidden folders.
// Files come in the order of the arguments, sorted within each; a file named twice
// counts once. skipped contains the .yaml files of folders that are no suite files.
func suiteFiles(args []string) (all, skipped []string, err error) {
	for _, arg := range args {
		found, others, err := resolve(arg)
		if err != nil {
			return nil, nil, err
		}
		all, skipped = append(all, found...), append(skipped, others...)
	}
	return distinctWords(all), distinctWords(skipped), nil
}

// distinctWords drops repeats and keeps the order.
func distinctWords(all []string) (kept []string) {
	for _, one := range all {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

func resolve(arg string) (found, skipped []string, err error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return folder(arg)
	case err == nil:
		return []string{arg}, nil, nil
	case strings.ContainsAny(arg, "*?[{"):
		found, err = glob(arg)
		return found, nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, noFile(arg)
	}
	return nil, nil, err
}

// folder parts the .yaml files of a folder into suite files and others.
func folder(dir string) (found, skipped []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		file := filepath.Join(dir, entry.Name())
		if !isYAML(entry.Name()) || paths.IsFolder(file) {
			continue
		}
		if is, err := spec.IsSuite(file); is || err != nil { // loading the file reports the error
			found = append(found, file)
		} else {
			skipped = append(skipped, file)
		}
	}
	switch {
	case len(found) == 0 && len(skipped) == 0:
		return nil, nil, diag.Hinted(fmt.Sprintf("folder %q has no .yaml file", dir), "")
	case len(found) == 0:
		return nil, nil, diag.Hinted(fmt.Sprintf("folder %q has no suite file: %s", dir, several(skipped)),
			"a suite file has benchmarks: in it, or is called NAME.suite.yaml")

	}
	return found, skipped, nil
}

// isYAML reports whether the name of a file allows a suite file. Hidden files belong to
// other programs, and accept.FileName lists accepted changes in the same folder.
func isYAML(name string) bool {
	ext := filepath.Ext(name)
	return (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(name, ".") && name != accept.FileName
}

// several lists the names of at most five files.
func several(files []string) string {
	const most = 5
	return units.List(files, most)
}

func glob(pattern string) ([]string, error) {
	found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly(), doublestar.WithNoHidden())
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	found = slices.DeleteFunc(found, func(path string) bool { return filepath.Base(path) == accept.FileName }) // in the same folder, and no suite file
	if len(found) == 0 {
		return nil, diag.Hinted(fmt.Sprintf("no file matches %q", pattern), "")
	}
	slices.Sort(found)
	return found, nil
}

// noFile is the error for a suite file that does not exist. The hint names a similar
// file, or else the suite files that are here.
func noFile(path string) error {
	hint := ""
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for _, near := range []string{path + scaffold.Ending, stem + scaffold.Ending, path + ".yaml", stem + ".yaml", path + ".yml", stem + ".yml"} {
		if info, err := os.Stat(near); hint == "" && err == nil && info.Mode().IsRegular() {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
	}
	hint = cmp.Or(hint, paths.DidYouMean(path))
	switch {
	case filepath.Base(path) == "...":
		hint = "a suite file names packages: gotest: " + path + "; suite init writes one"
	case hint == "" && filepath.Dir(path) == ".":
		hint = suiteFilesHere()
	}
	return diag.Hinted(fmt.Sprintf("no file %q", path), hint)
}

// suiteFilesHere names the suite files of the current folder in a hint, or the command
// that writes a first one.
func suiteFilesHere() string {
	here, err := scaffold.SuiteFiles(".")
	switch {
	case err != nil:
		return ""
	case len(here) == 0:
		return "suite init writes a first one"
	case len(here) == 1:
		return "the suite file here is " + here[0]
	}
	return "the suite files here are " + several(here)
}

// suiteFileArgs accepts one suite file or more. The error for none names the files that
// are here.
func suiteFileArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	hint := suiteFilesHere()
	if against := c.Flags().Lookup("against"); against != nil && isYAML(filepath.Base(against.Value.String())) {
		file := against.Value.String()
		hint = fmt.Sprintf("--against has taken %q as the revision: %s --against main %s", file, c.CommandPath(), file)
	}
	return diag.Hinted(c.CommandPath()+" needs a suite file", hint)
}

// loading controls how suite files become plans.
type loading struct {
	filter    filter.Filter
	overrides spec.Overrides
	offline   bool           // ask no host what is registered
	doubts    *diag.Problems // filled with the parts of suite files that have no effect; nil: not wanted
	hosts     *prepare.Hosts // nil: built for this load alone
	gates     *judge.Gates   // of the plans, compiled by this load; nil: not wanted
	against   againstFlags
	trees     *others     // filled by compared, closed by the caller; nil if nothing is compared
	text      *typed.Text // of the command line, in place of files; nil if there are files
}

// plans loads files into plans. One error contains all problems of all files.
func (e env) plans(ctx context.Context, args []string, l loading) ([]*spec.Plan, error) {
	paths, skipped, err := suiteFiles(args)
	if err != nil {
		return nil, err
	}
	if l.text != nil {
		paths = []string{result.CommandLine}
	}
	if len(skipped) > 0 {
		e.say("skipped, as no suite files: %s", several(skipped))
	}
	catalogue := e.catalogue(l.offline)
	if l.hosts == nil {
		l.hosts = e.newHosts(ctx)
	}
	if l.gates == nil {
		l.gates = &judge.Gates{}
	}
	l.hosts.Alike = l.against.asked != "" && !l.against.isResult()
	if l.text != nil {
		catalogue.Read = func(string) ([]byte, error) { return l.text.Bytes(), nil }
	}
	catalogue.Build, catalogue.GoTests = l.hosts.Functions, l.hosts.GoTests
	if !l.offline {
		catalogue.Reports = l.hosts.Reports
	}
	if !l.filter.Empty() {
		l.hosts.LeavesOut = l.filter.LeavesOut
	}
	plans, problems, err := e.load(ctx, paths, catalogue, l)
	if err == nil && l.hosts.SomeLeftOut() && (len(problems) > 0 || slices.ContainsFunc(plans, l.filter.Lacks) || l.filter.Known(plans) != nil) {
		l.hosts.LeavesOut = nil // the filter or a message needs the benchmarks that were left out
		plans, problems, err = e.load(ctx, paths, catalogue, l)
	}
	if err != nil {
		return nil, err
	}
	if l.text != nil && len(problems) == 0 {
		problems = settled(plans, l.text)
	} else if l.text != nil {
		problems = l.text.Explain(result.CommandLine, problems)
	}
	if err := problems.Unique().Err(); err != nil {
		return nil, err
	}
	if err := e.compared(ctx, plans, &l, catalogue); err != nil {
		return nil, err
	}
	for _, plan := range plans {
		plan.FindMissing(isProgram)
	}
	if err := prepare.CheckBudgets(plans).Err(); err != nil {
		return nil, err
	}
	if l.doubts != nil {
		*l.doubts = doubtsOf(plans) // of all cases: a filter may leave out those with a base
	}
	return l.filter.Apply(plans)
}

// load loads each file. If a signal ends the context, load prints that nothing was run
// and returns its exit status.
func (e env) load(ctx context.Context, paths []string, catalogue spec.Catalogue, l loading) (plans []*spec.Plan, problems diag.Problems, err error) {
	for _, path := range paths {
		plan, found := prepare.Load(path, catalogue, l.overrides, l.gates)
		problems = append(problems, found...)
		if plan != nil {
			plans = append(plans, plan)
		}
		if name := interruptName(ctx); name != "" { // then the problems are not the file's
			e.say("%s before anything was run", name)
			return nil, nil, status(result.InterruptStatus(name))
		}
	}
	return plans, append(problems, prepare.CheckNames(plans)...), nil
}

// Hosts are built in the user's cache.
func (e env) newHosts(ctx context.Context) *prepare.Hosts {
	hosts := prepare.NewHosts(ctx, e.say, e.cache())
	hosts.Own = e.host
	return hosts
}

// counters lists the names of all events, as the kernel writes them and as metrics.
func counters() (names []string) {
	for _, event := range timer.AllEvents() {
		names = append(names, event.Name)
		if event.Metric != event.Name {
			names = append(names, event.Metric)
		}
	}
	return names
}

// catalogue collects what names in a suite file may refer to. Hosts of suite's own functions
// are this same program, so its registry is theirs.
func (e env) catalogue(offline bool) spec.Catalogue {
	return spec.Catalogue{Clocks: timer.Names(timer.KindClock), Cycles: timer.Names(timer.KindCycle), Counters: counters(), Offline: offline,
		Env: e.lookup, Registered: benchcase.Names}
}

// warn prints warnings about suite files.
func (e env) warn(doubts diag.Problems) {
	for _, d := range doubts {
		e.say("warning: %s: %s (%s)", d.Place, d.Message, d.Hint)
	}
}

// Doubts are parts of suite files that are correct but have no effect.
func doubtsOf(plans []*spec.Plan) (all diag.Problems) {
	for _, plan := range plans {
		all = append(all, plan.Doubts()...)
	}
	return all
}

// missingPrograms warns of each program and input of a command that does not exist. It is
// no error, because build or setup may make it.
func missingPrograms(plans []*spec.Plan) (all diag.Problems) {
	warned := map[string]bool{}
	warn := func(c *spec.Case, message, hint string) {
		all = append(all, diag.Problem{Code: diag.NoProgram, Place: c.Place, Message: message, Hint: hint})
	}
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if c.Stdin != "" && !warned[c.Stdin] {
				if _, err := os.Stat(c.Stdin); errors.Is(err, fs.ErrNotExist) {
					warned[c.Stdin] = true
					warn(c, fmt.Sprintf("the standard input of case %q is not there: %q", c.Name, shortened(c.Stdin, c.Cwd)), "unless build or setup makes it, the case will fail; stdin: {text: …} is a text")
				}
			}
			if len(c.Argv) == 0 || len(c.Missing) > 0 || warned[c.Argv[0]] {
				continue
			}
			name := c.Argv[0]
			if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
				name = filepath.Join(c.Cwd, name)
			}
			if _, err := exec.LookPath(name); err != nil {
				warned[c.Argv[0]] = true
				hint := "unless build or setup makes it, the case will fail"
				if words := strings.Fields(c.Argv[0]); len(c.Argv) == 1 && len(words) > 1 {
					hint = fmt.Sprintf("a list has one word in each item: [%s]", strings.Join(words, ", "))
				}
				warn(c, fmt.Sprintf("program %q of case %q is not there", c.Argv[0], c.Name), hint)
			}
		}
	}
	return all
}

// shortened is a path relative to a folder, if that is shorter.
func shortened(path, folder string) string {
	if rel, err := filepath.Rel(folder, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
