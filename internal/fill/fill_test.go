package fill

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/history"
	"example.com/suite/internal/tree"
	pagetext "example.com/suite/report/page/text"
	"example.com/suite/result"
)

// machine is a Meter on an invented machine. Values are logarithms of times; the machine wanders
// from hour to hour by half, and a ratio of pairs is off by a normal error.
type machine struct {
	times    [][]float64    // of each case in each commit
	programs [][]int        // commits with the same number cannot differ; nil: all may
	unable   map[int]string // commits that do not build
	error    float64        // standard deviation of a log ratio
	rng      *rand.Rand
	line     []tree.Commit
	cost     time.Duration // of measuring a case
	clock    time.Duration

	compared int // cases that were measured
	asked    []Question
	breaks   int // the comparison of this number fails; 0: none
}

var errBroken = errors.New("no space left on device")

const half = 2.326 // standard deviations, of an interval of 98 %

func (m *machine) Compare(_ context.Context, candidate, base tree.Commit, q Question) ([]*history.Run, []Unable, error) {
	c, b := m.index(candidate), m.index(base)
	m.asked = append(m.asked, q)
	run := &history.Run{Commit: candidate.Hash, Started: time.Unix(int64(m.clock.Seconds()), 0), Digest: fmt.Sprint(len(m.asked))}
	for _, bad := range []int{c, b} {
		if why := m.unable[bad]; why != "" {
			var all []Unable
			for _, i := range q.Cases {
				all = append(all, Unable{i, m.line[bad].Hash, why})
			}
			return nil, all, nil
		}
	}
	if q.Measure {
		m.breaks--
		if m.breaks == 0 {
			return nil, nil, errBroken
		}
	}
	for _, i := range q.Cases {
		kept := history.Case{Suite: "s", Name: fmt.Sprint("c", i), Against: base.Hash}
		same := m.programs != nil && m.programs[i][c] == m.programs[i][b]
		if same {
			kept.Same = "its program is the same"
		}
		if q.Measure && (!same || q.Ends) {
			m.compared++
			m.clock += m.cost
			metric := history.Metric{Name: "time", Value: math.Exp(m.times[i][c] + m.rng.Float64())}
			if !same {
				metric.Ratio = m.ratio(m.times[i][c]-m.times[i][b], q)
			}
			kept.Metrics = []history.Metric{metric}
		} else if !same {
			continue
		}
		run.Cases = append(run.Cases, kept)
	}
	return []*history.Run{run}, nil, nil
}

func (m *machine) ratio(effect float64, q Question) *history.Ratio {
	x := effect + m.error*m.rng.NormFloat64()
	deviations := half
	if q.Alpha > 0 {
		deviations = 4
	}
	value, low, high := math.Exp(x), math.Exp(x-half*m.error), math.Exp(x+half*m.error)
	r := &history.Ratio{Value: &value, Low: &low, High: &high, Call: result.Unclear, Confirmed: q.Alpha > 0}
	tolerance := math.Log1p(0.03)
	switch {
	case x-deviations*m.error > tolerance:
		r.Call = result.Worse
	case x+deviations*m.error < -tolerance:
		r.Call = result.Better
	case math.Abs(x)+deviations*m.error < tolerance:
		r.Call = result.Same
	}
	return r
}

func (m *machine) index(c tree.Commit) (i int) {
	i, _ = strconv.Atoi(c.Hash)
	return i
}

// planted is a machine with a line of so many commits; each change is the log of what a commit
// adds to the time of a case.
func planted(commits int, cases ...map[int]float64) *machine {
	m := &machine{unable: map[int]string{}, error: 0.004, rng: rand.New(rand.NewPCG(7, 7)), cost: time.Second}
	for i := range commits {
		m.line = append(m.line, tree.Commit{Hash: fmt.Sprintf("%04d", i), Date: "2026-01-01", Subject: "subject"})
	}
	for _, changes := range cases {
		times, at := []float64{}, 0.0
		for i := range commits {
			at += changes[i]
			times = append(times, at)
		}
		m.times = append(m.times, times)
	}
	return m
}

// fill fills the history of a machine and returns what was found and the runs that were recorded.
func (m *machine) fill(t *testing.T, every int, past []history.Entry, budget time.Duration) (*Outcome, []history.Entry) {
	t.Helper()
	o := Options{Line: m.line, Every: every, Past: past, Meter: m, Budget: budget,
		Now: func() time.Time { return time.Unix(0, 0).Add(m.clock) }}
	for i := range m.times {
		o.Cases = append(o.Cases, Case{"s", fmt.Sprint("c", i), "time", 0.03})
	}
	all := past
	o.Record = func(run *history.Run) error {
		all = append(all, history.Entry{Run: *run})
		return nil
	}
	found, err := Run(t.Context(), o)
	if err != nil && m.breaks != 0 {
		t.Fatal(err)
	}
	return found, all
}

