package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/units"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner/profile"
)

// Results of runs are kept in the cache, so that a second look needs no second run. There
// is one for each set of suite files, and older ones are removed beyond these bounds.
const (
	mostKept      = 20
	mostKeptBytes = 256 << 20
)

const keptSuffix = ".json"

// keep saves the result of a run in the cache. It copies the JSON among the reports that were
// written, if there is one: rendering a large result again would take seconds. A place that
// cannot be written is no error: nobody asked for the file. The result of an earlier run is
// removed then, so that it is not taken for this one.
func (e env) keep(doc *result.Document, files []string, written []target, profiles []profile.File) {
	folder, err := e.cacheFolder("results")
	if err != nil {
		return
	}
	path := filepath.Join(folder, journalName(files)+keptSuffix)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return
	}
	err = report.WriteFile(path, func(w io.Writer) error {
		if f := openJSON(written); f != nil {
			defer f.Close()
			_, err := io.Copy(w, f)
			return err
		}
		return report.Render(w, "json", doc, table.Options{})
	})
	if err == nil {
		err = saved.WriteProfiles(path, profiles)
	}
	if err != nil {
		removeKept(path)
		return
	}
	for i, k := range kept(folder) {
		if i >= mostKept || k.upTo > mostKeptBytes {
			removeKept(k.path)
		}
	}
}

// openJSON opens the file of a report in JSON. It is nil if there is none, or if it cannot be
// read again.
func openJSON(written []target) *os.File {
	for _, t := range written {
		if t.format != "json" || t.isStdout() || !report.Replaces(t.file) {
			continue
		}
		if f, err := os.Open(t.file); err == nil {
			return f
		}
	}
	return nil
}

// removeKept removes a result with its profiles.
func removeKept(path string) {
	_ = os.Remove(path)
	_ = saved.RemoveProfiles(path)
}

// keptResult is a file in the cache.
type keptResult struct {
	path string
	time time.Time
	upTo int64 // size of it, of all newer ones and of their profiles
}

// kept lists the results in the cache, the newest first.
func kept(folder string) (all []keptResult) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && filepath.Ext(entry.Name()) == keptSuffix {
			path := filepath.Join(folder, entry.Name())
			all = append(all, keptResult{path, info.ModTime(), info.Size() + saved.SizeOfProfiles(path)})
		}
	}
	slices.SortStableFunc(all, func(a, b keptResult) int { return b.time.Compare(a.time) })
	for i := 1; i < len(all); i++ {
		all[i].upTo += all[i-1].upTo
	}
	return all
}

// lastResult finds the result of the last run of these suite files, or of the last run
// of all if there are none.
func (e env) lastResult(files []string) (string, error) {
	const hint = "suite run keeps its result, and --out json=FILE writes it to a file of yours"
	folder, err := e.cacheFolder("results")
	if err != nil {
		return "", diag.Hinted(fmt.Sprintf("there is no place in which results are kept: %v", err), hint)
	}
	if len(files) == 0 {
		if all := kept(folder); len(all) > 0 {
			return all[0].path, nil
		}
		return "", diag.Hinted("no result is kept of an earlier run", hint)
	}
	path := filepath.Join(folder, journalName(files)+keptSuffix)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", diag.Hinted(fmt.Sprintf("no result is kept of a run of %s", units.List(files, suitefiles.MostNamed)), hint)
	}
	return path, nil
}

// isSuiteName reports whether an argument names suite files, as for run, and not a result or
// a case.
func isSuiteName(arg string) bool {
	ext := filepath.Ext(arg)
	return ext == ".yaml" || ext == ".yml" || paths.IsFolder(arg)
}

// isResultName reports whether an argument names a result and not a case.
func isResultName(arg string) bool {
	if strings.EqualFold(filepath.Ext(arg), ".json") {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// resultPath finds the result that the first argument means, and leaves the other
// arguments in rest. A suite file means its last run. If the first argument is neither
// a result nor a suite file, all arguments are returned, and the last run of all is
// meant. is reports whether the result is one that was kept.
func (e env) resultPath(args []string) (path string, rest []string, is bool, err error) {
	switch {
	case len(args) == 0:
		path, err = e.lastResult(nil)
		return path, nil, true, err
	case isSuiteName(args[0]):
		path, err = e.lastRunOf(args[0])
		return path, args[1:], true, err
	case isResultName(args[0]):
		return args[0], args[1:], false, nil
	}
	path, err = e.lastResult(nil)
	return path, args, true, err
}

func (e env) lastRunOf(arg string) (string, error) {
	files, _, err := suitefiles.Resolve([]string{arg})
	if err != nil {
		return "", err
	}
	return e.lastResult(files)
}

// sayKept prints which run is looked at if no argument named its result.
func (e env) sayKept(doc *result.Document) {
	var files []string
	for i := range doc.Suites {
		files = append(files, cmp.Or(doc.Suites[i].File, doc.Suites[i].Name))
	}
	e.say("the run of %s, begun %s", clean(units.List(units.Distinct(files), suitefiles.MostNamed)), doc.Started.Local().Format(time.DateTime))
}

// readResult reads the result that the first argument means, see resultPath.
func (e env) readResult(args []string) (doc *result.Document, rest []string, err error) {
	path, rest, isKept, err := e.resultPath(args)
	if err != nil {
		return nil, nil, err
	}
	doc, err = saved.Read(path)
	if err == nil && isKept {
		e.sayKept(doc)
	}
	return doc, rest, err
}
