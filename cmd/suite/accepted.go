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
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// acceptFlags say which failures of a run are accepted, and what nobody may leave
// open.
type acceptFlags struct {
	file   string
	strict bool
	files  []acceptFile
}

// acceptFile is a file of accepted failures with the suites that it speaks of.
type acceptFile struct {
	*accept.File
	plans  []*spec.Plan
	beside bool // it stands in the folder of the suite files
}

func (a *acceptFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.file, "accept", "", "take accepted failures from `FILE` instead of the "+accept.FileName+" beside each suite file")
	c.Flags().BoolVar(&a.strict, "strict", false, "exit with 4 for what nobody has decided: inconclusive gates, acceptances that are unused or expired, nothing judged or compared")
}

// today is the day by which acceptances expire.
func (e env) today() accept.Day { return accept.DayOf(e.now()) }

// acceptFiles reads the files of accepted failures of some plans: the one that was
// asked for, or accept.yaml in the folder of each suite file, where there is one.
func acceptFiles(plans []*spec.Plan, file string, today accept.Day) (files []acceptFile, err error) {
	if file != "" {
		f, err := readAccept(file, today)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, noFile(file)
		}
		return []acceptFile{{f, plans, false}}, err
	}
	var problems diag.Problems
	folders := map[string]int{} // index in files, -1: it has none
	for _, plan := range plans {
		path := acceptPath(plan.File)
		i, seen := folders[path]
		if !seen {
			f, err := readAccept(path, today)
			found, faulty := diag.AsProblems(err)
			problems = append(problems, found...)
			switch {
			case err == nil:
				i, files = len(files), append(files, acceptFile{f, nil, true})
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

// acceptPath is the file of accepted failures beside a suite file.
func acceptPath(suiteFile string) string {
	return filepath.Join(filepath.Dir(suiteFile), accept.FileName)
}

// readAccept reads one file. What it lacks in form comes as problems.
func readAccept(path string, today accept.Day) (*accept.File, error) {
	src, err := spec.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("accepted failures: %q: %w", path, bare(err))
	}
	f, problems := accept.Parse(path, src, today)
	return f, problems.Err()
}

// bare is an error without the path, which has been said.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// judge marks what is accepted in a document whose gates have been judged. whole
// says that no filter left anything out.
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

// names are those that the suites of the folder have, so that an entry with a
// misspelt one is found; nil where all are those that were measured, or one of the
// other files cannot be read.
func (f *acceptFile) names() []string {
	names := suiteNames(f.plans)
	strange := func(e accept.Entry) bool { return !slices.Contains(names, e.Suite) }
	if !f.beside || !slices.ContainsFunc(f.Entries, strange) {
		return nil
	}
	others, _, err := folder(filepath.Dir(f.Name))
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
