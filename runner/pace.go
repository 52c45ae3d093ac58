package runner

import (
	"math"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/runner/forecast"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/stats"
)

// timeOfSides is what the sides of a case may take together.
func (t *track) timeOfSides(allowance time.Duration) (sum time.Duration) {
	for _, s := range t.sides() {
		sum += s.target.MaxTime(allowance)
	}
	return sum
}

// nextTime is the least time of the next block: a batch of each side, and the start of the
// launch that it runs in.
func (t *track) nextTime() (sum time.Duration) {
	for _, s := range t.sides() {
		sum += s.series.Batch
	}
	if t.isRenewed() {
		sum += t.pacing.startNow()
	}
	return sum
}

// precision is half the interval of the headline divided by the headline, 1 if there is
// no interval yet.
func (s *side) precision() float64 {
	xs, ends, blocks := s.result.Samples.Ends("time")
	low, high, err := stats.Censored{Low: xs, High: ends}.BlockInterval(blocks, s.target.Spec.Settings.Confidence)
	middle := stats.Median(xs)
	if err != nil || middle <= 0 || math.IsInf(high, 1) {
		return 1
	}
	return (high - low) / 2 / middle
}

// left is how long the next request may begin batches of a side: within its share of what
// the sides of the case have left, and not beyond half of the timeout of a request, so that
// ten batches that are each short enough do not exceed it together.
func (s *side) left(allowance time.Duration) time.Duration {
	left := (s.of.timeOfSides(allowance) - s.of.spent()) / time.Duration(len(s.of.sides()))
	if !s.target.IsCommand() {
		left = min(left, time.Duration(s.target.Spec.Settings.Timeout)/2)
	}
	return max(left, 1)
}

// blockLength is how many samples a block has: blockSize, fewer if they would last too
// long, never more than the case may still have.
func (s *side) blockLength(left time.Duration) int {
	set := &s.target.Spec.Settings
	count := min(s.blockSize(), set.SamplesMax-s.result.Samples.Count())
	if s.series.Batch > 0 {
		if !s.target.Stays() { // whose blocks are short anyway, and may begin with a long start
			count = min(count, int(max(time.Duration(set.TargetTime)/blockShare/s.series.Batch, 1)))
		}
		count = min(count, int(max(left/s.series.Batch, 1)))
	}
	return max(count, 1)
}

// discards is 1 if the first batch of a block is thrown away, because other cases have
// used the caches meanwhile. A batch longer than the warm-up is its own warm-up, and
// without a warm-up nothing is thrown away. A process that takes the samples of a block warms up by itself.
func (s *side) discards(count int, left time.Duration) int {
	warmup := s.target.Warmup()
	if warmup == 0 || s.target.Stays() && s.of.base == nil || s.series.Batch > warmup ||
		time.Duration(count+1)*s.series.Batch > left {
		return 0
	}
	return 1
}

// dense is the least time of a block if only a summary of it is kept, as long as
// mostDense samples fill it. Asking and answering costs 150 µs a block and 3 µs a
// sample, and taking a tiny sample 3 µs: blocks of 100 produce 1.6 times the samples
// of blocks of 10, and longer ones hardly more.
const (
	dense     = time.Millisecond
	mostDense = 100
)

// stayingBlock is how many samples a process of an existing benchmark takes without a base: processes differ, and
// starting one takes half as long as a sample.
const stayingBlock = 2

// blockSize is the number of samples that the case takes in a row.
func (s *side) blockSize() int {
	if s.target.Stays() {
		return stayingBlock
	}
	if s.series.Folds == nil || s.series.Batch <= 0 {
		return sample.BlockSize
	}
	return max(sample.BlockSize, int(min(dense/s.series.Batch, mostDense)))
}

// answered adds the time that a host reports for a block. Time in which the host was
// stopped is charged to no case.
func (t *track) answered(r *wire.Readings) {
	took := time.Duration(r.Elapsed)
	if t.own.remote != nil {
		took = max(took, t.own.remote.Stopped)
	}
	t.reported += took
}

// leastLaunches is how many launches a gate needs to fail. The
// error of a call is the suite's error, divided among all of its calls.
func (t *track) leastLaunches() int {
	return stats.FirstVerdict(t.alpha())
}

