package host

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/stats"
)

// amortizer makes samples longer if what each of them begins with takes much of its CPU time: pools that the collection
// before it has emptied, goroutines that b.RunParallel starts, what a first iteration allocates. One iteration of
// MarshalTo/twitter of fastjson takes 4 ms, each of ten 0.4 ms and each of a thousand 0.14 ms, as go test reports.
// The CPU time of a sample does not depend on what other processes do.
type amortizer struct {
	try    func(n int) (cpu, wall float64) // takes a sample, ns
	tries  *[]tried                        // all samples so far
	within func(n, wanted int) int         // as many as there is time for, after a sample of n
	goal   float64                         // time of a sample that begins with nothing, ns
	most   float64                         // CPU time of a sample, ns, unless what it begins with takes half of that
}

// tried is a sample that was taken to find the number of iterations.
type tried struct {
	n         int
	cpu, wall float64 // of the iterations, ns
	shared    bool    // among goroutines
}

// Limits of the search for iterations of which the beginning of a sample takes little.
const (
	beginShare   = 0.1  // of a sample that it may take
	beginRare    = 0.03 // if it begins so by chance, and sometimes with more
	beginMatters = 0.15 // of one that is made longer
	beginGrowth  = 16   // how many times as many iterations show it, fewer if they take long
	beginLeast   = 4
	beginKnown   = 0.2  // of a sample: if it takes more, iterations have hardly shown how long they take
	beginShows   = 1.5  // unless this many times the CPU time is due to more iterations
	beginSamples = 3    // of one number of iterations, of which the median counts; two of long ones
	beginLong    = 20e6 // ns
	beginWaits   = 4    // a sample may last so many times as long as it may use the CPU
	beginFew     = 16   // iterations, of which each may be the first one of a goroutine
	beginAgain   = 4    // samples that show that the first ones alone began with work
	beginShared  = 8    // iterations that goroutines share, if there is time for so many: of three, one has two
	beginVaries  = 1.2  // times the CPU time of an iteration: all of a sample may take so long
	beginFalls   = 0.75 // of the CPU time of an iteration: more iterations may show that it is less still
	beginLongest = 3    // longer samples, by what they may take, are as they are
	beginGoals   = 10   // a sample may take so many times what a suite file states
)

// seen are the CPU times of the last samples, if they had n iterations, ns.
func (a *amortizer) seen(n int) (cpu []float64) {
	for i := len(*a.tries) - 1; i >= 0 && (*a.tries)[i].n == n; i-- {
		cpu = append(cpu, (*a.tries)[i].cpu)
	}
	return cpu
}

// typical is the CPU time of n iterations, ns.
func (a *amortizer) typical(n int) float64 {
	times := a.seen(n)
	for len(times) < beginSamples && (len(times) < 2 || times[0] < beginLong) {
		cpu, _ := a.try(n)
		times = append(times, cpu)
	}
	return stats.Median(times)
}

// beginsSmall reports whether samples of fewer iterations have shown that one of n, which was taken, begins with
// little.
func (a *amortizer) beginsSmall(n int) bool {
	known, cpu := false, slices.Min(a.seen(n))
	for _, t := range *a.tries {
		if t.n < beginFew || t.n > n/beginLeast {
			continue
		}
		if _, begin := slope(t.n, t.cpu, n, cpu); begin >= beginMatters*cpu {
			return false
		}
		known = true
	}
	return known
}

// isShared reports whether goroutines share the iterations of a sample, as with b.RunParallel.
func (a *amortizer) isShared() bool {
	return !slices.ContainsFunc(*a.tries, func(t tried) bool { return !t.shared })
}

// shared is longer of iterations that goroutines share. Any of them may take the few iterations of a sample, with a
// pool that another one has filled or with an empty one, so a sample begins with work or does not, by chance.
func (a *amortizer) shared(n int) (iterations int) {
	was := math.Inf(1)
	for last := n; ; {
		one := a.iteration()
		begin := a.mayBegin(one)
		begins := begin >= beginMatters*one*float64(n)
		isLong := one*float64(last) >= a.most/2
		isKnown := isLong || last >= beginFew*beginLeast
		if begins {
			isKnown = isLong && (one >= beginFalls*was || one*float64(last) >= 2*a.most)
		}
		more := a.within(last, last*beginLeast)
		if isKnown && last >= beginFew || more < 2*last {
			few := max(n, int(min(beginShared, a.most/one)), int(a.goal/one))
			if !begins || a.isWarm(few, one) {
				return few
			}
			cpu := min(begin/beginRare, max(a.most, 2*begin)) - begin
			return max(few, int(cpu/one)) // the search may have seen only samples that begin with work
		}
		a.try(more)
		last, was = more, one
	}
}

// isWarm reports whether samples of n iterations, of which each takes one, begin with little by now: the first
// ones of a process have filled a pool for each goroutine.
func (a *amortizer) isWarm(n int, one float64) bool {
	for range beginAgain {
		cpu, _ := a.try(n)
		if cpu-beginVaries*one*float64(n) >= beginMatters*cpu {
			return false
		}
	}
	return true
}

// mayBegin is the most that a sample has begun with, ns, if an iteration takes one, the first sample of the process
// aside.
func (a *amortizer) mayBegin(one float64) (most float64) {
	for _, t := range (*a.tries)[1:] {
		most = max(most, t.cpu-beginVaries*one*float64(t.n))
	}
	return most
}

// iteration is the CPU time of an iteration, ns, by the longest sample: goroutines have shared it, as they will share
// others, and what it began with is the least part of it.
func (a *amortizer) iteration() float64 {
	longest := slices.MaxFunc(*a.tries, func(x, y tried) int { return cmp.Compare(x.n, y.n) })
	return max(longest.cpu/float64(longest.n), 1)
}

// longer returns the iterations of a sample that had n, and whether each of these samples begins with work.
func (a *amortizer) longer(n int) (iterations int, begins bool) {
	if len(a.seen(n)) == 0 {
		a.try(n)
	}
	if times := a.seen(n); len(times) == 0 || slices.Min(times) > beginLongest*a.most || a.beginsSmall(n) {
		return n, false
	}
	if a.isShared() {
		return a.shared(n), false
	}
	first, cpu := n, a.typical(n)
	for {
		more := a.within(n, n*int(min(max(beginLong/max(cpu, 1), beginLeast), beginGrowth)))
		if more < 2*n {
			return n, begins
		}
		longer, wall := a.try(more)
		_, begin := slope(n, cpu, more, longer)
		if begin >= beginMatters*cpu && n >= beginFew { // or the processor has become faster
			again, _ := a.try(n)
			cpu = min(cpu, again)
		}
		one, begin := slope(n, cpu, more, longer)
		if begin < beginMatters*cpu {
			return n, begins
		}
		begins = true
		most := max(a.most, 2*begin)
		wanted := int(min((min(begin/beginShare, most)-begin)/one, beginWaits*most/(wall/float64(more)),
			beginLeast*float64(more)))
		known := begin < beginKnown*longer && wanted >= 2*n ||
			n >= beginFew && wanted <= more && longer >= beginShows*cpu
		if known || longer > 2*most || wall > beginWaits*most {
			return max(first, wanted), true
		}
		n, cpu = more, longer
	}
}

// slope is how long one iteration takes and what a sample begins with, ns, by the times of n iterations and of more.
func slope(n int, t float64, more int, longer float64) (one, begin float64) {
	one = max(longer-t, 1) / float64(more-n)
	return one, t - one*float64(n)
}
