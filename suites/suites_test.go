package suites_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"example.com/suite/internal/benchcase"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/spec"
	_ "example.com/suite/suites"
	_ "example.com/suite/suites/pegs"
	"example.com/suite/timer"
)

func plans(t *testing.T) []*spec.Plan {
	t.Helper()
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no suites", err)
	}
	catalogue := spec.Catalogue{Functions: benchcase.Names(), Clocks: timer.Names(timer.KindClock), Cycles: timer.Names(timer.KindCycle)}
	var all []*spec.Plan
	for _, file := range files {
		plan, problems := spec.LoadPlan(file, catalogue, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		all = append(all, plan)
	}
	return all
}

// onTime matches a metric of time in a gate, and what an arc takes.
var onTime = regexp.MustCompile(`\b(time|throughput|wall|cpu|thread_cpu|user|system|wait)\b|\barc\([^)]*\)\.(sum|min|max|mean|median|stddev|p\d+|per_iteration)\b`)

// The outcome of a suite that is shipped must not depend on the machine.
func TestNoShippedSuiteHasAGateOnTime(t *testing.T) {
	for _, plan := range plans(t) {
		for _, c := range plan.Cases {
			for _, g := range c.Gates {
				if onTime.MatchString(g.Expr.Value) {
					t.Errorf("%s: %s: gate on time: %s", plan.File, c.Name, g.Expr.Value)
				}
			}
		}
	}
}

// The page names every suite file, and no other.
func TestThePageListsTheSuites(t *testing.T) {
	page := testfile.Read(t, "README.md")
	var listed, there []string
	for _, m := range regexp.MustCompile("`suite run suites/([^`]+)`").FindAllSubmatch(page, -1) {
		listed = append(listed, string(m[1]))
	}
	for _, pattern := range []string{"*.yaml", "*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		there = append(there, files...)
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("the page has %q, the folder %q", listed, there)
	}
}

// Every Go benchmark of the suites sets up, runs and cleans up.
func TestEveryBenchmarkRuns(t *testing.T) {
	ran := map[string]bool{}
	for _, plan := range plans(t) {
		for _, c := range plan.Cases {
			if c.Kind == result.KindGo {
				run(t, c)
				ran[c.Function] = true
			}
		}
	}
	for _, name := range benchcase.Names() {
		if !ran[name] {
			t.Errorf("no suite measures %s", name)
		}
	}
}

func run(t *testing.T, c spec.Case) {
	t.Helper()
	setup, _ := benchcase.Find(c.Function) // the plan has checked that it is there
	params := map[string]benchcase.Param{}
	for _, p := range c.Params {
		params[p.Name] = benchcase.Param{Text: p.Value.Text, Number: &p.Value.Number}
	}
	b := benchcase.New(c.Name, params)
	defer b.Close()
	setup(b)(2)
	for _, name := range b.Unread() {
		if !slices.Contains(c.Expanded, name) {
			t.Errorf("%s never reads %s", c.Function, name)
		}
	}
}
