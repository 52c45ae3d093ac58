package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/internal/tree"
	"example.com/suite/stats"
)

// line is the search among the commits of one line.
type line struct {
	*search
	commits []tree.Commit // from good to bad
	points  []point       // what is known of each
	refuted map[[2]int]bool
	ends    Answer // bad against good
	wavered int    // comparisons in a row that were not decided

	outcome Outcome
	reason  string
	found   *Commits
	left    [2]int // the commits between which the change is, so far; the first is not slow
}

// point is what is known of a commit.
type point struct {
	isKnown bool
	answer  Answer  // against the good commit
	at      float64 // log of its time ÷ the good commit's time
	skipped bool    // it cannot be measured, or was not decided
	wavered bool    // it was not decided against the good commit, so it can be measured
}

// mostComparisons bounds a search that contradicts itself again and again, as on a machine
// whose noise follows the code: this many times the usual number.
const mostComparisons = 4

// tolerance is the smallest change that is looked for, as a log ratio.
func (l *line) tolerance() float64 { return math.Log1p(l.Tolerance) }

// find narrows the line down to the commit, or to commits that cannot be told apart.
func (l *line) find(ctx context.Context) error {
	last := len(l.commits) - 1
	l.left = [2]int{0, last}
	tolerance := l.tolerance()
	err := l.compareEnds(ctx, tolerance)
	if err != nil || l.outcome != "" {
		return l.timeUp(err)
	}
	l.points[0] = point{isKnown: true, answer: Answer{Ratio: 1, Same: "it is the good commit"}}
	l.points[last] = point{isKnown: true, answer: l.ends, at: l.ends.log()}
	for l.outcome == "" {
		if l.spent.begun > mostComparisons*l.spent.Usual {
			l.giveUp()
			return nil
		}
		i, j := l.widest()
		if i < 0 || l.points[j].at-l.points[i].at < tolerance {
			l.outcome = Spread
			return nil
		}
		l.left = [2]int{i, j}
		if m := l.middle(i, j); m > 0 {
			err = l.step(ctx, i, m, j)
		} else {
			err = l.confirm(ctx, i, j)
		}
		if err != nil {
			return l.timeUp(err)
		}
	}
	return nil
}

// giveUp ends a search that has taken too many comparisons. If a commit was found whose time
// is between the two ends, the change is spread over several commits.
func (l *line) giveUp() {
	whole := l.ends.log()
	for _, p := range l.points {
		if p.isKnown && p.at > whole/5 && p.at < whole*4/5 {
			l.outcome = Spread
			return
		}
	}
	l.outcome, l.reason = Undecided, "comparisons contradict each other again and again"
}

// timeUp makes the end of the time an outcome.
func (l *line) timeUp(err error) error {
	if errors.Is(err, errTime) {
		l.outcome, l.reason = Undecided, "the time of --max-time is over"
		return nil
	}
	return err
}

// compareEnds compares the bad commit with the good one: is there a change at all?
func (l *line) compareEnds(ctx context.Context, tolerance float64) (err error) {
	last := len(l.commits) - 1
	q := Question{Low: tolerance, High: tolerance}
	l.ends, err = l.compare(ctx, Ends, l.commits[last], l.commits[0], q)
	if err != nil {
		return err
	}
	switch {
	case l.ends.Failed != "":
		l.outcome, l.reason = Failed, l.ends.Failed
	case l.ends.Same != "":
		l.outcome, l.reason = Unchanged, l.ends.Same
	case q.Side(l.ends) == stats.Undecided:
		l.outcome, l.reason = Undecided, "the change between the two ends is too close to the tolerance, or too "+
			"noisy, to be called slower or not"
	case l.ends.isBelow(-tolerance):
		l.outcome = Faster
	case q.Side(l.ends) == stats.Below:
		l.outcome = Unchanged
	}
	return nil
}

// widest finds the neighbours among the known commits between which most of the change is.
func (l *line) widest() (i, j int) {
	i, j = -1, -1
	most := math.Inf(-1)
	before := -1
	for k, p := range l.points {
		if !p.isKnown {
			continue
		}
		if before >= 0 && !l.refuted[[2]int{before, k}] && p.at-l.points[before].at > most {
			i = before
			j = k
			most = p.at - l.points[before].at
		}
		before = k
	}
	return i, j
}

