package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/saved"
	"example.com/suite/peg/pegfile"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner"
)

// readPegs reads a result document, or what a program has written to SUITE_PEGS as one
// with a single case, called as the file is.
func readPegs(path string) (*result.Document, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if doc, err := pegfile.ReadAll(path); err == nil { // only children of the program may have written
			return pegsAlone(path, doc), nil
		}
	}
	f, err := saved.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Read(func(text []byte) (*result.Document, error) {
		if !isProtocol(text) {
			return nil, nil
		}
		doc, err := pegfile.ReadAll(path) // with the files of its children
		if err != nil {
			return nil, err // a *peg.Problem has its place and hint
		}
		return pegsAlone(path, doc), nil
	})
}

func pegsAlone(path string, doc *pegfile.Document) *result.Document {
	c := result.Case{Name: filepath.Base(path), Kind: result.KindCommand, Status: result.Measured, Pegs: runner.PegsOf(doc)}
	return &result.Document{Cases: []result.Case{c}}
}

// isProtocol tells what a program has written from a result: a JSON document that says
// so, or lines with tabs in them.
func isProtocol(text []byte) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return hasLines(text)
	}
	var head struct {
		Pegs any `json:"pegs"`
	}
	_ = json.NewDecoder(bytes.NewReader(text)).Decode(&head) // what is no JSON is told of by those who read it whole
	name, _ := head.Pegs.(string)
	return strings.HasPrefix(name, "suite-pegs/")
}

// hasLines tells the line form by its first line that is neither empty nor a comment, of
// which suite peg writes one. A line may begin with a tab.
func hasLines(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 && line[0] != '#' {
			return bytes.Count(line, []byte("\t")) >= 2
		}
	}
	return false
}

// ofBase names the base that a result has.
const ofBase = "base"

// beside gives each case its namesake in another file as its base; with base the one
// that it has.
func (v *pegView) beside(cases []table.Pegged) (both []table.Pegged, err error) {
	if v.against == ofBase {
		return withBase(cases)
	}
	other, err := readPegs(v.against)
	if err != nil {
		return nil, err
	}
	alone := len(cases) == 1 && len(other.Cases) == 1
	for _, c := range cases {
		for i := range other.Cases {
			o := &other.Cases[i]
			if o.Pegs != nil && (alone || o.Suite == c.Case.Suite && o.Name == c.Case.Name) {
				one := *c.Case
				one.BasePegs = o.Pegs
				both = append(both, table.Pegged{Label: c.Label, Case: &one})
			}
		}
	}
	if len(both) == 0 {
		return nil, hinted{fmt.Sprintf("%s has pegs of none of these cases", v.against), "cases are matched by their suite and name"}
	}
	return both, nil
}

func withBase(cases []table.Pegged) (both []table.Pegged, err error) {
	for _, c := range cases {
		if c.Case.BasePegs != nil {
			both = append(both, c)
		}
	}
	if len(both) == 0 {
		return nil, hinted{"no case has pegs of a base", "a case has some where it is compared with another case or tree: base: in the suite file, or suite run --against"}
	}
	return both, nil
}
