package gate

import (
	"fmt"
	"reflect"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// arcAt is a statistic of an arc.
type arcAt struct {
	of   between
	stat string
}

// mostCornered limits the statistics of arcs in a leaf. The leaf is evaluated at both ends of
// the range of each: 10 of them need 1024 evaluations.
const mostCornered = 10

// arcCorners decides a leaf that is no plain comparison of one arc with a limit. If the leaf is
// true for some values within the ranges of its statistics and false for others, it is
// undecided. Otherwise done is false, and point values decide.
func arcCorners(j *judging, l *leaf, arcs []mention) (o outcome, done bool) {
	ends := arcEnds(j, arcs)
	if len(ends) == 0 {
		return o, false
	}
	holds, err := j.holds(l)
	if err != nil {
		return o, false // plain reports it
	}
	same := len(ends) <= mostCornered && holdAt(j, l, ends, holds)
	if same {
		return o, false
	}
	return undecided(result.CauseNearLimit, result.FormPoint, l.text+": pegs show only that "+arcSpans(ends)), true
}

// arcEnd is a mention with the range of its possible values.
type arcEnd struct {
	mention mention
	span    sides.Span
}

// arcEnds returns the arcs whose values are not exact, each statistic once.
func arcEnds(j *judging, arcs []mention) (ends []arcEnd) {
	seen := map[arcAt]bool{}
	for _, m := range arcs {
		b := m.by.(between)
		if seen[arcAt{b, m.stat}] {
			continue
		}
		seen[arcAt{b, m.stat}] = true
		a, _ := b.in(j)
		if s := b.within(j, m, &a); s.Low < s.High {
			ends = append(ends, arcEnd{m, s})
		}
	}
	return ends
}

func holdAt(j *judging, l *leaf, ends []arcEnd, want bool) bool {
	defer func() { j.valuesOf(j.own).assumed = nil }()
	for corner := range 1 << len(ends) {
		j.valuesOf(j.own).assumed = map[any]float64{}
		for i, e := range ends {
			x := e.span.Low
			if corner>>i&1 == 1 {
				x = e.span.High
			}
			j.valuesOf(j.own).assumed[arcAt{e.mention.by.(between), e.mention.stat}] = x
		}
		if holds, err := j.holds(l); err != nil || holds != want {
			return false
		}
	}
	return true
}

func arcSpans(ends []arcEnd) string {
	var texts []string
	for _, e := range ends {
		unit := unitOf(e.mention)
		texts = append(texts,
			fmt.Sprintf("%s is between %s and %s",
				e.mention.text, units.Format(e.span.Low, unit), units.Format(e.span.High, unit)))
	}
	return strings.Join(texts, ", and that ")
}

// at returns a copy of the arc with the statistics in corners replaced.
func (a *Arc) at(of between, corners map[any]float64) *Arc {
	for stat, field := range arcStats {
		if x, ok := corners[arcAt{of, stat}]; ok {
			reflect.ValueOf(a).Elem().Field(field).SetFloat(x)
		}
	}
	return a
}
