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

	"example.com/suite/peg"
	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/runner"
)

// readPegs reads a result document, or what a program has written to SUITE_PEGS as one
// with a single case, called as the file is.
func readPegs(path string) (*result.Document, error) {
	if is, err := isProtocol(path); err != nil || !is {
		return readResultOr(path, err)
	}
	doc, err := peg.ReadAll(path)
	var problem *peg.Problem
	switch {
	case errors.As(err, &problem):
		return nil, problem // with its place and hint
	case err != nil:
		return nil, err
	}
	c := result.Case{Name: filepath.Base(path), Kind: result.KindCommand, Status: result.Measured, Pegs: runner.PegsOf(doc)}
	return &result.Document{Cases: []result.Case{c}}, nil
}

func readResultOr(path string, err error) (*result.Document, error) {
	if err != nil {
		return nil, err
	}
	return readResult(path)
}

// isProtocol tells what a program has written from a result: a JSON document that says
// so, lines with tabs in them, or nothing in a place beside which children have written.
func isProtocol(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := peg.ReadAll(path); err == nil {
			return true, nil
		}
		return false, noFile(path)
	} else if err != nil {
		return false, err
	}
	defer f.Close()
	text, err := readAll(f, result.MaxSize)
	if err != nil {
		return false, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return hasLines(text), nil
	}
	var head struct {
		Pegs any `json:"pegs"`
	}
	_ = json.NewDecoder(bytes.NewReader(text)).Decode(&head) // what is no JSON is told of by those who read it whole
	name, _ := head.Pegs.(string)
	return strings.HasPrefix(name, "suite-pegs/"), nil
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
func (v *pegView) beside(cases []report.Pegged) (both []report.Pegged, err error) {
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
				both = append(both, report.Pegged{Label: c.Label, Case: &one})
			}
		}
	}
	if len(both) == 0 {
		return nil, hinted{fmt.Sprintf("%s has pegs of none of these cases", v.against), "cases are matched by their suite and name"}
	}
	return both, nil
}

func withBase(cases []report.Pegged) (both []report.Pegged, err error) {
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
