package result

// Cause is why a gate has its verdict, or why a comparison is unclear, in a word that
// programs can depend on. The reason describes the same in words and numbers.
type Cause string

// A gate that passes has a cause only if it is unaffected, and one that fails has
// CauseLimit. Documents of earlier versions have none.
const (
	CauseLimit      Cause = "limit"      // what was measured is beyond the limit
	CauseUnaffected Cause = "unaffected" // nothing that the case depends on has changed

	CauseNotMeasured Cause = "not-measured" // the case, or one that the gate reads, could not be measured
	CauseNotRun      Cause = "not-run"      // the case, or one that the gate reads, was not reached
	CauseOtherShard  Cause = "other-shard"  // the gate reads cases that other shards measure
	// the case, or one that the gate reads, requires a program that this machine lacks
	CauseNoProgram     Cause = "no-program"
	CauseNoBase        Cause = "no-base"        // there is nothing to compare the case with
	CauseNotComparable Cause = "not-comparable" // the other side is defined, or was measured, differently
	CauseNoPairs       Cause = "no-pairs"       // only pairs could decide it, and there are none
	CauseNoMetric      Cause = "no-metric"      // a metric or an arc that the gate reads was not measured
	CauseNoInterval    Cause = "no-interval"    // a number that the gate reads has no interval, whatever is measured
	CauseNoRatio       Cause = "no-ratio"       // a side is zero or below

	CauseFewSamples Cause = "few-samples" // more samples or pairs are needed for an interval
	CauseNearLimit  Cause = "near-limit"  // the samples do not show on which side of the limit the value is
	// early and late pairs show opposite changes; or a drift is not a drift of the run itself, or of its ratios
	CauseMoved      Cause = "moved"
	CauseVaried     Cause = "varied"           // a number that should be exact was not the same every time
	CauseResolution Cause = "below-resolution" // a side takes less than the clock, or an empty loop, can show
	// iterations were due faster than they ended, so that latencies grow as long as one measures
	CauseSaturated    Cause = "saturated"
	CauseKilled       Cause = "killed"        // runs were killed by their timeout, so only a bound is known
	CauseIncomplete   Cause = "incomplete"    // arcs may be missing
	CauseNoOrder      Cause = "no-order"      // how the metric grows is not known
	CauseShortHistory Cause = "short-history" // the history has too few commits
	CauseUncounted    Cause = "uncounted"     // valgrind could not count the instructions of the case
	// instructions differ, which may be a matter of the places of functions and data, and too few runs were counted at
	// other places
	CausePlaces Cause = "places"
	CauseUnfit  Cause = "unfit" // the machine finds differences between equal programs
	// the gate allows less than two builds of one source, or two runs of it, differ by
	CauseFloor      Cause = "floor"
	CauseExpression Cause = "expression" // the expression cannot be evaluated
)

var causes = []Cause{"", CauseLimit, CauseUnaffected, CauseNotMeasured, CauseNotRun, CauseOtherShard, CauseNoProgram,
	CauseNoBase, CauseNotComparable, CauseNoPairs, CauseNoMetric,
	CauseNoInterval, CauseNoRatio, CauseFewSamples, CauseNearLimit, CauseMoved, CauseVaried, CauseResolution,
	CauseSaturated, CauseKilled, CauseIncomplete,
	CauseNoOrder, CauseShortHistory, CauseUncounted, CausePlaces, CauseUnfit, CauseFloor, CauseExpression}

// Reading is a number that the expression of a gate reads.
type Reading struct {
	Of        ReadingOf `json:"of"`
	Metric    string    `json:"metric,omitempty"`    // absent for arcs
	Statistic string    `json:"statistic,omitempty"` // median, p99 …; low or high of a ratio
	Case      string    `json:"case,omitempty"`      // name of the other case
	Arc       []string  `json:"arc,omitempty"`       // the two points of an arc, or the name of a span
}

// ReadingOf is what a number is read of.
type ReadingOf string

// A gate reads numbers of its own case, of the case's base, of another case of the suite,
// the ratio of the case to its base, the mean of such ratios over the suite, an arc between
// pegs, how a metric grows with a size, or how it drifts over the commits of a history.
const (
	OfCase  ReadingOf = "case"
	OfBase  ReadingOf = "base"
	OfOther ReadingOf = "other"
	OfRatio ReadingOf = "ratio"
	OfMean  ReadingOf = "mean"
	OfArc   ReadingOf = "arc"
	OfOrder ReadingOf = "order"
	OfTrend ReadingOf = "trend"
)

var readingsOf = []ReadingOf{OfCase, OfBase, OfOther, OfRatio, OfMean, OfArc, OfOrder, OfTrend}
