package trend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/history"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

var began = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// simulated is a history of one case: levels of the code, and of machines, over commits.
type simulated struct {
	random  *rand.Rand
	entries []history.Entry
}

func (s *simulated) commit(value float64, cpu string, ratio *history.Ratio) {
	n := len(s.entries)
	hash := fmt.Sprintf("%040x", n+1)
	against := fmt.Sprintf("%040x", n)
	when := began.AddDate(0, 0, n)
	s.entries = append(s.entries, history.Entry{Run: history.Run{Started: when, Committed: when, Commit: hash, Machine: result.Machine{CPU: cpu, CPUs: 2}, Cases: []history.Case{
		{Suite: "s", Name: "c", Against: against, Metrics: []history.Metric{{Name: "time", Unit: "s", Better: result.Lower, Value: value, N: 20, Ratio: ratio}}}}}})
}

func options() Options { return Options{Metric: "time", Least: Least} }

// A change of the machine changes all times, and is no change of the code.
func TestAChangeOfMachineIsNoChangeOfCode(t *testing.T) {
	s := simulated{random: rand.New(rand.NewPCG(1, 2))}
	for i := range 80 {
		cpu, speed := "old", 1.0
		if i >= 40 {
			cpu, speed = "new", 0.6
		}
		s.commit(1e-3*speed*(1+0.01*s.random.NormFloat64()), cpu, nil)
	}
	all := Of(s.entries, options())
	if len(all) != 1 || len(all[0].Machines) != 2 || len(all[0].Changes) != 0 {
		t.Fatalf("%d machines, changes %+v", len(all[0].Machines), all[0].Changes)
	}
}

// Ratios connect the two sides of a change of the machine.
func TestRatiosSurviveAChangeOfMachine(t *testing.T) {
	s := simulated{random: rand.New(rand.NewPCG(3, 4))}
	for i := range 20 {
		cpu := "old"
		if i >= 10 {
			cpu = "new"
		}
		low, high := 1.005, 1.015
		s.commit(1e-3, cpu, &history.Ratio{Value: new(1.01), Low: &low, High: &high, Call: result.Same})
	}
	c := Of(s.entries, options())[0].Chained
	want := math.Pow(1.01, 19) - 1
	if c == nil || c.From != 0 || c.To != 19 || math.Abs(c.Change-want) > 1e-9 || c.Low > want || c.High < want || c.High-c.Low > 0.06 {
		t.Fatalf("chained %+v, want %g from 0 to 19", c, want)
	}
}

// Ten steps of 1 %, each of which passes a gate of 3 %, are a drift of 10 %.
func TestCreepIsFound(t *testing.T) {
	found := 0
	const runs = 50
	for run := range runs {
		s := simulated{random: rand.New(rand.NewPCG(5, uint64(run)))}
		for i := range 100 {
			s.commit(1e-3*math.Pow(1.01, float64(i/10))*(1+0.02*s.random.NormFloat64()), "cpu", nil)
		}
		series := Of(s.entries, options())[0]
		if d := series.Drift; d != nil && d.Low > 0.05 && d.Low < 0.0937 && d.High > 0.0937 {
			found++
		}
	}
	if found < runs*9/10 {
		t.Errorf("the drift was found in %d of %d histories", found, runs)
	}
}

// Runs of a tree with changes that no commit has are left out, and runs of one commit are
// one point.
func TestOnePointForEachCommit(t *testing.T) {
	s := simulated{}
	for _, v := range []float64{3, 1, 2} {
		s.commit(v, "cpu", nil)
	}
	for i := range s.entries {
		s.entries[i].Commit, s.entries[i].Committed = "abc", began
	}
	s.commit(99, "cpu", nil)
	s.entries[3].Dirty = true
	points := Of(s.entries, options())[0].Points
	if len(points) != 1 || points[0].Value != 2 || points[0].Runs != 3 {
		t.Fatalf("%+v", points)
	}
}

// Cases that changed come first, the worst of them first, and C2 comes before C10.
func TestWorstFirst(t *testing.T) {
	series := func(name string, better result.Direction, change float64) Series {
		s := Series{Suite: "s", Case: name, Unit: "s", Better: better, Points: []Point{{Value: 1}, {Value: 1 + change}}}
		if change != 0 {
			s.Changes = []Change{{At: 1, Before: 1, After: 1 + change}}
		}
		return s
	}
	all := []Series{series("C10", result.Lower, 0), series("C2", result.Lower, 0), series("faster", result.Lower, -0.5), series("more", result.Higher, 0.1),
		series("less", result.Higher, -0.6), series("slower", result.Lower, 1), series("a bit slower", result.Lower, 0.1)}
	var b strings.Builder
	if err := text.Write(&b, Page(all, true), text.Options{}); err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, name := range []string{"less", "slower", "a bit slower", "more", "faster", "C2", "C10"} {
		place := strings.Index(b.String(), "\n  "+name+" ")
		if place <= at {
			t.Errorf("%s is not after the one before:\n%s", name, b.String())
		}
		at = place
	}
}
