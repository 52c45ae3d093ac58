package problems

import (
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/jsondoc"
)

// The part of SARIF 2.1.0 that code scanning and editors read. Names are as in the standard.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string       `json:"id"`
	Short sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// rules describe the codes, for lists of rules in code scanning.
var rules = map[diag.Code]string{
	diag.Invalid:      "A value is not possible here.",
	diag.Syntax:       "The file cannot be read as YAML.",
	diag.WrongType:    "A value has the wrong type.",
	diag.UnknownKey:   "A key is not known here.",
	diag.UnknownName:  "A name refers to nothing.",
	diag.Duplicate:    "Something is there twice.",
	diag.Expression:   "An expression, template or command line cannot be read.",
	diag.Unreadable:   "A file cannot be read.",
	diag.Build:        "Go packages do not build.",
	diag.BudgetTooLow: "No comparison can be decided in the budget.",
	diag.NoEffect:     "A part of the file has no effect.",
	diag.NoUnit:       "A limit of a time has no unit, and is in seconds.",
	diag.NoProgram:    "The program of a command does not exist.",
}

func (r *Report) sarif(w io.Writer) error {
	var ids []diag.Code
	for id := range rules {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "suite", Version: r.Version}}, ColumnKind: "unicodeCodePoints",
		Results: []sarifResult{}}
	for _, id := range ids {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(id), sarifMessage{rules[id]}})
	}
	for i := range r.Problems {
		p := &r.Problems[i]
		at := sarifPhysical{Artifact: sarifArtifact{fileURI(r.repositoryPath(p.File))}}
		if p.Line > 0 {
			at.Region = &sarifRegion{p.Line, p.Col}
		}
		run.Results = append(run.Results, sarifResult{RuleID: string(p.Code),
			RuleIndex: slices.Index(ids, p.Code), Level: p.Level,
			Message: sarifMessage{display.Lines(p.lines()...)}, Locations: []sarifLocation{{at}}})
	}
	return jsondoc.Write(w, sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

// fileURI is relative if the path is, with everything escaped that has a meaning in
// URIs.
func fileURI(file string) string {
	switch {
	case len(file) > 2 && file[1] == ':' && file[2] == '/': // C:/suites
		return (&url.URL{Scheme: "file", Path: "/" + file}).String()
	case strings.HasPrefix(file, "/"):
		return (&url.URL{Scheme: "file", Path: file}).String()
	}
	return strings.TrimPrefix((&url.URL{Path: path.Clean(file)}).String(), "./")
}
