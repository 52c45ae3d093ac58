package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/forecast"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// watched is a plan of functions of two trees with a sentinel, and the options of its run:
// the host of the other tree is called "old".
func watched(t *testing.T, list ...spec.Case) (*spec.Plan, Options) {
	t.Helper()
	plan := against(list...)
	plan.File, plan.Hash, plan.OnInconclusive, plan.Other.File = "watched.yaml", "1", "list", "watched.yaml"
	if !plan.PlaceSentinel() {
		t.Fatal("no case is compared")
	}
	o := journalOptions(t)
	o.HostOf = func(p *spec.Plan) []string {
		if p == plan.Other {
			return hostArgv(t, "old")
		}
		return hostArgv(t, "fake")
	}
	return plan, o
}

// long is a case whose gates stay open until it has all of its samples, after about 30
// launches. Without a warm-up its sentinel has a share of the time soon: three launches.
func long(c *spec.Case) {
	gated(c)
	c.Settings.MaxTime = spec.Duration(time.Second)
	c.Settings.Warmup, c.Settings.SamplesMax = 1, 80
}

// The sentinel is compared with itself in two hosts of its own, launch by launch, as
// cases are with the other tree, and is none of the cases. It takes a tenth of the time at
// most.
func TestTheSentinelIsMeasuredBesideTheCases(t *testing.T) {
	t.Parallel()
	plan, o := watched(t, function("tree/step", long))
	o.Steer, o.Now = always{open: 1}, still()
	doc := Run(context.Background(), []*spec.Plan{plan}, o)
	valid(t, doc)
	n := doc.Suites[0].Sentinel
	if len(doc.Cases) != 1 || doc.Cases[0].Name != "tree/step" || n == nil || n.Of() != "tree/step" {
		t.Fatalf("%d cases, sentinel %+v", len(doc.Cases), n)
	}
	c := &n.Case
	p := paired(t, o.Seed, c)
	if p.Tree != "itself" || p.Base != "tree/step" || c.Stop != "share" || c.Launches < 2 || len(p.First) == 0 {
		t.Errorf("%d launches of %d pairs with %q of %q, stopped by %s: %+v", c.Launches, len(p.First), p.Base, p.Tree, c.Stop, c.Failure)
	}
	if own, all := c.Samples.Len(), doc.Cases[0].Samples.Len(); 7*own > all {
		t.Errorf("the sentinel took %d pairs, and the case %d", own, all)
	}
	for i := range p.First {
		if own, base := c.Samples.Columns["time"][i], p.Samples.Columns["time"][i]; !close1(own, 1e-6, 1e-4) || !close1(base, 1e-6, 1e-4) {
			t.Fatalf("pair %d: %g against %g", i, own, base)
		}
	}
}

// A run of a few launches has no time for a sentinel.
func TestAShortRunHasNoSentinel(t *testing.T) {
	plan, o := watched(t, function("tree/step", func(c *spec.Case) { c.Settings.Warmup = spec.Duration(time.Second) }))
	o.Now = still()
	doc := Run(context.Background(), []*spec.Plan{plan}, o)
	valid(t, doc)
	if c := &doc.Suites[0].Sentinel.Case; c.Status != result.NotRun || c.Stop != "share" || doc.Cases[0].Status != result.Measured {
		t.Errorf("%s, stopped by %q; the case: %s", c.Status, c.Stop, doc.Cases[0].Status)
	}
}

// alone asks the sentinel alone for more.
type alone struct{ pairs int }

func (a alone) Open(c *result.Case) (open, decided int) {
	switch {
	case !strings.HasSuffix(c.Name, result.SentinelSuffix):
		return 0, 0
	case c.Samples.Len() < a.pairs:
		return 1, 0
	}
	return 0, 1
}

// Without another tree it is a pair of one function, or of one command, with itself.
func TestASentinelBesideABaseIsAPairOfOneBody(t *testing.T) {
	t.Parallel()
	for _, one := range []spec.Case{function("fake/1us", named("x"), basedOn("y")), program("x", []string{"true"}, basedOn("y"))} {
		other := one
		other.Name, other.Base = "y", ""
		on := true
		plan := &spec.Plan{Suite: "s", Dir: os.TempDir(), Errors: spec.Errors{Sentinel: &on}, Cases: []spec.Case{one, other}}
		plan.PlaceSentinel()
		doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Steer: alone{15}})
		c := &doc.Suites[0].Sentinel.Case
		p := paired(t, draw.Seed{}, c)
		if p.Base != "x" || p.Tree != "" || len(p.First) < 15 || c.Stop != "decided" && c.Stop != "samples.max" || len(doc.Cases) != 2 || c.Identity.Binary != doc.Cases[0].Identity.Binary {
			t.Errorf("%s: %d pairs with %q of %q, stopped by %s: %+v", one.Kind, len(p.First), p.Base, p.Tree, c.Stop, c.Failure)
		}
	}
}

