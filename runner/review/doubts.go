package review

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/process"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// Limits from which a doubt is mentioned.
const (
	stolenShare  = 0.10 // of the time spent waiting for a CPU
	outlierShare = 0.10 // of the samples, if they also move the mean by outlierMove
	outlierMove  = 0.05
	mixedMove    = 0.01 // of the mean, by collections in some of the samples
	fewSamples   = 6    // below which a 95% interval does not exist
	drift        = 0.02 // of the time, from the first to the last block
)

// doubts turns what is odd about the samples into warnings, each with the
// number that caused it.
func (v Case) doubts() {
	c := v.Result
	time := c.Summary("time")
	if time == nil {
		return
	}
	if c.Status != result.Failed { // nobody wants to know how many samples a failed case lacks
		v.doubtLength()
	}
	v.doubtNoise(time)
	if v.Own.Mixed && time.Median > 0 && math.Abs(time.Mean/time.Median-1) >= mixedMove {
		v.Result.WarnWith(result.WarnGCMixed,
			result.Say("some samples contain a garbage collection and others do not: mean ÷ median is %s",
				quotient(time.Mean/time.Median)),
			"an allocation regression shows in allocs, or raise sample_time")
	}
	v.doubtStops()
	v.doubtArrivals()
	v.doubtExit()
	v.doubtIterations(time)
	v.doubtWarmup()
	v.doubtLeft()
	v.doubtRemains()
	v.explainSlowest()
}

// raise returns a hint to raise the limit that ended a case.
func raise(stop result.Stop) string {
	switch stop {
	case result.StopSamplesMax, result.StopMaxTime, result.StopBudget:
		return "raise " + string(stop)
	case result.StopInterrupted:
		return ""
	}
	return "raise samples.min"
}

func (v Case) doubtLength() {
	c, set := v.Result, &v.Own.Target.Spec.Settings
	n := c.Samples.Count()
	if n < fewSamples && set.Sampling != "once" {
		hint := raise(c.Stop)
		if c.Stop == result.StopSamplesMax && v.Own.Target.Spec.Origins["samples.max"] == spec.FromFlag {
			hint = fmt.Sprintf("--runs %d, or more", fewSamples)
		}
		v.Result.WarnWith(result.WarnFewSamples,
			result.Say("no interval: it needs %d samples, and there are %s", fewSamples, result.Number(n)), hint)
	}
	if n < set.SamplesMin && (c.Stop == result.StopMaxTime || c.Stop == result.StopBudget) {
		hint := "raise " + string(c.Stop)
		if goal := time.Duration(set.Benchtime.Time); v.Own.Target.IsGoTest() && goal > 0 && v.Own.Batch > 4*goal {
			before := "the start of a process and what the benchmark prepares"
			if v.Own.Target.Stays() {
				before = "the start of its process, what the benchmark prepares, and a collection"
			}
			hint += fmt.Sprintf(": of a sample %s at most are timed, and most of it is what comes before: %s", goal,
				before)
		}
		said := result.Say("ended by %s with %s of at least %s samples; a batch takes %s", c.Stop, result.Number(n),
			result.Number(set.SamplesMin), length(v.Own.Batch))
		if n == 1 && v.Own.Used > v.Own.Target.OwnTime() {
			said = result.Say("took %s, longer than %s: a batch takes %s, and one is measured after the warm-up "+
				"in any case", length(v.Own.Used), c.Stop, length(v.Own.Batch))
		}
		v.Result.WarnWith(result.WarnCutShort, said, hint)
	}
	if set.Batch == 0 && !v.Own.Target.IsCommand() && !v.Own.Target.HasArrivals() && v.Own.N == 1 &&
		v.Own.Batch > time.Duration(set.TargetTime) {
		v.Result.WarnWith(result.WarnSlowBody, result.Say("one iteration takes %s, longer than the target_time of %s",
			length(v.Own.Batch), length(time.Duration(set.TargetTime))), "")
	}
}

// length is a duration in a sentence, and quotient a mean ÷ median.
func length(d time.Duration) result.Quantity { return result.Amount(d.Seconds(), "s") }

func quotient(x float64) result.Quantity { return result.Printed(fmt.Sprintf("%.2f", x), x, "") }

