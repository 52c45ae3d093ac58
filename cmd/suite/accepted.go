package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// acceptFlags are the flags of accepted failures, and the files that were read.
type acceptFlags struct {
	file   string
	strict bool
	files  []acceptFile // set before anything is measured
}

// acceptFile is a file of accepted failures and the plans that it applies to.
type acceptFile struct {
	*accept.File
	plans    []*spec.Plan
	inFolder bool // found next to the suite files, not named by --accept
}

func (a *acceptFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.file, "accept", "", "take accepted failures from `FILE` instead of the "+accept.FileName+" in the folder of each suite file")
	complete(c, "accept", filesEnding("yaml", "yml"))
	c.Flags().BoolVar(&a.strict, "strict", false, "exit with 4 if anything is undecided: inconclusive gates, acceptances that are unused or expired, nothing judged or compared")
}

// The day, in UTC, decides whether an entry has expired.
func (e env) today() accept.Day { return accept.DayOf(e.now()) }

// acceptFiles reads the files of accepted failures of some plans: file if that is not
// empty, otherwise the accept.yaml in the folder of each suite file. Folders without
// one are left out.
func acceptFiles(plans []*spec.Plan, file string, today accept.Day) (files []acceptFile, err error) {
	if file != "" {
		f, err := readAccept(file, today)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, suitefiles.NotFound(file)
		}
		return []acceptFile{{f, plans, false}}, err
	}
	var problems diag.Problems
	folders := map[string]int{} // path of accept.yaml → index in files, -1 if it cannot be used
	for _, plan := range plans {
		path := acceptPath(plan.File)
		i, seen := folders[path]
		if !seen {
			f, err := readAccept(path, today)
			found, faulty := diag.AsProblems(err)
			problems = append(problems, found...)
			switch {
			case err == nil:
				i = len(files)
				files = append(files, acceptFile{f, nil, true})
			case faulty, errors.Is(err, fs.ErrNotExist):
				i = -1
			default:
				return nil, err
			}
			folders[path] = i
		}
		if i >= 0 {
			files[i].plans = append(files[i].plans, plan)
		}
	}
	return files, problems.Err()
}

func acceptPath(suiteFile string) string {
	return filepath.Join(filepath.Dir(suiteFile), accept.FileName)
}

// readAccept reads one file. The error is diag.Problems if its contents are wrong.
func readAccept(path string, today accept.Day) (*accept.File, error) {
	src, err := spec.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("accepted failures: %q: %w", path, diag.WithoutPath(err))
	}
	f, problems := accept.Parse(path, src, today)
	return f, problems.Err()
}

// judge marks the accepted failures in a document whose gates have been judged. whole
// reports that no filter left a case out, so an entry without a failure is unused.
func (a *acceptFlags) judge(doc *result.Document, whole bool, today accept.Day) {
	for _, f := range a.files {
		f.Judge(doc, suiteNames(f.plans), accept.Scope{Today: today, Whole: whole, Suites: f.names()})
	}
	accept.Warn(doc)
	if a.strict {
		doc.MakeStrict()
	}
}

func suiteNames(plans []*spec.Plan) (names []string) {
	for _, plan := range plans {
		names = append(names, plan.Suite)
	}
	return names
}

// names lists all suites in the file's folder, so that an entry of a misspelt suite is
// found. It is nil if every entry names one of the plans, which saves reading the other
// suite files, or if one of them cannot be read.
func (f *acceptFile) names() []string {
	names := suiteNames(f.plans)
	isUnknown := func(e accept.Entry) bool { return !slices.Contains(names, e.Suite) }
	if !f.inFolder || !slices.ContainsFunc(f.Entries, isUnknown) {
		return nil
	}
	others, _, err := suitefiles.InFolder(filepath.Dir(f.Name))
	if err != nil {
		return nil
	}
	for _, path := range others {
		if slices.ContainsFunc(f.plans, func(p *spec.Plan) bool { return sameFile(p.File, path) }) {
			continue
		}
		suite, problems := spec.Load(path)
		if len(problems) > 0 {
			return nil
		}
		names = append(names, suite.Name)
	}
	return names
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}
