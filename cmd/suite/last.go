package main

import (
	"cmp"
	"time"

	"example.com/suite/internal/kept"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/units"
	"example.com/suite/report"
	"example.com/suite/result"
)

// results are the results of runs that are kept in the cache.
func (e env) results() kept.Store {
	folder, err := e.cacheFolder("results")
	return kept.Store{Dir: folder, Err: err}
}

// jsonFiles lists the files of reports in JSON.
func jsonFiles(written []report.Target) (files []string) {
	for _, t := range written {
		if t.Format == "json" && !t.IsStdout() {
			files = append(files, t.File)
		}
	}
	return files
}

// sayKept prints which run is looked at if no argument named its result.
func sayKept(e env, doc *result.Document) {
	var files []string
	for i := range doc.Suites {
		files = append(files, cmp.Or(doc.Suites[i].File, doc.Suites[i].Name))
	}
	e.say("the run of %s, begun %s",
		clean(units.List(units.Distinct(files), suitefiles.MostNamed)), doc.Started.Local().Format(time.DateTime))
}
