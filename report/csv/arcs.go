package csv

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderArcs writes one row for each arc and lane of the pegs of each case and of its base. Times are
// in seconds, over the whole pass. A field is empty if the arc has no such number.
func RenderArcs(w io.Writer, doc *result.Document, _ table.Options) error {
	t := &csvWriter{w: bufio.NewWriter(w), params: paramNames(doc)}
	t.row(slices.Concat([]string{"suite", "case", "side"}, t.heads(), arcHeads))
	for i := range doc.Cases {
		c := &doc.Cases[i]
		t.arcs(c, "candidate", c.Pegs)
		t.arcs(c, "base", c.BasePegs)
	}
	return t.w.Flush()
}

var arcHeads = []string{"clock", "iterations", "seconds", "residue", "overlap", "from", "to", "kind", "lane", "count",
	"zero", "sum", "min", "max", "mean", "stddev", "p50", "p90", "p99"}

func (t *csvWriter) arcs(c *result.Case, side string, p *result.Pegs) {
	if p == nil {
		return
	}
	front := slices.Concat([]string{c.Suite, c.Name, side}, t.values(c),
		[]string{p.Clock, strconv.FormatInt(p.Iterations, 10), Number(p.Seconds)})
	for _, a := range p.Arcs {
		row := append(slices.Clone(front), Number(p.ResidueOf(&a)), Number(p.OverlapOf(&a)),
			a.From, a.To, string(a.Kind),
			a.Lane, strconv.FormatInt(a.Count, 10), strconv.FormatInt(a.Zero, 10))
		for _, x := range []float64{a.Sum, a.Min, a.Max, a.Mean, a.StdDev} {
			row = append(row, Number(x))
		}
		t.row(append(row, maybe(a.P50), maybe(a.P90), maybe(a.P99)))
	}
}
