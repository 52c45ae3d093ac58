package verify

import (
	"fmt"
	"reflect"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// pegs compares the statistics of each arc with the ones that follow from its count, its sum and its
// histogram, and puts the recomputed ones into the case, so that the gates read them. Numbers that
// the program itself measured are accepted unchecked.
func (c *checker) pegs(k *result.Case) {
	k.Pegs, k.BasePegs = c.pegsOf("", k.Pegs), c.pegsOf("base ", k.BasePegs)
}

func (c *checker) pegsOf(side string, stored *result.Pegs) *result.Pegs {
	if stored == nil {
		return nil
	}
	again := *stored
	again.Arcs = make([]result.Arc, len(stored.Arcs))
	for i := range stored.Arcs {
		a := &stored.Arcs[i]
		again.Arcs[i] = retold(*a)
		c.fields(side+arcText(a)+": ", reflect.ValueOf(*a), reflect.ValueOf(again.Arcs[i]))
	}
	return &again
}

// retold returns an arc with everything recomputed that follows from its other numbers.
func retold(a result.Arc) result.Arc {
	if a.Count > 0 {
		a.Mean = min(max(a.Sum/float64(a.Count), a.Min), a.Max) // a sum is rounded
	}
	if len(a.Histogram) == 0 {
		a.P50 = nil
		a.P90 = nil
		a.P99 = nil
		return a
	}
	at := func(q float64) *float64 {
		x := arcs.Percentile(a.Histogram, q, a.Min, a.Max)
		return &x
	}
	a.P50 = at(0.5)
	a.P90 = at(0.9)
	a.P99 = at(0.99)
	return a
}

func arcText(a *result.Arc) string {
	text := fmt.Sprintf("arc %q → %q", a.From, a.To)
	if a.Kind == result.ArcSpan {
		text = fmt.Sprintf("span %q", a.To)
	}
	if a.Lane != "" {
		text += fmt.Sprintf(" on lane %q", a.Lane)
	}
	return text
}
