package selfcheck

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/suite/internal/sim"
	"example.com/suite/internal/units"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

// On a machine whose second slot takes 5 % longer, identical code is hardly ever
// called different if coins decide the order, and always if the base runs first: both
// are computed from the same pairs. Changes are found, and the floor is the smallest
// of them.
func TestCoinsMakeTheDifference(t *testing.T) {
	noise := sim.Noise{Spread: 0.005, Second: math.Log(1.05)}
	r := (&simulated{noise: noise}).check(t, time.Minute)
	if r.Verdict != Fit || r.Seconds < 40 || r.Seconds > 60 {
		t.Fatalf("%s after %v s", r.Text, r.Seconds)
	}
	for _, a := range r.Alarms {
		if a.Comparisons < 50 || a.Worse.Hits+a.Better.Hits > a.Comparisons/10 {
			t.Errorf("%+v", a)
		}
		if sum := a.Worse.Hits + a.Better.Hits + a.Same + a.Unclear; sum != a.Comparisons {
			t.Errorf("%s at %v: %d verdicts on %d comparisons", a.Kind, a.Tolerance, sum, a.Comparisons)
		}
		if (a.Ordered == nil) != (a.Tolerance > 0) || a.Ordered != nil && a.Ordered.Hits != a.Comparisons {
			t.Errorf("in fixed order: %+v of %d", a.Ordered, a.Comparisons)
		}
	}
}

// On the machine for which verdicts are promised, every change is found, in about as
// many pairs as the planning table predicts, and measured correctly.
func TestInjectedChangesAreFound(t *testing.T) {
	r := (&simulated{noise: sim.Typical}).check(t, time.Minute)
	if len(r.Power) != 3 || len(r.Floors) != 3 || len(r.Suites) != 2 || r.Verdict != Fit {
		t.Fatalf("%d changes, %d floors, %d kinds of suites: %s", len(r.Power), len(r.Floors), len(r.Suites), r.Text)
	}
	for i, p := range r.Power {
		if p.Injected != []float64{0.03, 0.05, 0.1}[i] || p.Found.Hits != p.Comparisons || p.Better > 0 || math.Abs(p.Ratio-1-p.Injected) > 0.01 {
			t.Errorf("%+v", p)
		}
		if p.Pairs.Median < 20 || p.Pairs.P90 < p.Pairs.Median || p.Pairs.P90 > 120 {
			t.Errorf("+%v: found in %+v pairs", p.Injected, p.Pairs)
		}
	}
	for _, a := range r.Alarms { // nothing is the same at tolerance 0; with 3 % most of 200 pairs suffice
		if a.Tolerance == 0 && a.Same > 0 || a.Tolerance > 0 && a.Kind == Functions && a.Same < a.Comparisons*9/10 {
			t.Errorf("%s at %v: %d of %d the same", a.Kind, a.Tolerance, a.Same, a.Comparisons)
		}
	}
	for _, f := range r.Floors {
		if f.HalfWidth == nil || f.Smallest == nil || *f.Smallest < *f.HalfWidth || *f.Smallest > 0.06 {
			t.Errorf("%s: ± %v tells %v", f.Work, f.HalfWidth, f.Smallest)
		}
	}
}

// Each A/A comparison would have been called worse with the smallest difference
// added, and not with less.
func TestTheSmallestDifferenceIsTold(t *testing.T) {
	low, high := 0.98, 1.01
	c := Comparison{Low: &low, High: &high}
	if x := c.smallestShown(); math.Abs(low*(1+x)-1) > 1e-12 || math.Abs(c.halfWidth()-0.015) > 1e-12 {
		t.Errorf("tells %v, half width %v", c.smallestShown(), c.halfWidth())
	}
	low, high = 0.99, 1.03
	if math.Abs(c.smallestShown()-0.03) > 1e-12 {
		t.Errorf("tells %v", c.smallestShown())
	}
	if none := (Comparison{}); !math.IsInf(none.smallestShown(), 1) || !math.IsInf(none.halfWidth(), 1) {
		t.Error("no interval tells something")
	}
}

// A machine on which one of two equal sides is slower is unfit, and the report has
// the excess.
func TestAPartialMachineIsUnfit(t *testing.T) {
	r := (&simulated{noise: sim.Quiet, partial: 0.02}).check(t, time.Second)
	if r.Verdict != Unfit || !strings.HasPrefix(r.Text, "unfit: 8 of 8 A/A comparisons of functions were called different, where at most 2% may be, and 4 of 4") {
		t.Errorf("%s: %s", r.Verdict, r.Text)
	}
	if len(r.Suites) != 2 || r.Suites[0].Red.Hits != 2 || r.Suites[0].Suites != 2 {
		t.Errorf("suites %+v", r.Suites)
	}
}

