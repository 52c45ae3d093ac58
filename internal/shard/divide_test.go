package shard

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
)

// planOf has cases with these names, each of which is expected to take a second.
func planOf(suite string, names ...string) *spec.Plan {
	plan := &spec.Plan{Suite: suite}
	for i, name := range names {
		plan.Cases = append(plan.Cases, spec.Case{Name: name, Kind: result.KindGo, Settings: spec.Defaults(), Place: diag.Place{File: "s.yaml", Line: i + 1}})
	}
	return plan
}

func nothing(string, string) []result.Reading { return nil }

func seconds1(lengths map[string]float64) Durations {
	d := Durations{From: "history", Of: map[[2]string]time.Duration{}}
	for name, s := range lengths {
		d.Of[[2]string{"s", name}] = seconds(s)
	}
	return d
}

// shardsOf lists the cases of each shard: "a c|b".
func shardsOf(d *result.Division) string {
	all := make([]string, d.Count)
	for _, p := range d.Cases {
		all[p.Shard-1] = strings.TrimSpace(all[p.Shard-1] + " " + p.Name)
	}
	return strings.Join(all, "|")
}

// The longest goes first, each to the shard with the least to do.
func TestShardsAreBalanced(t *testing.T) {
	plan := planOf("s", "a", "b", "c", "d", "e")
	for lengths, want := range map[*map[string]float64]string{
		{"a": 1, "b": 5, "c": 2, "d": 3, "e": 4}: "a b c|d e", // e and d first meet with 7, then c and a go to b
		{"a": 9, "b": 1, "c": 1, "d": 1, "e": 1}: "a|b c d e",
	} {
		d := Divide([]*spec.Plan{plan}, nothing, seconds1(*lengths), 2, "")
		if got := shardsOf(d); got != want || d.Durations.Recorded != 5 || d.Durations.From != "history" {
			t.Errorf("%v: %s, %+v; want %s", *lengths, got, d.Durations, want)
		}
	}
	d := Divide([]*spec.Plan{plan}, nothing, seconds1(map[string]float64{"a": 9}), 2, "")
	if shardsOf(d) != "a|b c d e" || d.Durations.Recorded != 1 || d.Cases[1].Seconds != 1.1 {
		t.Errorf("with forecasts: %s, %+v", shardsOf(d), d)
	}
}

// Sub-benchmarks that are run in a range over a map are listed in another order each time, and
// the cases that the base alone has too. All listings divide alike.
func TestListingsInRandomOrderDivideAlike(t *testing.T) {
	names := []string{"b", "d", "a", "c", "e", "f", "base", "of base"}
	random := rand.New(rand.NewPCG(1, 2))
	owners := func(d *result.Division) map[string]int {
		all := map[string]int{}
		for _, p := range d.Cases {
			all[p.Name] = p.Shard
		}
		return all
	}
	var first *result.Division
	for range 20 {
		listed, vanished := slices.Clone(names), []string{"x", "y", "z"}
		random.Shuffle(len(listed), func(i, k int) { listed[i], listed[k] = listed[k], listed[i] })
		random.Shuffle(len(vanished), func(i, k int) { vanished[i], vanished[k] = vanished[k], vanished[i] })
		plan := planOf("s", listed...)
		plan.Against = &result.Against{Vanished: vanished}
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if c.Place = (diag.Place{Line: 1}); c.Name == "of base" {
				c.Base = "base"
			}
		}
		d := Divide([]*spec.Plan{plan}, nothing, Durations{}, 3, "")
		if first == nil {
			first = d
		}
		if d.Hash != first.Hash || d.Plan != first.Plan {
			t.Errorf("%q: %s and %s, want %s and %s", listed, d.Plan, d.Hash, first.Plan, first.Hash)
		}
		if diff := cmp.Diff(owners(first), owners(d)); diff != "" {
			t.Errorf("%q:\n%s", listed, diff)
		}
	}
}

