package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/callgrind"
	"example.com/suite/runner/draw"
	"example.com/suite/stats"
)

// Instructions can be counted without a counter of the processor: valgrind executes the program, about fifty times as
// slowly, and counts exactly. Each run is a new process, because a process draws by chance what its hash tables and its
// addresses are. Runs are not timed, so several of them run at the same time.

const (
	// countingShare is the part of max_time that the runs of a case may take if max_time is over.
	countingShare = 4
	// leastRunTime is what a single run may take.
	leastRunTime = 2 * time.Second
)

// counting counts the instructions of some cases of a window.
type counting struct {
	run    *run
	rig    *rig
	all    []*countedCase
	images *binary.Images // of runs with drawn places, which no launch has had
}

// countedCase is a case while its instructions are counted.
type countedCase struct {
	track      *track
	sides      []*countedSide
	iterations int             // of a run
	warms      bool            // each process runs one iteration before the run that counts
	drawn      bool            // each process has functions, data and heap at places of its own
	fixed      bool            // they cannot be drawn
	apart      bool            // its first runs differ, and it had no more at the same places
	unplaced   bool            // too few such processes were counted, and its runs are those before
	failed     *result.Failure // why it is not counted further
	gaveUp     atomic.Bool     // the same, known to all jobs at once
}

// countedSide is one side of a case, with the runs of it.
type countedSide struct {
	*side
	of    *countedCase
	limit time.Duration // of its next run
	known bool          // what its host knows of it is in the result
	countedRuns
	before countedRuns // those before places were drawn
}

// countedRuns are runs of a side.
type countedRuns struct {
	runs      []float64          // instructions of one unit of work
	functions map[string]float64 // of one unit of work, in the last run
}

// count counts the instructions of the cases of a window that ask for it, until more runs cannot decide their gates or
// their time is over. If samples have been taken, what goes wrong is a doubt and no failure of the case.
func (w *window) count(ctx context.Context) {
	c := &counting{run: w.run, rig: w.rig}
	c.images = binary.NewImages(w.run.options.Link, w.run.options.Binaries, math.MaxInt) // none is removed before the end
	defer c.images.Remove()
	for _, t := range w.rig.tracks {
		if !w.isCounted(t) {
			continue
		}
		one := &countedCase{track: t, iterations: 1}
		t.counts.until = max(t.timeOfSides(w.rig.allowance), t.spent()+t.timeOfSides(0)/countingShare)
		for _, s := range t.sides() {
			one.sides = append(one.sides, &countedSide{side: s, of: one})
		}
		c.all = append(c.all, one)
	}
	c.share()
	if len(c.all) == 0 || ctx.Err() != nil {
		return
	}
	for _, one := range c.all {
		one.wants(firstLook())
		if c.hasFailed(one.track) {
			one.apart, one.track.counts.isOver = true, true
		}
	}
	c.run.progress(c.all[0].track, "count")
	var links sync.WaitGroup
	first := c.firstImages()
	links.Go(func() { _ = c.images.LinkAll(ctx, first) }) // drawPlaces asks for some of them again
	c.size(ctx)                                           // which takes one CPU if there is one program
	links.Wait()
	c.glance(ctx)
	c.runAll(ctx)
	c.drawPlaces(ctx)
	c.runAll(ctx)
	for _, one := range c.all {
		one.finish(ctx)
	}
}

// runAll runs the sides of all cases that are not over until they are.
func (c *counting) runAll(ctx context.Context) {
	for look := firstLook(); look > 0 && ctx.Err() == nil && !c.run.killed(); look = c.nextLook() {
		c.runUntil(ctx, look)
	}
}

// hasFailed reports whether the time has decided a case whose places can be drawn, and a gate fails. Its sides most
// likely differ in instructions, too, so it has no runs at the same places.
func (c *counting) hasFailed(t *track) bool {
	unsettled := c.run.options.Unsettled
	return t.result.Stop == result.StopDecided && c.run.isLinked(t) && unsettled != nil && unsettled(t.result)
}

// glanced is the number of runs of each side after which a case leaves that is to be counted anew.
const glanced = 2

