// Package problems writes what suite check has found for programs: as JSON, as SARIF for
// code scanning and editors, and as workflow commands of GitHub Actions. It finds nothing
// itself.
package problems

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/jsondoc"
)

// The levels of a problem. A warning does not make a suite file wrong.
const (
	Error   = "error"
	Warning = "warning"
)

// Report is everything that one check has found.
type Report struct {
	Version  string // of suite
	Suites   []Suite
	Problems []Problem
	// Path returns the path that a file has in its repository; nil: the path as it was
	// given. JSON always has the path as it was given.
	Path func(string) string
}

// Suite is a suite file. Reports with problems have none.
type Suite struct {
	File  string `json:"file"`
	Name  string `json:"suite"`
	Cases int    `json:"cases"`
	Gates int    `json:"gates"`
}

// Problem is one thing that is wrong or without effect.
type Problem struct {
	File    string    `json:"file"`
	Line    int       `json:"line,omitempty"` // from 1; absent if the whole file is meant
	Col     int       `json:"col,omitempty"`  // from 1, in characters
	Level   string    `json:"level"`
	Code    diag.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
	Source  string    `json:"source,omitempty"` // the offending line of a value
	Caret   int       `json:"caret,omitempty"`  // offset in characters into source
}

// Add appends problems of one level.
func (r *Report) Add(level string, found diag.Problems) {
	for _, p := range found {
		code := cmp.Or(p.Code, diag.Invalid)
		if p.Unknown != "" {
			code = diag.UnknownName
		}
		r.Problems = append(r.Problems, Problem{File: p.File, Line: p.Line, Col: p.Col, Level: level, Code: code,
			Message: p.Message, Hint: p.Hint, Source: p.Source, Caret: p.Caret})
	}
}

// Formats are the names of the formats that Write knows.
func Formats() []string { return []string{"json", "sarif", "github"} }

// Write writes the report in one of Formats.
func (r *Report) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return r.json(w)
	case "sarif":
		return r.sarif(w)
	case "github":
		return r.github(w)
	}
	return fmt.Errorf("unknown format %q", format)
}

// jsonVersion names the layout of the JSON document.
const jsonVersion = "suite-check/1"

func (r *Report) json(w io.Writer) error {
	return jsondoc.Write(w, struct {
		Schema   string    `json:"schema"`
		Suites   []Suite   `json:"suites"`
		Problems []Problem `json:"problems"`
	}{jsonVersion, append([]Suite{}, r.Suites...), append([]Problem{}, r.Problems...)})
}

func (r *Report) repositoryPath(file string) string {
	if r.Path != nil {
		file = r.Path(file)
	}
	return strings.ReplaceAll(strings.ToValidUTF8(file, "\uFFFD"), `\`, "/")
}

// github writes errors first: GitHub shows ten of each level for a step.
func (r *Report) github(w io.Writer) error {
	sorted := slices.Clone(r.Problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int { return cmp.Compare(a.Level, b.Level) })
	var out strings.Builder
	for _, p := range sorted {
		out.WriteString(diag.Annotation{Level: p.Level, File: r.repositoryPath(p.File), Line: p.Line, Col: p.Col,
			Title: fmt.Sprintf("suite: %s", p.Code), Message: p.lines()}.String())
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// lines are the message and the hint.
func (p *Problem) lines() []string {
	if p.Hint == "" {
		return []string{p.Message}
	}
	return []string{p.Message, "hint: " + p.Hint}
}
