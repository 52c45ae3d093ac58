package spec

import (
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Suite is a checked suite file and all that it includes. Plan expands it into cases.
type Suite struct {
	Name        string
	Description string
	File        string // as it was given to Load or Parse
	Dir         string // absolute; relative paths in the file start here
	Hash        string // sha256:… of the file and of all files that it includes

	packages       Packages
	build          *hook
	timer          *preference // nil if the file has none
	budget         Duration
	budgetPlace    diag.Place
	errors         Errors
	onInconclusive string
	report         string
	unaffected     Unaffected
	removed        []Removed
	benchmarks     []*benchmark
	sources        []result.Source // texts of its files
	kept           int             // bytes in sources
	given          []string        // see Plan.Given
}

// keep records the text of a file for the result document, in the order of reading. A text
// that would make all of them too large is left out, and its size recorded.
func (s *Suite) keep(name string, text []byte) {
	one := result.Source{File: name, Text: string(text)}
	if s.kept+len(text) > result.MostSource {
		one.Text, one.Left = "", int64(len(text))
	} else {
		s.kept += len(text)
	}
	s.sources = append(s.sources, one)
}

// hasGoTests reports whether packages are built for their tests.
func (s *Suite) hasGoTests() bool {
	return slices.ContainsFunc(s.benchmarks, func(b *benchmark) bool { return b.kind == result.KindGoTest })
}

func isGo(b *benchmark) bool { return b.kind == result.KindGo }
