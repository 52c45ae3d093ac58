package profiles

import (
	"maps"
	"slices"

	"example.com/suite/result"
	"example.com/suite/stats"
	"github.com/google/pprof/profile"
)

// costs has the cost of something in each launch.
type costs []float64

func (c costs) mean() float64 { return stats.Mean(c) }

// side is the profiles of one side, added up by function.
type side struct {
	launches int
	self     map[string]costs            // of functions and what they call of the library
	all      map[string]costs            // with all that they call
	leaves   map[string]map[string]costs // by function: of the library functions below it
	callers  map[string]map[string]float64
	places   map[string]place
	root     node // of the calls
	whole    costs
	unit     costs // cost of one reading of the profiler
	samples  int64
	rounds   int64
	wall     costs
}

type place struct {
	file string
	line int
}

// newSide adds up the launches of a side; which is 0 for the case and 1 for its base.
func newSide(in *Input, launches []Launch, which int) *side {
	s := &side{launches: len(launches), self: map[string]costs{}, all: map[string]costs{},
		leaves:  map[string]map[string]costs{},
		callers: map[string]map[string]float64{}, places: map[string]place{},
		whole: make(costs, len(launches)), unit: make(costs, len(launches)), wall: make(costs, len(launches))}
	for i := range launches {
		s.launch(in, &launches[i], i, in.total[which])
		if in.Collector[which] != nil {
			s.shareCollector(in.Collector[which], i)
		}
	}
	return s
}

// launch adds one launch. The costs of a CPU profile are shares of the CPU time that the
// process took: the readings themselves come at a rate that the kernel may lower.
// If total is not 0, they are shares of that.
func (s *side) launch(in *Input, l *Launch, i int, total float64) {
	value, count := columns(l.Profile, in.Kind)
	sum, readings := 0.0, int64(0)
	modules := in.Modules.knowing(l.Profile)
	used := func(sample *profile.Sample) bool {
		switch {
		case in.Kind == result.ProfileBlock && in.HasMutex && waitsForLock(sample):
			return false
		case in.Kind == result.ProfileCPU:
			return true
		}
		// What no function of the module called is suite's own: it writes the profiles, once in
		// a pass, however many iterations that has.
		stack := framesOf(sample, modules)
		return len(stack.own) > 0
	}
	for _, sample := range l.Profile.Sample {
		if used(sample) {
			sum += float64(sample.Value[value])
			readings += sample.Value[count]
		}
	}
	s.samples += readings
	s.rounds += l.Iterations
	if l.Iterations <= 0 {
		return
	}
	scale := scaleOf(in.Kind) / float64(l.Iterations)
	if in.Kind == result.ProfileCPU && l.CPU > 0 && sum > 0 {
		scale = l.CPU / sum / float64(l.Iterations)
	}
	if total > 0 && sum > 0 {
		scale = total / sum
	}
	s.whole[i] = sum * scale
	s.wall[i] = l.Wall / float64(l.Iterations)
	if readings > 0 {
		s.unit[i] = s.whole[i] / float64(readings)
	}
	for _, sample := range l.Profile.Sample {
		if used(sample) && sample.Value[value] != 0 {
			s.sample(framesOf(sample, modules), float64(sample.Value[value])*scale, i)
		}
	}
}

// scaleOf is the base unit of a column of pprof: its times are nanoseconds.
func scaleOf(kind result.ProfileKind) float64 {
	if kind == result.ProfileAlloc {
		return 1
	}
	return 1e-9
}

// columns are the indices of the amount and of the count of a profile of the runtime.
func columns(p *profile.Profile, kind result.ProfileKind) (value, count int) {
	names := map[result.ProfileKind][2]string{
		result.ProfileCPU: {"cpu", "samples"}, result.ProfileAlloc: {"alloc_space", "alloc_objects"},
		result.ProfileMutex: {"delay", "contentions"}, result.ProfileBlock: {"delay", "contentions"},
	}[kind]
	for i, t := range p.SampleType {
		switch t.Type {
		case names[0]:
			value = i
		case names[1]:
			count = i
		}
	}
	return value, count
}

