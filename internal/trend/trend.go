// Package trend finds what the runs of a history show about each case: at which commits its
// level changed, and whether it crept. It compares nothing across machines: each machine has
// its own series of absolute values, and only ratios that were measured in pairs connect
// them.
package trend

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/chain"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
	"example.com/suite/stats/changes"
)

// Series is one metric of one case over the commits of a history.
type Series struct {
	Suite    string
	Case     string
	Metric   string
	Unit     string
	Better   result.Direction
	Points   []Point // in the order of commits
	Machines []string
	Changes  []Change // in the order of their points
	Drift    *Drift   // of the newest machine; nil if there are too few points
	Crept    bool     // the newest machine's points drifted, and lie nearer to a slope than to levels
	Chained  *Drift   // product of the ratios from commit to commit; nil if they do not connect
	Recent   *Recent  // at the end of the newest machine's points; nil if they do not differ

	least     float64 // relative change that is worth reporting
	graph     chain.Graph
	same      []Point     // commits in which nothing was measured, because the case cannot differ
	confirmed []confirmed // in the order of the runs
}

// confirmed is a change between two commits that pairs of its own have confirmed.
type confirmed struct {
	commit, against string
	ratio           history.Ratio
}

// Point is one commit as it was measured on one machine: the median over its runs.
type Point struct {
	Commit  string // full hash; empty if the runs have none
	Subject string
	Author  string    // who wrote the commit; empty if that is not known
	Page    string    // address of the commit on the web, as somebody wrote it; empty if it is not known
	When    time.Time // of the commit, or else of the run
	Machine int       // index in Series.Machines
	Value   float64
	Low     *float64 // interval of the run, if there is one run
	High    *float64
	Runs    int
	Against string         // commit that the ratio refers to
	Ratio   *history.Ratio // of the newest of its runs
	// ByRatios is set if the value was not measured at the time of the commit, or not at all: it is the
	// newest point's, times the ratios that connect the two.
	ByRatios bool
}

// Change is a change of level between two points of one machine.
type Change struct {
	At     int     // index of the first point with the new level
	Last   int     // index of the last point of the same machine with the old one
	Before float64 // median of the level
	After  float64
	P      float64 // chance that this series without a change shows one as clear; 0 if Paired
	Worse  bool
	Paired bool // pairs of the two commits have shown and confirmed it

	Acknowledged *Acknowledged // by people, in the file of Options; nil if nobody has
}

// Recent is a difference at the end of a series that may be a change: too few points came
// after it to be sure.
type Recent struct {
	Change
	Points int // after it
	Needed int // that would show it, if further ones differ as clearly
}

// Relative is the change of level: 0.05 is 5 % up. It is infinite from a level of 0 up.
func (c *Change) Relative() float64 {
	if c.Before == c.After {
		return 0
	}
	return c.After/c.Before - 1
}

// Percent is the relative change as text: +5.0%, or up from 0.
func (c *Change) Percent() string { return signed(c.Relative()) }

func signed(change float64) string {
	if math.IsInf(change, 1) {
		return "up from 0"
	}
	return units.Signed(change, units.Tenths)
}

// Drift is a change from the first to the last of some points, by steps or slowly.
type Drift struct {
	From, To int // indexes of the first and the last point
	Change   float64
	Low      float64 // 99 % interval
	High     float64
}

// Options choose what is searched.
type Options struct {
	Metric string
	Last   int     // newest commits that are looked at, 0 for all
	Least  float64 // relative change that is worth reporting

	Acknowledged []Acknowledged // changes that people know of
}

// alpha is the chance that a history without any change shows one in any series, and the share of false series among
// those shown.
const alpha = 0.01

// Least is the relative change from which on changes are shown, unless somebody asks for another.
const Least = 0.01

// Of returns the series of a metric for every case of a history, in the order of their names.
// entries may be in any order. They are all cases of the history, whichever are to be shown:
// how clear a change must be depends on all of them.
func Of(entries []history.Entry, o Options) []Series {
	all := gather(entries, o.Metric)
	for i := range all {
		all[i].least = o.Least
		all[i].order(o.Last)
		all[i].level()
	}
	findChanges(all, o)
	for i := range all {
		s := &all[i]
		s.findDrift()
		s.findCreep(o.Least)
		s.findConfirmed(o.Least)
		s.acknowledge(o.Acknowledged)
		s.chain()
	}
	return all
}