// glance runs the sides a few times, if places can be drawn. A case that seems to differ has no more runs at the same
// places: they would not be judged. If it differs by chance, the runs at other places show that. They have time of their
// own, so a case of which the time is over has them too.
func (c *counting) glance(ctx context.Context) {
	if !slices.ContainsFunc(c.all, func(one *countedCase) bool { return c.run.isLinked(one.track) }) {
		return
	}
	c.runUntil(ctx, glanced)
	for _, one := range c.all {
		if one.failed == nil && c.run.isLinked(one.track) && one.seemsApart() {
			one.tell()
			one.apart, one.track.counts.isOver = true, true
		}
	}
}

// share lets a command that is the base of others be counted once for all of them. Functions and existing benchmarks
// have iterations, and the same number on both sides.
func (c *counting) share() {
	for _, one := range c.all {
		base := c.rig.ownTrack(one.track)
		if base == nil || !base.target.IsCommand() || base.target.TimesItself() {
			continue
		}
		if at := slices.IndexFunc(c.all, func(o *countedCase) bool { return o.track == base }); at >= 0 {
			one.sides[1] = c.all[at].sides[0]
		}
	}
}

func (w *window) isCounted(t *track) bool {
	if t.guard || t.final || t.broken != nil || t.result.Status == result.Failed || w.run.killed() {
		return false
	}
	switch {
	case t.result.JudgedByInstructions():
		return !t.done
	case t.result.Samples.Len() == 0:
		return false
	}
	return t.target.Spec.Callgrind || w.wantsSecondOpinion(t)
}

// wantsSecondOpinion reports whether the instructions of a case are counted unasked: its gates on a comparison are
// undecided or fail, and the pairs do not have instructions. If there is no valgrind, that is the reason.
func (w *window) wantsSecondOpinion(t *track) bool {
	unsettled := w.run.options.Unsettled
	if unsettled == nil || t.base == nil || t.target.Spec.NoWitness || t.target.HasArrivals() ||
		t.result.Clock == simulatedClock ||
		t.result.Samples.Column(result.Instructions) != nil || !unsettled(t.result) {
		return false
	}
	if _, err := callgrind.Argv("", callgrind.Processes); err != nil {
		lacksSecondOpinion(t.result.Pairs, err.Error())
		return false
	}
	return true
}

// lacksSecondOpinion records why valgrind has not counted the instructions of both sides, after the reason why the
// pairs do not have them.
func lacksSecondOpinion(p *result.Pairs, why string) {
	if p.NoInstructions != "" {
		why = p.NoInstructions + "; " + why
	}
	p.NoInstructions = why
}

// simulatedClock is the clock of tests. Programs take no time by it.
const simulatedClock = "fake"

// firstLook is the number of runs of each side after which the gates are asked first.
func firstLook() int { return stats.NextLevelLook(0, result.WithinAlpha) }

// nextLook asks the gates, and returns the number of runs of each side after which they are asked again, 0 if none is
// open. Cases that are decided, or whose time is over, leave.
func (c *counting) nextLook() (next int) {
	for _, one := range c.all {
		if !one.goesOn() {
			continue
		}
		one.tell()
		taken := len(one.sides[0].runs)
		if taken == 0 || !c.isOpen(one, taken) || c.isCountedAnew(one) {
			one.track.counts.isOver = true
			continue
		}
		look := min(stats.NextLevelLook(taken, result.WithinAlpha), stats.NextLevelLook(taken, one.track.alpha()))
		if next == 0 || look < next {
			next = look
		}
	}
	return next
}

// isOpen reports whether more runs than those that were taken could decide something. A second opinion has as many as
// an alarm needs at least. A case that seems better goes on although its gates have passed: whoever made it better
// wants to see that.
func (c *counting) isOpen(one *countedCase, taken int) bool {
	t, steer := one.track, c.run.options.Steer
	if steer == nil || t.base == nil {
		return false
	}
	if t.result.JudgedByInstructions() || t.target.Spec.Callgrind {
		open, _ := steer.Open(t.result)
		return open > 0 || one.seemsBetter()
	}
	return t.target.Spec.Settings.WhenUndecided == result.JudgeInstructions && taken < stats.NextLevelLook(0, t.alpha())
}

