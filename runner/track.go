package runner

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/review"
	"example.com/suite/runner/sample"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
)

// track is a case on its way through a run: the case itself, which is a side, and the base
// of its pairs, which is another. What both sides have in common is here.
type track struct {
	result *result.Case // of its own side, with the pairs
	target *target.Target
	own    *side
	base   *side // the other side of the pairs, nil without a base
	guard  bool  // it is the sentinel, and not a case
	drawn  bool  // each launch runs new files in new layouts

	files []string // of both sides, that are placed anew in memory for each block

	open   int // gates that more samples may decide
	pacing pacing
	done   bool
	counts countingPace    // of its instructions
	final  bool            // it was finished before: nothing is left to do
	stale  bool            // pairs were taken with the setups that both sides have now
	broken *result.Failure // why what it needs could not be set up

	reported time.Duration // by hosts, for its blocks
	again    int           // passes made again because the process was stopped

	keptFailure bool // the journal has the failure of the case
}

// side is one of the two programs of a comparison, or the only one of a case without a
// base: what is asked of it, the host that it is prepared in, and its samples.
type side struct {
	of       *track // the case that it is a side of
	target   *target.Target
	result   *result.Case
	services []*sharedService
	remote   *remote // the host that it is prepared in; another one means: prepare again
	expects  *remote // the host that knows what the command has to print
	file     string  // that an existing benchmark runs from, empty for its program
	resumed  bool    // it had blocks before the run was interrupted, and has not been prepared again

	series sample.Series
}

// remote is a host that cases are measured in.
type remote struct {
	*client.Client
	user  *side // whose code ran last in it
	procs int   // GOMAXPROCS
}

func newTrack(plan *spec.Plan, c *spec.Case) *track {
	t := new(track)
	t.own = newSide(t, plan, c)
	t.result, t.target = t.own.result, t.own.target
	switch t.result.Status {
	case result.LeftOut:
		t.result.Warn(result.WarnNoProgram, "skipped: "+t.result.MissingText(),
			"install it; --skip NAME leaves a case out of a run")
		t.final, t.done = true, true
	case result.Unaffected:
		t.final, t.done = true, true
	}
	return t
}

// newSide makes a side of a case that runs c.
func newSide(of *track, plan *spec.Plan, c *spec.Case) *side {
	s := &side{of: of, series: sample.NewSeries(target.Target{Plan: plan, Spec: c})}
	s.target, s.result = &s.series.Target, s.series.Result
	return s
}

// enter notes the host that a side is prepared in, nil for none.
func (s *side) enter(r *remote) {
	s.remote, s.series.Host = r, nil
	if r != nil {
		s.series.Host = r.Client
	}
}

// request prepares a side in a host.
func (s *side) request() *wire.Request {
	if s.target.IsGoTest() {
		return &wire.Request{Op: "prepare", GoTest: s.target.GoTest(s.file)}
	}
	if s.target.IsHarnessed() {
		return &wire.Request{Op: "prepare", Harness: s.target.Harnessed()}
	}
	if s.target.IsCommand() {
		return &wire.Request{Op: "prepare", Command: s.target.Command(s.series.Runs)}
	}
	f := s.target.Function()
	f.Long = s.series.Span(s.series.Sized) > wire.LongBatch
	if s.series.Thread != "" {
		f.Thread = s.series.Thread // decided in the first launch and kept
	}
	return &wire.Request{Op: "prepare", Function: f}
}

// stalled ends a host that no longer runs batches, and returns why as a failure.
func (r *remote) stalled(stopped bool) *result.Failure {
	if !stopped {
		return r.Breach("run", "no batch was run")
	}
	r.Kill()
	return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedSignal, Signal: "SIGINT",
		Message: "the host process was interrupted",
		Hint:    "does the benchmark send SIGINT to its own process?"}
}

