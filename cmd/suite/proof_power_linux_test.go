package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// TestProofOfPower injects slowdowns of known sizes and counts how many are found, and
// how soon (SUITE_PROOF=power). After each of the first SUITE_PROOF_PEERS runs it also
// compares identical code with other tools, so that they see the same machine.
func TestProofOfPower(t *testing.T) {
	runs := wanted(t, "power", 100)
	peers := newPeers(t, min(runs, numbered(t, peersVariable, 20)))
	command := calibrated(t)
	tallies := map[string]*finds{}
	alarms := verdicts{}
	for i := range runs {
		for kind, body := range map[string]func(float64) string{"function": steps, "command": command} {
			doc := newProof(t).run(injected(kind, body))
			for j := range doc.Cases {
				tallied(tallies, &doc.Cases[j], kind)
			}
			alarms.add(only(doc, "A/A"))
		}
		if i < peers.runs {
			peers.ask(command(1))
		}
	}
	for _, name := range sortedNames(tallies) {
		tallies[name].log(t, name)
	}
	alarms.log(t)
	peers.log()
}

// steps is a function that takes so many times as long as steps(1).
func steps(times float64) string {
	return fmt.Sprintf("go: selfcheck/arithmetic, params: {steps: %.0f}", 1000*times)
}

// calibrated makes a function like steps for commands. Part of a command's time is the
// start of the shell, so it measures how much of the time the loop takes.
func calibrated(t *testing.T) func(times float64) string {
	const n = 2700
	doc := newProof(t).run(fmt.Sprintf("defaults: {samples: {min: 200, max: 200}}\nbenchmarks:\n  - {name: one, %s}\n  - {name: two, %s, base: one}\n",
		loops(n), loops(2*n)))
	one := doc.Cases[0].Summary("time").Median
	twice := float64(doc.Cases[1].Comparison("time").Ratio)
	t.Logf("the command takes %.2f ms, %.0f%% of them for its loop", 1000*one, 100*(twice-1))
	return func(times float64) string { return loops(n + int(math.Round(n*(times-1)/(twice-1)))) }
}

// beyond are the slowdowns to find: each exceeds the tolerance by a share.
var beyond = []struct{ tolerance, more float64 }{{0, 0.05}, {0, 0.10}, {0.03, 0.05}, {0.03, 0.10}}

// injected writes a suite with a base, the base once more, and each slowdown. Commands
// run at most 300 times; functions have the default max_time.
func injected(kind string, body func(times float64) string) string {
	var text strings.Builder
	if kind == "command" {
		text.WriteString("defaults: {samples: {max: 300}}\n")
	}
	fmt.Fprintf(&text, "benchmarks:\n  - {name: base, %s, samples: {min: 1, max: 10}}\n", body(1))
	fmt.Fprintf(&text, "  - {name: A/A, %s, base: base, max_time: 1s, expect: 'not worse(time, 0%%)'}\n", body(1))
	for _, b := range beyond {
		fmt.Fprintf(&text, "  - {name: '%[1]g%% beyond %[2]g%%', %[3]s, base: base, expect: 'not worse(time, %[2]g%%)'}\n",
			100*b.more, 100*b.tolerance, body((1+b.tolerance)*(1+b.more)))
	}
	return text.String()
}

// finds counts the slowdowns of one size, and how many were found.
type finds struct {
	all, red, early int // early: within 300 runs of both sides together
	seconds, pairs  []float64
	ratios          []float64
}

func tallied(tallies map[string]*finds, c *result.Case, kind string) {
	if !strings.Contains(c.Name, "beyond") {
		return
	}
	name := kind + ", " + c.Name
	f := tallies[name]
	if f == nil {
		f = &finds{}
		tallies[name] = f
	}
	f.all++
	if c.Gates[0].Verdict == result.Fail {
		f.red++
		if c.Samples.Len() <= 150 {
			f.early++
		}
	}
	f.seconds = append(f.seconds, c.Seconds)
	f.pairs = append(f.pairs, float64(c.Samples.Len()))
	f.ratios = append(f.ratios, float64(c.Comparison("time").Ratio))
}

// log prints how many slowdowns were found, and the pairs and seconds of all of them. It
// fails the test if certainly fewer were found than the promise: 95 %, or 99 % of those
// of 10 %.
func (f *finds) log(t *testing.T, name string) {
	t.Helper()
	t.Logf("%s: found %s, %d of them in 150 pairs; medians: %.0f pairs (90%% within %.0f), %.2f s (90%% within %.2f), ratio %.3f", name, rateOf(f.red, f.all),
		f.early, stats.Median(f.pairs), within90(f.pairs), stats.Median(f.seconds), within90(f.seconds), stats.Median(f.ratios))
	least := 0.95
	if strings.Contains(name, " 10%") {
		least = 0.99
	}
	if stats.UpperBound(f.red, f.all, 0.999) < least {
		t.Errorf("%s: fewer than %.0f%% are found", name, 100*least)
	}
}

func within90(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return s[(9*len(s)+9)/10-1]
}

func sortedNames(tallies map[string]*finds) (names []string) {
	for name := range tallies {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func only(doc *result.Document, name string) *result.Document {
	cases := slices.DeleteFunc(slices.Clone(doc.Cases), func(c result.Case) bool { return c.Name != name })
	return &result.Document{Cases: cases}
}

// TestProofOfPlantedRegressions finds three slow changes by their time
// (SUITE_PROOF=regression). How much slower they are depends on the machine. The script
// regression finds the one that allocates more, which it does on every machine.
func TestProofOfPlantedRegressions(t *testing.T) {
	runs := wanted(t, "regression", 3)
	p := newProof(t)
	if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(repository, "suites", "regression"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(p.path("regression.yaml"), p.path("suite.yaml")); err != nil {
		t.Fatal(err)
	}
	for range runs {
		doc, took := p.ran("--set", "tolerance=3%")
		t.Logf("all of them in %v", took.Round(took/100))
		for i := range doc.Cases {
			if c := &doc.Cases[i]; c.Pairs != nil {
				slower(t, c)
			}
		}
	}
}

// slower checks that the gate on time of a case fails.
func slower(t *testing.T, c *result.Case) {
	t.Helper()
	for _, g := range c.Gates {
		if strings.Contains(g.Expr, "time") {
			o := c.Comparison("time")
			t.Logf("%s: %s, %.2f times the base, %d pairs in %.2f s", c.Name, g.Verdict, o.Ratio, o.Pairs, c.Seconds)
			if g.Verdict != result.Fail {
				t.Errorf("%s: %s: %s", c.Name, g.Verdict, g.Reason)
			}
			return
		}
	}
	t.Errorf("%s has no gate on time", c.Name)
}
