package spec

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// pairAll makes each case of a plan its own counterpart.
func pairAll(t *testing.T, text string) *Plan {
	t.Helper()
	plan, was := planOf(t, text), planOf(t, text)
	plan.Against, plan.Other = &result.Against{Asked: "main"}, planOf(t, text)
	for i := range plan.Cases {
		plan.Pair(&plan.Cases[i], &was.Cases[i], was, &plan.Other.Cases[i])
	}
	return plan
}

func TestCompareGivesEachCaseTheGateOfItsTolerance(t *testing.T) {
	plan := pairAll(t, "tolerance: 5%\nbenchmarks: [{name: a, command: x}, {name: b, command: x, tolerance: 1%}]")
	if problems := plan.Compare(); len(problems) > 0 {
		t.Fatal(problems)
	}
	for i, want := range []string{"not worse(time, 5%)", "not worse(time, 1%)"} {
		c := plan.Cases[i]
		if len(c.Gates) != 1 || c.Gates[0].ID != AgainstGate || c.Gates[0].Expr.Value != want || c.Other == nil || c.Other.Case.Gates != nil {
			t.Errorf("%s: %+v, %+v", c.Name, c.Gates, c.Other)
		}
	}
}

// A case has one base: of one that names its own the comparison stands beside it.
func TestCompareSetsCasesBesideThoseWithABase(t *testing.T) {
	plan := pairAll(t, "benchmarks: [{name: a, command: x}, {name: b, command: x, base: a, tolerance: 1%, expect: time.median < 1s}]")
	if problems := plan.Compare(); len(problems) > 0 {
		t.Fatal(problems)
	}
	b, beside := plan.Cases[1], plan.Cases[2]
	if b.Base != "a" || b.Other != nil || b.Counterpart != nil || len(b.Gates) != 2 {
		t.Errorf("%+v", b)
	}
	if beside.Name != "b@against" || beside.NameInFile() != "b" || beside.Base != "" || beside.Other == nil || len(beside.Gates) != 1 || beside.Gates[0].ID != AgainstGate {
		t.Errorf("%+v", beside)
	}
	if beside.Other.Case.Base != "" || len(plan.Cases) != 3 {
		t.Errorf("%+v", beside.Other.Case)
	}
}

// One that is not compared gets no case beside it, only the gate that says why.
func TestCompareLeavesCasesThatAreNotCompared(t *testing.T) {
	plan := planOf(t, "benchmarks: [{name: a, command: x}, {name: b, command: x, base: a}]")
	plan.Against = &result.Against{Asked: "main"}
	for i := range plan.Cases {
		plan.Cases[i].Counterpart = &result.Counterpart{State: result.CounterpartNew, Reason: "it is new"}
	}
	if problems := plan.Compare(); len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range plan.Cases {
		if c.Counterpart == nil || c.Other != nil || len(c.Gates) != 1 || c.Gates[0].ID != AgainstGate {
			t.Errorf("%+v", c)
		}
	}
}

