package fill

import (
	"math"
	"slices"

	"example.com/suite/internal/history"
	"example.com/suite/internal/history/chain"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
)

// series is what is known of one case, by indexes of the line.
type series struct {
	Case
	line  []tree.Commit
	at    map[string]int // index of each hash
	every int

	graph    chain.Graph
	failed   map[int]string         // commits in which it cannot be measured, and why
	tries    map[pair]int           // comparisons that were measured
	confirms map[pair]result.Change // what the newest confirmation has shown
	again    map[pair]int           // confirmations

	links []link // between neighbours among the commits that are known, in order
	start int    // the newest commit that is known; -1: none
}

// pair is two commits, the older first.
type pair struct{ older, newer int }

// link is how the newer of two commits differs from the older one.
type link struct {
	pair
	chain.Difference
}

// proposal is a comparison that would show something new.
type proposal struct {
	purpose         Purpose
	candidate, base int
	worth           float64 // among proposals of the same purpose
}

// urgency of each purpose, the most urgent last.
var urgency = []Purpose{Again, Point, Older, Middle, Confirm, Ends}

func (p *proposal) isBefore(other *proposal) bool {
	own, others := slices.Index(urgency, p.purpose), slices.Index(urgency, other.purpose)
	return own > others || own == others && p.worth > other.worth
}

const (
	mostTries    = 3 // comparisons of the same two commits
	mostConfirms = 2 // of the same change
	mostFailures = 3 // points in a row in which a case is not, after which older ones are not tried
)

func newSeries(c Case, line []tree.Commit, at map[string]int, every int) *series {
	return &series{Case: c, line: line, at: at, every: every, failed: map[int]string{}, tries: map[pair]int{},
		confirms: map[pair]result.Change{}, again: map[pair]int{}, start: -1}
}

// read adds what a history knows.
func (s *series) read(entries []history.Entry) {
	for i := range entries {
		e := &entries[i]
		if _, isOn := s.at[e.Commit]; !isOn || e.Dirty {
			continue
		}
		if c := s.caseIn(&e.Run); c != nil {
			s.take(e.Commit, c)
		}
	}
	s.update()
}

// caseIn is the case in a run, nil if it has none.
func (s *series) caseIn(run *history.Run) *history.Case {
	i := slices.IndexFunc(run.Cases, func(c history.Case) bool { return c.Suite == s.Suite && c.Name == s.Name })
	if i < 0 {
		return nil
	}
	return &run.Cases[i]
}

// add adds what a comparison has found out.
func (s *series) add(commit string, c *history.Case) {
	s.take(commit, c)
	s.update()
}

func (s *series) take(commit string, c *history.Case) {
	candidate, known := s.at[commit]
	base, too := s.at[c.Against]
	if !known || !too || c.IsBase() {
		return
	}
	s.graph.Add(commit, c, s.Metric)
	if m := c.Metric(s.Metric); m != nil && m.Ratio != nil && m.Ratio.Confirmed {
		between := ordered(candidate, base)
		s.confirms[between] = m.Ratio.Call
		s.again[between]++
	}
}

func ordered(a, b int) pair { return pair{min(a, b), max(a, b)} }

// confirmations counts those that the history has.
func (s *series) confirmations() (n int) {
	for _, more := range s.again {
		n += more
	}
	return n
}

// tried notes that two commits were measured, whatever that has shown. confirmed is the number of
// their confirmations before.
func (s *series) tried(p proposal, confirmed int) {
	between := ordered(p.candidate, p.base)
	s.tries[between]++
	if p.purpose == Confirm {
		s.again[between] = confirmed + 1
	}
}

// giveUp notes that a commit between two others cannot be compared, if it is still unknown.
func (s *series) giveUp(m int) {
	if _, upper := s.around(m); upper > 0 && s.failed[m] == "" {
		s.failed[m] = "its comparison has told nothing"
	}
}

func (s *series) fail(u Unable) {
	if i, known := s.at[u.Commit]; known {
		s.failed[i] = u.Reason
		s.update()
	}
}

// update finds the links anew.
func (s *series) update() {
	s.links, s.start = nil, -1
	var known map[string]chain.Difference
	for i := len(s.line) - 1; i >= 0 && s.start < 0; i-- {
		known = s.graph.From(s.line[i].Hash)
		if known != nil {
			s.start = i
		}
	}
	before := -1
	for i := 0; i <= s.start; i++ {
		if _, is := known[s.line[i].Hash]; !is {
			continue
		}
		if before >= 0 {
			s.links = append(s.links, link{pair{before, i}, s.graph.From(s.line[before].Hash)[s.line[i].Hash]})
		}
		before = i
	}
}

// oldest is the oldest commit that is known.
func (s *series) oldest() int {
	if len(s.links) == 0 {
		return s.start
	}
	return s.links[0].older
}

