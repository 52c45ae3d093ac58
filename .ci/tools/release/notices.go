package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/licensecheck"
)

// licenceFile matches the names of files with the terms of a module.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.(txt|md))?$`)

// terms are the files of a module that its users have to pass on.
type terms struct {
	names []string // of the files, in alphabetical order
	texts []string
}

func readTerms(folder string) (t terms, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return t, err
	}
	for _, e := range entries {
		if !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return t, err
		}
		t.names, t.texts = append(t.names, e.Name()), append(t.texts, string(text))
	}
	if len(t.names) == 0 {
		return t, fmt.Errorf("%s has no file with its licence", folder)
	}
	return t, nil
}

// sure is the share of a text in per cent that has to be the text of a licence.
const sure = 75

// licences are the licences of a module in the words of SPDX, in the order of its files.
func (t terms) licences() (ids []string) {
	seen := map[string]bool{}
	for _, text := range t.texts {
		coverage := licensecheck.Scan([]byte(text))
		if coverage.Percent < sure {
			continue
		}
		for _, m := range coverage.Match {
			if !m.IsURL && !seen[m.ID] && m.ID != "GooglePatentsFile" { // no licence of its own for SPDX
				seen[m.ID] = true
				ids = append(ids, m.ID)
			}
		}
	}
	return ids
}

// notices is the file of an archive with the licences of others.
const notices = "THIRD-PARTY-LICENSES"

const noticesHead = `The programs of this release contain the following modules of others, unchanged. These are their licences.
"go mod download MODULE@VERSION" fetches the source of a module.
`

// writeNotices writes the licences of all modules that the programs contain, and of Go's standard library.
func (r *release) writeNotices(ctx context.Context, t target, programs []program) (file, error) {
	var text strings.Builder
	text.WriteString(noticesHead)
	add := func(title, folder string) error {
		found, err := readTerms(folder)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "\n%s\n%s\n", strings.Repeat("=", 80), title)
		for i, name := range found.names {
			fmt.Fprintf(&text, "\n-- %s --\n%s\n", name, strings.TrimSpace(found.texts[i]))
		}
		return nil
	}
	library, err := output(ctx, r.tree, nil, "go", "env", "GOROOT")
	if err != nil {
		return file{}, err
	}
	failed := add("the standard library of "+programs[0].goVersion, library)
	for _, m := range merged(programs) {
		failed = errors.Join(failed, add(m.path+" "+m.version, m.folder))
	}
	if failed != nil {
		return file{}, failed
	}
	path := filepath.Join(r.work, t.system+"_"+t.architecture, notices)
	return file{notices, path, 0o644}, os.WriteFile(path, []byte(text.String()), 0o644)
}