// MetricsOf lists the metrics of a history in the order of their first appearance.
func MetricsOf(entries []history.Entry) (names []string) {
	known := map[string]bool{}
	for i := range entries {
		for j := range entries[i].Cases {
			for _, m := range entries[i].Cases[j].Metrics {
				if !known[m.Name] {
					known[m.Name] = true
					names = append(names, m.Name)
				}
			}
		}
	}
	return names
}

type key struct{ suite, name string }

// gather collects the points of each case. Runs of a tree that no commit has are left out.
func gather(entries []history.Entry, metric string) (all []Series) {
	at := map[key]int{}
	for i := range entries {
		e := &entries[i]
		if e.Dirty {
			continue
		}
		for j := range e.Cases {
			c := &e.Cases[j]
			m := c.Metric(metric)
			if m == nil && c.Same == "" {
				continue
			}
			k := key{c.Suite, c.Name}
			n, known := at[k]
			if !known {
				n = len(all)
				at[k] = n
				all = append(all, Series{Suite: c.Suite, Case: c.Name, Metric: metric})
			}
			all[n].add(e, c, m)
		}
	}
	all = slices.DeleteFunc(all, func(s Series) bool { return len(s.Points) == 0 })
	slices.SortFunc(all, func(a, b Series) int {
		return cmp.Or(display.Natural(a.Suite, b.Suite), display.Natural(a.Case, b.Case))
	})
	return all
}

// WorstFirst compares two series: by suite, then those whose level is not what it was before those
// in which something changed, and these before the others; the worse before the better, and then by
// name.
func WorstFirst(a, b *Series) int {
	rankA, badnessA := a.rank()
	rankB, badnessB := b.rank()
	return cmp.Or(display.Natural(a.Suite, b.Suite), cmp.Compare(rankA, rankB), cmp.Compare(badnessB, badnessA),
		display.Natural(a.Case, b.Case))
}

func (s *Series) rank() (rank int, badness float64) {
	switch change, call := s.Standing(); {
	case call != result.Same:
		return 0, s.badness(change)
	case s.Notable():
		return 1, 0
	}
	return 2, 0
}

// badness of a relative change is above 0 if it is one to the worse, and below 0 if it is one to
// the better. A change to half the time has the size of a change to twice the time.
func (s *Series) badness(change float64) float64 {
	if s.Better == result.Higher {
		return -math.Log1p(change)
	}
	return math.Log1p(change)
}

// Badness of a change of level is above 0 if it is one to the worse, and grows with its size.
func (c *Change) Badness() float64 {
	size := math.Abs(math.Log1p(c.Relative()))
	if c.Worse {
		return size
	}
	return -size
}

// add adds what a run has found out about the case. m is nil if it could not differ.
func (s *Series) add(e *history.Entry, c *history.Case, m *history.Metric) {
	s.graph.Add(e.Commit, c, s.Metric)
	if m == nil {
		p := pointOf(e)
		p.ByRatios = true
		s.same = append(s.same, p)
		return
	}
	s.Unit, s.Better = m.Unit, m.Better
	if m.Ratio != nil && m.Ratio.Confirmed {
		s.confirmed = append(s.confirmed, confirmed{e.Commit, c.Against, *m.Ratio})
	}
	s.addPoint(e, c, m)
}

// pointOf is a run's commit, without what was measured.
func pointOf(e *history.Entry) Point {
	return Point{Commit: e.Commit, Subject: e.Subject, Author: e.Author, Page: e.Page, When: e.When()}
}

func (s *Series) addPoint(e *history.Entry, c *history.Case, m *history.Metric) {
	p := pointOf(e)
	p.Machine, p.Runs = s.machine(e.MachineName()), 1
	p.Value, p.Low, p.High = m.Value, m.Low, m.High
	p.Against, p.Ratio, p.ByRatios = c.Against, linking(c, m), e.Filled
	s.Points = append(s.Points, p)
}

// machine is the index of a machine, which is added if the series has none of its name.
func (s *Series) machine(name string) int {
	at := slices.Index(s.Machines, name)
	if at < 0 {
		at = len(s.Machines)
		s.Machines = append(s.Machines, name)
	}
	return at
}

