// Package pegview reads the pegs of results, and of files that programs wrote by themselves, and
// chooses the cases to show, and the blocks or the text that shows them.
package pegview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/saved"
	"example.com/suite/peg/pegfile"
	"example.com/suite/report/explain"
	"example.com/suite/report/flow"
	"example.com/suite/result"
	"example.com/suite/runner"
)

// Resolve is kept.Store.Resolve, and also finds a value of SUITE_PEGS: no file may have that name
// itself, because processes write path.ANYTHING.
func Resolve(results kept.Store, args []string) (path string, rest []string, isKept bool, err error) {
	if len(args) > 0 && !kept.IsSuite(args[0]) && !kept.IsResult(args[0]) {
		if _, err := pegfile.ReadAll(args[0]); err == nil {
			return args[0], args[1:], false, nil
		}
	}
	return results.Resolve(args)
}

// Read reads a result document. If path is instead a document that a program has
// written to SUITE_PEGS, it returns a result with one case, named after the file.
func Read(path string) (*result.Document, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if doc, err := pegfile.ReadAll(path); err == nil {
			// processes write path.ANYTHING, so path itself may be missing
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
	c := result.Case{Name: filepath.Base(path), Kind: result.KindCommand, Status: result.Measured,
		Pegs: runner.PegsOf(doc)}
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

// Choose finds the cases of a result with pegs that patterns match, all of them without patterns.
// path is the file of the result.
func Choose(doc *result.Document, path string, patterns []string) (cases []flow.Pegged, err error) {
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	found, err := explain.Choose(doc, patterns, filter.Match)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		if c.Pegs != nil {
			cases = append(cases, flow.Pegged{Label: doc.Label(c), Case: c})
		}
	}
	if len(cases) > 0 {
		return cases, nil
	}
	return nil, withoutPegs(doc, path, found)
}

// withoutPegs explains why none of the cases has pegs.
func withoutPegs(doc *result.Document, path string, found []*result.Case) error {
	hint := "add pegs: true to the case in the suite file, and run it again"
	for _, c := range found {
		for _, w := range c.Warnings {
			if w.Code == result.WarnNoPegs {
				return diag.Hinted(fmt.Sprintf("case %q has no pegs: %s", c.Name, w.Message), w.Hint)
			}
		}
	}
	if len(found) == 1 {
		return diag.Hinted(fmt.Sprintf("case %q has no pegs", found[0].Name), hint)
	}
	if len(found) < len(doc.Cases) {
		return diag.Hinted(fmt.Sprintf("none of these %d cases has pegs", len(found)), hint)
	}
	return diag.Hinted(fmt.Sprintf("no case of %s has pegs", path), hint)
}

// OfBase names the base within the same result.
const OfBase = "base"

// WithBase keeps the cases that have something to compare with: if against is OfBase their own
// base, otherwise the case of the same suite and name in that file. If both files have one case
// only, the names do not matter.
func WithBase(cases []flow.Pegged, against string) (both []flow.Pegged, err error) {
	if against == OfBase {
		return withBase(cases)
	}
	other, err := Read(against)
	if err != nil && !kept.IsResult(against) {
		return nil, diag.Hinted(fmt.Sprintf("no file %q", against),
			fmt.Sprintf("for a revision: suite run --against %s FILE, then suite pegs FILE --against base", against))
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
				both = append(both, flow.Pegged{Label: c.Label, Case: &one})
			}
		}
	}
	if len(both) == 0 {
		return nil, diag.Hinted(fmt.Sprintf("%s has pegs of none of these cases", against),
			"cases are matched by their suite and name")
	}
	return both, nil
}

func withBase(cases []flow.Pegged) (both []flow.Pegged, err error) {
	for _, c := range cases {
		if c.Case.BasePegs != nil {
			both = append(both, c)
		}
	}
	if len(both) == 0 {
		return nil, diag.Hinted("no case has pegs of a base",
			"compare the case with another case or tree: base: in the suite file, or suite run --against")
	}
	return both, nil
}

// Points lists the points of all cases, sorted, each once.
func Points(doc *result.Document) (points []string) {
	for i := range doc.Cases {
		pegs := doc.Cases[i].Pegs
		if pegs == nil {
			continue
		}
		for _, arc := range pegs.Arcs {
			for _, point := range []string{arc.From, arc.To} {
				if point != "" {
					points = append(points, point)
				}
			}
		}
	}
	slices.Sort(points)
	return slices.Compact(points)
}
