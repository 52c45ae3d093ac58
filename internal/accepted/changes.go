package accepted

import (
	"context"
	"path/filepath"
	"slices"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
)

// Changes returns the acknowledged changes of file, or of the accept.yaml next to each suite file of the repository
// if file is empty. The error is diag.Problems if contents are wrong, or about something that the history does not
// have.
func Changes(
	ctx context.Context, file string, entries []history.Entry, today accept.Day,
) (changes []trend.Acknowledged, err error) {
	files, readFile := []string{file}, readNamed
	if file == "" {
		files, readFile = project.FilesNamed(ctx, accept.FileName), read
		files = slices.DeleteFunc(files, func(path string) bool {
			suites, _, err := suitefiles.InFolder(filepath.Dir(path))
			return err != nil || len(suites) == 0
		})
	}
	var problems diag.Problems
	for _, path := range files {
		f, err := readFile(path, today)
		found, faulty := diag.AsProblems(err)
		if err != nil && !faulty {
			return nil, err
		}
		problems = append(problems, found...)
		if f != nil {
			changes = append(changes, changesOf(f)...)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return changes, trend.CheckAcknowledged(changes, entries)
}

// changesOf lists the entries of a file that are about changes.
func changesOf(f *accept.File) (changes []trend.Acknowledged) {
	for _, e := range f.Entries {
		if e.IsChange() {
			changes = append(changes, trend.Acknowledged{
				Suite:  e.Suite,
				Case:   e.Case,
				Commit: e.Commit,
				Reason: e.Reason,
				At:     e.At,
				Place:  e.Place,
			})
		}
	}
	return changes
}

// changedAt returns the keys of the changes at a commit, of the cases of a suite that a pattern matches.
// There is at least one, else the error names changes that there are.
func changedAt(entries []history.Entry, suite, pattern, commit string) (keys []accept.Key, err error) {
	all := slices.DeleteFunc(allSeries(entries), func(s trend.Series) bool {
		return s.Suite != suite || !filter.Match(pattern, s.Case)
	})
	if len(all) == 0 {
		return nil, diag.Hinted("the history has no case that "+pattern+" matches in suite "+suite,
			"suite history show lists the cases")
	}
	for _, c := range trend.ChangedAt(all, commit) {
		keys = append(keys, accept.Key{Suite: c.Suite, Case: c.Case, Commit: display.Commit(c.Commit)})
	}
	if len(keys) == 0 {
		hint := "suite trend shows the changes"
		if commits := trend.CommitsOfChanges(all); len(commits) > 0 {
			hint = "there are changes at " + units.List(commits, suitefiles.MostNamed)
		}
		return nil, diag.Hinted("no case that "+pattern+" matches changed at "+commit, hint)
	}
	return keys, nil
}

// Commits lists the commits at which cases changed.
func Commits(entries []history.Entry) []string { return trend.CommitsOfChanges(allSeries(entries)) }

func allSeries(entries []history.Entry) []trend.Series {
	return trend.OfAll(entries, trend.Options{Least: trend.Least})
}
