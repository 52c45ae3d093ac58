package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"example.com/suite/gate"
	"example.com/suite/internal/history"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// TestMain collects garbage seldom, which is a third of the time of these tests otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// project is a simulated project: a run of its suite at each commit, which is judged with the
// history so far and then saved.
type project struct {
	judge    *Judge
	random   *rand.Rand
	cases    int
	machine  string
	speed    float64 // of the machine
	wander   float64 // logarithm
	outliers float64 // share of runs
	entries  []history.Entry
}

// noise is what runs of the same code differ by: of each case, and of the whole machine, which
// wanders over about thirty commits. One run in twenty is slower by 15 % on average.
type noise struct{ run, machine float64 }

func newProject(t *testing.T, seed uint64, cases int, expr string) *project {
	var sources []gate.Source
	for i := range cases {
		sources = append(sources, gate.Source{Suite: "s", Case: fmt.Sprint(i), Kind: result.KindGo, ID: "drift", Expr: lang.Text{Value: expr}, Severity: "fail", OnInconclusive: "auto"})
	}
	gates, problems := gate.Compile(sources, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if calls := gates.Errors("s").Calls; calls != cases {
		t.Fatalf("%d calls share the errors, want %d", calls, cases)
	}
	return &project{judge: &Judge{plans: []*spec.Plan{{Suite: "s"}}, gates: gates}, random: rand.New(rand.NewPCG(seed, 1)), cases: cases, machine: "cpu", speed: 1, outliers: 0.05}
}

// commit measures a state of the code and returns how many gates failed.
func (p *project) commit(cost float64, n noise) (red int, doc *result.Document) {
	const kept = 29.0 / 30
	p.wander = kept*p.wander + math.Sqrt(1-kept*kept)*n.machine*p.random.NormFloat64()
	hash := fmt.Sprintf("%040x", len(p.entries)+1)
	when := time.Date(2026, 1, 1, len(p.entries), 0, 0, 0, time.UTC)
	doc = &result.Document{Started: when, Machine: result.Machine{CPU: p.machine}, Suites: []result.Suite{{Name: "s", Commit: &result.Commit{Hash: hash}}}}
	for i := range p.cases {
		x := p.wander + n.run*p.random.NormFloat64()
		if p.random.Float64() < p.outliers {
			x += 0.15 * p.random.ExpFloat64()
		}
		doc.Cases = append(doc.Cases, result.Case{Suite: "s", Name: fmt.Sprint(i), Kind: result.KindGo, Status: result.Measured,
			Metrics: []result.Summary{{Metric: "time", Unit: "s", N: 20, Median: 1e-3 * cost * p.speed * math.Exp(x)}}})
	}
	p.judge.joinHistory(p.entries, doc)
	p.judge.gates.Assess(doc.Suites).Judge(doc.Cases)
	for i := range doc.Cases {
		if doc.Cases[i].Gates[0].Verdict == result.Fail {
			red++
		}
	}
	run := history.Of(doc)
	run.Committed = when
	p.entries = append(p.entries, history.Entry{Run: *run})
	return red, doc
}

// A suite on code that never changes is not red in any of 200 runs that look at one history,
// however noisy its machines are, and whichever of them it runs on. The limit is the worst one:
// anything that is taken for a drift makes it red.
func TestUnchangedCodeDoesNotDrift(t *testing.T) {
	const suites, commits = 10, 200
	for run := range uint64(suites) {
		p := newProject(t, run, 4, "trend(time, 30).drift <= 0%")
		for i := range commits {
			if i == 120 {
				p.machine, p.speed = "slower cpu", 1.3
			}
			if red, doc := p.commit(1, noise{0.04, 0.01}); red > 0 {
				t.Fatalf("suite %d is red at commit %d: %s", run, i, reasons(doc))
			}
		}
	}
}

// Ten changes of +1 %, each of which passes a gate of 3 %, are found after thirty commits without
// a change, however many commits they are spread over, and not before they are 5 %.
func TestCreepMakesAGateRed(t *testing.T) {
	const suites, quiet = 10, 30
	for _, run := range []float64{0.005, 0.01, 0.02} {
		for _, commits := range []int{10, 20, 40} {
			var after []float64
			for seed := range uint64(suites) {
				p := newProject(t, seed, 1, "trend(time).drift < 5%")
				for i := range quiet + commits + 50 {
					steps := max(0, min(10, 10*(i-quiet)/commits))
					red, doc := p.commit(math.Pow(1.01, float64(steps)), noise{run, 0.003})
					if red > 0 && steps < 5 {
						t.Errorf("suite %d is red after %d steps: %s", seed, steps, reasons(doc))
					}
					if red > 0 {
						after = append(after, float64(i-quiet))
						break
					}
				}
			}
			if len(after) < suites*9/10 {
				t.Errorf("noise of %g%%, ten steps in %d commits: found in %d of %d suites", 100*run, commits, len(after), suites)
				continue
			}
			t.Logf("noise of %g%%, ten steps in %d commits: found in %d of %d suites, after %g commits (median)", 100*run, commits, len(after), suites, stats.Median(after))
		}
	}
}

// A gate is no longer red at the commit that puts it right.
func TestAFixEndsARedGate(t *testing.T) {
	p := newProject(t, 1, 1, "trend(time, 50).drift < 5%")
	p.outliers = 0
	for i := range 50 {
		p.commit(math.Pow(1.01, float64(max(0, min(10, i-20)))), noise{0.002, 0})
	}
	if red, doc := p.commit(math.Pow(1.01, 10), noise{0.002, 0}); red != 1 {
		t.Fatal("ten times +1 %: ", reasons(doc))
	}
	if _, doc := p.commit(1, noise{0.002, 0}); doc.Cases[0].Gates[0].Cause != result.CauseMoved {
		t.Error("after the fix: ", reasons(doc))
	}
}

// Neither runs of the same commit nor runs of changed trees are points, and the error of a
// short history says how many it needs.
func TestTheRunReplacesItsCommit(t *testing.T) {
	p := newProject(t, 1, 1, "trend(time).drift < 5%")
	for range 5 {
		p.commit(1, noise{})
	}
	again := p.entries[4]
	again.Run.Started = again.Started.Add(time.Hour)
	dirty := p.entries[3]
	dirty.Dirty = true
	p.entries = append(p.entries[:4:4], dirty, again)
	doc := &result.Document{Suites: []result.Suite{{Name: "s", Commit: &result.Commit{Hash: again.Commit}}}, Machine: again.Machine,
		Cases: []result.Case{{Suite: "s", Name: "0", Kind: result.KindGo, Status: result.Measured, Metrics: []result.Summary{{Metric: "time", N: 20, Median: 1}}}}}
	p.judge.joinHistory(p.entries, doc)
	p.judge.gates.Assess(doc.Suites).Judge(doc.Cases)
	past := doc.Cases[0].History("time")
	g := doc.Cases[0].Gates[0]
	if past == nil || len(past.Points) != 4 || past.Floor != 0.02 || g.Cause != result.CauseShortHistory {
		t.Errorf("%+v: %s", past, reasons(doc))
	}
	const want = "trend(time).drift is not known: the history has 5 of at least 20 commits, this one included, that were measured on this machine"
	if g.Reason != want {
		t.Errorf("got  %s\nwant %s", g.Reason, want)
	}
}

func reasons(doc *result.Document) (text string) {
	for i := range doc.Cases {
		for _, g := range doc.Cases[i].Gates {
			text += fmt.Sprintf("\n%s %s: %s", doc.Cases[i].Name, g.Verdict, g.Reason)
		}
	}
	return text
}
