//go:build !nopeg

package peg

// deepest is the greatest nesting of spans. Without it a span that is begun again and
// again and never ended would use up the memory.
const deepest = 1 << 16

// span is a span that has begun and not ended.
type span struct {
	number uint64
	point  uint32
	around uint32 // the point of the enclosing span, 0 for none
	left   moment
}

func (g *ledger) begin(n uint32, number uint64, now moment) {
	p := &g.places[n]
	p.left = now
	p.epoch = g.epoch
	if len(g.open) == deepest {
		p.open++
		p.lacked++
		return
	}
	around := uint32(0)
	if top := len(g.open) - 1; top >= 0 {
		around = g.open[top].point
	}
	g.open = append(g.open, span{number, n, around, now})
}

// end closes a span and all spans inside it.
func (g *ledger) end(p *place, number uint64, now moment) {
	for i := len(g.open) - 1; i >= 0; i-- {
		if s := g.open[i]; s.number == number {
			g.leaveOpen(i + 1)
			g.open = g.open[:i]
			p.spans.from(s.around).add(s.left.to(now, g.idle), g.scale)
			return
		}
	}
	if number > g.newest {
		p.stray++
	}
}

// leaveOpen counts the open spans from the ith as never ended, and drops them.
func (g *ledger) leaveOpen(i int) {
	for _, s := range g.open[i:] {
		g.places[s.point].open++
		g.places[s.point].lacked++
		g.newest = max(g.newest, s.number)
	}
	g.open = g.open[:i]
}
