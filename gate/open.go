package gate

import (
	"math"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
	"example.com/suite/stats"
)

const (
	// steering is the confidence of the interval that ends sampling early. It is
	// higher than the 99 % of verdicts: a case may be looked at a thousand times, and
	// a wrong decision ends its sampling.
	steering = 0.999

	// growth limits the looks: a case with few samples is looked at after every
	// block, later each time that it has grown by a fiftieth. 1000 blocks take about
	// 200 looks.
	growth = 50
)

// Watch decides during a run which cases need more samples.
type Watch struct {
	set       *Compiled
	looks     map[sides.Key]look
	sentinels map[sides.Key]float64 // their tolerances
}

// Watch starts a run with these sentinels.
func (s *Compiled) Watch(sentinels ...Sentinel) *Watch {
	w := &Watch{s, map[sides.Key]look{}, map[sides.Key]float64{}}
	for _, n := range sentinels {
		w.sentinels[sides.Key{Suite: n.Suite, Name: n.Name}] = s.sentinelTolerance(n.Suite, 0,
			n.Builds, leastFloor(n.Floor))
	}
	return w
}

// counted returns the number of runs in which valgrind has counted the case.
func counted(c *result.Case) int {
	if c.Counted == nil {
		return 0
	}
	return len(c.Counted.Runs)
}

// look is the last answer of Open for a case.
type look struct {
	samples       int
	counted       int // runs
	open, decided int
}

// Open returns how many gates of a case more samples could still change, and how many
// gates its samples have decided. Gates on exact or unsampled metrics, on other cases
// or on point values are in neither number. Open is cheap enough to be called after
// every block. Its intervals are sequential, so frequent calls do not make errors
// more likely.
//
// Comparisons with pairs are looked at pair by pair, whenever Open is called. A
// comparison with a saved result is looked at only at the end. While a case has one,
// decided is 0, so that the case is measured for all of the target time.
//
// Open reads only Suite, Name, Kind, Settings, Samples, Counted and Pairs of the case.
func (w *Watch) Open(c *result.Case) (open, decided int) {
	last, n := w.looks[sides.KeyOf(c)], c.Samples.Count()
	if last.counted == counted(c) && last.samples > 0 && n >= last.samples &&
		n < last.samples+max(1, last.samples/growth) {
		return last.open, last.decided
	}
	if tolerance, watched := w.sentinels[sides.KeyOf(c)]; watched {
		return openSentinel(c, tolerance)
	}
	now := look{samples: n, counted: counted(c)}
	shared := &sides.Subject{Case: c}
	read := map[*sides.Subject]*values{}
	waits := false
	for _, g := range w.set.gates[sides.KeyOf(c)] {
		if g.Unpaired && g.rule.versus { // its interval is valid for one look, at the end
			waits = true
			continue
		}
		j := w.judging(g, shared, read)
		if g.lacksMetrics(c) || !g.rule.steers() || g.rule.versus && j.unmatched() != nil {
			continue
		}
		o := decide(g.rule.root, live{j}, false)
		switch o.verdict {
		case result.NotJudged: // nothing in it depends on samples
		case result.Inconclusive:
			now.open++
		default:
			now.decided++
		}
	}
	if waits { // for all of target_time
		now.decided = 0
	}
	w.looks[sides.KeyOf(c)] = now
	return now.open, now.decided
}

// steers reports whether the rule depends only on samples of the case.
func (r *rule) steers() bool {
	for _, m := range r.mentions {
		by, is := m.by.(steerableOperand)
		point := m.metric.Sampled && !m.metric.Exact && !m.headline() && !(is && by.steers())
		whole := m.metric.Quantile > 0 && m.by == nil // known of all iterations together, at the end
		if m.other != nil || point || whole {
			return false
		}
	}
	return r.shaped(r.root)
}

// shaped reports whether every leaf is exact, free of metrics, a comparison or a call.
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
		_, steers := n.kind.(steerableKind)
		_, function := n.kind.(functionKind)
		return steers || !function && !n.sampled()
	}
	return false
}

func (l *leaf) sampled() bool {
	for _, m := range l.mentions {
		if m.metric.Sampled && !m.metric.Exact || m.metric.Counted && m.by != nil {
			return true
		}
	}
	return false
}

// live judges leaves while samples arrive, by sequential intervals.
type live struct{ judging *judging }

func (v live) leaf(l *leaf, negated bool) outcome {
	if len(l.mentions) == 0 {
		return v.judging.plain(l, negated)
	}
	k, is := l.kind.(steerableKind)
	if !is || !l.sampled() {
		return outcome{verdict: result.NotJudged}
	}
	return outcome{verdict: k.steer(v.judging.of(l, negated))}
}

// steerableKind is a kind that is decided by samples as they arrive.
type steerableKind interface {
	steer(j *judging) result.Verdict
}

// steerableOperand is an operand that is decided by pairs as they arrive, if steers is true.
type steerableOperand interface {
	steers() bool
	steer(j *judging, c *comparison, limit float64) result.Verdict
}

func (c *comparison) steer(j *judging) result.Verdict {
	limit, err := c.limit.number(j)
	if err != nil {
		return result.NotJudged
	}
	if by, is := c.mention.by.(steerableOperand); is {
		return by.steer(j, c, limit)
	}
	return steerByMedian(j.own, c, limit)
}

// steerByMedian is the verdict on a comparison so far, and givenUp if more samples are
// unlikely to decide it. If no sample has the metric, the machine lacks it, and steerByMedian
// returns NotJudged: waiting would take all of max_time.
func steerByMedian(s *sides.Subject, c *comparison, limit float64) result.Verdict {
	xs, ends, blocks := s.Samples.Ends(c.mention.metric.Name)
	if len(xs) == 0 && s.Samples.Len() > 0 {
		return result.NotJudged
	}
	low, high, err := stats.Censored{Low: xs, High: ends}.SequentialBlockInterval(blocks, steering)
	if err != nil {
		return result.Inconclusive
	}
	low, high = s.Widen(c.mention.metric.Name, low, high)
	if v := (sides.Span{Low: low, High: high}).Against(c.operator, limit); v != result.Inconclusive {
		return v
	}
	e := s.Evidence(c.mention.metric.Name)
	if e.Err == nil && e.Low <= limit && limit <= e.High && e.High-e.Low < hopeless*math.Abs(limit) {
		return givenUp
	}
	return result.Inconclusive
}