func (v Case) doubtNoise(s *result.Summary) {
	c := v.Result
	n := c.Samples.Len()
	if _, _, all := c.Samples.Headline("time"); all && n > 1 && 2*len(c.Samples.Disturbed) > n {
		v.Result.WarnWith(result.WarnDisturbed, result.Say("%s samples were disturbed, so all of them are used",
			result.Some(len(c.Samples.Disturbed), n)), "quiet the machine")
	}
	if c.Stolen != nil && *c.Stolen > stolenShare {
		v.Result.WarnWith(result.WarnStolen, result.Say("other work took the CPU for %s of the time",
			result.Printed(fmt.Sprintf("%.0f%%", *c.Stolen*100), *c.Stolen, "ratio")), "quiet the machine")
	}
	if out := s.OutliersLow + s.OutliersHigh; s.Censored == 0 && n >= 20 && s.Median > 0 &&
		float64(out) > outlierShare*float64(n) && math.Abs(s.Mean-s.Median) > outlierMove*s.Median {
		v.Result.WarnWith(result.WarnOutliers, result.Say("%s samples lie far from the others: mean ÷ median is %s",
			result.Some(out, s.N), quotient(s.Mean/s.Median)), "")
	}
	xs, blocks, _ := c.Samples.Headline("time")
	if change, significant := stats.Drift(stats.GroupMedians(xs, blocks)); significant && s.Bound == nil &&
		(change > drift || change < -drift) {
		v.Result.WarnWith(result.WarnDrift, result.Say("the time moved by %s from the first to the last block",
			result.Printed(signed(change), change, "ratio")), "a longer warmup, or a machine that gets hot")
	}
}

// signed is a change in percent with its sign, the minus of all reports.
func signed(change float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f%%", change*100), "-", "−", 1)
}

// doubtStops warns of samples during which a signal had stopped the process.
func (v Case) doubtStops() {
	if v.Own.Stops == 0 {
		return
	}
	text := "%s samples were taken while the process was stopped, and count as disturbed: the longest was stopped"
	values := []any{result.Some(v.Own.Stops, v.Result.Samples.Count())}
	if v.Own.Stopped > process.UnknownStop {
		text += " for %s"
		values = append(values, length(v.Own.Stopped))
	}
	v.Result.WarnWith(result.WarnStopped, result.Say(text, values...), "")
}

// doubtExit warns of runs that --ignore-failure counts as successes: a program that cannot
// read its input is fast.
func (v Case) doubtExit() {
	codes := v.Result.Summary("exit_code")
	if !v.Own.Target.Spec.AnyExit || v.Own.Target.Spec.Place.File != result.CommandLine ||
		codes == nil || codes.Max == 0 {
		return
	}
	if codes.Min == codes.Max {
		v.Result.WarnWith(result.WarnExitStatus,
			result.Say("every run ended with exit status %s, and --ignore-failure calls that a success",
				result.Number(int(codes.Max))), "")
		return
	}
	v.Result.WarnWith(result.WarnExitStatus,
		result.Say("some runs ended with exit statuses up to %s, and --ignore-failure calls them successes",
			result.Number(int(codes.Max))), "")
}

// leastIteration is shorter than any iteration that does something: a core begins at
// most some six iterations of an empty loop in a nanosecond, and loops over b.N and
// b.Loop are not unrolled.
const leastIteration = 0.1e-9

// doubtIterations warns of a benchmark whose time is too short for its iterations, on
// all processors that it may use: it has done its work only once.
func (v Case) doubtIterations(s *result.Summary) {
	if !v.Own.Target.TimesItself() || v.Own.N <= 1 ||
		s.Median*v.Result.Work*float64(v.Own.Target.Procs()) >= leastIteration {
		return
	}
	v.Result.WarnWith(result.WarnNoIterations, result.Say("%s for an iteration, of %s: no loop is that fast",
		result.Amount(s.Median*v.Result.Work, "s"), result.Number(v.Own.N)),
		"does it do its work b.N times? for b.Loop() { … }")
}

// doubtWarmup warns of killed runs that are no samples.
func (v Case) doubtWarmup() {
	if before := v.Own.Killed - len(v.Result.Samples.Censored); before > 0 {
		v.Result.WarnWith(result.WarnKilledWarmup,
			result.Say("runs that were thrown away to warm up were killed after the timeout of %v: %s",
				time.Duration(v.Own.Target.Spec.Settings.Timeout),
				result.Some(before, v.Own.Runs-v.Result.Samples.Len())), "")
	}
}

// doubtLeft warns of processes that outlived the runs of a case.
func (v Case) doubtLeft() {
	if v.Own.Leaked == 0 {
		return
	}
	who := "it"
	if v.Base != nil { // a block of pairs counts both sides' processes
		who += " or " + v.Base.Target.BaseName()
	}
	names := ""
	if len(v.Own.Left) > 0 {
		names = " (" + strings.Join(v.Own.Left, "; ") + ")"
	}
	v.Result.WarnWith(result.WarnLeaked, result.Say("%s left processes running, which were killed: %s%s", who,
		result.Number(v.Own.Leaked), names), "end them in the command, or in conclude")
}

// doubtRemains warns of folders in which at least as many files appeared as runs were
// made: then each run leaves one more, and later ones find a fuller folder. A few files
// may come from any other program of the same user.
func (v Case) doubtRemains() {
	for _, r := range v.Own.Remains {
		if v.Own.Looked < 2 || r.Count < v.Own.Looked {
			continue
		}
		names := strings.Join(r.Names, ", ")
		if r.Count > len(r.Names) {
			names += ", …"
		}
		v.Result.WarnWith(result.WarnFiles, result.Say("%s files appeared in %s during %s runs, and stayed: %s",
			result.Number(r.Count), r.Dir, result.Number(v.Own.Looked), names),
			"remove them in the command, or in conclude")
	}
}

