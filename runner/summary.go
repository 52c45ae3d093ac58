package runner

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// summarise describes every metric of a case that has samples, in the order of the
// metric table, and warns of what is doubtful about them.
func (t *track) summarise(allowance time.Duration) {
	c := t.result
	if c.Samples.Len() == 0 {
		if c.Status != result.Failed {
			c.Status = result.NotRun
		}
		return
	}
	if c.Status != result.Failed {
		c.Status = result.Measured
	}
	if t.overruled() {
		return
	}
	t.loopCost()
	side := t.summarised()
	for _, m := range c.Table() {
		if side.Has(m) {
			c.Metrics = append(c.Metrics, side.Summary(m))
		}
	}
	t.uncounted()
	c.Metrics = append(c.Metrics, t.passed...)
	t.describeBase()
	t.noteCollections()
	if t.Watched > 0 {
		share := min(float64(t.Waited)/float64(t.Watched), 1)
		c.Stolen = &share
	}
	t.doubts()
}

func (t *side) summarised() *summary.Side {
	return &summary.Side{Case: t.result, Iterations: t.N, Counter: t.Counter, Folds: t.folds}
}

// uncounted warns of events that were counted and are absent all the same.
func (t *side) uncounted() {
	var names []string
	for _, name := range t.spec.Counters {
		if _, there := t.Events[name]; there && t.result.Void > 0 && t.result.Summary(name) == nil {
			names = append(names, name)
		}
	}
	if names != nil {
		t.lacks(result.WarnNoCounters, names, strings.Join(names, ", ")+": each batch contains void iterations, and counts cannot leave them out (with batch: 1 it can)", "")
	}
}

// overruled fails a case of which too few iterations, or runs, count. What was
// measured of it stays, unsummarised: it would speak of the wrong ones.
func (t *track) overruled() bool {
	for _, s := range t.sides() {
		if failure := s.tooVoid(); failure != nil {
			t.fail(s.asBase(failure))
			return true
		}
	}
	return false
}

// tooVoid is the failure of a side of which too little counts, nil of others.
func (t *side) tooVoid() *result.Failure {
	c, quorum := t.result, t.spec.Settings.Quorum
	counted := float64(c.Samples.Count()) * float64(max(t.N, 1))
	all := counted + float64(c.Void)
	if c.Void == 0 || counted >= quorum*all {
		return nil
	}
	what := "iterations"
	if t.isCommand() {
		what = "runs"
	}
	return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedRejected,
		Message: fmt.Sprintf("%.0f of %.0f %s counted (%.0f%%), the others were declared void", counted, all, what, counted/all*100),
		Hint:    fmt.Sprintf("the quorum is %g%%: lower reject.quorum, or declare fewer void", quorum*100)}
}

// Limits from which a doubt is worth a footnote.
const (
	stolenShare  = 0.10 // of the time spent waiting for a CPU
	outlierShare = 0.10 // of the samples, if they also move the mean by outlierMove
	outlierMove  = 0.05
	mixedMove    = 0.01 // of the mean, by collections in some of the samples
	fewSamples   = 6    // below which a 95% interval does not exist
)

// doubts turns what is odd about the samples into warnings, each with the
// number that caused it.
func (t *track) doubts() {
	c := t.result
	time := c.Summary("time")
	if time == nil {
		return
	}
	if c.Status != result.Failed { // of which nobody wants to know how many samples it lacks
		t.doubtLength(time)
	}
	t.doubtNoise(time)
	if t.Mixed && time.Median > 0 && math.Abs(time.Mean/time.Median-1) >= mixedMove {
		t.doubt(result.WarnGCMixed, result.Say("some samples contain a garbage collection and others do not: mean ÷ median is %s", quotient(time.Mean/time.Median)),
			"an allocation regression shows in allocs, or raise sample_time")
	}
	if t.Stops > 0 {
		text, said := "%s samples were taken while the process was stopped, and count as disturbed: the longest was stopped", []any{result.Some(t.Stops, c.Samples.Count())}
		if t.Stopped > process.UnknownStop {
			text, said = text+" for %s", append(said, length(t.Stopped))
		}
		t.doubt(result.WarnStopped, result.Say(text, said...), "")
	}
	t.doubtExit()
	t.doubtIterations(time)
	t.doubtWarmup()
	t.doubtLeft()
	t.doubtRemains()
	t.explain()
}

// raise names the limit that ended a case.
func raise(stop result.Stop) string {
	switch stop {
	case result.StopSamplesMax, result.StopMaxTime, result.StopBudget:
		return "raise " + string(stop)
	case result.StopInterrupted:
		return ""
	}
	return "raise samples.min"
}

