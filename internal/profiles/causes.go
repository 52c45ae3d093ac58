package profiles

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/suite/result"
)

// mostCauses are named.
const mostCauses = 3

// leastCause is the least share of the change that a cause has to explain: small changes of
// functions that were only moved in memory are real, and no cause.
const leastCause = 0.05

// Causes names the functions that account for most of a change, at most three. Each of them
// is shown to cost more than in the base: the lower end of its interval is above zero.
// bytes asks for the memory that is allocated, else time is explained.
func Causes(profiles []result.Profile, bytes bool) []result.ProfileCause {
	var used []*result.Profile
	for i := range profiles {
		p := &profiles[i]
		if p.Change != nil && p.Change.Value > 0 && (p.Kind == result.ProfileAlloc) == bytes &&
			(p.Kind != result.ProfileBlock || waitingMatters(profiles)) {
			used = append(used, p)
		}
	}
	whole := 0.0
	for _, p := range used {
		whole += p.Change.Value
	}
	causes := map[string]*result.ProfileCause{}
	largest := map[string]float64{}
	var names []string
	for _, p := range used {
		for i := range p.Functions {
			f := &p.Functions[i]
			if !f.Change.Grew() || isNobody(f.Name) {
				continue
			}
			c := causes[f.Name]
			if c == nil {
				c = &result.ProfileCause{Function: f.Name, Unit: p.Unit,
					Change: result.Estimated{Low: new(float64), High: new(float64)}}
				causes[f.Name] = c
				names = append(names, f.Name)
			}
			if f.Change.Value > largest[f.Name] {
				largest[f.Name] = f.Change.Value
				c.Kind = p.Kind
				c.Leaf = f.Leaf
				c.MoreLeaves = f.MoreLeaves
				c.Caller = f.Caller
				c.File = f.File
				c.Line = f.Line
			}
			c.Change.Value += f.Change.Value
			*c.Change.Low += *f.Change.Low
			*c.Change.High += *f.Change.High
		}
	}
	shown := 0.0
	for _, name := range names {
		shown += causes[name].Change.Value
	}
	whole = max(whole, shown)
	var all []result.ProfileCause
	for _, name := range names {
		c := causes[name]
		c.Share = shareOf(c.Change, whole)
		if c.Share.Value >= leastCause {
			all = append(all, *c)
		}
	}
	slices.SortStableFunc(all, func(a, b result.ProfileCause) int {
		return cmp.Compare(b.Change.Value, a.Change.Value)
	})
	return all[:min(len(all), mostCauses)]
}

// isNobody reports whether a name is of work that no function of the module called.
func isNobody(name string) bool { return strings.HasPrefix(name, "(") }

// shareOf divides by the change of the whole as the profiles estimate it, or by the sum of
// what is shown to have grown if that is more: then other functions cost less than before.
func shareOf(change result.Estimated, whole float64) result.Estimated {
	low, high := *change.Low/whole, *change.High/whole
	return result.Estimated{Value: change.Value / whole, Low: &low, High: &high}
}

// waitingMatters reports whether the time of an iteration grew by more than twice what
// processors and locks explain: only then is waiting for others a cause, and not a
// consequence of their work.
func waitingMatters(profiles []result.Profile) bool {
	wall, explained := 0.0, 0.0
	for i := range profiles {
		p := &profiles[i]
		if p.Base == nil || p.Kind == result.ProfileAlloc {
			continue
		}
		if p.Kind != result.ProfileBlock {
			wall = math.Max(wall, p.Here.Wall-p.Base.Wall)
			if p.Change.Grew() {
				explained += p.Change.Value
			}
		}
	}
	return wall > 2*explained
}
