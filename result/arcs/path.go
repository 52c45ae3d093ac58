package arcs

import "example.com/suite/result"

// Sum is the sum of the arcs along a path, in seconds. Arcs do not record how a lane
// reached their first point, so some of the numbers are only bounds.
type Sum struct {
	Names []string
	Arcs  []result.Arc // one for each step, lanes put together
	// Exact reports whether everything that passed one step passed all of them. If not,
	// Count and Total are upper bounds.
	Exact bool
	Count int64   // times that the whole path was taken, or at most
	Total float64 // time spent along it, or at most
	Min   float64 // no pass was faster: the sum of the least times
	Max   float64 // no pass was slower: the sum of the greatest times
}

// Path returns the sum of the arcs along at least two names. It has no percentiles,
// because percentiles do not add up. The error is a *Missing.
func Path(p *result.Pegs, names ...string) (Sum, error) {
	if len(names) < 2 {
		return Sum{}, &Missing{Message: "a path needs two points at least", Hint: "for example parse,check,emit"}
	}
	s := Sum{Names: names}
	for i := range names[1:] {
		a, err := Find(p, names[i], names[i+1])
		if err != nil {
			return Sum{}, err
		}
		s.step(a)
	}
	s.Exact = s.isExact(p)
	return s, nil
}

func (s *Sum) step(a result.Arc) {
	if len(s.Arcs) == 0 {
		s.Count = a.Count
	}
	s.Arcs = append(s.Arcs, a)
	s.Count = min(s.Count, a.Count)
	s.Total = s.Total + a.Sum
	s.Min = s.Min + a.Min
	s.Max = s.Max + a.Max
}

// isExact wants every step to be of the kind next and to have the same count, and each
// point between them to be hit as often and no oftener: ten times A → B and ten times
// B → C may well be ten other ones. A path of one step is an arc, of whatever kind.
func (s *Sum) isExact(p *result.Pegs) bool {
	if len(s.Arcs) == 1 {
		return true
	}
	for i, a := range s.Arcs {
		if a.Kind != result.ArcNext || a.Count != s.Count || i > 0 && hits(p, a.From) != s.Count {
			return false
		}
	}
	return true
}

func hits(p *result.Pegs, name string) int64 {
	for _, point := range p.Points {
		if point.Name == name {
			return point.Hits
		}
	}
	return 0
}
