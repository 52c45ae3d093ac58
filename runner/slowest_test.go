package runner

import (
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// slowed is a command of 20 runs of 10 ms, of which one took 50.
func slowed(change func(s *result.Samples)) *track {
	t := sampled(20, func(i int) float64 { return 0.010 + 0.040*float64(i/13%2*(13/max(i, 1))) })
	t.target.Spec.Kind = result.KindCommand
	s := &t.result.Samples
	for _, name := range []string{"wait", "tree_wait", "cpu", "major_faults"} {
		s.Columns[name] = make(result.Column, 20)
	}
	change(s)
	return t
}

func TestTheSlowestRunComesWithItsCause(tt *testing.T) {
	const told = "the slowest run took 50 ms, usually 10 ms: it "
	for want, change := range map[string]func(s *result.Samples){
		"":                                func(s *result.Samples) {},
		told + "waited 31 ms for a CPU":   func(s *result.Samples) { s.Columns["wait"][13] = 0.031 },
		told + "used 35 ms more CPU time": func(s *result.Samples) { s.Columns["cpu"][13] = 0.035 },
		told + "was stopped for 39 ms": func(s *result.Samples) {
			s.Disturbed = []result.Disturbed{{Index: 13, Cause: result.Stopped, Seconds: 0.039}}
		},
		told + "had 12 page faults more that waited for a disk": func(s *result.Samples) { s.Columns["major_faults"][13] = 12 },
		told + "waited 31 ms for a CPU, and had 2 page faults more that waited for a disk": func(s *result.Samples) {
			s.Columns["wait"][13], s.Columns["major_faults"][13] = 0.031, 2
		},
		told[:len(told)-1] + ", or what started it, waited 31 ms for a CPU": func(s *result.Samples) { s.Columns["tree_wait"][13] = 0.031 },
	} {
		t := slowed(change)
		t.review().explainSlowest()
		if got := warning(t, "slowest"); got != want {
			tt.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOtherRunsAreNotExplained(tt *testing.T) {
	for name, change := range map[string]func(t *track){
		"another run waited": func(t *track) {
			t.result.Samples.Columns["wait"][13], t.result.Samples.Columns["wait"][12] = 0, 0.031
		},
		"all wait": func(t *track) {
			for i := range 20 {
				t.result.Samples.Columns["wait"][i] = 0.031
			}
		},
		"too little of it":      func(t *track) { t.result.Samples.Columns["wait"][13] = 0.019 },
		"not twice the median":  func(t *track) { t.result.Samples.Columns["wall"][13] = 0.019 },
		"killed by its timeout": func(t *track) { t.result.Samples.Censored = []int{13} },
		"a Go function":         func(t *track) { t.target.Spec.Kind = result.KindGo },
		"a summary of samples":  func(t *track) { t.own.series.Folds = summary.NewFolds() },
	} {
		t := slowed(func(s *result.Samples) { s.Columns["wait"][13] = 0.031 })
		change(t)
		t.review().explainSlowest()
		if got := warning(t, "slowest"); got != "" {
			tt.Errorf("%s: %q", name, got)
		}
	}
}

// With work the time is per unit; the message is about the whole run.
func TestTheSlowestRunIsThatOfAllItsWork(tt *testing.T) {
	t := slowed(func(s *result.Samples) { s.Columns["wait"][13] = 31 })
	t.result.Work = 1000
	t.review().explainSlowest()
	if got, want := warning(t, "slowest"), "the slowest run took 50 s, usually 10 s: it waited 31 s for a CPU"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
	t = slowed(func(s *result.Samples) { s.Columns["cpu"][13] = 0.035 })
	t.result.Work = 1000
	t.review().explainSlowest()
	if got, want := warning(t, "slowest"), "the slowest run took 50 s, usually 10 s: it used 35 s more CPU time"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
}
