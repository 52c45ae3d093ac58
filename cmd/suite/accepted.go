package main

import (
	"errors"
	"io/fs"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/accepted"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// acceptFlags are the flags of accepted failures, and the files that were read.
type acceptFlags struct {
	file   string
	strict bool
	files  []accepted.File // set before anything is measured
}

func (a *acceptFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.file, "accept", "",
		"take accepted failures from `FILE` instead of the "+accept.FileName+" in the folder of each suite file")
	complete(c, "accept", filesEnding("yaml", "yml"))
	c.Flags().BoolVar(&a.strict, "strict", false,
		"exit with 4 if anything is undecided: inconclusive gates, acceptances that are unused or expired, "+
			"nothing judged or compared")
}

// acceptFiles reads the files of accepted failures of some plans: file if that is not
// empty, otherwise the accept.yaml in the folder of each suite file.
func acceptFiles(plans []*spec.Plan, file string, today accept.Day) ([]accepted.File, error) {
	files, err := accepted.Files(plans, file, today)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, suitefiles.NotFound(file)
	}
	return files, err
}

// suitesIn lists the suite files in a folder.
func suitesIn(dir string) ([]string, error) {
	found, _, err := suitefiles.InFolder(dir)
	return found, err
}

// judge marks the accepted failures in a document whose gates have been judged. whole
// reports that no filter left a case out, so an entry without a failure is unused.
func (a *acceptFlags) judge(doc *result.Document, whole bool, today accept.Day) {
	accepted.Judge(doc, a.files, whole, today, suitesIn)
	if a.strict {
		doc.MakeStrict()
	}
}