// Limits from which the slowest run of a command is explained.
const (
	explainFrom  = 10  // runs: with fewer nobody knows what is usual
	explainSlow  = 2.0 // times the median
	explainShare = 0.5 // of what it took longer, by one cause
)

// explainSlowest warns why the slowest run of a command took so much longer than usual, if
// that is known. The run is an outlier whether the headline includes it or not.
func (v Case) explainSlowest() {
	s := &v.Result.Samples
	walls := s.Columns["wall"]
	if !v.Own.Target.IsCommand() || v.Own.Folds != nil || len(walls) < explainFrom {
		return
	}
	run := slowRun{samples: s, row: slowest(walls), units: v.Own.Units(1)}
	usual := stats.Median(walls.Present())
	if run.row < 0 || slices.Contains(s.Censored, run.row) || walls[run.row] < explainSlow*usual {
		return
	}
	causes := run.causes()
	if len(causes) == 0 {
		return
	}
	values := []any{result.Amount(run.ofRun("wall", walls[run.row]), "s"), result.Amount(run.ofRun("wall", usual), "s")}
	var formats []string
	for _, cause := range causes {
		formats = append(formats, cause.format)
		values = append(values, cause.much)
	}
	v.Result.WarnWith(result.WarnSlowest,
		result.Say("the slowest run took %s, usually %s: it"+strings.Join(formats, ", and"), values...), "")
}

// slowRun is the slowest run of a command.
type slowRun struct {
	samples *result.Samples
	row     int     // -1 if no run has a time
	units   float64 // of work that a run does
}

// slowness is why a run took longer: a format with one verb, and the value that it prints.
type slowness struct {
	format string
	much   any
}

// slowest is the row with the greatest number, -1 for none.
func slowest(column result.Column) int {
	found := -1
	for i, x := range column {
		if x == x && (found < 0 || x > column[found]) {
			found = i
		}
	}
	return found
}

// causes lists why a run took longer than usual. A time is a cause if it explains at least
// half of the difference; page faults that waited for a disk do not show for how long, so
// any unusual number of them is a cause.
func (r slowRun) causes() (all []slowness) {
	i, marked := slices.BinarySearchFunc(r.samples.Disturbed, r.row, func(d result.Disturbed, row int) int {
		return d.Index - row
	})
	if marked && r.samples.Disturbed[i].Cause == result.Stopped {
		return []slowness{{" was %s", r.samples.Disturbed[i].String()}}
	}
	longer := r.unusual("wall")
	for _, cause := range []struct{ metric, format string }{
		{"wait", " waited %s for a CPU"},
		{"tree_wait", ", or what started it, waited %s for a CPU"},
		{"cpu", " used %s more CPU time"},
	} {
		if more := r.unusual(cause.metric); more >= explainShare*longer && len(all) == 0 {
			all = append(all, slowness{cause.format, result.Amount(more, "s")})
		}
	}
	if more := r.unusual("major_faults"); more > 0 {
		all = append(all, slowness{" had %s page faults more that waited for a disk",
			result.Printed(fmt.Sprintf("%.0f", more), more, "")})
	}
	return all
}

// unusual is how much more of a metric the whole run has than the median run, 0 if that is
// not known.
func (r slowRun) unusual(metric string) float64 {
	column := r.samples.Columns[metric]
	if column == nil || column[r.row] != column[r.row] {
		return 0
	}
	return r.ofRun(metric, column[r.row]-stats.Median(column.Present()))
}

// ofRun turns a number of a column into a number of a whole run: some columns are for
// one unit of work, others, such as wait, for the run.
func (r slowRun) ofRun(metric string, x float64) float64 {
	if sample.PerUnit[metric] {
		return x * r.units
	}
	return x
}

// doubtArrivals warns of sides whose iterations are due faster than they end.
func (v Case) doubtArrivals() {
	for _, s := range v.sides() {
		l := s.Result.Latency
		if l == nil || !l.Arrivals.Saturated() {
			continue
		}
		a := l.Arrivals
		v.Result.WarnWith(result.WarnSaturated,
			result.Say("%siterations are due faster than they end: at %s the utilization is %s, and latencies grow "+
				"as long as one measures",
				s.Target.OfBase(), result.Printed(units.Format(a.Rate, "1/s"), a.Rate, "1/s"),
				result.Printed(units.Format(a.Utilization, result.Percent), a.Utilization, "ratio")),
			fmt.Sprintf("fewer arrivals: it serves %s", units.Format(a.Achieved, "1/s")))
	}
}