func (t *side) doubtLength(s *result.Summary) {
	c, set := t.result, &t.spec.Settings
	n := c.Samples.Count()
	if n < fewSamples && set.Sampling != "once" {
		hint := raise(c.Stop)
		if c.Stop == result.StopSamplesMax && t.spec.Origins["samples.max"] == spec.FromFlag {
			hint = fmt.Sprintf("--runs %d, or more", fewSamples)
		}
		t.doubt(result.WarnFewSamples, result.Say("no interval: it needs %d samples, and there are %s", fewSamples, result.Number(n)), hint)
	}
	if n < set.SamplesMin && (c.Stop == result.StopMaxTime || c.Stop == result.StopBudget) {
		hint := "raise " + string(c.Stop)
		if t.isGoTest() && t.Batch > 4*time.Duration(set.SampleTime) {
			hint += fmt.Sprintf(": a sample is a process of its own with %s of measured time, and most of it is the setup of the benchmark", time.Duration(set.SampleTime))
		}
		t.doubt(result.WarnCutShort, result.Say("ended by %s with %s of at least %s samples; a batch takes %s", c.Stop, result.Number(n), result.Number(set.SamplesMin), length(t.Batch)), hint)
	}
	if set.Batch == 0 && !t.isCommand() && t.N == 1 && t.Batch > time.Duration(set.TargetTime) {
		t.doubt(result.WarnSlowBody, result.Say("one iteration takes %s, longer than the target_time of %s", length(t.Batch), length(time.Duration(set.TargetTime))), "")
	}
}

// doubtExit warns of runs that --ignore-failure counts as successes: a program that cannot
// read its input is fast.
func (t *track) doubtExit() {
	codes := t.result.Summary("exit_code")
	if !t.spec.AnyExit || t.spec.Place.File != result.CommandLine || codes == nil || codes.Max == 0 {
		return
	}
	if codes.Min == codes.Max {
		t.doubt(result.WarnExitStatus, result.Say("every run ended with exit status %s, and --ignore-failure calls that a success", result.Number(int(codes.Max))), "")
		return
	}
	t.doubt(result.WarnExitStatus, result.Say("some runs ended with exit statuses up to %s, and --ignore-failure calls them successes", result.Number(int(codes.Max))), "")
}

// length is a duration in a sentence, and quotient a mean ÷ median.
func length(d time.Duration) result.Quantity {
	return result.Printed(readable(d).String(), d.Seconds(), "s")
}

func quotient(x float64) result.Quantity { return result.Printed(fmt.Sprintf("%.2f", x), x, "") }

// readable rounds to the last thousandth of its unit.
func readable(d time.Duration) time.Duration {
	for unit := time.Second; unit > time.Microsecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 1000)
		}
	}
	return d
}

func (t *side) doubtNoise(s *result.Summary) {
	c := t.result
	n := c.Samples.Len()
	if _, _, all := c.Samples.Headline("time"); all && n > 1 && 2*len(c.Samples.Disturbed) > n {
		t.doubt(result.WarnDisturbed, result.Say("%s samples were disturbed, so all of them are used", result.Some(len(c.Samples.Disturbed), n)), "quiet the machine")
	}
	if c.Stolen != nil && *c.Stolen > stolenShare {
		t.doubt(result.WarnStolen, result.Say("other work took the CPU for %s of the time", result.Printed(fmt.Sprintf("%.0f%%", *c.Stolen*100), *c.Stolen, "ratio")), "quiet the machine")
	}
	if out := s.OutliersLow + s.OutliersHigh; s.Censored == 0 && n >= 20 && s.Median > 0 && float64(out) > outlierShare*float64(n) && math.Abs(s.Mean-s.Median) > outlierMove*s.Median {
		t.doubt(result.WarnOutliers, result.Say("%s samples lie far from the others: mean ÷ median is %s", result.Some(out, s.N), quotient(s.Mean/s.Median)), "")
	}
	xs, blocks, _ := c.Samples.Headline("time")
	if change, significant := stats.Drift(stats.GroupMedians(xs, blocks)); significant && s.Bound == nil && (change > drift || change < -drift) {
		t.doubt(result.WarnDrift, result.Say("the time moved by %s from the first to the last block", result.Printed(signed(change), change, "ratio")), "a longer warmup, or a machine that gets hot")
	}
}

// signed is a change in percent with its sign, the minus of all reports.
func signed(change float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f%%", change*100), "-", "−", 1)
}

// drift below this share is not worth a word.
const drift = 0.02