// isPoint reports whether the history is to have a point at a commit.
func (s *series) isPoint(i int) bool { return i == 0 || (len(s.line)-1-i)%s.every == 0 }

// around returns the known commits before and after an unknown one, -1 if there is none.
func (s *series) around(m int) (lower, upper int) {
	for _, l := range s.links {
		if l.older < m && m < l.newer {
			return l.older, l.newer
		}
	}
	return -1, -1
}

// tolerance as a log ratio.
func (s *series) tolerance() float64 { return math.Log1p(s.Tolerance) }

// isChange reports whether a link is known to differ, by an amount that matters.
func (s *series) isChange(l link) bool {
	return math.Abs(l.Log) >= s.tolerance() && math.Abs(l.Log) > l.Half
}

// isOpen reports whether a link may be a change and may be none.
func (s *series) isOpen(l link) bool { return !s.isChange(l) && math.Abs(l.Log)+l.Half > s.tolerance() }

// middle is the commit nearest to the middle between two that can be measured, among those that are
// wanted; -1 if there is none.
func (s *series) middle(i, j int, wanted func(int) bool) int {
	best := -1
	for m := i + 1; m < j; m++ {
		if s.failed[m] != "" || !wanted(m) {
			continue
		}
		if best < 0 || abs(2*m-i-j) < abs(2*best-i-j) {
			best = m
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

func anyCommit(int) bool { return true }

// best is the comparison that shows most about the case, nil if nothing is left.
func (s *series) best() (best *proposal) {
	for _, p := range s.proposals() {
		if best == nil || p.isBefore(best) {
			best = &p
		}
	}
	return best
}

// wants reports whether a comparison would show something new about the case.
func (s *series) wants(p proposal) bool {
	if p.purpose != Middle && p.purpose != Point {
		return slices.ContainsFunc(s.proposals(), func(own proposal) bool {
			return own.purpose == p.purpose && own.candidate == p.candidate && own.base == p.base
		})
	}
	lower, upper := s.around(p.candidate)
	if lower != p.base || s.failed[p.candidate] != "" {
		return false
	}
	l := s.links[slices.IndexFunc(s.links, func(l link) bool { return l.newer == upper })]
	return s.isChange(l) || s.isPoint(p.candidate)
}

func (s *series) proposals() (all []proposal) {
	if s.start < 0 {
		top := len(s.line) - 1
		for top >= 0 && (s.failed[top] != "" || !s.isPoint(top)) {
			top--
		}
		if base := s.before(top); base >= 0 {
			all = append(all, proposal{Ends, top, base, 1})
		}
		return all
	}
	if base := s.before(s.oldest()); base >= 0 {
		all = append(all, proposal{Older, base, s.oldest(), 1})
	}
	for _, l := range s.links {
		most := math.Abs(l.Log) + l.Half
		m := s.middle(l.older, l.newer, anyCommit)
		point := s.middle(l.older, l.newer, s.isPoint)
		switch {
		case s.isChange(l) && m > 0:
			all = append(all, proposal{Middle, m, l.older, math.Abs(l.Log)})
		case s.isChange(l):
			if s.needsConfirmation(l.pair) {
				all = append(all, proposal{Confirm, l.newer, l.older, math.Abs(l.Log)})
			}
		case point > 0:
			all = append(all, proposal{Point, point, l.older, most})
		case s.isOpen(l) && s.tries[l.pair] < mostTries:
			all = append(all, proposal{Again, l.newer, l.older, most})
		}
	}
	return all
}

// needsConfirmation reports whether a change between two commits is not known well enough to be
// named.
func (s *series) needsConfirmation(p pair) bool {
	return !isMove(s.confirms[p]) && s.again[p] < mostConfirms
}

func isMove(c result.Change) bool { return c == result.Worse || c == result.Better }

// before is the next commit to be tried before the oldest one that is known, -1 if there is none:
// the oldest of the line and, if the case is not in it, those between, as a bisection does.
func (s *series) before(known int) int {
	if known <= 0 {
		return -1
	}
	failed := -1
	for i := known - 1; i >= 0 && failed < 0; i-- {
		if s.failed[i] != "" && s.isPoint(i) {
			failed = i
		}
	}
	if failed < 0 && s.tries[pair{0, known}] < mostTries {
		return 0
	}
	if m := s.middle(failed, known, s.isPoint); m > 0 && s.tries[pair{m, known}] < mostTries {
		return m
	}
	for i, failures := known-1, 0; i >= 0 && failures < mostFailures; i-- {
		switch {
		case !s.isPoint(i):
		case s.failed[i] != "" || s.tries[pair{i, known}] >= mostTries:
			failures++
		default:
			return i
		}
	}
	return -1
}
