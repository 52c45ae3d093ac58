package spec

import (
	"slices"
	"testing"
)

func TestACaseLacksTheProgramsOfItsBaseToo(t *testing.T) {
	const text = `
benchmarks:
  - {name: all, command: a, requires: [here, too]}
  - {name: one, command: a, requires: gone}
  - {name: both, command: a, requires: [gone, here, lost]}
  - {name: based, command: a, base: one}
  - {name: twice, command: a, base: based, requires: [lost, gone]}
  - {name: none, command: a, base: all}
`
	suite, problems := Parse("r.yaml", []byte(text), nil)
	if problems != nil {
		t.Fatal(problems)
	}
	plan, problems := suite.Plan(Catalogue{}, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	plan.FindMissing(func(name string) bool { return name == "here" || name == "too" })
	for i, want := range [][]string{nil, {"gone"}, {"gone", "lost"}, {"gone"}, {"lost", "gone"}, nil} {
		if c := &plan.Cases[i]; !slices.Equal(c.Missing, want) {
			t.Errorf("%s lacks %q, want %q", c.Name, c.Missing, want)
		}
	}
	plan.FindMissing(func(string) bool { return true })
	for _, c := range plan.Cases {
		if c.Missing != nil {
			t.Errorf("%s lacks %q on a machine that has all", c.Name, c.Missing)
		}
	}
}

func TestRequiredProgramsAreExpanded(t *testing.T) {
	const text = `
defaults: {requires: python3}
benchmarks:
  - {name: "${shell}", command: a, matrix: {shell: [dash, sh]}, requires: [sh, "${shell}"]}
  - {name: inherited, command: a}
`
	suite, problems := Parse("r.yaml", []byte(text), nil)
	if problems != nil {
		t.Fatal(problems)
	}
	plan, problems := suite.Plan(Catalogue{}, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	for i, want := range [][]string{{"sh", "dash"}, {"sh"}, {"python3"}} {
		if c := &plan.Cases[i]; !slices.Equal(c.Requires, want) {
			t.Errorf("%s requires %q, want %q", c.Name, c.Requires, want)
		}
	}
}