// seemsBetter reports whether the interval of the ratio is below the tolerance, and fewer runs were taken than it takes
// to call the case better, with the error that gates have.
func (one *countedCase) seemsBetter() bool {
	own, base := one.sides[0].runs, one.sides[1].runs
	limit := 1 / (1 + one.track.target.Spec.Settings.Tolerance)
	at, err := stats.LevelBounds(base, own, result.WithinAlpha)
	return err == nil && at.High < limit &&
		stats.LevelSide(base, own, limit, result.WithinAlpha, one.track.alpha()) == stats.Undecided
}

// differs reports whether it was shown that the sides differ, by more than the tolerance of the case or so much that a
// gate does not pass.
func (c *counting) differs(one *countedCase) bool {
	if len(one.sides) < 2 {
		return false
	}
	at, err := stats.LevelBounds(one.sides[1].runs, one.sides[0].runs, result.WithinAlpha)
	if err != nil || at.Low <= 1 && at.High >= 1 {
		return false
	}
	limit := 1 + one.track.target.Spec.Settings.Tolerance
	return at.Low > limit || at.High < 1/limit ||
		c.run.options.Unsettled != nil && c.run.options.Unsettled(one.track.result)
}

// seemsApart reports whether each of the few runs of a side differs from each of the other by more than the tolerance.
func (one *countedCase) seemsApart() bool {
	own, base := one.sides[0].runs, one.sides[1].runs
	limit := 1 + one.track.target.Spec.Settings.Tolerance
	return min(len(own), len(base)) >= glanced &&
		(slices.Min(own) > limit*slices.Max(base) || slices.Min(base) > limit*slices.Max(own))
}

// isCountedAnew reports whether places are to be drawn for a case: its sides differ. More runs at the same places do
// not change that.
func (c *counting) isCountedAnew(one *countedCase) bool {
	return !one.drawn && !one.fixed && c.run.isLinked(one.track) && (one.apart || c.differs(one))
}

// drawPlaces begins the cases anew whose sides differ, if both are Go programs. Where functions and data are decides
// what Go's assembly executes, and a string that is added anywhere moves them, in all runs of one side: strings.Index
// takes four times as many instructions if what it looks for is at the end of a page. So what differs is counted once
// more with other places in each run, and these runs alone are judged. If nothing else differs, they differ by chance.
// They may take max_time once more: links and a count are needed where the first count may have used it up. If there
// are too few of them, the result keeps the runs before, which are not judged.
func (c *counting) drawPlaces(ctx context.Context) {
	var anew []*countedCase
	var first []binary.Image
	for _, one := range c.all {
		if !c.isCountedAnew(one) {
			continue
		}
		anew = append(anew, one)
		if one.failed == nil {
			first = append(first, c.missing(one, 1)...)
		}
	}
	goesOn := func() bool { return ctx.Err() == nil && !c.run.killed() }
	if goesOn() {
		_ = c.images.LinkAll(ctx, first) // go is asked how it links, which no case pays for; an ended context is seen below
	}
	for _, one := range anew {
		if why := c.fixedPlaces(one); why != "" && goesOn() {
			one.track.result.WarnOnce(result.WarnFixedLayout, "all its runs have functions and data at the same places, "+
				"which may be all that differs: "+why, "")
			one.fixed, one.track.counts.isOver = true, false // its gates may need more runs
			continue
		}
		one.drawn = true
		for _, s := range one.sides {
			s.before, s.countedRuns = s.countedRuns, countedRuns{}
		}
		if t := one.track; one.failed == nil && goesOn() {
			t.result.Counted, t.result.Pairs.Counted = nil, nil
			t.counts = countingPace{until: max(t.counts.until, t.spent()+t.timeOfSides(0))}
		}
	}
}

// firstImages are what is still to be linked for the cases that are counted at drawn places in any case.
func (c *counting) firstImages() (all []binary.Image) {
	for _, one := range c.all {
		if one.apart {
			all = append(all, c.missing(one, firstLook())...)
		}
	}
	return all
}

