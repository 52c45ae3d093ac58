// Package profiles finds out which functions cost more than they did: it compares profiles
// of two sides of a case, several of each, and returns what a result document contains of
// them. It reads the format of pprof and takes no profiles itself.
//
// The cost of a function is what the profile has in it, per iteration, in seconds or bytes.
// Code that cannot differ between the sides, such as the runtime and the standard library,
// counts for the function that called it, see [Modules]. So the costs of all functions add
// up to the whole, and so do their changes.
//
// Each launch of a side is one observation. A function is called slower only if Welch's
// interval for the difference of the two means is above zero, with the error divided by the
// number of functions that are compared (Bonferroni): among functions that are the same on
// both sides one is called slower in at most 5 % of cases.
package profiles

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/stats"
	"github.com/google/pprof/profile"
)

// Launch is the profile of one process.
type Launch struct {
	Profile    *profile.Profile
	Iterations int64
	Wall       float64 // seconds that the iterations took
	CPU        float64 // seconds of the process meanwhile; 0: as many as the profile has
}

// Input is what is known of one kind of profile of a case.
type Input struct {
	Kind          result.ProfileKind
	Rate          int      // Hz that were asked for, of a CPU profile
	Here, Base    []Launch // without a base nothing is compared
	Modules       Modules
	HasMutex      bool         // there is a mutex profile, so waits for locks are left out of the block profile
	Collector     [2][]Weights // shares of the collector's work by launch, of here and base; nil: not known
	Ratio         *Ratio       // of the CPU time of here to base, in the samples of the case; nil: not known
	whole         float64      // mean total of all launches
	total         [2]float64   // of here and base that launches are scaled to; 0: their own
	OtherCompared int          // functions that other profiles of the case compare
}

// Ratio is how many times the CPU time of its base a case takes. Samples are pairs that are
// taken next to each other in time, so they know it far better than profiles do: the work of
// others makes a whole launch slower. With a ratio, profiles only have to divide the time.
type Ratio struct {
	Value   float64
	Error   float64 // standard error, relative to Value
	Freedom float64 // of that error: independent pieces of samples less one
}

// Weights are the shares of functions in something, by name.
type Weights map[string]float64

// confidence of all intervals of a profile together.
const confidence = defaults.Confidence

// Limits of what a document keeps of a profile.
const (
	leastShare    = 0.005 // of the larger total: functions with less are compared together
	mostFunctions = 20
	mostCompared  = 60
)

// Compare makes the part of the document about one kind of profile.
func Compare(in Input) result.Profile {
	out := result.Profile{Kind: in.Kind, Unit: unitOf(in.Kind), Confidence: confidence}
	in.total = in.totalsByRatio()
	here := newSide(&in, in.Here, 0)
	out.Here = here.summary(&in)
	if len(in.Base) == 0 {
		out.Confidence = 0
		out.Functions, out.Left = alone(here)
		out.Stacks = stacks(here, &side{})
		return out
	}
	base := newSide(&in, in.Base, 1)
	summary := base.summary(&in)
	out.Base = &summary
	names := considered(here, base)
	out.Compared = len(names)
	level := 1 - (1-confidence)/float64(max(1, len(names)+1+in.OtherCompared))
	grain := math.Max(here.grain(), base.grain())
	if in.Kind == result.ProfileAlloc { // each allocation is counted
		grain = 0
	}
	in.whole = stats.Mean(slices.Concat(base.totals(), here.totals()))
	total := in.difference(base.totals(), here.totals(), level, 0)
	out.Change = &total
	for _, name := range names {
		f := here.describe(name)
		b := base.describe(name)
		if f.Name == "" {
			f = b
			f.Self, f.Total = 0, 0
		}
		change := in.difference(base.costs(name), here.costs(name), level, grain)
		f.BaseSelf = b.Self
		f.BaseAll = b.Total
		f.Change = &change
		setLeaves(&f, changedLeaves(here, base, name), change.Value)
		out.Functions = append(out.Functions, f)
	}
	slices.SortStableFunc(out.Functions, func(a, b result.ProfileFunction) int {
		return cmp.Compare(math.Abs(b.Change.Value), math.Abs(a.Change.Value))
	})
	out.Functions, out.Left = first(out.Functions)
	out.Stacks = stacks(here, base)
	return out
}

func unitOf(kind result.ProfileKind) string {
	if kind == result.ProfileAlloc {
		return "B"
	}
	return "s"
}

func first(all []result.ProfileFunction) ([]result.ProfileFunction, int) {
	n := min(len(all), mostFunctions)
	return all[:n:n], len(all) - n
}

// alone lists the functions that cost most.
func alone(s *side) ([]result.ProfileFunction, int) {
	var all []result.ProfileFunction
	for _, name := range s.names() {
		if f := s.describe(name); f.Self > 0 {
			setLeaves(&f, changedLeaves(s, &side{}, name), f.Self)
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b result.ProfileFunction) int { return cmp.Compare(b.Self, a.Self) })
	return first(all)
}

