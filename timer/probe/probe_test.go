package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page/text"
	"example.com/suite/timer"
)

func machines() map[string]*fake {
	noisy := func(sd float64) func(int64) float64 { return slow(rand.New(rand.NewPCG(1, 2)), sd) }
	quiet := &fake{perOp: noisy(0.0005), files: fstest.MapFS{
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":  file1("performance"),
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor":  file1("performance"),
		"sys/devices/system/cpu/cpufreq/policy0/something_else": file1("powersave"),
		"sys/devices/system/cpu/intel_pstate/no_turbo":          file1("1"),
		"sys/devices/system/cpu/smt/active":                     file1("0"),
	}}
	stolen := &fake{perOp: noisy(0.15), steal: 0.031, others: 0.2, files: fstest.MapFS{}}
	stolen.batch = func(i int) {
		switch {
		case i%7 == 0:
			stolen.Preempt(3_000_000)
		case i%20 == 1:
			stolen.Time += 4_000_000 // and no switch: the hypervisor's
		}
	}
	drifting := &fake{files: fstest.MapFS{
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": file1("powersave"),
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": file1("powersave"),
		"sys/devices/system/cpu/cpufreq/boost":                 file1("1"),
		"sys/devices/system/cpu/smt/active":                    file1("1"),
	}}
	drifting.perOp = func(ns int64) float64 { return 1.36 * (1 + 0.04*float64(ns)/3e9) }
	absent := &fake{perOp: noisy(0.1), absent: true, files: fstest.MapFS{}}
	coarse := &fake{files: fstest.MapFS{}}
	coarse.Step = 15_000_000
	for _, f := range []*fake{quiet, stolen, drifting, absent, coarse} {
		f.Cost = 26
	}
	return map[string]*fake{"quiet": quiet, "stolen": stolen, "drifting": drifting, "absent": absent, "coarse": coarse}
}

// slow is an operation of 1.36 ns with noise that lasts 10 ms.
func slow(rng *rand.Rand, sd float64) func(ns int64) float64 {
	now, factor := int64(-1), 1.0
	return func(ns int64) float64 {
		if at := ns / 10_000_000; at != now {
			now, factor = at, math.Exp(sd*rng.NormFloat64())
		}
		return 1.36 * factor
	}
}

func probed(t *testing.T, f *fake) (*Result, string) {
	t.Helper()
	r, err := Run(context.Background(), Options{Machine: f.machine()})
	if err != nil {
		t.Fatal(err)
	}
	return r, written(t, r)
}

// written is the text of r, after checks that apply to every text.
func written(t *testing.T, r *Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := text.Write(&out, r.Page(), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > 100 || strings.ContainsRune(line, '\x1b') {
			t.Errorf("%d columns: %q", utf8.RuneCountInString(line), line)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	return out.String()
}

func TestTextOfMachines(t *testing.T) {
	for name, f := range machines() {
		_, got := probed(t, f)
		golden.Check(t, filepath.Join("testdata", name+".txt"), got)
	}
}

func TestEachMachineIsToldWhatToChangeAndNothingElse(t *testing.T) {
	all := []string{"Nothing: this machine is steady", "The hypervisor gave", "stalled without any process", "Other processes",
		"The core became", "is governed by", "Turbo is on", "Two threads share", "steps by", "The cause is not visible", "Compare cases within one run"}
	for name, said := range map[string][]string{
		"quiet":    {"Nothing: this machine is steady"},
		"stolen":   {"The hypervisor gave 3.1%", "stalled without any process", "Other processes used 20% of the processors and took the processor from 14% of samples", "Compare cases within one run"},
		"drifting": {"The core became 4% slower within 3 s", `The frequency of 2 CPUs is governed by "powersave"`, "Turbo is on", "Two threads share", "Compare cases within one run"},
		"absent":   {"The cause is not visible", "Compare cases within one run"},
		"coarse":   {"steps by 15 ms: set sample_time to 1.5 s or more", "3 s are too short to predict the precision: let the probe run for 10 s"},
	} {
		_, text := probed(t, machines()[name])
		text = strings.Join(strings.Fields(text), " ")
		for _, s := range said {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q is not said in %s", name, s, text)
			}
		}
		for _, s := range all {
			wanted := false
			for _, w := range said {
				wanted = wanted || strings.Contains(w, s)
			}
			if !wanted && strings.Contains(text, s) {
				t.Errorf("%s: %q is said", name, s)
			}
		}
	}
}

// Each second has a speed of its own, 2 % apart: inside a run nothing shows it.
func TestPrecisionCoversWhatDiffersFromRunToRun(t *testing.T) {
	f := &fake{files: fstest.MapFS{}}
	f.perOp = func(ns int64) float64 { return 1.36 * (1 + 0.02*float64((ns/1_000_000_000)%2)) }
	r, err := Run(context.Background(), Options{Duration: 10 * time.Second, Machine: f.machine()})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Precision; p.Runs != 10 || p.Moves != p.Between || p.Moves < 0.009 || p.Moves > 0.021 {
		t.Errorf("%+v", p)
	}
}

// Noise that lasts 10 ms, the length of a block.
func TestPrecisionIsThatOfTheNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, sd := range []float64{0.002, 0.02, 0.1} {
		r, _ := probed(t, &fake{perOp: slow(rng, sd), files: fstest.MapFS{}})
		// The median of 100 independent blocks has a standard error of 1.25·sd/10.
		if one := 1.96 * 0.125 * sd; r.Precision.Moves < one/2 || r.Precision.Moves > one*2.5 {
			t.Errorf("noise of %g: %+v, want about %g", sd, r.Precision, one)
		}
	}
}

