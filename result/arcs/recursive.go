package arcs

import (
	"slices"

	"example.com/suite/result"
)

// Recursive returns the names of spans that contain themselves, directly or through other
// spans. Their sums count inner time once for each depth. An arc records only the nearest
// span around it, so A in B at one place and B in A at another look recursive too.
func Recursive(p *result.Pegs) (names []string) {
	n := nesting{inner: map[string][]string{}, low: map[string]int{}, open: map[string]bool{}}
	for _, a := range Whole(p) {
		if a.Kind == result.ArcSpan && a.From != Outermost {
			n.inner[a.From] = append(n.inner[a.From], a.To)
		}
	}
	for name := range n.inner {
		n.visit(name)
	}
	slices.Sort(n.found)
	return n.found
}

// nesting looks for rings of spans.
//
// Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972.
type nesting struct {
	inner map[string][]string
	low   map[string]int  // 1 and up, the place of the first span that one leads back to; 0 for those not seen
	open  map[string]bool // those on the stack
	stack []string
	count int
	found []string
}

func (n *nesting) visit(name string) {
	if n.low[name] > 0 {
		return
	}
	n.count++
	first, bottom := n.count, len(n.stack)
	n.low[name] = first
	n.open[name] = true
	n.stack = append(n.stack, name)
	for _, next := range n.inner[name] {
		n.visit(next)
		if n.open[next] {
			n.low[name] = min(n.low[name], n.low[next])
		}
	}
	if n.low[name] == first {
		n.close(n.stack[bottom:])
		n.stack = n.stack[:bottom]
	}
}

// close takes a ring off the stack. A single span is a ring only if it contains itself.
func (n *nesting) close(ring []string) {
	for _, name := range ring {
		n.open[name] = false
	}
	if len(ring) > 1 || slices.Contains(n.inner[ring[0]], ring[0]) {
		n.found = append(n.found, ring...)
	}
}
