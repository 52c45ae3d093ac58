package figure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

func plainName(s string) string { return s }

// pegsOf are those of two iterations; points are first hit in the order of the arcs.
func pegsOf(all ...result.Arc) *result.Pegs {
	p := &result.Pegs{Clock: "wall", Iterations: 2, Seconds: 1, Arcs: all}
	for _, a := range all {
		for _, name := range []string{a.From, a.To} {
			if name != "" && !slices.ContainsFunc(p.Points, func(q result.PegPoint) bool { return q.Name == name }) {
				p.Points = append(p.Points, result.PegPoint{Name: name, Hits: a.Count})
			}
		}
	}
	return p
}

func arcOf(from, to string, count int64, sum float64) result.Arc {
	a := result.Arc{From: from, To: to, Count: count, Sum: sum, Max: sum}
	if count > 0 {
		a.Mean = sum / float64(count)
	}
	return a
}

func spanOf(from, to string, count int64, sum float64) result.Arc {
	a := arcOf(from, to, count, sum)
	a.Kind = result.ArcSpan
	return a
}

// pens are the widths of the arcs, back to front.
func pens(d *drawing.Drawing) (out []float64) {
	for _, m := range d.Marks {
		if m.Pen > 0 {
			out = append(out, m.Pen)
		}
	}
	return out
}

// An arc is as wide as its time: that of half of the longest is half as wide. Those to
// the next point go straight down between them, one that leaves some out on the right,
// one that goes back on the left.
func TestFlow(t *testing.T) {
	d := Flow(pegsOf(arcOf("read", "parse", 4, 0.4), arcOf("parse", "emit", 4, 0.2), arcOf("read", "emit", 2, 0.1), arcOf("emit", "read", 3, 0.05)), nil, plainName)
	if got := pens(d); !slices.Equal(got, []float64{1.8, 3.5, 7, 14}) {
		t.Errorf("widths %v", got)
	}
	if got := texts(d, drawing.Strong); !slices.Equal(got, []string{"read", "parse", "emit"}) {
		t.Errorf("points %q", got)
	}
	if got := texts(d, drawing.Axis); !slices.Equal(got, []string{"16.67 ms × 1.5", "50 ms × 1", "50 ms × 2", "100 ms × 2"}) {
		t.Errorf("labels %q", got)
	}
	for i, m := range d.Marks {
		if m.Role != drawing.Way {
			continue
		}
		var side string
		switch x := bounds(d, i); {
		case strings.Contains(m.Path, "C") && x < nodeLeft:
			side = "left"
		case strings.Contains(m.Path, "C"):
			side = "right"
		default:
			side = "down"
		}
		if want := map[float64]string{1.8: "left", 3.5: "right", 7: "down", 14: "down"}[m.Pen]; side != want {
			t.Errorf("the arc of width %g goes %s, want %s: %s", m.Pen, side, want, m.Path)
		}
	}
	if want := "3 points and 4 arcs; most time of the whole pass: read to parse 400 ms, parse to emit 200 ms, read to emit 100 ms"; d.Desc != want {
		t.Errorf("it says %q", d.Desc)
	}
}

// bounds is where the curve of a mark is pulled to.
func bounds(d *drawing.Drawing, i int) (x float64) {
	_, _ = fmt.Sscanf(d.Marks[i].Path[strings.IndexByte(d.Marks[i].Path, 'C')+1:], "%g", &x)
	return x
}

// What takes over a tenth longer than in the base stands out, and what takes less.
func TestFlowTellsWhatGrew(t *testing.T) {
	base := pegsOf(arcOf("a", "b", 2, 0.2), arcOf("b", "c", 2, 0.2), arcOf("c", "d", 2, 0.2))
	d := Flow(pegsOf(arcOf("a", "b", 2, 0.4), arcOf("b", "c", 2, 0.1), arcOf("c", "d", 2, 0.21), arcOf("d", "e", 2, 0.001)), base, plainName)
	count := map[drawing.Role]int{}
	for _, m := range d.Marks {
		count[m.Role]++
	}
	if count[drawing.WayMore] != 2 || count[drawing.WayLess] != 1 || count[drawing.Way] != 1 {
		t.Errorf("got %v: want what doubled and what is new, what halved, and what is the same", count)
	}
	if !strings.Contains(d.Caption, "nobody judges") {
		t.Errorf("caption %q", d.Caption)
	}
}

// Of very many arcs the heaviest are drawn, and the drawing says what it leaves out.
func TestFlowOfManyArcs(t *testing.T) {
	rng, all := rand.New(rand.NewPCG(1, 2)), []result.Arc{arcOf("n0", "n1", 1, 50), arcOf("n199", "n0", 1, 40)}
	for range 1000 {
		all = append(all, arcOf(fmt.Sprintf("n%d", rng.IntN(200)), fmt.Sprintf("n%d", rng.IntN(200)), 1, rng.Float64()))
	}
	p := pegsOf(all...)
	d := Flow(p, nil, plainName)
	if n := len(texts(d, drawing.Strong)); n > mostNodes || n < mostNodes-1 {
		t.Errorf("%d points", n)
	}
	if n := len(pens(d)); n > mostArcs {
		t.Errorf("%d arcs", n)
	}
	if !strings.Contains(d.Caption, "Left out: ") || !strings.Contains(d.Caption, " arcs with ") {
		t.Errorf("caption %q", d.Caption)
	}
	if got := pens(d); got[len(got)-1] != widestArc {
		t.Errorf("the widest arc is %g wide", got[len(got)-1])
	}
	check(t, d)
	apart(t, d)
}

// apart says that no two labels that begin or end at one place touch.
func apart(t *testing.T, d *drawing.Drawing) {
	t.Helper()
	for i, a := range d.Labels {
		for _, b := range d.Labels[i+1:] {
			if a.Anchor == b.Anchor && a.X == b.X && max(a.Y-b.Y, b.Y-a.Y) < textStep-0.2 {
				t.Errorf("%q at %g touches %q at %g", a.Text, a.Y, b.Text, b.Y)
			}
		}
	}
}

// What there is little of can be drawn, too.
func TestFlowOfLittle(t *testing.T) {
	if Flow(nil, nil, plainName) != nil || Flow(pegsOf(), nil, plainName) != nil || Flow(pegsOf(spanOf("", "a", 1, 1)), nil, plainName) != nil {
		t.Error("nothing is drawn")
	}
	for name, p := range map[string]*result.Pegs{
		"self only": pegsOf(arcOf("a", "a", 9, 1)), "zero": pegsOf(arcOf("a", "b", 9, 0), arcOf("b", "a", 9, 0)), "never": pegsOf(arcOf("a", "b", 0, 0)),
		"unlisted": {Iterations: 0, Arcs: []result.Arc{arcOf("x", "y", 1, 1)}},
		"directed": pegsOf(arcOf("a", "b", 1, 1), result.Arc{From: "a", To: "b", Kind: result.ArcDirected, Count: 1, Sum: 2, Mean: 2}),
	} {
		d := Flow(p, nil, plainName)
		if d == nil {
			t.Errorf("%s: no drawing", name)
			continue
		}
		check(t, d)
		apart(t, d)
	}
}