// order sorts the points by commit, makes one point of all runs of a commit on a machine, and
// keeps the last ones.
func (s *Series) order(last int) {
	slices.SortStableFunc(s.Points, func(a, b Point) int {
		return cmp.Or(a.When.Compare(b.When), cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Machine, b.Machine))
	})
	var merged []Point
	for i := 0; i < len(s.Points); {
		j := i + 1
		for j < len(s.Points) && s.Points[i].Commit != "" && s.Points[j].Commit == s.Points[i].Commit &&
			s.Points[j].Machine == s.Points[i].Machine {
			j++
		}
		merged = append(merged, together(s.Points[i:j]))
		i = j
	}
	if last > 0 && len(merged) > last {
		merged = merged[len(merged)-last:]
	}
	s.Points = merged
}

// together makes one point of the runs of one commit: their median, without an interval.
func together(runs []Point) Point {
	p := runs[len(runs)-1]
	if len(runs) == 1 {
		return p
	}
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = r.Value
	}
	p.Value, p.Low, p.High, p.Runs = stats.Median(values), nil, nil, len(runs)
	return p
}

// IsConstant reports whether all points have the same value.
func (s *Series) IsConstant() bool {
	return !slices.ContainsFunc(s.Points, func(p Point) bool { return p.Value != s.Points[0].Value })
}

// ofMachine returns the indexes and values of the points of one machine that were measured at the
// time of their commits. Those that were measured later are where a search for changes wanted them,
// and their values are by ratios.
func (s *Series) ofMachine(machine int) (at []int, values []float64) {
	for i := range s.Points {
		if s.Points[i].Machine == machine && !s.Points[i].ByRatios {
			at = append(at, i)
			values = append(values, s.Points[i].Value)
		}
	}
	return at, values
}

// A search looks for changes in the points of a series that one machine measured.
type search struct {
	series  *Series
	machine int
	at      []int // indexes of the points
	found   *changes.Search
}

// findChanges finds the changes of all series. First it decides which series changed at all,
// among all of them, and then where each of those did: a change that is certain is no reason
// to doubt the others of its series, such as the other end of a bump.
//
// Source: D. Yekutieli, Hierarchical false discovery rate-controlling methodology, Journal of
// the American Statistical Association 103 (2008).
func findChanges(all []Series, o Options) {
	var searches []search
	var ps []float64
	for i := range all {
		for machine := range all[i].Machines {
			if at, values := all[i].ofMachine(machine); len(at) >= changes.LeastPoints {
				s := search{&all[i], machine, at, changes.New(values)}
				searches = append(searches, s)
				ps = append(ps, s.found.P())
			}
		}
	}
	threshold, next := changes.Threshold(ps, alpha)
	for i, s := range searches {
		if ps[i] <= threshold {
			s.findPlaces(o)
		} else {
			s.findRecent(0, next, o)
		}
	}
	for i := range all {
		slices.SortFunc(all[i].Changes, func(a, b Change) int { return cmp.Compare(a.At, b.At) })
	}
}

// findPlaces finds where a series changed.
func (s *search) findPlaces(o Options) {
	level := 0
	for _, c := range s.found.Points(alpha) {
		level = c.At
		if change := s.change(c.At, c.Before, c.After); math.Abs(change.Relative()) >= o.Least {
			change.P = c.P
			s.series.Changes = append(s.series.Changes, change)
		}
	}
	s.findRecent(level, alpha, o)
}

// findRecent looks for a difference near the end of the newest machine's points, from the
// last change on. kept is the error that a change has to keep.
func (s *search) findRecent(from int, kept float64, o Options) {
	if s.machine != s.series.Points[len(s.series.Points)-1].Machine {
		return
	}
	if c := s.found.Recent(from, kept, alpha); c != nil {
		if change := s.change(c.At, c.Before, c.After); math.Abs(change.Relative()) >= o.Least {
			s.series.Recent = &Recent{Change: change, Points: len(s.at) - c.At, Needed: c.Needed}
		}
	}
}

// change is a change at a point of the search.
func (s *search) change(at int, before, after float64) Change {
	return Change{At: s.at[at], Last: s.at[at-1], Before: before, After: after,
		Worse: (after > before) == (s.series.Better != result.Higher)}
}

const driftConfidence = 0.99