// What needs each other is on one machine.
func TestGroupsStayTogether(t *testing.T) {
	plan := planOf("s", "base", "a", "b", "c", "d", "e", "f", "g", "h")
	plan.Cases[1].Base = "base"
	plan.Cases[3].OutputName, plan.Cases[5].OutputName = "x", "x"
	plan.Cases[6].Place, plan.Cases[7].Place, plan.Cases[8].Place = diag.Place{Line: 99}, diag.Place{Line: 99}, diag.Place{Line: 99}
	reads := func(_, name string) []result.Reading {
		return map[string][]result.Reading{
			"b": {{Of: result.OfCase}, {Of: result.OfOther, Case: "d"}, {Of: result.OfMean}},
			"d": {{Of: result.OfOther, Case: "a"}},
			"g": {{Of: result.OfOrder, Metric: "time"}},
		}[name]
	}
	var names []string
	for _, group := range groups([]*spec.Plan{plan}, reads) {
		text := ""
		for _, i := range group {
			text += " " + plan.Cases[i].Name
		}
		names = append(names, text[1:])
	}
	if diff := cmp.Diff([]string{"base a b d", "c e", "f g h"}, names); diff != "" {
		t.Error(diff)
	}
}

// Whatever the plan, each case is in one shard, groups are not parted, no shard has more than
// twice the ideal (the bound of Graham for this order), and every machine finds the same.
func TestDivisionsOfRandomPlans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for range 100 {
		var plans []*spec.Plan
		lengths := Durations{From: "result", Of: map[[2]string]time.Duration{}}
		for s := range 1 + rng.IntN(3) {
			plan := planOf(fmt.Sprint(s))
			for i := range rng.IntN(30) {
				c := spec.Case{Name: fmt.Sprint(i), Settings: spec.Defaults(), Place: diag.Place{Line: rng.IntN(10)}}
				if i > 0 && rng.IntN(2) == 0 {
					c.Base = fmt.Sprint(rng.IntN(i))
				}
				plan.Cases = append(plan.Cases, c)
				lengths.Of[[2]string{plan.Suite, c.Name}] = time.Duration(rng.IntN(1e9))
			}
			plans = append(plans, plan)
		}
		n := 1 + rng.IntN(8)
		d := Divide(plans, nothing, lengths, n, "")
		if diff := cmp.Diff(d, Divide(plans, nothing, lengths, n, "")); diff != "" {
			t.Fatal(diff)
		}
		taken := map[string]int{}
		loads, longest, sum := make([]float64, n), 0.0, 0.0
		for i := range n {
			for _, plan := range Take(plans, d, i+1) {
				for _, c := range plan.Cases {
					taken[plan.Suite+c.Name]++
					if c.Base != "" && !slices.ContainsFunc(plan.Cases, func(b spec.Case) bool { return b.Name == c.Base }) {
						t.Fatalf("%s is not with its base", c.Name)
					}
				}
			}
		}
		for _, group := range groups(plans, nothing) {
			length := 0.0
			for _, i := range group {
				length += d.Cases[i].Seconds
			}
			loads[d.Cases[group[0]].Shard-1] += length
			longest, sum = max(longest, length), sum+length
		}
		if len(taken) != len(d.Cases) || !all(taken, 1) {
			t.Fatalf("%d cases, taken %v", len(d.Cases), taken)
		}
		if most := slices.Max(loads); most > 2*max(longest, sum/float64(n))+1e-9 {
			t.Errorf("the longest shard takes %g: groups of at most %g, %g for each shard", most, longest, sum/float64(n))
		}
	}
}

func all(counts map[string]int, want int) bool {
	for _, n := range counts {
		if n != want {
			return false
		}
	}
	return true
}