// What chance allows, by hand: of 8 at 2 %, four have the chance
// 1 − pbinom(3, 8, 0.02) = 0.0000105, and three 0.00042.
func TestWhatChanceAllows(t *testing.T) {
	for hits, want := range map[int]bool{0: false, 3: false, 4: true, 8: true} {
		if exceeds(hits, 8, 0.02) != want {
			t.Errorf("%d of 8: unfit is %t", hits, !want)
		}
	}
	if trials(0.01) != 528 || rate(0, 528).High > 0.01 || rate(0, 527).High <= 0.01 {
		t.Errorf("%d trials without an alarm, at most %v", trials(0.01), rate(0, 528).High)
	}
}

// An interrupt leaves what is whole: comparisons that were cut short are none, and
// suites with fewer gates neither.
func TestWhatWasCutShortDoesNotCount(t *testing.T) {
	r := (&simulated{noise: sim.Quiet, end: 8 + 3}).check(t, time.Second) // a round, and two A/A of the next
	if len(r.Comparisons) != 7+2 || r.Alarms[0].Comparisons != 4+2 || len(r.Suites) != 1 || r.Suites[0].Suites != 1 {
		t.Errorf("%d comparisons, alarms %+v, suites %+v", len(r.Comparisons), r.Alarms, r.Suites)
	}
	r = (&simulated{noise: sim.Quiet, end: 1}).check(t, time.Second)
	if r.Verdict != Unknown || r.Text != "nothing is known: no comparison was completed" {
		t.Errorf("%s: %s", r.Verdict, r.Text)
	}
}

// Marks of disturbances move with their slots.
func TestSlotsKeepTheirMarks(t *testing.T) {
	mark := func(i ...int) (all []result.Disturbed) {
		for _, index := range i {
			all = append(all, result.Disturbed{Index: index})
		}
		return all
	}
	c := result.Case{Samples: result.Samples{Columns: map[string]result.Column{"time": {1, 2, 3}}, Disturbed: mark(0, 1)},
		Pairs: &result.Pairs{First: []int{0, 1, 1}, Samples: result.Samples{Columns: map[string]result.Column{"time": {4, 5, 6}}, Disturbed: mark(2)}}}
	got := inSlots(&c)
	first, second := got.Pairs.Samples, got.Samples
	if x := first.Column("time"); x[0] != 4 || x[1] != 2 || x[2] != 3 {
		t.Errorf("first slots %v", x)
	}
	if x := second.Column("time"); x[0] != 1 || x[1] != 5 || x[2] != 6 {
		t.Errorf("second slots %v", x)
	}
	if len(first.Disturbed) != 1 || first.Disturbed[0].Index != 1 || len(second.Disturbed) != 2 || second.Disturbed[1].Index != 2 {
		t.Errorf("marks %v and %v", first.Disturbed, second.Disturbed)
	}
	if c.Samples.Column("time")[1] != 2 || len(c.Samples.Disturbed) != 2 {
		t.Error("the case itself was changed")
	}
}

// The report fits 100 columns, and claims no more than its intervals do.
func TestTheReportClaimsNoMoreThanItShows(t *testing.T) {
	r := (&simulated{noise: sim.Typical}).check(t, time.Second)
	var b strings.Builder
	if err := text.Write(&b, r.Page(), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(line) > 101 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line)-1, line)
		}
	}
	if !strings.Contains(b.String(), "functions: 8 show no more than at most 48%; to show 1% takes 528 without one alarm.") {
		t.Errorf("the report is\n%s", &b)
	}
	if got := proof("functions", "an alarm", 528, rate(0, 528), 0.01); got != "functions: shown here, the chance of an alarm is at most 1%." {
		t.Error(got)
	}
	if got := proof("functions", "an alarm", 22, rate(3, 22), 0.01); got != "functions: MORE than promised: the chance of an alarm is at least 1.6%, not 1%." {
		t.Error(got)
	}
	for x, want := range map[float64]string{0: "0%", 1: "100%", 0.999: "99%", 0.484: "48%", 0.0123: "1.2%", 0.0001: "0.01%"} {
		if units.Rough(x) != want {
			t.Errorf("%v is %s, want %s", x, units.Rough(x), want)
		}
	}
}