// missing are what the first runs of a case with drawn places run from, as far as no launch has run from it.
func (c *counting) missing(one *countedCase, runs int) (all []binary.Image) {
	for _, s := range one.sides {
		for round := range runs {
			if i := c.imageOf(s, round); c.run.images.Linked(i) == "" {
				all = append(all, i)
			}
		}
	}
	return all
}

// imageOf is what a run of a side with drawn places runs from.
func (c *counting) imageOf(s *countedSide, round int) binary.Image {
	program := c.run.images.Original(c.run.programOf(s.side))
	return binary.Image{Program: program, Layout: c.run.countedLayout(s.side, round)}
}

// fixedPlaces explains why the places of a case cannot be drawn, empty if they can.
func (c *counting) fixedPlaces(one *countedCase) (why string) {
	for _, s := range one.sides {
		program := c.imageOf(s, 0).Program
		why = cmp.Or(why, c.images.Unmoved(program), c.run.images.Unmoved(program))
	}
	return why
}

// settle returns the number of runs that all sides of the case have. If those with drawn places are too few to show
// anything, it goes back to the runs before.
func (one *countedCase) settle() int {
	fewest := func() int {
		n := len(one.sides[0].runs)
		for _, s := range one.sides {
			n = min(n, len(s.runs))
		}
		return n
	}
	n := fewest()
	if one.unplaced = one.drawn && n < firstLook(); !one.unplaced {
		return n
	}
	for _, s := range one.sides {
		s.countedRuns = s.before
	}
	return fewest()
}

// drawnFile is a program that was linked for one run.
type drawnFile struct{ folder, path string }

// linkDrawn links the program of a side for one of its runs.
func (r *run) linkDrawn(ctx context.Context, s *countedSide, round int) (file drawnFile, err error) {
	program := r.programOf(s.side)
	if file.folder, err = os.MkdirTemp(filepath.Dir(program), "launch-"); err != nil { // it may start from there
		return file, err
	}
	file.path = filepath.Join(file.folder, filepath.Base(program))
	return file, r.options.Link(ctx, program, r.countedLayout(s.side, round), file.path)
}

func (r *run) countedLayout(s *side, round int) draw.Layout {
	return r.options.Seed.Counted(s.of.result.Suite, s.target.IsBase(), round)
}

func (f drawnFile) remove() {
	if f.folder != "" {
		os.RemoveAll(f.folder)
	}
}

// goesOn reports whether a case has further runs.
func (one *countedCase) goesOn() bool { return !one.track.counts.isOver && one.left() > 0 }

// left is the time that the runs of a case may still take.
func (one *countedCase) left() time.Duration { return one.track.counts.until - one.track.spent() }

// runsAlone is the number of runs from which on a case has an interval at the usual confidence of 95 %.
const runsAlone = 6

// wants returns how many runs of each side a case has when its gates are asked after so many. A comparison has an
// interval with fewer than a case alone.
func (one *countedCase) wants(runs int) int {
	if one.track.base == nil {
		runs = max(runs, runsAlone)
	}
	one.track.counts.wanted = 0
	for _, s := range one.sides {
		if s.of == one { // else another case has its runs
			one.track.counts.wanted += max(runs, firstLook())
		}
	}
	return runs
}

// tell writes the runs so far into the result.
func (one *countedCase) tell() {
	for i, s := range one.sides {
		if len(s.runs) == 0 {
			continue
		}
		counted := &result.Counted{Runs: s.runs, Iterations: int64(one.iterations)}
		if i == 0 {
			counted.Unplaced = one.unplaced
			one.track.result.Counted = counted
		} else {
			one.track.result.Pairs.Counted = counted
		}
	}
}