// pairUp sets the bases of the cases.
func pairUp(plan *spec.Plan, tracks []*track) {
	byName := make(map[string]*spec.Case, len(plan.Cases))
	for i := range plan.Cases {
		byName[plan.Cases[i].Name] = &plan.Cases[i]
	}
	for _, t := range tracks {
		if len(t.target.Spec.Missing) > 0 {
			continue
		}
		if base := byName[t.target.Spec.Base]; base != nil {
			t.pairWith(plan, base)
		} else if t.target.Spec.Other != nil {
			t.pairWithOther(t.target.Spec.Other)
		}
	}
}

// pairWith makes the base of a case: a side of its own, in addition to the track that
// the base has as a case. What is run (function, program, environment, threads) is the
// base's, and how it is measured the case's, so that both sides are alike. Its setup
// and cleanup hooks belong to the window's own track of the base.
func (t *track) pairWith(plan *spec.Plan, base *spec.Case) {
	b, own := *base, base.Settings
	b.Settings, b.Counters, b.Pegs, b.PegPoints = t.target.Spec.Settings, t.target.Spec.Counters,
		t.target.Spec.Pegs, t.target.Spec.PegPoints
	b.NoWitness, b.Callgrind = t.target.Spec.NoWitness, t.target.Spec.Callgrind
	b.Settings.Timeout, b.Settings.Thread, b.Settings.Parallel, b.Settings.Quorum = own.Timeout, own.Thread,
		own.Parallel, own.Quorum
	t.base = newSide(t, plan, &b)
	t.target.Paired, t.base.target.Paired, t.base.target.Of = true, true, t.target
	t.result.Pairs = &result.Pairs{Base: base.Name, First: []int{}, Samples: result.NoSamples(),
		Busy: result.BusyMiddle}
}

// pairWithOther sets the side of a case in another tree. That side is the case as the
// other plan has it, with its folder, its program and its hooks.
func (t *track) pairWithOther(other *spec.Other) {
	b := other.Case
	b.Timer = t.target.Spec.Timer
	t.pairWith(other.Plan, &b)
	t.base.target.Tree = other.Name
	t.result.Pairs.Base, t.result.Pairs.Tree = nameThere(t.target.Spec), other.Name
	t.placeable()
}

// nameThere is what a case is called in the other tree.
func nameThere(c *spec.Case) string {
	if c.Counterpart != nil {
		return cmp.Or(c.Counterpart.Name, c.Other.Case.Name)
	}
	return c.Other.Case.Name
}

// What is placed anew for each block of pairs, both sides together. Dropping and reading 4 MB took
// 7 ms here.
const (
	mostPlacedBytes = 256 << 20
	mostPlacedFiles = 2000
)

// placeable chooses the files of both sides that are placed anew in memory for each block, the
// smallest first. A file that only one side has is not among them.
func (t *track) placeable() {
	type both struct {
		files [2]string
		size  int64
	}
	var all []both
	for _, files := range t.target.Spec.Other.Files {
		own, err := os.Stat(files[0])
		base, errBase := os.Stat(files[1])
		if err == nil && errBase == nil && own.Mode().IsRegular() && base.Mode().IsRegular() &&
			!os.SameFile(own, base) {
			all = append(all, both{files, own.Size() + base.Size()})
		}
	}
	slices.SortStableFunc(all, func(a, b both) int { return cmp.Compare(a.size, b.size) })
	left := int64(mostPlacedBytes)
	for i, one := range all {
		if left -= one.size; left < 0 || i >= mostPlacedFiles/2 {
			t.result.WarnOnce(result.WarnKeptFiles,
				fmt.Sprintf("%s that it reads stay where they are in memory, which may make one side faster: more "+
					"than %s, or %d files, would take too long",
					units.Plural(len(all)-i, "file"), units.Format(mostPlacedBytes, "B"), mostPlacedFiles), "")
			break
		}
		t.files = append(t.files, one.files[:]...)
	}
	t.result.Pairs.Placed = len(t.files)
}

// agree has the samples of both sides of a benchmark that times itself taken alike. Processes that stay need launches,
// of which each is one observation.
func (t *track) agree() {
	alone := t.base != nil && (!t.drawn && t.target.IsGoTest() || t.target.Stays() != t.base.target.Stays())
	for _, s := range t.sides() {
		s.target.Alone = alone
		switch {
		case !s.target.TimesItself():
		case s.target.Stays():
			s.result.Settings.Isolate = result.IsolateLaunch
		default:
			s.result.Settings.Isolate = result.IsolateSample
		}
	}
}