// sample adds one stack.
func (s *side) sample(stack callStack, cost float64, i int) {
	owner := stack.owner()
	s.addCost(s.self, owner, cost, i)
	if leaf := stack.leaf(); leaf != "" && leaf != owner {
		if s.leaves[owner] == nil {
			s.leaves[owner] = map[string]costs{}
		}
		s.addCost(s.leaves[owner], leaf, cost, i)
	}
	seen := map[string]bool{}
	for _, f := range stack.own {
		if !seen[f.name] {
			seen[f.name] = true
			s.addCost(s.all, f.name, cost, i)
		}
		if _, known := s.places[f.name]; !known {
			s.places[f.name] = place{f.file, f.line}
		}
	}
	if caller := stack.caller(); caller != "" {
		if s.callers[owner] == nil {
			s.callers[owner] = map[string]float64{}
		}
		s.callers[owner][caller] += cost
	}
	if len(stack.own) == 0 {
		s.addCost(s.all, owner, cost, i)
	}
	s.grow(stack, cost, i)
}

// addCost adds to the cost of a name in a launch.
func (s *side) addCost(to map[string]costs, name string, cost float64, i int) {
	if to[name] == nil {
		to[name] = make(costs, s.launches)
	}
	to[name][i] += cost
}

// shareCollector moves the work of the collector, which has no caller, to the functions
// that allocated in that launch.
func (s *side) shareCollector(weights []Weights, i int) {
	work := s.self[collectorName]
	if work == nil || i >= len(weights) || len(weights[i]) == 0 {
		return
	}
	moved := work[i]
	work[i] = 0
	for name, weight := range weights[i] {
		s.addCost(s.self, name, moved*weight, i)
		s.addCost(s.all, name, moved*weight, i)
		if s.leaves[name] == nil {
			s.leaves[name] = map[string]costs{}
		}
		s.addCost(s.leaves[name], collectorName, moved*weight, i)
	}
}

// Allocators returns the shares of functions in the bytes that each launch has allocated.
func Allocators(launches []Launch, m Modules) (all []Weights) {
	in := &Input{Kind: result.ProfileAlloc, Modules: m}
	s := newSide(in, launches, 0)
	for i := range launches {
		w := Weights{}
		for name, c := range s.self {
			if s.whole[i] > 0 && c[i] > 0 {
				w[name] = c[i] / s.whole[i]
			}
		}
		all = append(all, w)
	}
	return all
}

func (s *side) names() []string { return slices.Sorted(maps.Keys(s.self)) }

func (s *side) totals() []float64 { return s.whole }

// costs of a function in each launch, zeros if it was not seen.
func (s *side) costs(name string) []float64 {
	if c := s.self[name]; c != nil {
		return c
	}
	return make([]float64, s.launches)
}

// grain is the mean cost of one reading.
func (s *side) grain() float64 { return s.unit.mean() }

// describe is empty if the side does not have the function.
func (s *side) describe(name string) (f result.ProfileFunction) {
	if s.self[name] == nil {
		return f
	}
	f = result.ProfileFunction{Name: name, Self: s.self[name].mean(), Total: s.all[name].mean(),
		File: s.places[name].file, Line: s.places[name].line}
	f.Total = max(f.Self, f.Total)
	most := 0.0
	for _, caller := range slices.Sorted(maps.Keys(s.callers[name])) {
		if cost := s.callers[name][caller]; cost > most {
			f.Caller, most = caller, cost
		}
	}
	return f
}

func (s *side) summary(in *Input) result.ProfileSide {
	return result.ProfileSide{Launches: s.launches, Iterations: s.rounds, Samples: s.samples, Total: s.whole.mean(),
		Wall: s.wall.mean(), Rate: in.Rate}
}
