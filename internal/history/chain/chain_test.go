package chain

import (
	"math"
	"testing"

	"example.com/suite/internal/history"
	"example.com/suite/result"
)

// ratio is a case that was compared with a commit.
func ratio(against string, value, low, high float64) *history.Case {
	return &history.Case{Suite: "s", Name: "c", Against: against, Metrics: []history.Metric{
		{Name: "time", Better: result.Lower, Value: 1, Ratio: &history.Ratio{Value: &value, Low: &low, High: &high}}}}
}

func same(against string) *history.Case {
	return &history.Case{Suite: "s", Name: "c", Against: against, Same: "its program is the same"}
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-9 }

// Ratios are multiplied along the way, in either direction, and the way with the narrowest interval
// counts: a to b is known from a comparison of both, and better by way of c.
func TestTheWayOfTheNarrowestInterval(t *testing.T) {
	g := &Graph{}
	g.Add("b", ratio("a", 1.5, 1.0, 2.25), "time")
	g.Add("c", ratio("a", 1.1, 1.1*0.99, 1.1/0.99), "time")
	g.Add("c", ratio("b", 1.1/1.2, 1.1/1.2*0.99, 1.1/1.2/0.99), "time")
	g.Add("d", ratio("x", 2, 1.9, 2.1), "time")
	from := g.From("a")
	d := from["b"]
	if !near(math.Exp(d.Log), 1.2) || !near(d.Half, math.Sqrt2*math.Log(1/0.99)) {
		t.Errorf("a to b: %v ± %v", math.Exp(d.Log), d.Half)
	}
	if _, connected := from["d"]; connected || len(from) != 3 || from["a"] != (Difference{}) {
		t.Errorf("%v", from)
	}
	if g.From("y") != nil {
		t.Error("a commit that was compared with no other is connected")
	}
	if f := d.Inverse().Factor(); !near(f.Value, 1/1.2) || f.Low >= f.Value || f.High <= f.Value {
		t.Errorf("%+v", f)
	}
}

// Two comparisons of the same commits count by their precision, also if the second one was made the
// other way round.
func TestTwoComparisonsOfTheSameCommits(t *testing.T) {
	g := &Graph{}
	g.Add("b", ratio("a", math.Exp(0.10), math.Exp(0.08), math.Exp(0.12)), "time")
	g.Add("a", ratio("b", math.Exp(-0.05), math.Exp(-0.09), math.Exp(-0.01)), "time")
	d := g.From("a")["b"]
	if !near(d.Log, (4*0.10+0.05)/5) || !near(d.Half, 0.02*math.Sqrt(4.0/5)) {
		t.Errorf("%+v", d)
	}
	if back := g.From("b")["a"]; !near(back.Log, -d.Log) || !near(back.Half, d.Half) {
		t.Errorf("%+v, back %+v", d, back)
	}
}

// Commits that cannot differ are one: nothing is lost between them.
func TestCommitsThatCannotDiffer(t *testing.T) {
	g := &Graph{}
	g.Add("b", same("a"), "time")
	g.Add("b", ratio("a", 1.02, 0.98, 1.06), "time") // measured all the same
	g.Add("d", same("c"), "time")
	g.Add("c", ratio("b", 1.1, 1.0, 1.21), "time")
	if d := g.From("a")["d"]; !near(d.Log, math.Log(1.1)) || !near(d.Half, math.Log(1.1)) {
		t.Errorf("%+v", d)
	}
}

// Comparisons with cases of the same run, of dirty trees, without an interval or of another metric
// connect nothing.
func TestWhatConnectsNothing(t *testing.T) {
	open := ratio("a", 1.1, 1, 1.2)
	open.Metrics[0].Ratio.Low = nil
	g := &Graph{}
	g.Add("b", ratio(history.BaseCase+"a", 1.1, 1, 1.2), "time")
	g.Add("b", open, "time")
	g.Add("b", ratio("a", 1.1, 1, 1.2), "instructions")
	g.Add("b", ratio("b", 1.1, 1, 1.2), "time")
	g.Add("", ratio("a", 1.1, 1, 1.2), "time")
	if g.From("a") != nil || g.From("b") != nil {
		t.Error(g.From("a"), g.From("b"))
	}
}
