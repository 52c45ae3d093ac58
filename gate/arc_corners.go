package gate

import (
	"fmt"
	"reflect"
	"strings"

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
func (j *judging) arcCorners(l *leaf) (o outcome, done bool) {
	ends := j.arcEnds(l)
	if len(ends) == 0 {
		return o, false
	}
	holds, err := j.holds(l)
	if err != nil {
		return o, false // plain reports it
	}
	same := len(ends) <= mostCornered && j.holdAt(l, ends, holds)
	if same {
		return o, false
	}
	return undecided(result.CauseNearLimit, result.FormPoint, l.text+": pegs show only that "+j.arcSpans(ends)), true
}

// arcEnd is a mention with the range of its possible values.
type arcEnd struct {
	mention mention
	span    span
}

// arcEnds returns the mentions of arcs whose values are not exact, each statistic once.
func (j *judging) arcEnds(l *leaf) (ends []arcEnd) {
	seen := map[arcAt]bool{}
	for _, m := range l.mentions {
		if m.arc == nil || seen[arcAt{*m.arc, m.stat}] {
			continue
		}
		seen[arcAt{*m.arc, m.stat}] = true
		a, _ := j.arcOf(*m.arc)
		if s := j.arcWithin(m, &a); s.low < s.high {
			ends = append(ends, arcEnd{m, s})
		}
	}
	return ends
}

func (j *judging) holdAt(l *leaf, ends []arcEnd, want bool) bool {
	defer func() { j.own.arcsAt = nil }()
	for corner := range 1 << len(ends) {
		j.own.arcsAt = map[arcAt]float64{}
		for i, e := range ends {
			x := e.span.low
			if corner>>i&1 == 1 {
				x = e.span.high
			}
			j.own.arcsAt[arcAt{*e.mention.arc, e.mention.stat}] = x
		}
		if holds, err := j.holds(l); err != nil || holds != want {
			return false
		}
	}
	return true
}

func (j *judging) arcSpans(ends []arcEnd) string {
	var texts []string
	for _, e := range ends {
		unit := unitOf(e.mention)
		texts = append(texts, fmt.Sprintf("%s is between %s and %s", e.mention.text, units.Format(e.span.low, unit), units.Format(e.span.high, unit)))
	}
	return strings.Join(texts, ", and that ")
}

// at returns a copy of the arc with the statistics in corners replaced.
func (a *Arc) at(of between, corners map[arcAt]float64) *Arc {
	for stat, field := range arcStats {
		if x, ok := corners[arcAt{of, stat}]; ok {
			reflect.ValueOf(a).Elem().Field(field).SetFloat(x)
		}
	}
	return a
}
