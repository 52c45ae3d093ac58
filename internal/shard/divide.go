package shard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/disjoint"
	"example.com/suite/result"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// Durations are how long cases took, by suite and name, and where that is known from. The
// zero value knows none.
type Durations struct {
	From string // history or result
	Of   map[[2]string]time.Duration
}

// Reads returns the numbers that the gates of a case read.
type Reads func(suite, name string) []result.Reading

// Divide divides the cases of plans into count shards. Cases that need each other are in
// one shard: a case and its base, cases that a gate compares, cases that must print the
// same, and the sizes of which a gate wants to know how they grow. Such groups are dealt
// out by their durations, the longest first, each to the shard that has the least to do. The
// same arguments always have the same division, in whatever order the cases of a plan come:
// sub-benchmarks that are run in a range over a map are listed otherwise each time.
func Divide(plans []*spec.Plan, reads Reads, d Durations, count int, seed string) *result.Division {
	out := &result.Division{Count: count, Plan: planHash(plans),
		Durations: result.Durations{From: "forecast"}, Seed: seed}
	var lengths []time.Duration
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			length, recorded := d.of(plan, c)
			if recorded {
				out.Durations.From = d.From
				out.Durations.Recorded++
			}
			lengths = append(lengths, length)
			out.Cases = append(out.Cases, result.Portion{Suite: plan.Suite, Name: c.Name, Kind: c.Kind,
				Seconds: length.Seconds()})
		}
	}
	deal(out.Cases, groups(plans, reads), lengths, count)
	var owners []any
	for _, p := range slices.SortedFunc(slices.Values(out.Cases), byPortion) {
		owners = append(owners, p.Suite, p.Name, p.Shard)
	}
	out.Hash = hash(count, out.Plan, owners)
	return out
}

// step is the precision of durations. Their sums are whole numbers of it, which are the same
// on all machines.
const step = time.Millisecond

// of returns the duration of a case: the recorded one, or else a forecast. It is at least one
// step, so that cases that take no time are spread too.
func (d Durations) of(plan *spec.Plan, c *spec.Case) (length time.Duration, recorded bool) {
	length, recorded = d.Of[key(plan.Suite, c.Name)]
	if c.Counterpart.IsUnaffected() {
		return step, false
	}
	if !recorded {
		length = forecast.CaseTime(&c.Settings)
		if c.Base != "" || c.Other != nil {
			length *= 2
		}
	}
	return max(length.Round(step), step), recorded
}

// deal sets the shard of each case.
func deal(cases []result.Portion, groups [][]int, lengths []time.Duration, count int) {
	long := func(group []int) (sum time.Duration) {
		for _, i := range group {
			sum += lengths[i]
		}
		return sum
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(long(b), long(a)) })
	loads := make([]time.Duration, count)
	for _, group := range groups {
		least := 0
		for k := range loads {
			if loads[k] < loads[least] {
				least = k
			}
		}
		loads[least] += long(group)
		for _, i := range group {
			cases[i].Shard = least + 1
		}
	}
}

// byPortion orders cases by their suites and names.
func byPortion(a, b result.Portion) int {
	return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Name, b.Name))
}

// groups returns the cases that must be on one machine, as indices into the cases of all
// plans: plan after plan, in the order of the benchmarks of its file, and of one benchmark in
// the order of names.
func groups(plans []*spec.Plan, reads Reads) (all [][]int) {
	start := 0
	for _, plan := range plans {
		entry := map[diag.Place]int{} // position of each benchmark in the file
		for i := range plan.Cases {
			if place := plan.Cases[i].Place; entry[place] == 0 {
				entry[place] = len(entry) + 1
			}
		}
		order := func(i, k int) int {
			a, b := &plan.Cases[i], &plan.Cases[k]
			return cmp.Or(cmp.Compare(entry[a.Place], entry[b.Place]), cmp.Compare(a.Name, b.Name))
		}
		sets := together(plan, reads)
		slices.SortFunc(sets, func(a, b []int) int { return order(slices.MinFunc(a, order), slices.MinFunc(b, order)) })
		for _, group := range sets {
			for k := range group {
				group[k] += start
			}
			all = append(all, group)
		}
		start += len(plan.Cases)
	}
	return all
}

// together returns the groups of one plan.
func together(plan *spec.Plan, reads Reads) [][]int {
	sets := disjoint.New(len(plan.Cases))
	index := map[string]int{}
	outputs := map[string]int{}
	benchmarks := map[diag.Place]int{} // a case of each
	for i := range plan.Cases {
		c := &plan.Cases[i]
		index[c.Name], benchmarks[c.Place] = i, i
		if c.OutputName != "" {
			outputs[c.OutputName] = i
		}
	}
	grow := map[diag.Place]bool{} // benchmarks whose sizes are compared
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if base, ok := index[c.Base]; ok {
			sets.Join(i, base)
		}
		if k, ok := outputs[c.OutputName]; ok {
			sets.Join(i, k)
		}
		for _, r := range reads(plan.Suite, c.Name) {
			if other, ok := index[r.Case]; ok && r.Of == result.OfOther {
				sets.Join(i, other)
			}
			grow[c.Place] = grow[c.Place] || r.Of == result.OfOrder
		}
	}
	for i := range plan.Cases {
		if place := plan.Cases[i].Place; grow[place] {
			sets.Join(i, benchmarks[place])
		}
	}
	return sets.Groups()
}

// Take returns the plans of one shard, with the cases that the division gives to it. Every
// suite has a plan, also without cases. Cases that only the other tree has are reported by
// the first shard alone.
func Take(plans []*spec.Plan, d *result.Division, index int) (taken []*spec.Plan) {
	owner := map[[2]string]int{}
	for _, p := range d.Cases {
		owner[key(p.Suite, p.Name)] = p.Shard
	}
	for _, plan := range plans {
		rest := *plan
		rest.Partial = d.Count > 1
		rest.Cases = slices.DeleteFunc(slices.Clone(plan.Cases), func(c spec.Case) bool {
			return owner[key(plan.Suite, c.Name)] != index
		})
		if plan.Against != nil && index > 1 {
			against := *plan.Against
			against.Vanished = nil
			rest.Against, rest.Gone = &against, nil
		}
		taken = append(taken, &rest)
	}
	return taken
}

// planHash is a hash of what is measured and judged, the same on all machines. It contains no
// paths, because the machines may have the files in different folders.
func planHash(plans []*spec.Plan) string {
	var all []any
	for _, plan := range plans {
		all = append(all, plan.Suite, plan.Hash, plan.Calls, plan.Errors.Family, plan.Budget)
		if a := plan.Against; a != nil {
			all = append(all, a.Kind, a.Revision, a.Hash, slices.Sorted(slices.Values(a.Vanished)))
		}
		for _, c := range slices.SortedFunc(slices.Values(plan.Cases), func(a, b spec.Case) int {
			return cmp.Compare(a.Name, b.Name)
		}) {
			all = append(all, c.Name, c.Kind, c.Base, c.Settings)
			if c.Counterpart != nil {
				all = append(all, c.Counterpart.State)
			}
			for _, g := range c.Gates {
				all = append(all, g.ID, g.Expr.Value, g.Severity, g.OnInconclusive)
			}
		}
	}
	return hash(all...)
}

func hash(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // plans consist of what JSON can represent
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