// middle is the commit nearest to the middle between two commits that can be measured; 0 if
// there is none.
func (l *line) middle(i, j int) int {
	best := 0
	for m := i + 1; m < j; m++ {
		off, least := abs(2*m-i-j), abs(2*best-i-j)
		if !l.points[m].skipped && (best == 0 || off < least) {
			best = m
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// step finds out on which side of the change a commit between two known ones is.
func (l *line) step(ctx context.Context, i, m, j int) error {
	for _, k := range []int{i, j} {
		a, err := l.same(ctx, l.commits[m], l.commits[k])
		switch {
		case err != nil:
			return err
		case a.Failed != "":
			l.skip(m, a.Failed)
			return nil
		case a.Same != "":
			l.points[m] = l.points[k]
			l.skipped = append(l.skipped, Skipped{Commit: l.commits[m].Hash, As: l.commits[k].Hash, Reason: a.Same})
			return nil
		}
	}
	low, high := l.points[i].at, l.points[j].at
	q := Question{Low: low + (high-low)/3, High: low + 2*(high-low)/3}
	a, err := l.compare(ctx, Middle, l.commits[m], l.commits[0], q)
	switch {
	case err != nil:
		return err
	case a.Failed != "":
		l.skip(m, a.Failed)
	case q.Side(a) == stats.Undecided:
		return l.waver(m)
	default:
		l.wavered = 0
		l.points[m] = point{isKnown: true, answer: a, at: a.log()}
	}
	return nil
}

// skip leaves a commit out, as git bisect skip does.
func (l *line) skip(m int, reason string) {
	l.points[m].skipped = true
	l.skipped = append(l.skipped, Skipped{Commit: l.commits[m].Hash, Reason: reason})
}

// mostWavering comparisons in a row that are not decided end the search.
const mostWavering = 2

// waver leaves out a commit whose comparison was not decided within its time. Its neighbours
// may be easier.
func (l *line) waver(m int) error {
	l.skip(m, "its comparison was not decided within its time")
	l.points[m].wavered = true
	l.wavered++
	if l.wavered >= mostWavering {
		l.outcome, l.reason = Undecided, fmt.Sprintf("%d comparisons in a row were not decided within their time",
			l.wavered)
	}
	return nil
}

// confirm compares two neighbours with each other. Whatever the steps have shown, the
// answer rests on this comparison.
func (l *line) confirm(ctx context.Context, i, j int) error {
	a := l.ends
	q := Question{Low: l.tolerance(), High: l.tolerance()}
	if i > 0 || j < len(l.commits)-1 {
		var err error
		a, err = l.compare(ctx, Pair, l.commits[j], l.commits[i], q)
		if err != nil {
			return err
		}
	}
	switch {
	case a.Failed != "":
		l.outcome, l.reason = Failed, a.Failed
	case q.Side(a) == stats.Above:
		i, j, a, err := l.neighbours(ctx, i, j, a)
		if err != nil {
			return err
		}
		l.outcome, l.found = Found, l.commitsBetween(i, j, a)
	case q.Side(a) == stats.Below:
		l.refute(i, j)
	default:
		l.outcome, l.reason = Undecided, "the change between the two last commits was not decided within its time"
	}
	return nil
}

// neighbours narrows a pair that differs by a down to a commit and its parent, as far as the
// commits between them can be measured. Such a commit was not told from both ends of a
// question; whether it differs from its neighbour is another one. Without an answer, or
// time, the pair stays as it is.
func (l *line) neighbours(ctx context.Context, i, j int, a Answer) (int, int, Answer, error) {
	for k := j; k-i > 1 && l.points[k-1].wavered; k-- {
		pairs := [][2]int{{k - 1, k}}
		if k-1-i == 1 { // nothing is between these two either
			pairs = append(pairs, [2]int{i, k - 1})
		}
		for _, p := range pairs {
			q := Question{Low: l.tolerance(), High: l.tolerance()}
			b, err := l.compare(ctx, Pair, l.commits[p[1]], l.commits[p[0]], q)
			switch {
			case errors.Is(err, errTime) || err == nil && (b.Failed != "" || q.Side(b) == stats.Undecided):
				return i, j, a, nil
			case err != nil:
				return i, j, a, err
			case q.Side(b) == stats.Above:
				l.skipped = slices.DeleteFunc(l.skipped, func(s Skipped) bool {
					return s.Commit == l.commits[p[0]].Hash || s.Commit == l.commits[p[1]].Hash
				})
				return p[0], p[1], b, nil
			}
		}
	}
	return i, j, a, nil
}

// refute forgets both commits of a pair that do not differ: one of their comparisons with
// the good commit was wrong, or each of them was a little off.
func (l *line) refute(i, j int) {
	l.refuted[[2]int{i, j}] = true
	for _, k := range []int{i, j} {
		if k > 0 && k < len(l.commits)-1 {
			l.points[k] = point{}
		}
	}
}

// commitsBetween is the answer: the commits after i up to j.
func (l *line) commitsBetween(i, j int, a Answer) *Commits {
	f := &Commits{Commits: l.commits[i+1 : j+1], Parent: l.commits[i], Change: a}
	if l.Backwards {
		f.Commits, f.Parent = l.commits[i:j], l.commits[j]
	}
	before, after := l.points[i], l.points[j]
	if i > 0 && before.isKnown {
		f.Before = &before.answer
	}
	if j < len(l.commits)-1 && after.isKnown {
		f.After = &after.answer
	}
	return f
}

// rangeLeft are the commits among which the change is, so far.
func (l *line) rangeLeft() *Range {
	q := Question{Low: l.tolerance(), High: l.tolerance()}
	if l.outcome == Spread || l.outcome == Found || q.Side(l.ends) != stats.Above {
		return nil
	}
	return &Range{Good: l.commits[l.left[0]], Bad: l.commits[l.left[1]], Commits: l.left[1] - l.left[0]}
}

// descend looks into the branch that a merge has brought in. If the change is in one of its
// commits, that commit is the answer.
func (l *line) descend(ctx context.Context) error {
	f := l.found
	if l.Branch == nil || l.Backwards || len(f.Commits) != 1 || len(f.Commits[0].Parents) < 2 {
		return nil
	}
	merge := f.Commits[0]
	for _, parent := range merge.Parents {
		if parent == f.Parent.Hash {
			continue
		}
		commits, err := l.Branch(ctx, f.Parent.Hash, parent)
		if err != nil {
			return err
		}
		if len(commits) < 2 {
			continue
		}
		inner := &line{search: l.search, commits: commits, points: make([]point, len(commits)),
			refuted: map[[2]int]bool{}}
		if err := inner.find(ctx); err != nil {
			return err
		}
		switch inner.outcome {
		case Found:
			if err := inner.descend(ctx); err != nil {
				return err
			}
			inner.found.Merges = append([]tree.Commit{merge}, inner.found.Merges...)
			l.found = inner.found
			return nil
		case Undecided, Failed:
			f.Unsettled = fmt.Sprintf("whether it comes from a commit of the branch %s is not known: %s",
				display.Commit(parent), inner.reason)
		}
	}
	return nil
}
