package runner

import (
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

func TestBlocksAreAsLongAsTheyMayBe(t *testing.T) {
	for _, test := range []struct {
		batch, target, left time.Duration
		taken, most         int
		want                int
	}{
		{time.Millisecond, time.Second, time.Minute, 0, 1000, 10},
		{0, time.Second, time.Minute, 0, 1000, 10},                       // not known yet
		{20 * time.Millisecond, time.Second, time.Minute, 0, 1000, 5},    // a tenth of the target
		{time.Second, time.Second, time.Minute, 0, 1000, 1},              // longer than that
		{time.Second, time.Hour, 3500 * time.Millisecond, 0, 1000, 3},    // what is left
		{time.Second, time.Hour, 1, 0, 1000, 1},                          // hardly anything
		{time.Millisecond, time.Second, time.Minute, 996, 1000, 4},       // samples.max
		{time.Millisecond, time.Second, -time.Minute, 1000, 1000, 1},     // never none
		{time.Nanosecond, 365 * 24 * time.Hour, 1 << 62, 0, 1 << 40, 10}, // no overflow
	} {
		track := sized(10, test.batch)
		track.target.Spec.Settings.TargetTime, track.target.Spec.Settings.SamplesMax = spec.Duration(test.target), test.most
		track.result.Samples.Block = make([]int, test.taken)
		if got := track.own.blockLength(test.left); got != test.want {
			t.Errorf("%+v: blocks of %d", test, got)
		}
	}
}

func TestABatchIsThrownAwayWhereItHelps(t *testing.T) {
	for _, test := range []struct {
		batch, warmup, left time.Duration
		want                int
	}{
		{time.Millisecond, 100 * time.Millisecond, time.Second, 1},
		{time.Millisecond, 0, time.Second, 0},                            // no warm-up is wanted
		{200 * time.Millisecond, 100 * time.Millisecond, time.Minute, 0}, // it is its own
		{time.Millisecond, 100 * time.Millisecond, 10 * time.Millisecond, 0},
		{time.Millisecond, 100 * time.Millisecond, 11 * time.Millisecond, 1},
	} {
		track := sized(10, test.batch)
		track.target.Spec.Settings.Warmup = spec.Duration(test.warmup)
		if got := track.own.discards(10, test.left); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
	for batch, want := range map[time.Duration]int{time.Millisecond: 1, 200 * time.Millisecond: 0} {
		track := sized(10, batch)
		track.target.Spec.Settings.Warmup, track.target.Spec.Settings.WarmupBatches = 0, 3
		if got := track.own.discards(10, time.Minute); got != want {
			t.Errorf("after a warm-up of 3 batches of %v each block throws away %d", batch, got)
		}
	}
}

func TestABlockFitsIntoTheTimeoutOfARequest(t *testing.T) {
	track := sized(1, 10*time.Second)
	s := &track.target.Spec.Settings
	s.TargetTime, s.MaxTime, s.Timeout = spec.Duration(time.Hour), spec.Duration(time.Hour), spec.Duration(time.Minute)
	if left := track.own.left(0); left != 30*time.Second || track.own.blockLength(left) != 3 {
		t.Errorf("%d batches of 10 s in a request that may take a minute, begun within %v", track.own.blockLength(left), left)
	}
	if n := track.own.countable(track.own.left(0)); n != 1 {
		t.Errorf("%d iterations are counted three times", n)
	}
	track.own.series.Batch = 25 * time.Second
	if n := track.own.countable(track.own.left(0)); n != 0 {
		t.Errorf("three iterations of 25 s are counted in a request that may take a minute")
	}
	track.target.Spec.Kind = result.KindCommand // each run has the timeout
	if left := track.own.left(0); left != time.Hour {
		t.Errorf("runs are begun within %v, want an hour", left)
	}
}

func TestABudgetIsSharedOut(t *testing.T) {
	plan, three := &spec.Plan{}, []*track{sized(1, 0), sized(1, 0), sized(1, 0)}
	if got := allotted(plan, time.Hour, three, 3); got != 0 {
		t.Errorf("%v without a budget", got)
	}
	plan.Budget = spec.Duration(time.Minute)
	for gone, want := range map[time.Duration]time.Duration{0: 60 * time.Second, 30 * time.Second: 30 * time.Second, time.Hour: 1} {
		if got := allotted(plan, gone, three, 3); got != want {
			t.Errorf("%v for three of three behind %v, want %v", got, gone, want)
		}
		if got := allotted(plan, gone, three[:1], 3); got != max(want/3, 1) {
			t.Errorf("%v for one of three behind %v, want %v", got, gone, want/3)
		}
	}
	w := newWindow(&rig{run: newRun(Options{}), allowance: time.Second})
	track := sized(1, time.Second)
	track.own.series.Used = time.Second
	track.result.Samples.Block = []int{0}
	if track.target.Spec.Settings.MaxTime = spec.Duration(time.Minute); w.enough(track) != "budget" {
		t.Errorf("stopped by %q, want budget", w.enough(track))
	}
	if track.target.Spec.Settings.MaxTime = spec.Duration(time.Second); w.enough(track) != "max_time" {
		t.Errorf("stopped by %q, want max_time", w.enough(track))
	}
}

// A budget that is too small for all goes to the first cases, as much as their verdicts take
// at least and no more than there is; what decided cases have left goes to the others.
func TestABudgetGoesToCasesThatCanBeDecided(t *testing.T) {
	plan := against(function("a"), function("b"), function("c"), function("d"))
	plan.Calls, plan.Errors.Family = 4, 0.01
	need := 2 * forecast.LeastTime(&plan.Cases[0], 0.0025)
	if least := forecast.LeastBudget(plan); least < need/2 || least > need/2+100*time.Millisecond || least%(100*time.Millisecond) != 0 {
		t.Errorf("the least budget is %v, and a verdict takes %v", least, need/2)
	}
	var tracks []*track
	for i := range plan.Cases {
		tracks = append(tracks, newTrack(plan, &plan.Cases[i]))
	}
	pairUp(plan, tracks)
	plan.Budget = spec.Duration(3 * need / 2)
	if got := allotted(plan, 0, tracks[:1], 8); got != need {
		t.Errorf("the first case has %v, want %v", got, need)
	}
	if got := allotted(plan, need, tracks[1:2], 6); got != need/2 {
		t.Errorf("the second has %v, want the rest, %v", got, need/2)
	}
	w := newWindow(&rig{run: newRun(Options{}), tracks: tracks[:2]})
	w.allotted = 8 * time.Second
	w.shareOut()
	if w.rig.allowance != 2*time.Second {
		t.Errorf("each of four sides has %v", w.rig.allowance)
	}
	tracks[0].own.series.Used, tracks[0].base.series.Used, tracks[0].done = time.Second, time.Second, true
	tracks[1].own.series.Used, tracks[1].base.series.Used = time.Second, time.Second
	if w.shareOut(); w.rig.allowance != 3*time.Second {
		t.Errorf("each side of the case that goes on has %v, want its second and half of four", w.rig.allowance)
	}
	if plan.Calls = 0; forecast.LeastBudget(plan) != 0 {
		t.Error("a plan without comparing gates has a least budget")
	}
}

// decided is a Steerer with open and decided gates.
type decided [2]int

func (d decided) Open(*result.Case) (open, decided int) { return d[0], d[1] }

func TestWhatIsEnough(t *testing.T) {
	for _, test := range []struct {
		n       int
		sampled time.Duration
		used    time.Duration
		gates   decided
		want    string
	}{
		{19, time.Hour, 0, decided{0, 1}, ""}, // samples.min comes first
		{20, 0, 0, decided{}, ""},
		{20, 0, 0, decided{0, 1}, "decided"},
		{20, 0, 0, decided{1, 1}, ""},
		{20, 20 * time.Millisecond, 0, decided{}, "target_time"},
		{20, 20 * time.Millisecond, 0, decided{1, 0}, ""}, // an open gate goes on
		{20, 0, time.Second, decided{1, 0}, "max_time"},
		{3, 0, time.Second, decided{}, "max_time"}, // before samples.min
		{0, 0, time.Hour, decided{}, ""},           // never without a sample
		{1000, 0, time.Hour, decided{1, 0}, "samples.max"},
	} {
		w := newWindow(&rig{run: newRun(Options{Steer: test.gates})})
		track := sized(1, time.Millisecond)
		track.target.Spec.Gates = make([]spec.Gate, 1)
		track.own.series.Used, track.own.series.Sampled, track.result.Samples.Block = test.used, test.sampled, make([]int, test.n)
		if got := w.enough(track); string(got) != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