// considered are the functions that take part in the comparison: those with at least
// leastShare of either side, the largest first. They are chosen by what both sides have
// together, so that the choice does not depend on which side has more.
func considered(here, base *side) []string {
	sum := map[string]float64{}
	for _, s := range []*side{here, base} {
		for _, name := range s.names() {
			sum[name] += s.self[name].mean()
		}
	}
	whole := math.Max(stats.Mean(here.totals()), stats.Mean(base.totals()))
	names := slices.SortedFunc(maps.Keys(sum), func(a, b string) int {
		return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b))
	})
	names = slices.DeleteFunc(names, func(name string) bool { return sum[name] < leastShare*whole })
	return names[:min(len(names), mostCompared)]
}

// difference compares costs of launches. grain is the cost of one reading of the profiler:
// a cost made of n readings varies by at least the square root of n of them (Poisson), and
// if the sum of all functions is known, by the square root of n·(1 − share) (binomial).
func (in *Input) difference(base, here []float64, level, grain float64) result.Estimated {
	var others []stats.Variance
	if in.total[0] > 0 {
		off := stats.Mean(here) * in.Ratio.Error
		others = append(others, stats.Variance{Value: off * off, Freedom: in.Ratio.Freedom})
	}
	pooled := stats.Mean(slices.Concat(base, here))
	least := (pooled + grain/float64(max(1, len(base)+len(here)))) * grain
	if in.Kind == result.ProfileCPU {
		// its readings are divided among functions, so a function with nearly all of them varies little
		whole := math.Max(in.whole, pooled)
		least *= 1 - pooled/math.Max(whole, math.SmallestNonzeroFloat64)
	}
	d, err := stats.WelchDifference(base, here, level, least, others...)
	if err != nil || len(base) < leastLaunches || len(here) < leastLaunches {
		return result.Estimated{Value: stats.Mean(here) - stats.Mean(base)}
	}
	return result.Estimated{Value: d.Value, Low: &d.Low, High: &d.High}
}

// totalsByRatio are the totals of here and base that all launches of a CPU profile are scaled
// to, zeros if the ratio is not known. What an iteration costs on average comes from the
// launches of both sides.
func (in *Input) totalsByRatio() (totals [2]float64) {
	if in.Ratio == nil || in.Ratio.Value <= 0 || in.Ratio.Freedom <= 0 || in.Kind != result.ProfileCPU {
		return totals
	}
	var all []float64
	for i := range in.Here {
		all = append(all, in.Here[i].perIteration()/in.Ratio.Value)
	}
	for i := range in.Base {
		all = append(all, in.Base[i].perIteration())
	}
	base := stats.Mean(all)
	return [2]float64{base * in.Ratio.Value, base}
}

// perIteration is the CPU time of an iteration.
func (l *Launch) perIteration() float64 {
	if l.Iterations <= 0 {
		return 0
	}
	if l.CPU > 0 {
		return l.CPU / float64(l.Iterations)
	}
	value, _ := columns(l.Profile, result.ProfileCPU)
	sum := 0.0
	for _, s := range l.Profile.Sample {
		sum += float64(s.Value[value])
	}
	return sum * scaleOf(result.ProfileCPU) / float64(l.Iterations)
}

// leastLaunches of each side are needed for an interval. With fewer its width is mostly
// chance.
const leastLaunches = 4

// changedLeaves are the library functions below a function, each with its part of the change.
func changedLeaves(here, base *side, name string) (all []result.ProfileLeaf) {
	for _, one := range slices.Sorted(maps.Keys(union(here.leaves[name], base.leaves[name]))) {
		all = append(all, result.ProfileLeaf{Function: one,
			Self: here.leaves[name][one].mean() - base.leaves[name][one].mean()})
	}
	return all
}

// setLeaves names those leaves of f that have a large part of its change, or of its cost.
func setLeaves(f *result.ProfileFunction, leaves []result.ProfileLeaf, change float64) {
	leaves = slices.DeleteFunc(leaves, func(l result.ProfileLeaf) bool {
		return l.Self*change <= 0 || math.Abs(l.Self) < leafShare*math.Abs(change)
	})
	slices.SortStableFunc(leaves, func(a, b result.ProfileLeaf) int {
		return cmp.Compare(math.Abs(b.Self), math.Abs(a.Self))
	})
	if len(leaves) > 0 {
		f.Leaf = leaves[0].Function
		f.LeafSelf = leaves[0].Self
		f.MoreLeaves = slices.Clip(leaves[1:min(len(leaves), mostLeaves)])
	}
}

// A library function is named if leafShare of a change, or of a cost, is in it.
const (
	leafShare  = 0.1
	mostLeaves = 3
)

func union(a, b map[string]costs) map[string]costs {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]costs{}
	}
	maps.Copy(all, b)
	return all
}