func TestPairSaysWhyACaseIsNotCompared(t *testing.T) {
	for text, want := range map[string]result.Counterpart{
		"{name: a, go: sort/ints}":                                                    {State: result.CounterpartUnable, Reason: "its function is part of suite itself, the same in both trees"},
		"{name: a, command: x, sampling: once}":                                       {State: result.CounterpartUnable, Reason: "with sampling: once there is one pair, which proves nothing"},
		"{name: a, command: x, samples: {keep: summary}}":                             {State: result.CounterpartUnable, Reason: "samples: {keep: summary} keeps no pairs, and verdicts need them"},
		"{name: a, command: x, service: {command: y, timeout: 1s, ready: {file: f}}}": {State: result.CounterpartUnable, Reason: "it has a service, and the services of two trees would need the same port"},
		"{name: a, command: x}":                                                       {State: result.CounterpartPaired},
	} {
		plan := pairAll(t, "benchmarks: ["+text+"]")
		if got := *plan.Cases[0].Counterpart; got != want || (plan.Cases[0].Other != nil) != (want.State == result.CounterpartPaired) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	plan := planOf(t, "benchmarks: [{name: new, command: x}]")
	was := planOf(t, "benchmarks: [{name: old, command: y}]")
	plan.Against, plan.Other = &result.Against{Asked: "main"}, plan
	plan.Pair(&plan.Cases[0], &was.Cases[0], was, &plan.Other.Cases[0])
	if got, want := *plan.Cases[0].Counterpart, (result.Counterpart{Name: "old", State: result.CounterpartChanged, Reason: `its command changed from "y" in main to "x"`}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	plan.Pair(&plan.Cases[0], &was.Cases[0], was, nil)
	if got := *plan.Cases[0].Counterpart; got.State != result.CounterpartNew || got.Reason == "" {
		t.Errorf("%+v", got)
	}
}

// planOf is the plan of a text, as a file of a folder /here/bench.
func planOf(t *testing.T, text string) *Plan {
	t.Helper()
	s, problems := Parse("/here/bench/suite.yaml", []byte(text), none)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	plan, problems := s.Plan(catalogue(), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return plan
}

func TestMatchFindsCasesByNameAndThenByEarlierOnes(t *testing.T) {
	plan := planOf(t, `
removed: [gone, group, listed]
benchmarks:
  - {name: same, go: sort/ints}
  - {name: both, go: sort/ints, was: [old, older]}
  - {name: renamed, go: sort/ints, was: [oldest, elder]}
  - {name: "n/${n}", go: sort/ints, matrix: {n: [1, 2]}, was: "m/${n + 0}"}
  - {name: new, go: sort/ints}
`)
	a := &result.Against{Asked: "main"}
	names := []string{"group/b", "elder", "both", "same", "m/2", "gone", "lost", "group/a", "old"}
	found, problems := plan.Match(names, []Removed{{Name: "listed"}}, a)
	if diff := cmp.Diff([]string{"same", "both", "elder", "", "m/2", ""}, found); diff != "" || len(problems) > 0 {
		t.Errorf("%v\n-want +got\n%s", problems, diff)
	}
	if want := []string{"lost", "old"}; !slices.Equal(a.Vanished, want) {
		t.Errorf("vanished: %v, want %v", a.Vanished, want)
	}
	if want := []string{"group/b", "gone", "group/a"}; !slices.Equal(a.Removed, want) {
		t.Errorf("removed: %v, want %v", a.Removed, want)
	}
}

func TestMatchRefusesRemovedCasesThatNeverWere(t *testing.T) {
	plan := planOf(t, "removed: [lots, zebra]\nbenchmarks: [{go: sort/ints}]\n")
	_, problems := plan.Match([]string{"sort/ints", "lost"}, nil, &result.Against{Asked: "main"})
	want := "/here/bench/suite.yaml:1:11: removed case \"lots\" is no case of main\n\thint: did you mean \"lost\"?\n" +
		"/here/bench/suite.yaml:1:17: removed case \"zebra\" is no case of main\n\thint: take it out of removed:"
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// An existing benchmark that was removed is not in this tree, and still in the other one, where the same file is read.
func TestRemovedBenchmarksAreStillInTheOtherTree(t *testing.T) {
	s, problems := Parse("/here/suite.yaml", []byte("removed: [x/Old]\nbenchmarks: [{gotest: .}]\n"), none)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cat := catalogue()
	cat.GoTests = func(Packages, GoTestQuery) ([]GoBenchmark, diag.Problems) {
		return []GoBenchmark{{GoTest: GoTest{Package: "x", Benchmark: "Old"}, Within: "x"}}, nil
	}
	if _, problems := s.Plan(cat, nil); !strings.Contains(problems.Error(), `case "x/Old" is still there`) {
		t.Errorf("in this tree: %v", problems)
	}
	cat.Folder = func(dir string) string { return dir }
	plan, problems := s.Plan(cat, nil)
	if len(problems) > 0 {
		t.Fatalf("in the other tree: %v", problems)
	}
	plan.Gone = plan.Cases
	if got, want := plan.GoneHint("x/Old"), `list it: removed: ["x/Old"]; `; !strings.HasPrefix(got, want) {
		t.Errorf("hint %q, want %q", got, want)
	}
}

// A sub-benchmark that is named after its input has a short name, which no other one has.
func TestLongNamesOfBenchmarksAreShortened(t *testing.T) {
	cat := catalogue()
	input := "A/" + strings.Repeat("ä", 300)
	cat.GoTests = func(Packages, GoTestQuery) (all []GoBenchmark, problems diag.Problems) {
		for _, name := range []string{"A/short", input + "1", input + "2"} {
			all = append(all, GoBenchmark{GoTest: GoTest{Package: "x", Benchmark: name}, Within: "x"})
		}
		return all, nil
	}
	s, _ := Parse("/here/suite.yaml", []byte("benchmarks: [{gotest: .}]\n"), none)
	plan, problems := s.Plan(cat, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	names := plan.Names()
	if names[0] != "x/A/short" || names[1] == names[2] {
		t.Errorf("%q", names)
	}
	for i, name := range names[1:] {
		if n := len([]rune(name)); n != mostWithin || plan.Cases[i+1].GoTest.Benchmark != input+string('1'+rune(i)) {
			t.Errorf("%q has %d characters: %+v", name, n, plan.Cases[i+1].GoTest)
		}
	}
}

// What is a part of a case is told, what only steers or judges it is none.
func TestDiffersNamesThePart(t *testing.T) {
	const base = "{name: a, command: [x, y], params: {n: 1}, env: {A: b}}"
	for change, want := range map[string]string{
		base: "",
		"{name: b, command: [x, y], params: {n: 1}, description: d, tags: [t], warmup: 1s, timeout: 5s, tolerance: 9%, expect: time.median < 1s, setup: [z]}": "",
		"{name: a, command: [x, z], params: {n: 1}}":                    "command: x z, x y",
		"{name: a, shell: x y, params: {n: 1}}":                         "kind: a line for a shell, a command",
		"{name: a, go: sort/ints, params: {n: 1}}":                      "kind: a Go function, a command",
		"{name: a, command: [x, y], params: {n: 2}}":                    "parameters: n = 2, n = 1",
		"{name: a, command: [x, y]}":                                    "parameters: none, n = 1",
		"{name: a, command: [x, y], params: {n: 1}, unit: byte}":        "unit: byte, op",
		"{name: a, command: [x, y], params: {n: 1}, work: 2}":           "work: 2, 1",
		"{name: a, command: [x, y], params: {n: 1}, stdin: in}":         "standard input: in, none",
		"{name: a, command: [x, y], params: {n: 1}, stdin: {text: in}}": `standard input: text "in", none`,
	} {
		was, now := planOf(t, "benchmarks: ["+base+"]"), planOf(t, "benchmarks: ["+change+"]")
		part, is, then, differs := now.Cases[0].differs(now, &was.Cases[0], was)
		got := part + ": " + is + ", " + then
		if !differs {
			got = ""
		}
		if got != want {
			t.Errorf("%s: %q, want %q", change, got, want)
		}
	}
}

func TestFunctionsOfPackagesAreNotThoseOfSuite(t *testing.T) {
	was, now := planOf(t, "benchmarks: [{go: sort/ints}]"), planOf(t, "benchmarks: [{go: sort/ints}]")
	now.Packages = &Packages{Patterns: []string{"./x"}}
	part, _, then, differs := now.Cases[0].differs(now, &was.Cases[0], was)
	if !differs || part != "function" || then != "sort/ints of suite itself" {
		t.Errorf("%s, %s, %v", part, then, differs)
	}
}

// The folder of every path of a file can be another one; its names stay.
func TestFilesCanBeReadForAnotherFolder(t *testing.T) {
	files := map[string]string{"/here/bench/more/b.yaml": "benchmarks: [{name: b, command: [x], cwd: sub, stdin: in}]"}
	open := func(path string) ([]byte, error) { return []byte(files[filepath.ToSlash(path)]), nil }
	text := "files: [more/b.yaml]\nbenchmarks: [{name: a, command: ['${suite.dir}'], stdout: out, metrics: [{name: m, from: {file: f}, regex: x, unit: u, better: lower}]}]"
	there := func(dir string) string { return strings.Replace(dir, "here", "there", 1) }
	s, problems := parseIn(there, "/here/bench/suite.yaml", []byte(text), open)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	plan, problems := s.Plan(catalogue(), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	b, a := plan.Cases[0], plan.Cases[1]
	got := []string{plan.Dir, b.Cwd, b.Stdin, a.Cwd, a.Stdout, a.Argv[0], plan.File, a.Place.File, b.Place.File}
	for i := range got {
		got[i] = strings.TrimPrefix(filepath.ToSlash(got[i]), filepath.ToSlash(filepath.VolumeName(got[i])))
	}
	want := []string{"/there/bench", "/there/bench/more/sub", "/there/bench/more/in", "/there/bench", "/there/bench/out", "/there/bench",
		"/here/bench/suite.yaml", "/here/bench/suite.yaml", "/here/bench/more/b.yaml"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