// named are the commits whose changes were confirmed, by case.
func named(o *Outcome) (all map[string][]string) {
	all = map[string][]string{}
	for _, f := range o.Cases {
		for _, c := range f.Changes {
			if c.Confirmed && len(c.Commits) == 1 {
				all[f.Name] = append(all[f.Name], c.Commits[0].Hash)
			}
		}
	}
	return all
}

// Three changes of 390 commits, one of them of two cases, are found and confirmed; the case that never
// changed is measured at the points only.
func TestChangesAreFoundWhereTheyAre(t *testing.T) {
	m := planted(390, map[int]float64{77: 0.10, 200: -0.06, 301: 0.05}, map[int]float64{200: 0.2}, nil)
	o, entries := m.fill(t, 20, nil, 0)
	if got, want := fmt.Sprint(named(o)), "map[c0:[0077 0200 0301] c1:[0200]]"; got != want || o.End != Complete {
		t.Errorf("%s after %s, want %s", got, o.End, want)
	}
	if most := 390 / 2; m.compared > most {
		t.Errorf("%d comparisons of a case, want at most %d", m.compared, most)
	}
	if total := o.Cases[1].Total; math.Abs(total.Log-0.2) > total.Half || total.Half > 0.05 {
		t.Errorf("c1 changed by %v, want 0.2", total)
	}
	points := map[string]bool{}
	for _, e := range entries {
		if slices.ContainsFunc(e.Cases, func(c history.Case) bool { return c.Name == "c2" }) {
			points[e.Commit] = true
		}
	}
	if len(points) != 20 { // 389, 369, …, 9, and 0, whose values are in the run of 389 here
		t.Errorf("c2 has %d points", len(points))
	}
}

// A commit that cannot differ from a neighbour is not measured: neither between two changes nor at
// the ends of a range in which nothing happened.
func TestNothingIsMeasuredThatCannotDiffer(t *testing.T) {
	m := planted(100, map[int]float64{40: 0.3}, nil)
	before, after := make([]int, 100), make([]int, 100)
	for i := range 100 {
		if i >= 40 {
			before[i] = 1
		}
	}
	m.programs = [][]int{before, after}
	o, _ := m.fill(t, 5, nil, 0)
	if got := fmt.Sprint(named(o)); got != "map[c0:[0040]]" {
		t.Error(got)
	}
	if m.compared != 3 { // the ends of both, and the confirmation
		t.Errorf("%d cases were measured", m.compared)
	}
	if d := o.Cases[1].Total; d.Half != 0 || d.Log != 0 || len(o.Cases[1].Open) > 0 {
		t.Errorf("the case that cannot differ: %+v", o.Cases[1])
	}
}

// A fill that was stopped goes on where it was: the same comparisons are made once.
func TestAFillGoesOn(t *testing.T) {
	whole := planted(200, map[int]float64{77: 0.10})
	want, _ := whole.fill(t, 10, nil, 0)

	m := planted(200, map[int]float64{77: 0.10})
	var past []history.Entry
	var o *Outcome
	for part := 0; o == nil || o.End != Complete; part++ {
		m.breaks = 4
		o, past = m.fill(t, 10, past, 0)
		if part > 100 {
			t.Fatal("no end")
		}
	}
	if fmt.Sprint(named(o)) != fmt.Sprint(named(want)) {
		t.Errorf("%v, want %v", named(o), named(want))
	}
	if m.compared > whole.compared+5 { // noise may ask for some more
		t.Errorf("%d cases were measured in parts, %d at once", m.compared, whole.compared)
	}
	compared := m.compared
	m.breaks = 0
	if o, _ = m.fill(t, 10, past, 0); m.compared != compared || o.Comparisons != 0 || len(o.Cases[0].Changes) != 1 {
		t.Errorf("a fill that was complete has made %d comparisons", o.Comparisons)
	}
}