// sides are those that take the time of a case: its own, and its base's.
func (t *track) sides() []*side {
	if t.base == nil {
		return []*side{t.own}
	}
	return []*side{t.own, t.base}
}

// sideOf returns the side that has an id in its host.
func (t *track) sideOf(id int) *side {
	if id == t.base.series.ID {
		return t.base
	}
	return t.own
}

// baseSeries is nil without a base.
func (t *track) baseSeries() *sample.Series {
	if t.base == nil {
		return nil
	}
	return &t.base.series
}

// isApart reports whether the sides of a case live in two hosts, which take turns batch by
// batch: Go functions of two trees. Commands of two trees are started by one.
func (t *track) isApart() bool {
	return t.base != nil && t.base.target.Tree != "" && !t.target.IsCommand()
}

// isRelaunched reports whether a case starts new hosts, new files or new processes that stay, in each round.
func (t *track) isRelaunched() bool {
	return t.isApart() || t.drawn || t.base != nil && t.target.Stays()
}

// isPlaced reports whether the pairs of a block of commands share what was drawn for the block: where
// the files that they read are in memory. Functions have launches, which are drawn alike.
func (t *track) isPlaced() bool {
	return t.target.IsCommand() && !t.isRelaunched() && t.result.Pairs != nil && t.result.Pairs.Placed > 0
}

// isRenewed reports whether something is drawn anew in each round of a case, so that a block
// costs more than its pairs.
func (t *track) isRenewed() bool { return t.isRelaunched() || t.isPlaced() }

// wantsSentinel reports whether the suite file asks for the sentinel: then it takes the time that
// its verdict takes, as a case does, and not a share of what others take.
func (t *track) wantsSentinel() bool {
	wanted := t.target.Plan.Errors.Sentinel
	return wanted != nil && *wanted
}

// guarded is the case that a sentinel is a copy of.
func (t *track) guarded() string {
	return (&result.Sentinel{Case: *t.result}).Of()
}

// take takes the readings of a block, which began at a time of the run.
func (t *track) take(r *wire.Readings, discard int, at time.Duration) {
	t.answered(r)
	t.own.reports(r)
	t.own.series.Shared = t.isRenewed()
	t.own.series.Take(r, discard, at)
}

// takePairs takes the readings of a block of so many pairs.
func (t *track) takePairs(pairs int, r *wire.Readings, discard int, at time.Duration) {
	t.answered(r)
	for _, s := range t.sides() {
		s.reports(r)
		s.series.Shared = t.isRenewed()
	}
	sample.TakePairs(&t.own.series, &t.base.series, r, pairs, discard, at)
}

// spent is what both sides have taken.
func (t *track) spent() (sum time.Duration) {
	for _, s := range t.sides() {
		sum += s.series.Used
	}
	return sum
}

// charged shares out time that belongs to no batch.
func (t *track) charged(d time.Duration) {
	sides := t.sides()
	for _, s := range sides {
		s.series.Used += d / time.Duration(len(sides))
	}
}

// fail ends a case that could not be measured; its samples are kept.
func (t *track) fail(f *result.Failure) {
	if t.result.Status != result.Failed { // the first reason is the one
		t.result.Status, t.result.Failure = result.Failed, f
	}
	t.done = true
}

// failOrStop records a failure, unless it only comes from an interrupt.
func (t *track) failOrStop(ctx context.Context, failure *result.Failure) {
	if ctx.Err() != nil {
		t.stop(result.StopInterrupted)
		return
	}
	t.fail(failure)
}

func (t *track) stop(why result.Stop) {
	t.result.Stop, t.done = why, true
}

// summarise ends a case that has its samples.
func (t *track) summarise() {
	if failure := (review.Case{Result: t.result, Own: &t.own.series,
		Base: t.baseSeries()}).Summarise(); failure != nil {
		t.fail(failure)
	}
}