// finish ends the counting of a case.
func (one *countedCase) finish(ctx context.Context) {
	n, t := one.settle(), one.track
	if t.result.JudgedByInstructions() {
		t.stop(stopOf(ctx))
	}
	if one.failed == nil && ctx.Err() == nil {
		switch {
		case one.unplaced:
			one.failed = uncounted(errors.New("there was no time for enough runs at other places"), "raise max_time")
		case n == 0:
			one.failed = uncounted(errors.New("there was no time to count them"), "raise max_time")
		}
	}
	switch {
	case one.failed == nil:
	case n == 0 && t.result.JudgedByInstructions():
		t.fail(one.failed)
	case !t.result.JudgedByInstructions() && !t.target.Spec.Callgrind: // nobody has asked for it
		lacksSecondOpinion(t.result.Pairs, one.failed.Message)
	default:
		t.result.WarnLacking(result.WarnNoCounters, []string{result.Instructions}, one.failed.Message, one.failed.Hint)
	}
	if n == 0 {
		t.result.Counted = nil
		return
	}
	one.tell()
	if len(one.sides) > 1 {
		t.result.Counted.Moved = movedFunctions(one.sides[1].functions, one.sides[0].functions)
	}
	for _, s := range one.sides {
		if s.of == one {
			s.series.Passed = append(s.series.Passed, summary.Counted(t.result, s.runs))
		}
	}
	if !t.result.JudgedByInstructions() && !t.target.Spec.Callgrind {
		return
	}
	t.result.Warn(result.WarnCallgrind,
		"instructions were counted by valgrind: they show what the code does, and nothing of caches, "+
			"branch prediction, the kernel and waiting", "")
}

// leastMoved is the share of all instructions by which a function has to differ to be named: less is noise of most
// programs.
const leastMoved = 0.001

// movedFunctions lists the functions that differ most, by name if two differ alike.
func movedFunctions(base, own map[string]float64) (all []result.MovedFunction) {
	total := 0.0
	for _, x := range base {
		total += x
	}
	for name, x := range own {
		all = append(all, result.MovedFunction{Function: name, Base: base[name], Candidate: x})
	}
	for name, x := range base {
		if _, both := own[name]; !both {
			all = append(all, result.MovedFunction{Function: name, Base: x})
		}
	}
	all = slices.DeleteFunc(all, func(m result.MovedFunction) bool {
		return math.Abs(m.Candidate-m.Base) < leastMoved*total
	})
	slices.SortFunc(all, func(a, b result.MovedFunction) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Candidate-b.Base), math.Abs(a.Candidate-a.Base)),
			cmp.Compare(a.Function, b.Function))
	})
	return all[:min(len(all), result.MostMoved)]
}

func stopOf(ctx context.Context) result.Stop {
	if ctx.Err() != nil {
		return result.StopInterrupted
	}
	return result.StopCounted
}

// uncounted is the failure of a case that valgrind cannot count.
func uncounted(err error, hint string) *result.Failure {
	if errors.Is(err, callgrind.ErrMissing) {
		hint = "install the package valgrind, which Linux distributions have"
	}
	return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedUncounted,
		Message: "instructions: " + err.Error(), Hint: hint}
}

// size finds the iterations of a run of each case that has iterations, in one process for each program. One number of
// iterations for both sides: what a run does once is spread over all of them.
func (c *counting) size(ctx context.Context) {
	var jobs []*countingJob
	for _, one := range c.all {
		if own := one.sides[0]; !own.target.IsCommand() || own.target.TimesItself() {
			jobs = addTo(jobs, own, 0)
		}
	}
	for _, j := range jobs {
		j.sizes = true
	}
	c.work(ctx, jobs)
}

// runUntil runs each side of all open cases until it has so many runs, in random order.
func (c *counting) runUntil(ctx context.Context, runs int) {
	var jobs []*countingJob
	for _, one := range c.all {
		if !one.goesOn() {
			continue
		}
		wanted := one.wants(runs)
		for _, s := range one.sides {
			for round := len(s.runs); round < wanted; round++ {
				jobs = addTo(jobs, s, round)
			}
		}
	}
	for _, j := range jobs {
		if j.key.drawn {
			i := c.imageOf(j.sides[0], j.key.round)
			j.linked = cmp.Or(c.run.images.Linked(i), c.images.Linked(i))
		}
	}
	draw := c.run.options.Seed.Draw("count", fmt.Sprint(len(jobs)), runs, 0)
	order := make([]*countingJob, len(jobs))
	for i, at := range draw.Perm(len(jobs)) {
		order[i] = jobs[at]
	}
	c.work(ctx, order)
}
