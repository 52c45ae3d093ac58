package spec

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

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
		part, is, then, differs := now.Cases[0].Differs(now, &was.Cases[0], was)
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
	part, _, then, differs := now.Cases[0].Differs(now, &was.Cases[0], was)
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