func TestDisturbedSamplesAreLeftOutUnlessTheyAreMost(t *testing.T) {
	for _, test := range []struct {
		every    int // batch of it keeps the processor
		want     float64
		disturbs float64
	}{{2, 1, 0.5}, {3, 4, 2.0 / 3}} {
		f := &fake{files: fstest.MapFS{}}
		f.perOp = func(int64) float64 { return 1 }
		f.batch = func(i int) {
			if i%test.every != 0 {
				f.Preempt(3_000_000)
			}
		}
		r, _ := probed(t, f)
		if got := r.Speed.Operation * 1e9; math.Abs(got-test.want) > 0.7 || math.Abs(*r.Processor.Disturbed-test.disturbs) > 0.02 {
			t.Errorf("one in %d undisturbed: %g ns, %g disturbed", test.every, got, *r.Processor.Disturbed)
		}
	}
}

func TestWhatIsNotReadableIsAbsent(t *testing.T) {
	r, text := probed(t, machines()["absent"])
	p := r.Processor
	if p.Steal != nil || p.Others != nil || p.Waited != nil || p.Switches != nil || p.Disturbed != nil {
		t.Errorf("%+v", p)
	}
	if s := r.Settings; s.Governors != nil || s.Turbo != nil || s.SMT != nil {
		t.Errorf("%+v", s)
	}
	if n := strings.Count(text, unreadable); n != 7 {
		t.Errorf("%q stands %d times in\n%s", unreadable, n, text)
	}
	doc, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"steal", "others", "waited", "switches", "disturbed", "governors", "turbo", "smt"} {
		if bytes.Contains(doc, []byte(`"`+key+`"`)) {
			t.Errorf("%s stands in %s", key, doc)
		}
	}
}

func TestTheEndOfTheContextKeepsWhatWasMeasured(t *testing.T) {
	for _, after := range []int{0, 10, 250, 1400} {
		ctx, cancel := context.WithCancel(context.Background())
		f := &fake{files: fstest.MapFS{}}
		if f.batch = func(i int) {
			if i == after {
				cancel()
			}
		}; after == 0 {
			cancel()
		}
		r, err := Run(ctx, Options{Machine: f.machine()})
		if err != nil || !r.Interrupted || r.Duration >= 3 {
			t.Fatalf("after %d batches: %+v, %v", after, r, err)
		}
		if (r.Precision != nil) != (after == 1400) || (r.Duration > 0) != (after > 10) {
			t.Errorf("after %d batches: %g s, %+v", after, r.Duration, r.Precision)
		}
		if text := written(t, r); !strings.Contains(text, "Interrupted: this rests on") {
			t.Errorf("after %d batches:\n%s", after, text)
		}
		cancel()
	}
}

func TestAClockThatStandsStillIsAnError(t *testing.T) {
	f := &fake{files: fstest.MapFS{}, perOp: func(int64) float64 { return 0 }}
	if r, err := Run(context.Background(), Options{Machine: f.machine()}); err == nil || !strings.Contains(err.Error(), "the clock fake does not advance") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestProbeOfThisMachine(t *testing.T) {
	r, err := Run(context.Background(), Options{Duration: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Interrupted || r.Duration < 0.1 || len(r.Timers) == 0 || r.clock() == nil || r.clock().Cost <= 0 {
		t.Errorf("%+v", r)
	}
	written(t, r)
}

// userOnly is a counter whose readings are system calls: they take time in which it does
// not count.
type userOnly struct {
	timer.FakeCounter
	behind int64 // CPU time that readings took, ns
}

func (u *userOnly) Read(out *timer.Instant, edge timer.Edge) error {
	u.Fake.Advance(300)
	u.behind += 300
	err := u.FakeCounter.Read(out, edge)
	out.Count -= uint64(float64(u.behind) * u.PerNS)
	return err
}

// A core runs at its frequency however long it takes to read the counter.
func TestTheFrequencyIsThatOfWork(t *testing.T) {
	f := &fake{files: fstest.MapFS{}}
	m := f.machine()
	m.Timers = []Source{{"cycling", timer.KindCycle, func() (*timer.Timer, error) {
		return timer.New(&f.Fake, &userOnly{FakeCounter: timer.FakeCounter{Fake: &f.Fake, Counts: timer.Cycles, PerNS: 2.25, Cost: 10}}), nil
	}}}
	if rows := timers(context.Background(), m); math.Abs(rows[0].Frequency-2.25e9) > 0.01e9 {
		t.Errorf("%g Hz, want 2.25e9", rows[0].Frequency)
	}
}
