package host

import (
	"slices"

	"example.com/suite/stats"
)

// amortizer makes samples longer if what each of them begins with takes much of its CPU time: pools that the collection
// before it has emptied, goroutines that b.RunParallel starts, what a first iteration allocates. One iteration of
// MarshalTo/twitter of fastjson takes 4 ms, each of ten 0.4 ms and each of a thousand 0.14 ms, as go test reports.
// The CPU time of a sample does not depend on what other processes do.
type amortizer struct {
	try    func(n int) (cpu, wall float64) // takes a sample, ns
	seen   func(n int) (cpu []float64)     // of the last samples, if they had n iterations
	within func(n, wanted int) int         // as many as there is time for, after a sample of n
	most   float64                         // CPU time of a sample, ns, unless what it begins with takes half of that
}

// Limits of the search for iterations of which the beginning of a sample takes little.
const (
	beginShare   = 0.1  // of a sample that it may take
	beginMatters = 0.15 // of one that is made longer
	beginGrowth  = 16   // how many times as many iterations show it, fewer if they take long
	beginLeast   = 4
	beginKnown   = 0.2  // of a sample: if it takes more, iterations have hardly shown how long they take
	beginSamples = 3    // of one number of iterations, of which the median counts, unless they are long
	beginLong    = 20e6 // ns
	beginWaits   = 4    // a sample may last so many times as long as it may use the CPU
	beginFew     = 16   // iterations, of which each may be the first one of a goroutine
	beginLongest = 3    // longer samples, by what they may take, are as they are
	beginGoals   = 10   // a sample may take so many times what a suite file states
)

// typical is the CPU time of n iterations, ns.
func (a *amortizer) typical(n int) float64 {
	times := slices.Clone(a.seen(n))
	for len(times) < beginSamples && (len(times) < 2 || times[0] < beginLong) {
		cpu, _ := a.try(n)
		times = append(times, cpu)
	}
	return stats.Median(times)
}

// longer returns the iterations of a sample that had n.
func (a *amortizer) longer(n int) int {
	if times := a.seen(n); len(times) > 0 && slices.Min(times) > beginLongest*a.most {
		return n
	}
	first, cpu := n, a.typical(n)
	for {
		more := a.within(n, n*int(min(max(beginLong/max(cpu, 1), beginLeast), beginGrowth)))
		if more < 2*n {
			return n
		}
		longer, wall := a.try(more)
		_, begin := slope(n, cpu, more, longer)
		switch matters := begin >= beginMatters*cpu; {
		case matters && n >= beginFew: // or the processor has become faster
			again, _ := a.try(n)
			cpu = min(cpu, again)
		case !matters && n < beginFew: // or each of several goroutines has begun
			again, _ := a.try(more)
			longer = min(longer, again)
		}
		one, begin := slope(n, cpu, more, longer)
		if begin < beginMatters*cpu {
			return n
		}
		most := max(a.most, 2*begin)
		wanted := int(min((min(begin/beginShare, most)-begin)/one, beginWaits*most/(wall/float64(more)),
			beginLeast*float64(more)))
		if begin < beginKnown*longer && wanted >= 2*n || longer > 2*most || wall > beginWaits*most {
			return max(first, wanted)
		}
		n, cpu = more, longer
	}
}

// slope is how long one iteration takes and what a sample begins with, ns, by the times of n iterations and of more.
func slope(n int, t float64, more int, longer float64) (one, begin float64) {
	one = max(longer-t, 1) / float64(more-n)
	return one, t - one*float64(n)
}
