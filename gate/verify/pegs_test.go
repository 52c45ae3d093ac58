package verify

import (
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

const arcGate = `arc("parse", "emit").p99 < 1us`

// pegged has a case with pegs and a gate on them that fails, by 1.9 µs.
func pegged(t *testing.T) *result.Document {
	t.Helper()
	d := document(t)
	c := add(d, "pipeline", result.KindGo, 2e-6, arcGate, `arc("emit", "emit").mean < 20ns`)
	bins := []result.ArcBin{{400e-9, 425e-9, 980}, {1.8e-6, 1.9e-6, 20}}
	at := func(q float64) *float64 { x := arcs.Percentile(bins, q, 400e-9, 1.9e-6); return &x }
	c.Pegs = &result.Pegs{Clock: "wall", Iterations: 1000, Seconds: 0.1, Residue: 40e-9, Cost: 60e-9,
		Points: []result.PegPoint{{Name: "parse", Hits: 1000}, {Name: "emit", Hits: 1500}},
		Arcs: []result.Arc{
			{From: "emit", To: "emit", Count: 500, Sum: 5e-6, Max: 20e-9, Mean: 10e-9, StdDev: 1e-9},
			{From: "parse", To: "emit", Count: 1000, Sum: 450e-6, Min: 400e-9, Max: 1.9e-6, Mean: 450e-9, StdDev: 200e-9,
				P50: at(0.5), P90: at(0.9), P99: at(0.99), Histogram: bins},
		}}
	judged(t, d)
	return d
}

func TestArcsVerify(t *testing.T) {
	d := pegged(t)
	if g := d.Cases[3].Gates; g[0].Verdict != result.Fail || g[1].Verdict != result.Inconclusive {
		t.Fatalf("%+v", g)
	}
	r := check(t, reread(t, d))
	if len(r.Findings) > 0 || !strings.Contains(strings.Join(r.Taken, "\n"), "histogram of arcs, which come from a pass without samples (pipeline)") {
		t.Errorf("%+v, taken as it is: %q", r.Findings, r.Taken)
	}
}

// An arc that was changed by hand is found if it contradicts the rest of the arc, or
// if a verdict no longer follows from it.
func TestArcsChangedByHand(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *result.Pegs)
		want   string
	}{
		"a percentile":  {func(p *result.Pegs) { *p.Arcs[1].P99 = 500e-9 }, `arc "parse" → "emit": p99`},
		"a median":      {func(p *result.Pegs) { *p.Arcs[1].P50 *= 1.001 }, `arc "parse" → "emit": p50`},
		"a mean":        {func(p *result.Pegs) { p.Arcs[0].Mean = 9e-9 }, `arc "emit" → "emit": mean`},
		"a sum":         {func(p *result.Pegs) { p.Arcs[1].Sum *= 1.01 }, `arc "parse" → "emit": mean`},
		"no percentile": {func(p *result.Pegs) { p.Arcs[1].P90 = nil }, `arc "parse" → "emit": p90`},
		"the residue":   {func(p *result.Pegs) { p.Residue = 1e-9 }, `gate "arc(\"emit\", \"emit\").mean < 20ns": verdict`},
		"the overlap":   {func(p *result.Pegs) { p.Overlap = 1e-6 }, `gate "arc(\"parse\", \"emit\").p99 < 1us": reason`},
		"an overlap":    {func(p *result.Pegs) { p.Arcs[1].Overlap = 1e-6 }, `gate "arc(\"parse\", \"emit\").p99 < 1us": reason`},
		"a histogram": {func(p *result.Pegs) {
			a := &p.Arcs[1]
			a.Histogram = []result.ArcBin{{400e-9, 425e-9, 1000}}
			x := arcs.Percentile(a.Histogram, 0.99, a.Min, a.Max)
			a.P99 = &x
		}, `gate "arc(\"parse\", \"emit\").p99 < 1us": verdict`},
		"an arc": {func(p *result.Pegs) { p.Arcs = p.Arcs[:1] }, `gate "arc(\"parse\", \"emit\").p99 < 1us": verdict`},
	} {
		d := pegged(t)
		c.change(d.Cases[3].Pegs)
		var found []string
		for _, f := range check(t, d).Findings {
			found = append(found, f.What)
		}
		if !strings.Contains(strings.Join(found, "\n"), c.want) {
			t.Errorf("%s: want a difference about %s, got %q", name, c.want, found)
		}
	}
}

// A percentile that was changed together with the verdict that rests on it hides
// neither.
func TestVerdictsRestOnHistograms(t *testing.T) {
	d := pegged(t)
	*d.Cases[3].Pegs.Arcs[1].P99 = 500e-9
	judged(t, d)
	if g := d.Cases[3].Gates[0]; g.Verdict != result.Pass {
		t.Fatalf("%s of an arc that was changed", g.Verdict)
	}
	var found []string
	for _, f := range check(t, d).Findings {
		found = append(found, f.What)
	}
	if all := strings.Join(found, "\n"); !strings.Contains(all, `arc "parse" → "emit": p99`) || !strings.Contains(all, `gate "arc(\"parse\", \"emit\").p99 < 1us": verdict`) {
		t.Errorf("found %q", found)
	}
}

// Pegs that were taken out leave no verdict on them.
func TestPegsTakenOut(t *testing.T) {
	d := pegged(t)
	d.Cases[3].Pegs = nil
	if r := check(t, d); len(r.Findings) == 0 || r.Findings[0].Recomputed != "error" {
		t.Errorf("%+v", r.Findings)
	}
}
