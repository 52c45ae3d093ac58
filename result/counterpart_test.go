package result_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

const (
	revision = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
	digest   = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
)

// compared gives a document of a run with --against: its first case has pairs with
// the other tree, and its suite has a sentinel.
func compared(t *testing.T) *result.Document {
	t.Helper()
	doc := paired(t)
	s, c := &doc.Suites[0], &doc.Cases[0]
	s.Against = &result.Against{Asked: "main", Kind: result.AgainstRevision, Revision: revision, MergeBase: true, Dirty: true,
		Removed: []string{"old"}, Vanished: []string{"gone"}, Notes: []string{"the programs are identical"}}
	s.Planned = &result.Planned{Cases: 3, Gates: 2, Digest: digest}
	c.Pairs.Tree, c.Pairs.Identity, c.Pairs.Metrics = "main", &result.Identity{Function: "parse"}, append([]result.Summary{}, c.Metrics...)
	c.Counterpart = &result.Counterpart{Name: "parse/tiny", State: result.CounterpartPaired}
	c.Comparisons[0].Launches = 2
	doc.Cases[1].Counterpart = &result.Counterpart{State: result.CounterpartNew, Reason: "main has no such case"}
	twin := *c
	pairs := *c.Pairs
	pairs.Tree = "itself"
	twin.Pairs, twin.Gates = &pairs, nil
	s.Sentinel = &result.Sentinel{Case: twin, Builds: 2, Tolerance: 0.03, Floor: 0.02, Unfit: "time differs by 4%"}
	return doc
}

func TestComparisonsWithTreesAreWrittenAndRead(t *testing.T) {
	doc := compared(t)
	comesBack(t, doc)
}

// A sentinel that took no sample has lists in its file, not null.
func TestSentinelWithoutRowsIsWritten(t *testing.T) {
	doc := compared(t)
	c := &doc.Suites[0].Sentinel.Case
	c.Samples, c.Comparisons, c.Metrics, c.Pairs = result.Samples{}, nil, nil, &result.Pairs{Base: "itself"}
	var out bytes.Buffer
	if err := result.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(parse(t, out.Bytes())); err != nil {
		t.Error(err)
	}
	read(t, out.Bytes())
}

func TestComparisonsWithTreesThatDoNotFitAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(s *result.Suite, c *result.Case){
		"something that has no name":            func(s *result.Suite, _ *result.Case) { s.Against.Asked = "" },
		"unknown kind":                          func(s *result.Suite, _ *result.Case) { s.Against.Kind = "branch" },
		"is not the hash of a revision":         func(s *result.Suite, _ *result.Case) { s.Against.Revision = "main" },
		"has no hash":                           func(s *result.Suite, _ *result.Case) { s.Against.Revision = "" },
		"compared with nothing":                 func(s *result.Suite, c *result.Case) { s.Against, c.Pairs.Tree = nil, "" },
		"was not compared with that":            func(_ *result.Suite, c *result.Case) { c.Pairs.Tree = "release" },
		`unknown state "gone"`:                  func(_ *result.Suite, c *result.Case) { c.Counterpart.State = "gone" },
		"why it is not compared":                func(_ *result.Suite, c *result.Case) { c.Counterpart.State = result.CounterpartChanged },
		`base metric "time" is there twice`:     func(_ *result.Suite, c *result.Case) { c.Pairs.Metrics = append(c.Pairs.Metrics, c.Pairs.Metrics[0]) },
		"launches of":                           func(_ *result.Suite, c *result.Case) { c.Comparisons[0].Launches = c.Comparisons[0].Pairs + 1 },
		"its sentinel has 0 builds":             func(s *result.Suite, _ *result.Case) { s.Sentinel.Builds = 0 },
		"floor of its sentinel":                 func(s *result.Suite, _ *result.Case) { s.Sentinel.Floor = -1 },
		"its sentinel is of suite":              func(s *result.Suite, _ *result.Case) { s.Sentinel.Case.Suite = "other" },
		`sentinel: case "parse/small": unknown`: func(s *result.Suite, _ *result.Case) { s.Sentinel.Case.Status = "fine" },
		"planned cases or gates":                func(s *result.Suite, _ *result.Case) { s.Planned.Gates = -1 },
		"of the plan is not one":                func(s *result.Suite, _ *result.Case) { s.Planned.Digest = "md5:0" },
	} {
		doc := compared(t)
		spoil(&doc.Suites[0], &doc.Cases[0])
		if err := doc.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want a problem with %q, got %v", want, err)
		}
	}
}

// The digest sees each change that would make a run milder, and none of what was
// measured.
func TestPlannedSeesGatesThatChange(t *testing.T) {
	suite := compared(t).Suites[0].Name
	of := func(edit func(d *result.Document)) result.Planned {
		doc := compared(t)
		edit(doc)
		return result.PlannedOf(doc.Cases, suite)
	}
	was := of(func(*result.Document) {})
	for name, edit := range map[string]func(d *result.Document){
		"gate gone":       func(d *result.Document) { d.Cases[0].Gates = d.Cases[0].Gates[1:] },
		"case gone":       func(d *result.Document) { d.Cases = d.Cases[1:] },
		"severity":        func(d *result.Document) { d.Cases[0].Gates[0].Severity = "warn" },
		"expression":      func(d *result.Document) { d.Cases[0].Gates[0].Expr += " or true" },
		"on_inconclusive": func(d *result.Document) { d.Cases[0].Gates[0].OnInconclusive += "!" },
		"renamed":         func(d *result.Document) { d.Cases[0].Name += "!" },
		"gates exchanged": func(d *result.Document) {
			d.Cases[0].Gates, d.Cases[1].Gates = d.Cases[1].Gates, d.Cases[0].Gates
		},
	} {
		if of(edit) == was {
			t.Errorf("%s: it is not seen", name)
		}
	}
	for name, edit := range map[string]func(d *result.Document){
		"verdict": func(d *result.Document) { d.Cases[0].Gates[0].Verdict = result.Error },
		"place":   func(d *result.Document) { d.Cases[0].Gates[0].Place = diag.Place{} },
		"vanished": func(d *result.Document) {
			d.Cases = append(d.Cases, result.Case{Suite: suite, Failure: &result.Failure{Cause: "vanished"}})
		},
	} {
		if of(edit) != was {
			t.Errorf("%s: it makes a difference", name)
		}
	}
}