// The hooks of the case prepare what its copy, the sentinel, needs: once, before it,
// and they clean up after it.
func TestTheHooksOfASentinelAreThoseOfItsCase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	say := func(word string) []string { return []string{"sh", "-c", "echo " + word + " >>log"} }
	hooks := func(c *spec.Case) {
		c.Cwd, c.Setup, c.Cleanup = dir, &spec.Hook{Argv: say("setup")}, &spec.Hook{Argv: say("cleanup")}
	}
	base := program("y", []string{"true"}, samples(20))
	on := true
	plan := &spec.Plan{Suite: "s", Dir: dir, Errors: spec.Errors{Sentinel: &on}, Cases: []spec.Case{program("x", say("run"), basedOn("y"), hooks, samples(20)), base}}
	plan.PlaceSentinel()
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real"), Steer: alone{13}})
	if f := doc.Suites[0].Sentinel.Case.Failure; f != nil {
		t.Skipf("no shell here: %+v", f)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "log"))
	lines := strings.Fields(string(text))
	count := map[string]int{}
	for _, line := range lines {
		count[line]++
	}
	if count["setup"] != 1 || count["cleanup"] != 1 || count["run"] < 20+2*13 || lines[0] != "setup" || lines[len(lines)-1] != "cleanup" {
		t.Errorf("%v, from %s to %s", count, lines[0], lines[len(lines)-1])
	}
}

// One that cannot be measured is no error of the run.
func TestASentinelThatFailsCostsNoCase(t *testing.T) {
	t.Parallel()
	some := func(c *spec.Case) { c.Settings.SamplesMax = 30 }
	plan, o := watched(t, function("tree/step", long, some))
	o.Steer, o.Now = always{open: 1}, still()
	plan.Sentinel.Other.Case.Function = "panics"
	doc := Run(context.Background(), []*spec.Plan{plan}, o)
	valid(t, doc)
	if c := &doc.Suites[0].Sentinel.Case; c.Status != result.Failed || !strings.HasPrefix(c.Failure.Message, "its base in itself: ") || doc.Cases[0].Status != result.Measured {
		t.Errorf("%s, %+v; the case: %s, %+v", c.Status, c.Failure, doc.Cases[0].Status, doc.Cases[0].Failure)
	}
}

// An interrupted run continues with its sentinel. The journal of a finished run has
// the same sentinel as the run.
func TestASentinelGoesOnFromItsJournal(t *testing.T) { // not in parallel: a process that another test forks would keep the lock
	plan, o := watched(t, function("tree/step"), function("fake/4ns"))
	asked := true
	plan.Errors.Sentinel = &asked
	plans, dir := []*spec.Plan{plan}, t.TempDir()
	whole, text := runJournalled(t, context.Background(), plans, o, filepath.Join(dir, "whole"), false)
	again, _ := runJournalled(t, context.Background(), plans, o, filepath.Join(dir, "whole"), true)
	if diff := cmp.Diff(whole.Suites, again.Suites, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(again.Warnings[0].Message, "2 of 2 cases were taken over whole") {
		t.Error(again.Warnings[0].Message)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, part := range []int{4, 2} {
		t.Run(fmt.Sprintf("a %dth of it", part), func(t *testing.T) {
			path := filepath.Join(dir, fmt.Sprint(part))
			if err := os.WriteFile(path, slices.Concat(lines[:len(lines)*(part-1)/part]...), 0o600); err != nil {
				t.Fatal(err)
			}
			doc, _ := runJournalled(t, context.Background(), plans, o, path, true)
			valid(t, doc)
			want, got := &whole.Suites[0].Sentinel.Case, &doc.Suites[0].Sentinel.Case
			paired(t, o.Seed, got)
			if got.Status != result.Measured || got.Stop != want.Stop || got.Launches < want.Launches || len(doc.Cases) != 2 {
				t.Errorf("%s, stopped by %s after %d launches, want %s after %d; %+v", got.Status, got.Stop, got.Launches, want.Stop, want.Launches, got.Failure)
			}
		})
	}
}

// The time that it takes is counted, and it is none of the cases that are.
func TestProgressKnowsTheSentinel(t *testing.T) {
	t.Parallel()
	plan, o := watched(t, function("tree/step"))
	asked := true
	plan.Errors.Sentinel = &asked
	seen, most := false, 0
	o.Observe = func(p Progress) {
		seen, most = seen || strings.HasSuffix(p.Case, result.SentinelSuffix), max(most, p.Done)
		if p.Total != 1 || p.Done > 1 {
			t.Errorf("%d of %d cases", p.Done, p.Total)
		}
	}
	Run(context.Background(), []*spec.Plan{plan}, o)
	own, guard := forecast.UsualTime(&plan.Cases[0], forecast.Alpha(plan)), forecast.UsualTime(plan.Sentinel, result.SentinelAlpha)
	if !seen || most != 1 || forecast.Usual(plan) != own+guard || min(own, guard) < time.Millisecond {
		t.Errorf("seen %t, %d done, expected %v of %v and %v", seen, most, forecast.Usual(plan), own, guard)
	}
}
