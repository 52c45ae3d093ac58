// Package accepted reads the files of accepted failures that apply to plans, judges documents by
// them, and makes and removes their entries. The same files acknowledge changes of the history. What
// such a file may contain is in gate/accept.
package accepted

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
)

// File is a file of accepted failures and the plans that it applies to.
type File struct {
	*accept.File
	plans    []*spec.Plan
	inFolder bool // found next to the suite files, not named by a flag
}

// Files reads the files of accepted failures of some plans: file if that is not empty, otherwise
// the accept.yaml in the folder of each suite file. Folders without one are left out. The error
// is diag.Problems if contents are wrong.
func Files(plans []*spec.Plan, file string, today accept.Day) (files []File, err error) {
	if file != "" {
		f, err := readNamed(file, today)
		return []File{{f, plans, false}}, err
	}
	var problems diag.Problems
	folders := map[string]int{} // path of accept.yaml → index in files, -1 if it cannot be used
	for _, plan := range plans {
		path := Path(plan.File)
		i, seen := folders[path]
		if !seen {
			f, err := read(path, today)
			found, faulty := diag.AsProblems(err)
			problems = append(problems, found...)
			switch {
			case err == nil:
				i = len(files)
				files = append(files, File{f, nil, true})
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

// Path is the file of accepted failures in the folder of a suite file.
func Path(suiteFile string) string {
	return filepath.Join(filepath.Dir(suiteFile), accept.FileName)
}

// read reads one file. The error is diag.Problems if its contents are wrong.
func read(path string, today accept.Day) (*accept.File, error) {
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

// readNamed reads a file that a flag names.
func readNamed(path string, today accept.Day) (*accept.File, error) {
	f, err := read(path, today)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, suitefiles.NotFound(path)
	}
	return f, err
}

// Judge marks the accepted failures in a document whose gates have been judged, and adds its
// warnings. whole reports that no filter left a case out, so an entry without a failure is unused.
func Judge(doc *result.Document, files []File, whole bool, today accept.Day) {
	for i := range files {
		f := &files[i]
		f.Judge(doc, suiteNames(f.plans), accept.Scope{Today: today, Whole: whole, Suites: f.names(),
			InOtherShard: onOtherShards(doc)})
	}
	accept.Warn(doc)
}

// onOtherShards reports which cases other shards have, nil if the document is not a shard.
func onOtherShards(doc *result.Document) func(suite, name string) bool {
	if !doc.IsShard() {
		return nil
	}
	return func(suite, name string) bool {
		return slices.ContainsFunc(doc.Division.Cases, func(p result.Portion) bool {
			return p.Suite == suite && p.Name == name
		})
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
func (f *File) names() []string {
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
		if slices.ContainsFunc(f.plans, func(p *spec.Plan) bool { return isSameFile(p.File, path) }) {
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

func isSameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}
