// Package profile runs a case once more with profilers, after a run: both of its sides in
// turn, in new processes, several times each. From that many profiles of a side, package
// profiles computes which functions cost more, with intervals.
//
// It begins when all samples of all cases have been taken and judged, so nothing that it
// does can touch a sample or a verdict. What goes wrong is a reason in the document, and
// never a failure of the case.
package profile

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/internal/profiles"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
)

// Target is a case of a finished run.
type Target struct {
	Plan   *spec.Plan
	Case   *spec.Case
	Result *result.Case
	Limit  time.Duration // of all that is done for it, cleanup hooks excepted; 0: Limit
	Bytes  bool          // its failure is about allocations, and not about time
}

// Options of all targets of a run.
type Options struct {
	Run   runner.Options // of the run that measured them
	Kinds []result.ProfileKind
	Now   func() time.Time // nil: time.Now
	Perf  Perf             // of commands
	Pass  time.Duration    // length of a CPU profile of a function; 0: passTime
}

// File is a profile in the format of pprof: all launches of one side.
type File struct {
	Name string // within the folder of the result's profiles
	Data []byte
}

// Lengths of the passes, and how many there are. With 8 profiles of 250 ms at 500 Hz a side
// has 1000 readings if the kernel keeps up, and 500 with a tick of 4 ms: a function with a
// twentieth of the time then has a standard error of a fifth of its cost.
const (
	launches  = 8                      // of each side
	passTime  = 250 * time.Millisecond // of a CPU profile of a function
	leastPass = 25 * time.Millisecond  // likewise, if there is little time
	usualRate = 500                    // Hz; the runtime reads at 100 unless it is asked for more
)

// passesInLimit is how many CPU profiles of a function the limit has room for: the launches of
// both sides, each with its start and its other profiles.
const passesInLimit = 5 * launches

// Limit is how long a case is profiled at most: three times as long as a function usually
// takes.
const Limit = 20 * time.Second

// MostCases of a run are profiled if nobody asks for profiles.
const MostCases = 3

// taking is the work on one target.
type taking struct {
	Target
	options  Options
	again    *runner.Again
	begun    time.Time
	launched [2]map[result.ProfileKind][]profiles.Launch // of the case and of its base
	done     [2]int
	program  [2]string
	end      func(context.Context) *result.Failure // of what all launches share; nil: nothing
	ending   time.Duration                         // what that takes
}

// Take profiles a case. The result is never nil.
func Take(ctx context.Context, target Target, o Options) (*result.Profiling, []File) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if target.Limit <= 0 {
		target.Limit = Limit
	}
	if o.Pass <= 0 {
		o.Pass = min(max(target.Limit/passesInLimit, leastPass), passTime)
	}
	t := &taking{Target: target, options: o, begun: o.Now()}
	for i := range t.launched {
		t.launched[i] = map[result.ProfileKind][]profiles.Launch{}
	}
	out := &result.Profiling{}
	t.take(ctx, out)
	out.Seconds = o.Now().Sub(t.begun).Seconds()
	files := t.compare(out)
	return out, files
}

// take makes the passes, and records why there are fewer than planned.
func (t *taking) take(ctx context.Context, out *result.Profiling) {
	if t.Result.Status != result.Measured || t.Result.Samples.Len() == 0 {
		out.Reason, out.Text = result.ProfileNotMeasured, "the case has no samples"
		return
	}
	t.again = runner.NewAgain(t.Plan, t.Case, t.options.Run)
	taker, why := t.taker()
	if why != nil {
		out.Reason = why.Reason
		out.Text = why.Text
		out.Hint = why.Hint
		return
	}
	failure := t.again.SetUp(ctx)
	if failure == nil {
		failure = t.rounds(ctx, taker)
	}
	if t.end != nil {
		if ended := t.end(ctx); failure == nil {
			failure = ended
		}
	}
	if unclean := t.again.CleanUp(); failure == nil {
		failure = unclean
	}
	switch {
	case ctx.Err() != nil:
		out.Reason, out.Text = result.ProfileInterrupted, "a signal ended the profiling; all samples had been "+
			"taken before"
	case failure != nil:
		out.Reason = result.ProfileFailed
		out.Text = failure.Message
		out.Hint = failure.Hint
	case t.done[0] < launches:
		out.Reason = result.ProfileNoTime
		out.Text = fmt.Sprintf("%d of %d launches of each side in the %s that a case may be profiled", t.done[0],
			launches, units.ShortTime(t.Limit.Seconds()))
	}
}

// taker profiles one launch of a side.
type taker func(ctx context.Context, base bool) *result.Failure

func (t *taking) taker() (taker, *unable) {
	switch t.Case.Kind {
	case result.KindGo:
		return t.function, nil
	case result.KindGoTest:
		return t.goTest, nil
	}
	return t.perf()
}

// unable is why a case cannot be profiled.
type unable struct {
	Reason result.ProfileReason
	Text   string
	Hint   string
}

// rounds profiles both sides in turn, in the order of a coin, while there is time for one
// more round as long as the longest so far.
func (t *taking) rounds(ctx context.Context, take taker) *result.Failure {
	var longest time.Duration
	for i := 0; i < launches && ctx.Err() == nil; i++ {
		began := t.options.Now()
		if began.Sub(t.begun)+longest+t.ending > t.Limit {
			return nil
		}
		for _, base := range t.order(i) {
			if failure := take(ctx, base); failure != nil || ctx.Err() != nil {
				return failure
			}
		}
		for side := range t.done {
			t.done[side]++
		}
		longest = max(longest, t.options.Now().Sub(began))
	}
	return nil
}

// order of the sides in a round; false is the case.
func (t *taking) order(round int) []bool {
	if !t.again.HasBase() {
		return []bool{false}
	}
	coin := t.seed().Draw("profile", fmt.Sprintf("%q %q", t.Result.Suite, t.Result.Name), round, 0).IntN(2)
	if coin == 0 {
		return []bool{true, false}
	}
	return []bool{false, true}
}

func (t *taking) seed() draw.Seed { return t.options.Run.Seed }

// left is the time that is left of the limit.
func (t *taking) left() time.Duration {
	return max(t.Limit-t.options.Now().Sub(t.begun), 0)
}

func (t *taking) wants(kind result.ProfileKind) bool {
	for _, k := range t.options.Kinds {
		if k == kind {
			return true
		}
	}
	return false
}

func sideIndex(base bool) int {
	if base {
		return 1
	}
	return 0
}

// keep adds the profile of one launch.
func (t *taking) keep(base bool, kind result.ProfileKind, l profiles.Launch) {
	side := t.launched[sideIndex(base)]
	side[kind] = append(side[kind], l)
}
