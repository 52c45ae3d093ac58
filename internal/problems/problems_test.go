package problems

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// mixed has every kind of place, and names that have a meaning in URIs and workflow
// commands.
func mixed() *Report {
	r := &Report{Version: "v1.2.3", Suites: []Suite{{"good.yaml", "good", 2, 1}}}
	r.Add(Warning, diag.Problems{{Code: diag.NoEffect, Place: diag.Place{File: "a b/100%: c.yaml", Line: 1, Col: 12}, Message: "no effect", Hint: "base: NAME"}})
	r.Add(Error, diag.Problems{
		{Place: diag.Place{File: "bad.yaml", Line: 3, Col: 5}, Message: "is\x1b[31m not 1", Source: "time.medain < 1", Caret: 5},
		{Code: diag.Unreadable, Place: diag.Place{File: "/abs/gone.yaml"}, Message: "file does not exist"},
		{Code: diag.Expression, Place: diag.Place{File: "bad.yaml", Line: 9, Col: 2}, Message: `unknown name "tiem"`, Unknown: "tiem"},
	})
	return r
}

func written(t *testing.T, r *Report, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGitHubCommands(t *testing.T) {
	want := `::error file=bad.yaml,line=3,col=5,title=suite%3A invalid-value::is\x1b[31m not 1
::error file=/abs/gone.yaml,title=suite%3A unreadable-file::file does not exist
::error file=bad.yaml,line=9,col=2,title=suite%3A unknown-name::unknown name "tiem"
::warning file=a b/100%25%3A c.yaml,line=1,col=12,title=suite%3A no-effect::no effect%0Ahint: base: NAME
`
	if got := written(t, mixed(), "github"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGitHubPathsAreVisible(t *testing.T) {
	r := &Report{}
	r.Add(Error, diag.Problems{{Place: diag.Place{File: "a\x1b[31m\u202e.yaml"}, Message: "x"}})
	if got := written(t, r, "github"); strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, `file=a\x1b[31m`) {
		t.Errorf("%q", got)
	}
}

func TestJSONHasEveryField(t *testing.T) {
	var doc struct {
		Schema   string
		Suites   []Suite
		Problems []Problem
	}
	decoder := json.NewDecoder(strings.NewReader(written(t, mixed(), "json")))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "suite-check/1" || len(doc.Suites) != 1 || len(doc.Problems) != 4 {
		t.Fatalf("%+v", doc)
	}
	if got, want := doc.Problems[1], (Problem{"bad.yaml", 3, 5, Error, diag.Invalid, "is\x1b[31m not 1", "", "time.medain < 1", 5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Without problems there are lists all the same: programs need not check for null.
func TestNothingFound(t *testing.T) {
	r := &Report{}
	if got := written(t, r, "json"); !strings.Contains(got, `"problems": []`) || !strings.Contains(got, `"suites": []`) {
		t.Error(got)
	}
	if got := written(t, r, "sarif"); !strings.Contains(got, `"results": []`) {
		t.Error(got)
	}
	if got := written(t, r, "github"); got != "" {
		t.Error(got)
	}
}

func TestSARIFPlaces(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal([]byte(written(t, mixed(), "sarif")), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	uris := []string{"a%20b/100%25:%20c.yaml", "bad.yaml", "file:///abs/gone.yaml", "bad.yaml"}
	for i, r := range run.Results {
		at := r.Locations[0].Physical
		if at.Artifact.URI != uris[i] || (at.Region == nil) != (i == 2) {
			t.Errorf("%d: %+v", i, at)
		}
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%d: rule %d is not %s", i, r.RuleIndex, r.RuleID)
		}
	}
	if got, want := run.Results[0].Message.Text, "no effect\nhint: base: NAME"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every code of diag is a rule.
func TestEveryCodeIsARule(t *testing.T) {
	for _, code := range diag.Codes() {
		if rules[code] == "" {
			t.Errorf("%s has no description", code)
		}
	}
	if len(rules) != len(diag.Codes()) {
		t.Errorf("%d rules for %d codes", len(rules), len(diag.Codes()))
	}
}

// schemaVariable names the file of the JSON Schema of SARIF 2.1.0, which belongs to OASIS and
// is not part of this repository: sarif-2.1/schema/sarif-schema-2.1.0.json of
// github.com/oasis-tcs/sarif-spec.
const schemaVariable = "SARIF_SCHEMA"

func TestSARIFFitsItsSchema(t *testing.T) {
	path := os.Getenv(schemaVariable)
	if path == "" {
		t.Skipf("%s names no schema of SARIF 2.1.0", schemaVariable)
	}
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Report{mixed(), {}} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(written(t, r, "sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Error(err)
		}
	}
}
