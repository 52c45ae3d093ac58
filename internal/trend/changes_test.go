package trend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/suite/internal/history"
	"example.com/suite/result"
)

// planted is what happens to one case of a history: its level at each commit, and the
// commits at which the level changes.
type planted struct {
	level   func(commit int) float64
	machine func(commit int) string // nil for one machine
	at      []int
}

const commits = 120

// kinds of what happens, each at a random commit.
var kinds = map[string]func(r *rand.Rand) planted{
	"bump": func(r *rand.Rand) planted {
		from := 20 + r.IntN(60)
		return planted{at: []int{from, from + 20}, level: func(i int) float64 {
			if i >= from && i < from+20 {
				return 1.08
			}
			return 1
		}}
	},
	"step": func(r *rand.Rand) planted {
		from := 20 + r.IntN(80)
		return planted{at: []int{from}, level: func(i int) float64 {
			if i >= from {
				return 1.05
			}
			return 1
		}}
	},
	// An even stair is nearly a slope: some histories are called that.
	"stair": func(*rand.Rand) planted {
		return planted{at: []int{30, 60, 90}, level: func(i int) float64 { return math.Pow(1.05, float64(i/30)) }}
	},
	"nothing": func(*rand.Rand) planted { return planted{level: func(int) float64 { return 1 }} },
	"weekends": func(*rand.Rand) planted {
		return planted{level: func(i int) float64 {
			if i%7 >= 5 {
				return 0.97
			}
			return 1
		}}
	},
	"drift": func(*rand.Rand) planted {
		return planted{level: func(i int) float64 { return 1 + 0.2*float64(i)/commits }}
	},
	"machine": func(r *rand.Rand) planted {
		from := 20 + r.IntN(80)
		speed := func(i int) float64 {
			if i >= from {
				return 1.3
			}
			return 1
		}
		return planted{level: speed, machine: func(i int) string { return fmt.Sprint(speed(i)) }}
	},
}

// simulate returns the history of a suite of cases, of which the first has what is planted.
// Runs differ by 2 %, one in twenty is slower by 15 % on average, and each case wanders by
// half a percent over thirty commits.
func simulate(r *rand.Rand, cases int, p planted) (entries []history.Entry) {
	wander := make([]float64, cases)
	for i := range commits {
		when := began.AddDate(0, 0, i)
		machine := "cpu"
		if p.machine != nil {
			machine = p.machine(i)
		}
		run := history.Run{Started: when, Committed: when, Commit: fmt.Sprintf("%040x", i+1), Machine: result.Machine{CPU: machine, CPUs: 2}}
		for c := range cases {
			const kept = 29.0 / 30
			wander[c] = kept*wander[c] + math.Sqrt(1-kept*kept)*0.005*r.NormFloat64()
			x := wander[c] + 0.02*r.NormFloat64()
			if r.Float64() < 0.05 {
				x += 0.15 * r.ExpFloat64()
			}
			value := math.Exp(x)
			if c == 0 {
				value *= p.level(i)
			}
			run.Cases = append(run.Cases, history.Case{Suite: "s", Name: fmt.Sprintf("c%02d", c), Metrics: []history.Metric{{Name: "time", Unit: "s", Better: result.Lower, Value: value, N: 20}}})
		}
		entries = append(entries, history.Entry{Run: run})
	}
	return entries
}

// Of what is named, nearly all happened, and at the commit that is named: both ends of a
// bump, steps, and no season, no drift and no other machine. A bump is in one case of forty:
// an error divided by the cases would miss the second end of most. What is named wrongly is
// where the simulated machine wanders.
func TestChangesAreNamedWhereTheyHappened(t *testing.T) {
	const histories, reach = 15, 5
	for _, c := range []struct {
		kind   string
		cases  int
		recall float64 // of what was planted, least share found within reach
		wrong  int     // greatest number of changes named elsewhere, in all histories
	}{
		{"bump", 40, 0.7, 4}, {"step", 10, 0.9, 4}, {"stair", 10, 0.6, 2}, {"nothing", 10, 1, 2}, {"weekends", 10, 1, 2}, {"drift", 10, 1, 2}, {"machine", 10, 1, 2},
	} {
		all, found, wrong := 0, 0, 0
		for run := range histories {
			r := rand.New(rand.NewPCG(11, uint64(run)))
			p := kinds[c.kind](r)
			all += len(p.at)
			for _, s := range Of(simulate(r, c.cases, p), options()) {
				for _, change := range s.Changes {
					if s.Case == "c00" && near(change.At, p.at, reach) {
						found++
					} else {
						wrong++
					}
				}
			}
		}
		t.Logf("%s: found %d of %d; %d of %d named are wrong", c.kind, found, all, wrong, found+wrong)
		if float64(found) < c.recall*float64(all) || wrong > c.wrong {
			t.Errorf("%s: found %d of %d, want %g of them; %d wrong, want at most %d", c.kind, found, all, c.recall, wrong, c.wrong)
		}
	}
}

func near(at int, places []int, reach int) bool {
	for _, p := range places {
		if at >= p-reach && at <= p+reach {
			return true
		}
	}
	return false
}

// A step that is too new to be named is mentioned, with the number of commits that are
// missing, and nearly no case without one is.
func TestTooFewPointsAfterAStep(t *testing.T) {
	const cases = 100
	for after, want := range map[int]bool{5: true, 7: true, 20: false} {
		r := rand.New(rand.NewPCG(13, uint64(after)))
		all := Of(simulate(r, cases, planted{level: func(i int) float64 {
			if i >= commits-after {
				return 2
			}
			return 1
		}}), options())
		mentioned := 0
		for _, s := range all[1:] {
			if s.Recent != nil {
				mentioned++
			}
		}
		recent := all[0].Recent
		if (recent != nil) != want || want && (recent.At != commits-after || recent.Points != after || recent.Needed <= after || recent.Needed > 12 || !recent.Worse || math.Abs(recent.Relative()-1) > 0.1) {
			t.Errorf("%d points after a step: %+v", after, recent)
		}
		if mentioned > 3 {
			t.Errorf("%d of %d cases without a step are mentioned", mentioned, cases-1)
		}
		if named := len(all[0].Changes) == 1; named != (after == 20) {
			t.Errorf("%d points after a step: %+v", after, all[0].Changes)
		}
	}
}
