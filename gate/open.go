package gate

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

const (
	// Confidence of the interval that ends sampling early. It is far above that
	// of verdicts: a block may be looked at a thousand times, and what one look
	// too many decides wrongly is measured no further.
	steering = 0.999

	// A 99 % interval narrower than this share of the limit, and still around
	// it, is given up: a quarter of the usual tolerance of 3 %.
	hopeless = 0.0075

	// While a case has few samples it is looked at after every block, later
	// when it has grown by a fiftieth: 1000 blocks are about 200 looks.
	growth = 50
)

// Watch steers a run while samples arrive.
type Watch struct {
	set       *Compiled
	looks     map[caseKey]look
	sentinels map[caseKey]float64 // their tolerances
}

// Watch returns what steers a run with these sentinels.
func (s *Compiled) Watch(sentinels ...Sentinel) *Watch {
	w := &Watch{s.fixed(), map[caseKey]look{}, map[caseKey]float64{}}
	for _, n := range sentinels {
		w.sentinels[caseKey{n.Suite, n.Name}] = s.sentinelTolerance(n.Suite, n.Builds, leastFloor(n.Floor))
	}
	return w
}

// look is the last answer of Open for a case.
type look struct {
	samples       int
	open, decided int
}

// Open says how many gates of a case that has been sampled so far could still
// change with more samples, and how many of those that hang on samples are
// decided. Gates on exact or unsampled metrics, on other cases or of point
// values count as neither. It is cheap enough to be called after every block,
// and because its intervals are sequential ones calling it often costs nothing.
//
// Comparisons are looked at pair by pair, whenever it is called. One with a saved
// result is not looked at before the end, and while there is one nothing counts as
// decided, so that it gets all of the target time.
//
// Only Suite, Name, Kind, Samples and Pairs of the case are read.
func (w *Watch) Open(c *result.Case) (open, decided int) {
	last, n := w.looks[keyOf(c)], c.Samples.Count()
	if last.samples > 0 && n >= last.samples && n < last.samples+max(1, last.samples/growth) {
		return last.open, last.decided
	}
	if tolerance, watched := w.sentinels[keyOf(c)]; watched {
		return openSentinel(c, tolerance)
	}
	now := look{samples: n}
	shared := &subject{Case: c}
	waits := false
	for _, g := range w.set.gates[keyOf(c)] {
		if g.Unpaired && g.rule.versus { // its interval is for one look, at the end
			waits = true
			continue
		}
		j := &live{&final{judging: &judging{set: w.set}, gate: g, own: shared}}
		if !g.rule.steers() || g.rule.versus && j.unmatched() != nil {
			continue
		}
		o := g.rule.root.judge(j, false)
		switch o.verdict {
		case result.NotJudged: // nothing in it hangs on samples
		case result.Inconclusive:
			now.open++
		default:
			now.decided++
		}
	}
	if waits { // for all of target_time
		now.decided = 0
	}
	w.looks[keyOf(c)] = now
	return now.open, now.decided
}

// steers says whether samples of the case, and nothing else that is not known
// yet, decide the rule.
func (r *rule) steers() bool {
	for _, m := range r.mentions {
		point := m.metric.Sampled && !m.metric.Exact && !m.headline() && m.versus != "ratio"
		if m.other != nil || point {
			return false
		}
	}
	return r.shaped(r.root)
}

// shaped says whether every leaf is exact, free of metrics, a comparison or a call.
func (r *rule) shaped(n node) bool {
	switch n := n.(type) {
	case and:
		return r.shaped(n.left) && r.shaped(n.right)
	case or:
		return r.shaped(n.left) && r.shaped(n.right)
	case not:
		return r.shaped(n.part)
	case choice:
		return r.shaped(n.condition) && r.shaped(n.yes) && r.shaped(n.no)
	case *leaf:
		return n.growth == nil && (n.call != nil || n.compare != nil || !n.sampled())
	}
	return false
}

func (l *leaf) sampled() bool {
	for _, m := range l.mentions {
		if m.metric.Sampled && !m.metric.Exact {
			return true
		}
	}
	return false
}

// live judges leaves while samples arrive.
type live struct{ *final }

func (j *live) leaf(l *leaf, negated bool) outcome {
	if len(l.mentions) == 0 {
		return j.final.plain(l, negated)
	}
	if !l.sampled() {
		return outcome{verdict: result.NotJudged}
	}
	if l.call != nil {
		return outcome{verdict: j.steerCall(l.call)}
	}
	limit, err := j.number(l.compare.limit)
	if err != nil {
		return outcome{verdict: result.NotJudged}
	}
	if l.compare.mention.versus != "" {
		return outcome{verdict: j.steerRatio(l.compare, limit)}
	}
	return outcome{verdict: j.own.steer(l.compare, limit)}
}

// steer decides a comparison as far as it is, and gives up where more samples
// are unlikely to. A metric that no sample has says nothing: the machine lacks
// it, and waiting for it would take all of max_time.
func (s *subject) steer(c *comparison, limit float64) result.Verdict {
	xs, ends, blocks := s.Samples.Ends(c.mention.metric.Name)
	if len(xs) == 0 && s.Samples.Len() > 0 {
		return result.NotJudged
	}
	low, high, err := stats.Censored{Low: xs, High: ends}.SequentialBlockInterval(blocks, steering)
	if err != nil {
		return result.Inconclusive
	}
	if v := (span{low, high}).against(c.operator, limit); v != result.Inconclusive {
		return v
	}
	e := s.evidence(c.mention.metric.Name)
	if e.err == nil && e.low <= limit && limit <= e.high && e.high-e.low < hopeless*math.Abs(limit) {
		return givenUp
	}
	return result.Inconclusive
}
