package report

import (
	"strings"
	"testing"

	"example.com/suite/report/number"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// What the sentinel has shown is one sentence, whatever became of it.
func TestFitnessInWords(t *testing.T) {
	low, high := 0.9803, 1.0121
	compared := func(change result.Change) []result.Comparison {
		return []result.Comparison{{Metric: "time", Ratio: 1, Low: &low, High: &high, Launches: 24, Change: change}}
	}
	one := func(edit func(n *result.Sentinel)) *result.Sentinel {
		n := &result.Sentinel{Builds: 2, Tolerance: 0.03, Case: result.Case{Name: "sort@sentinel", Kind: result.KindGo, Status: result.Measured, Seconds: 5.1,
			Pairs: &result.Pairs{Base: "sort", Tree: "a second build"}, Comparisons: compared(result.Same)}}
		edit(n)
		return n
	}
	for want, edit := range map[string]func(n *result.Sentinel){
		"sentinel: two builds of sort differ by at most 2.1% here (24 launches, 5.1 s)": func(*result.Sentinel) {},
		"sentinel: sort differs from itself by at most 2.1% here (24 launches, 5.1 s)":  func(n *result.Sentinel) { n.Builds = 1 },
		"sentinel: two builds of sort differ by at most 2.1% here (24 launches, 5.1 s), which is not shown to be less than the tolerance of 3%": func(n *result.Sentinel) {
			n.Case.Comparisons = compared(result.Unclear)
		},
		"sentinel: sort was compared with itself too seldom to know by how much it differs (24 launches, 5.1 s)": func(n *result.Sentinel) {
			n.Case.Comparisons[0].Low, n.Case.Comparisons[0].High = nil, nil
		},
		"sentinel: sort was not compared with itself": func(n *result.Sentinel) { n.Case.Status, n.Case.Comparisons = result.NotRun, nil },
		"sentinel: sort could not be compared with itself: no": func(n *result.Sentinel) {
			n.Case.Status, n.Case.Failure = result.Failed, &result.Failure{Message: "no"}
		},
		"THIS MACHINE IS UNFIT TO JUDGE: sort takes 5% longer than itself, beyond the tolerance of 3%; no comparison makes the run fail": func(n *result.Sentinel) {
			n.Unfit = "sort takes 5% longer than itself"
		},
	} {
		f := table.SentinelText(one(edit))
		if f.Text != want || f.Unfit != (want[0] == 'T') {
			t.Errorf("%+v, want %s", f, want)
		}
		if shown := table.FitnessOf(&result.Suite{Sentinel: one(edit)}); (shown == f) == (strings.Contains(want, "too seldom") || strings.Contains(want, "not compared")) {
			t.Errorf("%+v is shown, want %s", shown, want)
		}
	}
	on := func(shard int, edit func(n *result.Sentinel)) *result.Sentinel {
		n := one(edit)
		n.Shard = shard
		return n
	}
	eight := 1.08
	wide := func(n *result.Sentinel) {
		n.Case.Comparisons = compared(result.Same)
		n.Case.Comparisons[0].High = &eight
	}
	unfit := func(n *result.Sentinel) { n.Unfit = "sort takes 5% longer than itself" }
	fine := func(*result.Sentinel) {}
	for want, all := range map[string][]*result.Sentinel{
		"sentinels on 3 machines, the worst on shard 3: two builds of sort differ by at most 8% here (24 launches, 5.1 s)":           {on(1, fine), on(3, wide), on(4, fine)},
		"1 OF 2 MACHINES UNFIT TO JUDGE: shard 4: sort takes 5% longer than itself; no comparison of their cases makes the run fail": {on(1, wide), on(4, unfit)},
		"sentinel: two builds of sort differ by at most 2.1% here (24 launches, 5.1 s)":                                              {on(2, fine)},
	} {
		if f := table.FitnessOf(&result.Suite{Sentinels: all}); f.Text != want || f.Unfit != (want[0] == '1') {
			t.Errorf("%+v, want %s", f, want)
		}
	}
	if f := table.FitnessOf(&result.Suite{}); f.Text != "" {
		t.Errorf("without a sentinel: %+v", f)
	}
}

// A bound is rounded up, so that the printed one is still a bound.
func TestBoundsAreRoundedUp(t *testing.T) {
	for x, want := range map[float64]string{0: "0%", 0.03: "3%", 0.0201: "2.1%", 0.0025: "0.25%", 0.00251: "0.26%", 0.02: "2%", 1.5: "150%"} {
		if got := number.RoundedUp(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