// observations counts independent launches: launches that share a layout are one.
func observations(c *result.Case) int {
	if p := c.Pairs; p != nil && len(p.Layouts) > 0 {
		return len(p.Layouts)
	}
	return c.Launches
}

// alpha is the error of each call that hangs on a case.
func (t *track) alpha() float64 {
	if t.guard {
		return result.SentinelAlpha
	}
	return forecast.Alpha(t.target.Plan)
}

// enoughLaunches explains why a case of two trees is finished, empty while it is not.
// Neither target_time nor samples.min count: the least number of launches is what a
// gate takes to pass, and has more samples than samples.min asks for by default.
func (t *track) enoughLaunches(open, decided int) result.Stop {
	switch {
	case observations(t.result) < stats.FirstVerdict(forecast.Within(t.alpha())) || open > 0:
		return ""
	case decided > 0:
		return result.StopDecided
	}
	return result.StopLaunches
}

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

	// sureSide is how many spreads of its median a launch is from the limit if it is nearly always on the true side.
	sureSide = 3
)

// pacing is what the finished launches of a case show for the length of the next one.
type pacing struct {
	launches int             // that are counted below
	within   []float64       // variance of the log ratios of each launch, robust
	medians  []float64       // of the log ratios of each launch, or what counts in their place
	pairs    []float64       // of each launch
	start    []time.Duration // what each launch took besides its pairs
}

