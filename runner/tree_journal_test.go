package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/machine"
	"example.com/suite/result"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/record"
	"example.com/suite/spec"
)

// treeJournal are the options of a run of two trees with a journal, which ends after
// so many blocks.
func treeJournal(t *testing.T, plan *spec.Plan, blocks int, cancel func()) Options {
	o := treeOptions(t, plan)
	o.Tool, o.Machine = result.Tool{Name: "suite", Version: "1", Go: "go"}, machine.Fingerprint()
	o.Observe = func(p Progress) {
		if p.Phase == "measure" {
			if blocks--; blocks == 0 {
				cancel()
			}
		}
	}
	return o
}

// A run of two trees goes on in new launches, with the pairs and the coins that it had.
func TestARunOfTwoTreesGoesOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	plan := against(function("tree/step"), function("fake/1us"))
	plan.Suite, plan.File, plan.Against.Vanished = "test", "test.yaml", []string{"gone"}
	part, _ := runJournalled(t, ctx, []*spec.Plan{plan}, treeJournal(t, plan, 7, cancel), path, false)
	doc, _ := runJournalled(t, context.Background(), []*spec.Plan{plan}, treeJournal(t, plan, 0, nil), path, true)
	valid(t, doc)
	for i, c := range doc.Cases[:2] {
		before := &part.Cases[i]
		if before.Launches == 0 || before.Launches > 6 || c.Launches != 9 || c.Samples.Len() < 8*leastLaunchPairs {
			t.Fatalf("%s: %d launches before, %d pairs in %d launches in all, failure %+v", c.Name, before.Launches, c.Samples.Len(), c.Launches, c.Failure)
		}
		paired(t, draw.Seed{3}, &c)
		if differs := beginsWith(&c.Samples, &before.Samples); differs != "" {
			t.Errorf("%s: %s", c.Name, differs)
		}
		if differs := beginsWith(&c.Pairs.Samples, &before.Pairs.Samples); differs != "" {
			t.Errorf("%s: its base: %s", c.Name, differs)
		}
		if c.Pairs.Tree != "main" || c.Pairs.Identity == nil || len(c.Pairs.Metrics) == 0 {
			t.Errorf("%s: pairs %+v", c.Name, c.Pairs.Frame())
		}
	}
	if c := doc.Cases[2]; c.Status != result.Failed {
		t.Errorf("%s: %s", c.Name, c.Status)
	}
}

// The other side of the comparison must be the same; the path of the checkout does
// not matter.
func TestAJournalKnowsTheOtherTree(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other host")
	if err := os.WriteFile(other, []byte("another program"), 0o777); err != nil {
		t.Fatal(err)
	}
	describe := func(change func(p *spec.Plan, o *Options)) *record.Header {
		plan := against(function("tree/step", func(c *spec.Case) { c.Cwd = "/here/sub" }))
		plan.Against.Revision, plan.Other.Dir, plan.Cases[0].Other.Case.Cwd = "1234", "/there", "/there/sub"
		o := treeOptions(t, plan)
		change(plan, &o)
		h := NewHeader([]*spec.Plan{plan}, o)
		return &h
	}
	begun := describe(func(*spec.Plan, *Options) {})
	for want, change := range map[string]func(p *spec.Plan, o *Options){
		"": func(p *spec.Plan, o *Options) {
			p.Other.Dir, p.Cases[0].Other.Case.Cwd = "/elsewhere", "/elsewhere/sub"
		},
		"was compared with main 1234, and would be with main 5678":     func(p *spec.Plan, o *Options) { p.Against.Revision = "5678" },
		"was compared with main 1234, and would be with nothing":       func(p *spec.Plan, o *Options) { p.Against, p.Other, p.Cases[0].Other = nil, nil, nil },
		`case "tree/step" would be measured otherwise now`:             func(p *spec.Plan, o *Options) { p.Cases[0].Other.Case.Env = []string{"A=1"} },
		"the program that runs the Go functions has been built anew":   func(p *spec.Plan, o *Options) { o.HostOf = func(*spec.Plan) []string { return []string{other} } },
		"suite test differs in its build, budget, timer or folder: is": func(p *spec.Plan, o *Options) { p.Other.Build = &spec.Hook{Argv: []string{"true"}} },
	} {
		if why := begun.Refuses(describe(change)); !strings.Contains(why, want) || (why == "") != (want == "") {
			t.Errorf("refused with %q, want %q", why, want)
		}
	}
}
