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

	"example.com/suite/internal/diag"
	"example.com/suite/internal/saved"
	"example.com/suite/peg/pegfile"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner"
)

// readPegs reads a result document. If path is instead a document that a program has
// written to SUITE_PEGS, it returns a result with one case, named after the file.
func readPegs(path string) (*result.Document, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if doc, err := pegfile.ReadAll(path); err == nil { // processes write path.ANYTHING, so path itself may be missing
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
		doc, err := pegfile.ReadAll(path) // and the files path.ANYTHING of other processes
		if err != nil {
			return nil, err // a *pegfile.Problem already has a place and a hint
		}
		return pegsAlone(path, doc), nil
	})
}

func pegsAlone(path string, doc *pegfile.Document) *result.Document {
	c := result.Case{Name: filepath.Base(path), Kind: result.KindCommand, Status: result.Measured, Pegs: runner.PegsOf(doc)}
	return &result.Document{Cases: []result.Case{c}}
}

// isProtocol reports whether a text was written by a program with pegs, and is no result:
// a JSON document whose key pegs names the protocol, or lines with tabs.
func isProtocol(text []byte) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return hasLines(text)
	}
	var head struct {
		Pegs any `json:"pegs"`
	}
	_ = json.NewDecoder(bytes.NewReader(text)).Decode(&head) // reading the whole text will return the same error
	name, _ := head.Pegs.(string)
	return strings.HasPrefix(name, "suite-pegs/")
}

// hasLines reports whether a text is in the line form: its first line that is neither
// empty nor a comment has at least two tabs. suite peg begins its files with a comment.
func hasLines(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && line[0] != '#' {
			return bytes.Count(line, []byte("\t")) >= 2
		}
	}
	return false
}

// ofBase is the value of --against for the base within the same result.
const ofBase = "base"

// beside keeps the cases that have something to compare with: with ofBase their own
// base, otherwise the case of the same suite and name in another file. If both files
// have one case only, the names do not matter.
func (v *pegView) beside(cases []table.Pegged) (both []table.Pegged, err error) {
	if v.against == ofBase {
		return withBase(cases)
	}
	other, err := readPegs(v.against)
	if err != nil && !isResultName(v.against) {
		return nil, diag.Hinted(fmt.Sprintf("no file %q", v.against), fmt.Sprintf("for a revision: suite run --against %s FILE, then suite pegs FILE --against base", v.against))
	}
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
				one.PegPairs = nil // they are pairs with another base
				both = append(both, table.Pegged{Label: c.Label, Case: &one})
			}
		}
	}
	if len(both) == 0 {
		return nil, diag.Hinted(fmt.Sprintf("%s has pegs of none of these cases", v.against), "cases are matched by their suite and name")
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
		return nil, diag.Hinted("no case has pegs of a base", "compare the case with another case or tree: base: in the suite file, or suite run --against")
	}
	return both, nil
}
