package gate

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// Every line of problems.txt is an expression of a Go case. A prefix selects a
// command ("command:"), a case with pegs ("pegs:") or with the pegs of two points
// ("points:"). The expected problems follow below the line.
func TestProblems(t *testing.T) {
	const file = "testdata/problems.txt"
	recorded := testfile.Read(t, file)
	var got strings.Builder
	for _, expr := range expressions(string(recorded)) {
		_, problems := Compile([]Source{prefixed(expr)}, map[string][]string{"s": {"small", "large"}})
		if len(problems) == 0 {
			t.Errorf("%s: accepted", expr)
		}
		got.WriteString("--- " + expr + "\n" + problems.Error() + "\n")
	}
	golden.Check(t, file, got.String())
}

func expressions(recorded string) (list []string) {
	for line := range strings.Lines(recorded) {
		if expr, ok := strings.CutPrefix(line, "--- "); ok {
			list = append(list, strings.TrimSuffix(expr, "\n"))
		}
	}
	return list
}

// prefixed is the gate of a line, of the case that its prefix names.
func prefixed(expr string) Source {
	kind, text, _ := strings.Cut(expr, ": ")
	if !slices.Contains([]string{"command", "pegs", "points"}, kind) {
		return faulty(expr, false)
	}
	s := faulty(text, kind == "command")
	s.Pegs = kind != "command"
	if kind == "points" {
		s.Points = []string{"parse", "emit"}
	}
	return s
}

func faulty(text string, isCommand bool) Source {
	size := 64.0
	s := Source{Suite: "s", Case: "c", Kind: result.KindGo,
		Expr:   lang.Text{Value: text, Place: diag.Place{File: "hash.yaml", Line: 18, Col: 9}},
		Params: []result.Param{{Name: "size", Text: "64", Number: &size}, {Name: "mode", Text: "fast"}}}
	if isCommand {
		s.Kind = result.KindCommand
	}
	return s
}

func TestProblemsAreSortedAndSaidOnce(t *testing.T) {
	late, early := faulty("time.medain < 1ms", false), faulty("case(\"smal\").time.median < 1ms", false)
	late.Expr.Place.Line = 30
	set, problems := Compile([]Source{late, late, early, faulty("time.median < 1ms", false)}, map[string][]string{"s": {"small"}})
	if len(problems) != 2 || problems[0].Line != 18 || problems[1].Line != 30 {
		t.Errorf("got %v", problems)
	}
	if len(set.gates) != 1 {
		t.Errorf("the gate that is right is lost: %v", set.gates)
	}
}

func TestCaseNamesAreThoseOfTheSuite(t *testing.T) {
	a, b := faulty(`case("small").time.median < 1ms`, false), faulty(`case("small").time.median < 1ms`, false)
	b.Suite = "other"
	_, problems := Compile([]Source{a, b}, map[string][]string{"s": {"small"}, "other": {"big"}})
	if len(problems) != 1 {
		t.Errorf("one suite has the case, the other has not: %v", problems)
	}
}
