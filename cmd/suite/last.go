package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/profile"
)

// keep saves the result of a run in the cache.
func keepResult(e env, doc *result.Document, files []string, written []target, profiles []profile.File) {
	folder, err := e.cacheFolder("results")
	if err == nil {
		kept.Store{Dir: folder}.Keep(doc, files, jsonFiles(written), profiles)
	}
}

// jsonFiles lists the files of reports in JSON.
func jsonFiles(written []target) (files []string) {
	for _, t := range written {
		if t.format == "json" && !t.isStdout() {
			files = append(files, t.file)
		}
	}
	return files
}

// lastResult finds the result of the last run of these suite files, or of the last run
// of all if there are none.
func lastResult(e env, files []string) (string, error) {
	folder, err := e.cacheFolder("results")
	if err != nil {
		return "", diag.Hinted(fmt.Sprintf("there is no place in which results are kept: %v", err), kept.Hint)
	}
	return kept.Store{Dir: folder}.Last(files)
}

// isSuiteName reports whether an argument names suite files, as for run, and not a result or
// a case.
func isSuiteName(arg string) bool {
	return suitefiles.IsName(filepath.Base(arg)) || paths.IsFolder(arg)
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
func resultPath(e env, args []string) (path string, rest []string, is bool, err error) {
	switch {
	case len(args) == 0:
		path, err = lastResult(e, nil)
		return path, nil, true, err
	case isSuiteName(args[0]):
		path, err = lastRunOf(e, args[0])
		return path, args[1:], true, err
	case isResultName(args[0]):
		return args[0], args[1:], false, nil
	}
	path, err = lastResult(e, nil)
	return path, args, true, err
}

func lastRunOf(e env, arg string) (string, error) {
	files, _, err := suitefiles.Resolve([]string{arg})
	if err != nil {
		return "", err
	}
	return lastResult(e, files)
}

// sayKept prints which run is looked at if no argument named its result.
func sayKept(e env, doc *result.Document) {
	var files []string
	for i := range doc.Suites {
		files = append(files, cmp.Or(doc.Suites[i].File, doc.Suites[i].Name))
	}
	e.say("the run of %s, begun %s", clean(units.List(units.Distinct(files), suitefiles.MostNamed)), doc.Started.Local().Format(time.DateTime))
}

// readResult reads the result that the first argument means, see resultPath.
func readResult(e env, args []string) (doc *result.Document, rest []string, err error) {
	path, rest, isKept, err := resultPath(e, args)
	if err != nil {
		return nil, nil, err
	}
	doc, err = saved.Read(path)
	if err == nil && isKept {
		sayKept(e, doc)
	}
	return doc, rest, err
}

// resultPaths finds the results that the arguments mean: a suite file means its last
// run, and no argument the last run of all. anyKept reports whether there is such a
// result.
func resultPaths(e env, args []string) (paths []string, anyKept bool, err error) {
	if len(args) == 0 {
		path, err := lastResult(e, nil)
		return []string{path}, true, err
	}
	for _, arg := range args {
		if isSuiteName(arg) {
			anyKept = true
			arg, err = lastRunOf(e, arg)
			if err != nil {
				return nil, true, err
			}
		}
		paths = append(paths, arg)
	}
	return paths, anyKept, nil
}