// The budget ends a fill, with a chain that is complete as far as it goes.
func TestTheBudgetIsKept(t *testing.T) {
	m := planted(200, map[int]float64{77: 0.10})
	o, past := m.fill(t, 10, nil, 5*time.Second)
	if o.End != OverBudget || m.compared != 5 || !o.Known() || len(past) == 0 {
		t.Errorf("%s after %d comparisons", o.End, m.compared)
	}
	for i, q := range m.asked {
		if q.Limit <= 0 || q.Limit > 5*time.Second {
			if q.Measure {
				t.Errorf("question %d may take %v", i, q.Limit)
			}
		}
	}
}

// Commits that do not build are left out, and a change in one of them is one of several. A case that
// the older commits lack begins later.
func TestCommitsThatCannotBeMeasured(t *testing.T) {
	m := planted(100, map[int]float64{40: 0.3})
	for i := range 20 {
		m.unable[i] = "there is no function c0"
	}
	for _, i := range []int{39, 40, 41, 49} { // 49 is the first point that is tried after 0
		m.unable[i] = "does not build"
	}
	o, _ := m.fill(t, 5, nil, 0)
	f := o.Cases[0]
	if len(f.Changes) != 1 || !f.Changes[0].Confirmed || len(f.Changes[0].Commits) != 4 || f.Changes[0].Before.Hash != "0038" {
		t.Errorf("%+v", f.Changes)
	}
	if f.First.Hash != "0024" { // of the points 0, 4, 9, …, 24
		t.Errorf("the case begins at %s", f.First.Hash)
	}
	if o.End != Complete {
		t.Error(o.End)
	}
	m.unable = map[int]string{}
	for i := range 100 {
		m.unable[i] = "does not build"
	}
	if o, _ = m.fill(t, 5, nil, 0); o.Known() || o.End != Complete {
		t.Errorf("%s, known: %t", o.End, o.Known())
	}
}

// Of 300 histories without a change none names one, although the errors of the ratios make some look
// like changes; and without the confirmation many would.
func TestNoChangeIsNamedThatIsNone(t *testing.T) {
	wrong, doubtful := 0, 0
	for seed := range uint64(300) {
		m := planted(60, nil, nil)
		m.error = 0.02
		m.rng = rand.New(rand.NewPCG(seed, 11))
		o, past := m.fill(t, 5, nil, 0)
		wrong += len(named(o))
		for _, e := range past {
			for _, c := range e.Cases {
				if r := c.Metrics[0].Ratio; r != nil && math.Abs(math.Log(*r.Value)) > math.Log1p(0.03) && (*r.Low > 1 || *r.High < 1) {
					doubtful++
				}
			}
		}
	}
	if wrong > 0 || doubtful < 30 {
		t.Errorf("%d changes were named of %d that looked like one", wrong, doubtful)
	}
}

// A change that its own pairs do not show as clearly is found, and not called confirmed.
func TestAChangeThatIsNotConfirmed(t *testing.T) {
	m := planted(60, map[int]float64{31: 0.038})
	o, _ := m.fill(t, 5, nil, 0)
	if c := o.Cases[0].Changes; len(c) != 1 || c[0].Confirmed || c[0].Commits[0].Hash != "0031" {
		t.Errorf("%+v", c)
	}
}

// What is not decided is measured again, and what differs by no more than the noise is no change.
func TestTimeIsSpentWhereItIsLeastSure(t *testing.T) {
	open, changes, links := 0, 0, 0
	for seed := range uint64(20) {
		m := planted(61, nil)
		m.error = 0.012
		m.rng = rand.New(rand.NewPCG(seed, 12))
		o, past := m.fill(t, 5, nil, 0)
		open += len(o.Cases[0].Open)
		changes += len(o.Cases[0].Changes)
		links += len(past)
	}
	if open > 30 || changes > 0 || links > 1200 { // without measuring again 228 are open; if noise were a change, there were 1368 comparisons
		t.Errorf("%d links are open, %d changes, %d comparisons", open, changes, links)
	}
}

// The page says what was found, in which commits, and what was left out.
func TestThePage(t *testing.T) {
	m := planted(100, map[int]float64{40: 0.3}, nil)
	m.unable[3] = "undefined: undefined"
	m.unable[4] = "undefined: undefined"
	o, _ := m.fill(t, 5, nil, 0)
	o.Took = 90 * time.Second
	var text strings.Builder
	if err := pagetext.Write(&text, o.Page(), pagetext.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"100 commits from 0000 (2026-01-01) to 0099 (2026-01-01); ", "measured, 90 s",
		"c0: +3", "at 0040 (2026-01-01, , subject)\n", "confirmed by pairs of its own; the commit before is 0039 (2026-01-01)",
		"not measured\n", "0004 (2026-01-01): undefined: undefined"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
}