// findDrift finds the drift of the machine that has the newest point.
func (s *Series) findDrift() {
	if len(s.Points) == 0 {
		return
	}
	at, values := s.ofMachine(s.Points[len(s.Points)-1].Machine)
	if len(at) == 0 {
		return
	}
	low, change, high, err := stats.DriftInterval(values, driftConfidence)
	if err == nil {
		s.Drift = &Drift{From: at[0], To: at[len(at)-1], Change: change, Low: low, High: high}
	}
}

// findCreep decides whether the newest machine's points lie nearer to one slope than to the
// levels that were found. A slow drift is also a stair of levels, whose commits mean nothing:
// then the series has crept, and has no changes on this machine.
//
// Each level and each place of a change is a parameter, which alone makes levels lie nearer;
// the criterion of G. Schwarz, Estimating the dimension of a model, Annals of Statistics 6
// (1978), for errors with a Laplace distribution, takes that into account.
func (s *Series) findCreep(least float64) {
	d := s.Drift
	if d == nil || d.Low < least && d.High > -least {
		return
	}
	newest := s.Points[d.To].Machine
	ofNewest := func(c Change) bool { return s.Points[c.At].Machine == newest }
	at, values := s.ofMachine(newest)
	n := float64(len(at))
	slope := math.Log1p(d.Change) / (n - 1)
	rest := make([]float64, len(values))
	for i, x := range values {
		rest[i] = math.Log(x) - slope*float64(i)
	}
	middle := stats.Median(rest)
	fromSlope, fromLevels := 0.0, 0.0
	for i, x := range values {
		fromSlope += math.Abs(rest[i] - middle)
		fromLevels += math.Abs(math.Log(x / s.levelAt(at[i])))
	}
	places := 0
	for _, c := range s.Changes {
		if ofNewest(c) {
			places++
		}
	}
	const ofSlope = 2
	ofLevels := 2*places + 1
	if s.Crept = n*math.Log(fromSlope/fromLevels) < float64(ofLevels-ofSlope)/2*math.Log(n); s.Crept {
		s.Changes = slices.DeleteFunc(s.Changes, ofNewest)
		s.Recent = nil
	}
}

// levelAt is the median of the level that a point belongs to.
func (s *Series) levelAt(point int) float64 {
	machine := s.Points[point].Machine
	level := math.NaN()
	for _, c := range s.Changes {
		switch {
		case s.Points[c.At].Machine != machine:
		case c.At <= point:
			level = c.After
		case math.IsNaN(level):
			level = c.Before
		}
	}
	if !math.IsNaN(level) {
		return level
	}
	if _, values := s.ofMachine(machine); len(values) > 0 {
		return stats.Median(values)
	}
	return s.Points[point].Value
}

// linked returns the points from the one of a commit back, as long as each has a ratio to the
// next. It is empty if the commit has no such ratio.
func (s *Series) linked(commit string) (points []int) {
	byCommit := map[string]int{}
	for i := range s.Points {
		byCommit[s.Points[i].Commit] = i
	}
	at, known := byCommit[commit]
	for known {
		p := &s.Points[at]
		from, is := byCommit[p.Against]
		if p.Ratio == nil || p.Ratio.Low == nil || p.Ratio.High == nil || !is || from >= at || *p.Ratio.Low <= 0 {
			break
		}
		if points == nil {
			points = []int{at}
		}
		points = append(points, from)
		at = from
	}
	return points
}

// chain multiplies the ratios from the newest commit back to the oldest one that they connect it with.
func (s *Series) chain() {
	last := len(s.Points) - 1
	if last < 1 {
		return
	}
	differences := s.graph.From(s.Points[last].Commit)
	for i := range last {
		d, connected := differences[s.Points[i].Commit]
		if !connected || s.Points[i].Commit == s.Points[last].Commit {
			continue
		}
		total := d.Inverse().Widen(driftConfidence)
		s.Chained = &Drift{From: i, To: last, Change: total.Value - 1, Low: total.Low - 1, High: total.High - 1}
		return
	}
}

// linking is a ratio to another commit that others can be multiplied by, nil if there is none.
func linking(c *history.Case, m *history.Metric) *history.Ratio {
	if m.Ratio == nil || m.Ratio.Value == nil || strings.HasPrefix(c.Against, history.BaseCase) {
		return nil
	}
	return m.Ratio
}
