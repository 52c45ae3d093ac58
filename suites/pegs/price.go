package pegs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"example.com/suite/peg"
)

// price looks up what was ordered and sorts it. It knows of the request no more than
// its context, and finds the lane in there.
func (s shop) price(ctx context.Context, order []wanted) (bill, error) {
	lane := peg.LaneOf(ctx)
	b := bill{Lines: make([]line, len(order))}
	for i, w := range order {
		cents, ok := s.cents[w.Article]
		if !ok {
			return bill{}, fmt.Errorf("no such article: %q", w.Article)
		}
		b.Lines[i] = line{w, w.Count * cents}
		b.Cents += w.Count * cents
	}
	lane.Hit(found)
	slices.SortFunc(b.Lines, func(x, y line) int { return cmp.Compare(y.Cents, x.Cents) })
	lane.Hit(priced)
	return b, nil
}
