package runner

import (
	"math"
	"slices"
	"time"

	"example.com/suite/stats"
)

const (
	// firstLaunchPairs is how many pairs a case takes in its first launch, from which
	// nothing is known of its noise yet.
	firstLaunchPairs = 20

	// leastLaunchPairs is enough that one disturbed pair does not move the median of a
	// launch. If pairs take dearPair or longer, as with test binaries, leastDearPairs are
	// enough: the difference between launches matters more then.
	leastLaunchPairs = 11
	leastDearPairs   = 3
	dearPair         = 5 * time.Millisecond

	// slowNoise is how long the noise of a busy machine lasts: a launch spends as much time on
	// its pairs as on its start, up to this. Medians of launches of 17 ms were 8.5 % apart,
	// and of 70 ms 1.2 %; what is short of that looks like a difference between launches, of
	// which the formula concludes that launches should be shorter still.
	slowNoise = 60 * time.Millisecond

	// finest is the spread of launches, as a log ratio, below which more pairs in a
	// launch are not worth their time: a third of the usual tolerance of 3 %, so that
	// nearly every launch is on the true side of a limit that far away.
	finest = 0.01
)

// pacing is what the finished launches of a case show for the length of the next one.
type pacing struct {
	rows    int             // of the samples that are counted below
	within  []float64       // variance of the log ratios of each launch, robust
	medians []float64       // of the log ratios of each launch
	pairs   []float64       // of each launch
	start   []time.Duration // what each launch took besides its pairs
}

// launchLength chooses how many pairs the next launch, or setup, of a case takes. With
// a cost of c1 for a pair and c2 for a launch, and variances s1² within and s2² between
// launches, the best number is sqrt(c2/c1 · s1²/s2²). It follows from finished
// launches, so if the sides are equal the next one is equally likely to be above or
// below a limit.
//
// Source: T. Kalibera, R. Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, §5.
func (t *track) launchLength(left time.Duration) int {
	p := &t.pacing
	p.learn(t)
	best, least := float64(firstLaunchPairs), float64(leastLaunchPairs)
	if t.Batch+t.base.Batch > 0 {
		c1, c2 := float64(t.Batch+t.base.Batch), float64(p.startNow())
		if c1 >= float64(dearPair) {
			least = leastDearPairs
		}
		floor := min(c2, float64(slowNoise)) / c1
		if best = min(best, max(least, floor)); len(p.medians) > 0 {
			s1 := math.Pi / 2 * stats.Median(p.within) // of normal noise, the median's variance is π/2 times the mean's
			best = max(math.Sqrt(c2/c1*s1/max(p.between(s1), finest*finest)), floor)
		}
	}
	rest := t.mostSamples() - t.result.Samples.Count()
	best = min(best, float64(t.mostPairs(left)), 2*float64(rest)/float64(t.leastLaunches())) // which never uses up the rest
	return max(1, min(int(max(best, least)), t.mostPairs(left), rest))
}

// between estimates the variance between launches: the variance of their medians less
// what the pairs in them explain. It is 0 for up to four launches, which are too few.
func (p *pacing) between(s1 float64) float64 {
	if len(p.medians) < 5 {
		return 0
	}
	spread := 1.4826 * stats.MAD(p.medians)
	return spread*spread - s1/stats.Median(p.pairs)
}

// samplesOfLaunches is how many times samples.max a case with launches may take: it would end
// while a gate is open and time is left, for the sake of the size of a document.
const samplesOfLaunches = 4

// mostSamples is how many samples a case may take.
func (t *track) mostSamples() int {
	if t.isRelaunched() {
		return samplesOfLaunches * t.spec.Settings.SamplesMax
	}
	return t.spec.Settings.SamplesMax
}

// mostPairs is how many pairs a launch may take so that twice the launches that a verdict
// takes at least fit into the time of the case.
func (t *track) mostPairs(left time.Duration) int {
	pair := t.Batch + t.base.Batch
	if pair <= 0 {
		return math.MaxInt32
	}
	share := 2 * time.Duration(t.spec.Settings.MaxTime) / time.Duration(2*t.leastLaunches())
	return max(1, min(int(share/pair), int(2*left/pair)))
}

// learn takes in the launches since the last call. After an interruption the samples
// of all earlier launches are there, and what they cost is not.
func (p *pacing) learn(t *track) {
	own, base := t.result.Samples.Columns["time"], t.result.Pairs.Samples.Columns["time"]
	blocks := t.result.Samples.Block
	for p.rows < len(blocks) {
		first := p.rows
		for p.rows < len(blocks) && blocks[p.rows] == blocks[first] {
			p.rows++
		}
		var logs []float64
		for i := first; i < p.rows; i++ {
			if own[i] > 0 && base[i] > 0 {
				logs = append(logs, math.Log(own[i]/base[i]))
			}
		}
		if len(logs) < 2 {
			continue
		}
		spread := 1.4826 * stats.MAD(logs)
		p.within = append(p.within, spread*spread)
		p.medians = append(p.medians, stats.Median(logs))
		p.pairs = append(p.pairs, float64(len(logs)))
	}
}

// startNow is what starting a launch costs now, the median of the last five: links are shared
// by fewer cases as others are decided.
func (p *pacing) startNow() time.Duration {
	if len(p.start) == 0 {
		return usualLaunchStart
	}
	last := slices.Sorted(slices.Values(p.start[max(0, len(p.start)-5):]))
	return last[len(last)/2]
}

// usualLaunchStart is what starting a launch is taken to cost before one has been timed.
const usualLaunchStart = 50 * time.Millisecond

// usualShare is the share of observations on the true side of a limit for which the number
// of pairs is stated, as by suite check --plan: a change of about the noise of one
// observation has this share.
const usualShare = 0.8

// neededPairs estimates how many pairs the verdicts of a case will take in all, in the
// median, if its later blocks are like the earlier ones; 0 if no gate is open.
func (t *track) neededPairs() int {
	if t.open == 0 {
		return 0
	}
	of := 1 // commands: each pair is an observation
	if !t.isCommand() {
		of = blockSize
		if t.Blocks > 0 {
			of = (t.result.Samples.Len() + t.Blocks - 1) / t.Blocks
		}
	}
	pieces, _ := stats.PairsToVerdict(1000, t.alpha(), usualShare, 0.5) // 5 µs at an error of 10⁻⁵
	return of * pieces
}
