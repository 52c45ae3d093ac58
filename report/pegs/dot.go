package pegs

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/flow"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// DOT writes arcs as a graph for Graphviz. Points are nodes, arcs are edges; the more
// time an arc takes, the wider it is. Directed arcs are dashed, spans dotted. Each
// case is a cluster.
func DOT(w io.Writer, cases []flow.Pegged) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out,
		"digraph pegs {\n\trankdir=LR;\n\tnode [shape=box, fontname=\"sans-serif\"];\n\tedge "+
			"[fontname=\"sans-serif\", fontsize=10];")
	for i, c := range cases {
		g := &graph{w: out, pegs: c.Case.Pegs, prefix: fmt.Sprintf("c%d_", i), ids: map[string]string{}}
		fmt.Fprintf(out, "\tsubgraph cluster_%d {\n\t\tlabel=%s;\n", i, dotText(strings.Split(c.Label, "\n")...))
		g.write()
		fmt.Fprintln(out, "\t}")
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// graph is one case.
type graph struct {
	pegs   *result.Pegs
	w      io.Writer
	prefix string
	ids    map[string]string // of points
}

func (g *graph) write() {
	for _, p := range g.pegs.Points {
		g.node(p.Name, units.Thousands(units.Plural(int(p.Hits), "hit")))
	}
	whole, most := arcs.Whole(g.pegs), 0.0
	for i := range whole {
		most = max(most, whole[i].Sum)
	}
	for i := range whole {
		a := &whole[i]
		from, to := g.node(a.From), g.node(a.To)
		fmt.Fprintf(g.w, "\t\t%s -> %s [label=%s, penwidth=%.2f%s];\n",
			from, to, dotText(g.edgeText(a)...), penWidth(a.Sum, most), dotStyles[a.Kind])
	}
}

var dotStyles = map[result.ArcKind]string{result.ArcDirected: ", style=dashed", result.ArcSpan: ", style=dotted"}

// edgeText is the mean and the count, 1.21 µs × 1,024, and the share of the pass in a
// second line.
func (g *graph) edgeText(a *result.Arc) []string {
	lines := []string{fmt.Sprintf("%s × %s", flow.MeanText(g.pegs, a), units.Thousands(fmt.Sprint(a.Count)))}
	if g.pegs.Seconds > 0 {
		lines = append(lines, flow.ArcShare(g.pegs, a))
	}
	return lines
}

// Widths of lines, in points.
const (
	leastPen = 0.5
	mostPen  = 8.0
)

// penWidth grows with the square root of the time, so that a hundredth is still
// visible.
func penWidth(sum, most float64) float64 {
	if most <= 0 {
		return leastPen
	}
	return leastPen + (mostPen-leastPen)*math.Sqrt(sum/most)
}

// node finds the id of a point. It writes the point, its name and other lines, if it is new.
func (g *graph) node(name string, lines ...string) string {
	id, ok := g.ids[name]
	if !ok {
		id = fmt.Sprintf("%sn%d", g.prefix, len(g.ids))
		g.ids[name] = id
		if name == arcs.Outermost {
			fmt.Fprintf(g.w, "\t\t%s [label=\"\", shape=point];\n", id)
		} else {
			fmt.Fprintf(g.w, "\t\t%s [label=%s];\n", id, dotText(append([]string{name}, lines...)...))
		}
	}
	return id
}

// dotText quotes lines. Backslashes are doubled because Graphviz reads \N, \G and
// others inside quotes; the \n between lines are its own.
func dotText(lines ...string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(display.Lines(lines...)) + `"`
}