// launchLength chooses how many pairs the next launch, or setup, of a case takes. With
// a cost of c1 for a pair and c2 for a launch, and variances s1² within and s2² between
// launches, the best number is sqrt(c2/c1 · s1²/s2²). Launches that are far from the limit
// need no more than to be on its true side. It follows from finished
// launches, so if the sides are equal the next one is equally likely to be above or
// below a limit.
//
// Source: T. Kalibera, R. Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, §5.
func (t *track) launchLength(left time.Duration) int {
	p := &t.pacing
	p.learn(t)
	best, least := float64(firstLaunchPairs), float64(leastLaunchPairs)
	if t.own.series.Batch+t.base.series.Batch > 0 {
		c1, c2 := float64(t.own.series.Batch+t.base.series.Batch), float64(p.startNow())
		if c1 >= float64(dearPair) {
			least = leastDearPairs
			if t.isPlaced() { // to place files costs less than a pair
				least = 1
			}
		}
		floor := min(c2, float64(slowNoise)) / c1
		if best = min(best, max(least, floor)); len(p.medians) > 0 {
			s1 := math.Pi / 2 * stats.Median(p.within) // of normal noise, the median's variance is π/2 times the mean's
			enough := max(finest, p.distance(s1, t.target.Spec.Settings.Tolerance)/sureSide)
			best = max(math.Sqrt(c2/c1*s1/max(p.between(s1), enough*enough)), floor)
		}
	}
	rest := t.mostSamples() - t.result.Samples.Count()
	// which never uses up the rest
	best = min(best, float64(t.mostPairs(left)), 2*float64(rest)/float64(t.leastLaunches()))
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

// distance is how far the finished launches are from a tolerance at least, as a log ratio: less the standard error of
// their mean. It is 0 for one launch, which is too few.
func (p *pacing) distance(s1, tolerance float64) float64 {
	if len(p.medians) < 2 {
		return 0
	}
	sum, pairs := 0.0, 0.0
	for i, m := range p.medians {
		sum += m * p.pairs[i]
		pairs += p.pairs[i]
	}
	spread := math.Sqrt(s1/pairs + max(p.between(s1), 0)/float64(len(p.medians)))
	return math.Abs(sum/pairs-math.Log1p(tolerance)) - spread
}

// samplesOfLaunches is how many times samples.max a case with launches may take: it would end
// while a gate is open and time is left, for the sake of the size of a document.
const samplesOfLaunches = 4

// mostSamples is how many samples a case may take.
func (t *track) mostSamples() int {
	if t.isRenewed() {
		return samplesOfLaunches * t.target.Spec.Settings.SamplesMax
	}
	return t.target.Spec.Settings.SamplesMax
}

// usualTime is the part of max_time that the length of a launch goes by: more time buys more
// launches, each of which is an observation, and no longer ones.
const usualTime = 20 * time.Second

// startShare is the part of the start of a process that stays which its pairs may last in any case. vitest starts
// in one second, and in ten on a busy machine, which is more than usualTime has for a launch: one pair there would
// be all noise.
const startShare = 4

// mostPairs is how many pairs a launch may take so that twice the launches that a verdict
// takes at least fit into the time of the case with their starts, or into usualTime.
func (t *track) mostPairs(left time.Duration) int {
	pair := t.own.series.Batch + t.base.series.Batch
	if pair <= 0 {
		return math.MaxInt32
	}
	share := min(time.Duration(t.target.Spec.Settings.MaxTime), usualTime) / time.Duration(2*t.leastLaunches())
	if t.isRenewed() {
		share -= t.pacing.startNow()
	}
	if t.target.Stays() {
		share = max(share, t.pacing.startNow()/startShare)
	}
	return max(1, min(int(share/pair), int(2*left/pair)))
}

// learn takes in the launches since the last call. After an interruption the samples
// of all earlier launches are there, and what they cost is not.
func (p *pacing) learn(t *track) {
	taken, ok := pairs.Of(t.result, "time")
	if !ok {
		return
	}
	launches := taken.Launches()
	for _, g := range launches[min(p.launches, len(launches)):] {
		p.launches++
		var logs []float64
		for i, counts := range g.Counts {
			if counts {
				logs = append(logs, taken.Logs[g.First+i])
			}
		}
		if len(logs) < 2 {
			continue
		}
		spread := 1.4826 * stats.MAD(logs)
		p.within = append(p.within, spread*spread)
		p.medians = append(p.medians, g.Ratio)
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

// expected is how long a case will still take: as long as is usual, or as its open gates need
// if its later blocks are like the earlier ones, but no longer than it may.
func (t *track) expected() time.Duration {
	if t.done || t.guard && !t.wantsSentinel() {
		return 0
	}
	if t.counts.wanted > 0 && t.spent() > 0 {
		return t.counts.left(t.spent())
	}
	rest := forecast.UsualTime(t.target.Spec, t.alpha()) - t.spent()
	if n := t.result.Samples.Len(); n > 0 {
		rest = max(rest, time.Duration(float64(t.spent())*(float64(t.neededPairs())/float64(n)-1)))
	}
	return max(min(rest, t.timeOfSides(0)-t.spent()), 0)
}

// countingPace is how far the instructions of a case are counted.
type countingPace struct {
	taken, wanted int           // runs of both sides, and how many there are when its gates are asked next
	until         time.Duration // what both sides may have spent
	isOver        bool
}

// left estimates how long it goes on after a time if the other runs are like those before, of which the search for
// iterations was one.
func (p *countingPace) left(spent time.Duration) time.Duration {
	if p.isOver {
		return 0
	}
	rest := spent / time.Duration(p.taken+1) * time.Duration(p.wanted-p.taken)
	return max(min(rest, p.until-spent), 0)
}

// neededPairs estimates how many pairs the verdicts of a case will take in all, in the
// median, if its later blocks are like the earlier ones; 0 if no gate is open.
func (t *track) neededPairs() int {
	if t.open == 0 {
		return 0
	}
	of := 1 // commands: each pair is an observation
	if !t.target.IsCommand() || t.isRenewed() {
		of = sample.BlockSize
		if t.own.series.Blocks > 0 {
			of = (t.result.Samples.Len() + t.own.series.Blocks - 1) / t.own.series.Blocks
		}
	}
	pieces, _ := stats.PairsToVerdict(1000, t.alpha(), usualShare, 0.5) // 5 µs at an error of 10⁻⁵
	return of * pieces
}

// isQueued reports whether a case has to go on because iterations are due that have not
// begun: the latencies of those who wait longest would be missing. Sides of pairs begin every
// block with an empty queue.
func (t *track) isQueued() bool {
	l := t.result.Latency
	return t.base == nil && t.own.series.Waiting > 0 && l != nil && !l.Arrivals.Saturated()
}

// A block also ends when it has lasted a tenth of the target time, so that a slow case
// still has blocks enough for an interval.
const blockShare = 10
