package trend

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// level gives the points that were measured long after their commits, and those at which nothing had
// to be measured, the value of the newest point, times the ratios that connect the two. Points that
// are not connected with it keep what was measured, if anything was.
func (s *Series) level() {
	if len(s.Points) == 0 {
		return
	}
	known := map[string]bool{}
	for i := range s.Points {
		known[s.Points[i].Commit] = true
	}
	newest := s.Points[len(s.Points)-1]
	differences := s.graph.From(newest.Commit)
	for _, p := range s.same {
		if _, connected := differences[p.Commit]; connected && !known[p.Commit] {
			known[p.Commit] = true
			p.Machine = newest.Machine
			s.Points = append(s.Points, p)
		}
	}
	for i := range s.Points {
		p := &s.Points[i]
		if d, connected := differences[p.Commit]; connected && p.ByRatios {
			p.Value, p.Low, p.High = newest.Value*math.Exp(d.Log), nil, nil
		}
	}
	slices.SortStableFunc(s.Points, func(a, b Point) int { return a.When.Compare(b.When) })
}

// findConfirmed adds the changes that pairs of two commits have shown, and confirmed. A change of the
// levels between points that ratios connect, whose values are all by ratios, is not looked for.
func (s *Series) findConfirmed(least float64) {
	newest := map[[2]string]confirmed{}
	var order [][2]string
	for _, c := range s.confirmed {
		between := [2]string{c.against, c.commit}
		if _, known := newest[between]; !known {
			order = append(order, between)
		}
		newest[between] = c
	}
	at := map[string]int{}
	for i := range s.Points {
		at[s.Points[i].Commit] = i
	}
	for _, between := range order {
		c := newest[between]
		if c.ratio.Call != result.Worse && c.ratio.Call != result.Better || c.ratio.Value == nil ||
			math.Abs(*c.ratio.Value-1) < least {
			continue
		}
		first, known := at[c.commit]
		last, too := at[c.against]
		if !known || !too {
			continue
		}
		level := s.Points[first].Value
		s.Changes = append(s.Changes, Change{At: first, Last: last, Before: level / *c.ratio.Value, After: level,
			Worse: c.ratio.Call == result.Worse, Paired: true})
	}
	slices.SortFunc(s.Changes, func(a, b Change) int { return cmp.Compare(a.At, b.At) })
}

// isFilled reports whether the series has values by ratios.
func (s *Series) isFilled() bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return p.ByRatios })
}

// values are the values of all points of a machine, by ratios or not.
func (s *Series) values(machine int) (all []float64) {
	for _, p := range s.Points {
		if p.Machine == machine {
			all = append(all, p.Value)
		}
	}
	return all
}
