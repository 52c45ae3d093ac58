package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/saved"
)

// ReadFile reads the runs of a file of suite or of another program. suite names the suite of all
// cases; if it is empty, cases of other programs belong to a suite with the file's name. commit
// is the full hash of the commit that was measured, if the file does not have it.
func ReadFile(path, suite, commit string) ([]*history.Run, error) {
	from, err := readSource(path)
	if err != nil {
		return nil, err
	}
	from.Suite = cmp.Or(suite, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	from.Commit = commit
	runs, err := from.runs()
	switch {
	case errors.Is(err, errUnknown): // suite or hyperfine wrote it
		runs, err = ReadResult(path, suite, commit)
		if err != nil {
			err = diag.Hinted(err.Error(), "suite history import --help lists the formats that it reads")
		}
		return runs, err
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case !slices.ContainsFunc(runs, func(r *history.Run) bool { return len(r.Cases) > 0 }):
		return nil, diag.Hinted(path+": no benchmark in it",
			"suite history import --help lists the formats that it reads")
	}
	return runs, nil
}

func readSource(path string) (source, error) {
	f, err := saved.Open(path)
	if err != nil {
		return source{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return source{}, err
	}
	text, err := f.Bytes()
	return source{File: path, Text: text, Modified: info.ModTime()}, err
}

// ReadResult makes the runs of a result document. suite and commit replace what the document
// lacks.
func ReadResult(path, suite, commit string) ([]*history.Run, error) {
	doc, err := saved.Read(path)
	if err != nil {
		return nil, err
	}
	if doc.Digest == "" {
		doc.Digest, err = doc.Sum()
	}
	runs := history.Runs(doc)
	for _, run := range runs {
		run.Commit = cmp.Or(run.Commit, commit)
		for i := range run.Cases {
			run.Cases[i].Suite = cmp.Or(suite, run.Cases[i].Suite)
		}
	}
	return runs, err
}