// The hash of a plan is the same in other folders and with other durations, and changes with
// whatever is measured or judged.
func TestHashes(t *testing.T) {
	plan := func() *spec.Plan {
		p := planOf("s", "a", "b", "c")
		p.Cases[0].Gates = []spec.Gate{{ID: "g", Severity: "fail", OnInconclusive: "auto"}}
		return p
	}
	of := func(p *spec.Plan) *result.Division { return Divide([]*spec.Plan{p}, nothing, Durations{}, 2, "") }
	was := of(plan())
	for name, change := range map[string]func(p *spec.Plan){
		"folder": func(p *spec.Plan) {
			p.File, p.Dir, p.Cases[0].Cwd, p.Cases[0].Place.File = "/x/s.yaml", "/x", "/x", "/x/s.yaml"
		},
	} {
		p := plan()
		change(p)
		if d := of(p); d.Plan != was.Plan || d.Hash != was.Hash {
			t.Errorf("%s changes the plan", name)
		}
	}
	for name, change := range map[string]func(p *spec.Plan){
		"file": func(p *spec.Plan) { p.Hash = "x" }, "calls": func(p *spec.Plan) { p.Calls = 3 }, "errors": func(p *spec.Plan) { p.Errors.Family = 0.05 },
		"name": func(p *spec.Plan) { p.Cases[2].Name = "x" }, "flag": func(p *spec.Plan) { p.Cases[1].Settings.SamplesMin = 40 },
		"gate": func(p *spec.Plan) { p.Cases[0].Gates[0].Severity = "warn" }, "case": func(p *spec.Plan) { p.Cases = p.Cases[:2] },
		"tree":  func(p *spec.Plan) { p.Against = &result.Against{Revision: "x"} },
		"state": func(p *spec.Plan) { p.Cases[0].Counterpart = &result.Counterpart{State: result.CounterpartNew} },
	} {
		p := plan()
		change(p)
		if d := of(p); d.Plan == was.Plan || d.Hash == was.Hash {
			t.Errorf("%s does not change the plan", name)
		}
	}
	other := Divide([]*spec.Plan{plan()}, nothing, seconds1(map[string]float64{"c": 9}), 2, "")
	if other.Plan != was.Plan || other.Hash == was.Hash {
		t.Error("other durations: the plan is the same, and the division is not")
	}
}

// Only whole runs lend their durations: a shard that is saved while another one begins would
// change the division.
func TestDurationsOfAHistory(t *testing.T) {
	run := func(shard bool, seconds float64) history.Entry {
		return history.Entry{Run: history.Run{Shard: shard, Cases: []history.Case{{Suite: "s", Name: "a", Seconds: seconds}, {Suite: "s", Name: "old"}}}}
	}
	d := Recorded([]history.Entry{run(false, 1), run(false, 2), run(true, 3)})
	if len(d.Of) != 1 || d.Of[[2]string{"s", "a"}] != 2*time.Second {
		t.Errorf("%v", d.Of)
	}
}

func TestTakeReportsWhatIsGoneOnce(t *testing.T) {
	plan := planOf("s", "a", "b")
	plan.Against = &result.Against{Vanished: []string{"gone"}}
	plan.Gone = []spec.Case{{Name: "gone"}}
	d := Divide([]*spec.Plan{plan}, nothing, Durations{}, 3, "")
	for i, want := range []int{1, 0, 0} {
		p := Take([]*spec.Plan{plan}, d, i+1)[0]
		if len(p.Gone) != want || len(p.Against.Vanished) != want || !p.Partial {
			t.Errorf("shard %d: %+v", i+1, p)
		}
	}
	if len(plan.Against.Vanished) != 1 || plan.Partial {
		t.Error("taking a part changes the whole")
	}
}

func TestParse(t *testing.T) {
	if s, err := Parse("3/20"); err != nil || s != (Shard{3, 20}) || s.String() != "3/20" {
		t.Errorf("%v, %v", s, err)
	}
	for text, want := range map[string]string{
		"": `--shard "": want I/N`, "3": "want I/N", "3/": "want I/N", "a/b": "want I/N", "1/2/3": "want I/N", "1 / 2": "want I/N",
		"0/3": "--shard 0/3: shards are numbered from 1 to 3", "4/3": "shards are numbered from 1 to 3", "-1/3": "shards are numbered",
		"1/0": "the number of shards must be from 1 to 100000", "1/999999999": "must be from 1",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) || diag.HintOf(err) == "" {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
