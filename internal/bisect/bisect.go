// Package bisect finds the commit that has made a case slower, by comparisons whose errors
// are controlled. It decides which two commits are compared next, and stops when the answer is
// known with the confidence that was asked for. How two commits are compared is a Meter's
// business.
//
// The search is a binary one over the commits of a line, from the good one to the bad one.
// The good and the bad commit are compared first: the change has to be shown, and its size is
// known afterwards. Then commits between two known ones are compared with the good commit. The
// two levels of a question are at a third and at two thirds of the way between the times of
// the known neighbours. A commit before the change is below the upper level, a commit after
// it is above the lower one, and one in the middle may be called either: so each question can
// be answered, however the change is distributed. Levels follow what has been measured, so if
// there are several changes, the search goes where the larger part is.
//
// In the end the commit that was found is compared with its parent. If that does not show
// the change, one of the steps was wrong; their neighbourhood is measured again.
package bisect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/suite/internal/prepare"
	"example.com/suite/internal/tree"
	"example.com/suite/stats"
)

// Meter compares the case in two commits. If the case cannot be measured in one of them, the
// error is a *prepare.Unable. Any other error ends the search.
type Meter interface {
	// Same reports why the case cannot differ between two commits, as their programs are the
	// same. It is empty if it may differ.
	Same(ctx context.Context, a, b tree.Commit) (why string, err error)
	// Compare measures until the question is answered, or its limit is over.
	Compare(ctx context.Context, candidate, base tree.Commit, q Question) (Answer, error)
}

// Options of a search.
type Options struct {
	Line []tree.Commit // the good commit first, the bad one last, and all between them in order
	// the good commit is the last in the history, so a commit that made the case faster is looked for
	Backwards  bool
	Metric     string        // that Meter compares, for texts; empty: time
	Tolerance  float64       // the smallest change that is looked for, 0.03 for 3 %
	Confidence float64       // that everything which the answer states is true
	MaxTime    time.Duration // of the search; 0: any
	Meter      Meter
	// Branch returns the line of a branch that a merge has brought in: from the last common
	// commit of the commit before the merge and the branch's last one, to that. Both are full
	// hashes. nil: merges are not looked into.
	Branch func(ctx context.Context, before, last string) ([]tree.Commit, error)
	// Observe is called before and after each comparison; nil: nobody watches.
	Observe func(Step)
	// Record is called with all events so far, after each; nil: the search cannot be resumed.
	Record func([]Event) error
	Events []Event // of an earlier search with the same options
	Now    func() time.Time
}

// patience is how long a comparison may take if the search has no limit.
const patience = 10 * time.Minute

// search is one search for a commit.
type search struct {
	Options
	began   time.Time
	known   map[string]int // occurrences of each event so far
	spent   spending
	steps   []Step
	skipped []Skipped
}

// spending divides the error of a search among its comparisons.
type spending struct {
	stats.Spending
	begun   int
	charged float64 // sum of what was used
}

func (s *spending) next() float64 {
	alpha := s.Share(s.begun)
	s.begun++
	return alpha
}

// usual is the number of comparisons of a search among so many commits: the ends, the
// steps, and the confirmation.
func usual(commits int) int { return 2 + int(math.Ceil(math.Log2(float64(max(commits, 1))))) }

// Run searches. The Document is complete but for what its caller knows: the names of the
// suite and of the revisions. It is not nil if ctx ends, and then contains what is known. The
// error is why the search could not go on.
func Run(ctx context.Context, o Options) (*Document, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &search{Options: o, began: o.Now(), known: map[string]int{},
		spent: spending{Spending: stats.Spending{Error: 1 - o.Confidence, Usual: usual(len(o.Line) - 1)}}}
	for _, e := range o.Events {
		if e.Key == undecided {
			s.spent.charged += e.Answer.Alpha
			s.spent.begun++
		}
	}
	d := &Document{Schema: Schema, Started: s.began.UTC(), Good: End{Commit: o.Line[0]},
		Bad:    End{Commit: o.Line[len(o.Line)-1]},
		Metric: cmp.Or(o.Metric, "time"), Backwards: o.Backwards, Commits: len(o.Line) - 1,
		Tolerance: o.Tolerance, Asked: o.Confidence}
	l := &line{search: s, commits: o.Line, points: make([]point, len(o.Line)), refuted: map[[2]int]bool{}}
	err := l.find(ctx)
	if err == nil && l.outcome == Found {
		err = l.descend(ctx)
	}
	if ctx.Err() != nil {
		l.outcome, err = Interrupted, nil
	}
	if err != nil {
		l.outcome, l.reason = Failed, err.Error()
	}
	d.Outcome = l.outcome
	d.Reason = l.reason
	d.Found = l.found
	if d.Found == nil {
		d.Range = l.rangeLeft()
	}
	if l.ends.Alpha > 0 || l.ends.Same != "" {
		d.Change = &l.ends
	}
	d.Steps, d.Skipped = s.steps, s.skipped
	d.Confidence = 1 - s.spent.charged
	d.Seconds = o.Now().Sub(s.began).Seconds()
	return d, err
}

// errTime means that the time of the search is over.
var errTime = errors.New("the time is over")

// leastTime is what a comparison gets at least if the time of the search is nearly over.
const leastTime = time.Second / 2

// limit is how long the next comparison may take: half of what is left, so that one
// comparison that cannot be decided leaves time for others.
func (s *search) limit() (time.Duration, error) {
	if s.MaxTime == 0 {
		return patience, nil
	}
	left := s.MaxTime - s.Now().Sub(s.began)
	if left <= 0 {
		return 0, errTime
	}
	return max(left/2, leastTime), nil
}

// compare asks a question, or finds its answer among the events of an earlier search.
func (s *search) compare(
	ctx context.Context, purpose Purpose, candidate, base tree.Commit, q Question,
) (Answer, error) {
	step := Step{Metric: s.Metric, Number: len(s.steps) + 1, Of: s.spent.Usual, Purpose: purpose,
		Candidate: candidate.Hash, Base: base.Hash,
		Above: math.Exp(q.Low), Below: math.Exp(q.High)}
	q.Alpha = s.spent.next()
	key := eventKey(compared, candidate, base)
	a, replayed := s.replay(key)
	if !replayed {
		var err error
		q.Limit, err = s.limit()
		if err != nil {
			return Answer{}, err
		}
		s.observe(step)
		began := s.Now()
		a, err = s.Meter.Compare(ctx, candidate, base, q)
		if ctx.Err() != nil {
			return Answer{}, context.Cause(ctx)
		}
		var unable *prepare.Unable
		if errors.As(err, &unable) {
			a, err = Answer{Failed: unable.Reason}, nil
		}
		if err != nil {
			return Answer{}, err
		}
		a.Seconds = s.Now().Sub(began).Seconds()
		if a.Failed == "" && q.Side(a) == stats.Undecided { // the next search may have more time for it
			key = undecided
		}
		if err := s.record(Event{Key: key, Answer: a}); err != nil {
			return Answer{}, err
		}
	}
	if a.Failed == "" && a.Same == "" {
		s.spent.charged += a.Alpha
	}
	step.Answer = &a
	step.Replayed = replayed
	step.Side = q.Side(a).String()
	if a.Failed == "" {
		s.steps = append(s.steps, step)
	}
	s.observe(step)
	return a, nil
}

// same asks whether two commits have the same program.
func (s *search) same(ctx context.Context, a, b tree.Commit) (Answer, error) {
	key := eventKey("same", a, b)
	answer, replayed := s.replay(key)
	if replayed {
		return answer, nil
	}
	why, err := s.Meter.Same(ctx, a, b)
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	answer = Answer{Ratio: 1, Same: why}
	var unable *prepare.Unable
	if errors.As(err, &unable) {
		answer, err = Answer{Failed: unable.Reason}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	return answer, s.record(Event{Key: key, Answer: answer})
}

func (s *search) observe(step Step) {
	if s.Observe != nil {
		s.Observe(step)
	}
}

// Event is the answer to one question of a search, in the order in which they were asked.
// Given its events, a search takes the same steps again without measuring.
type Event struct {
	Key    string `json:"key"`
	Answer Answer `json:"answer"`
}

// undecided is the key of comparisons that were not decided. They are asked again; what they
// may have got wrong stays counted.
const undecided = "undecided"

// compared begins the keys of comparisons.
const compared = "compare"

// countComparisons is the number of comparisons among events that need not be made again.
func countComparisons(events []Event) (n int) {
	for _, e := range events {
		if strings.HasPrefix(e.Key, compared+" ") {
			n++
		}
	}
	return n
}

func eventKey(what string, a, b tree.Commit) string {
	return fmt.Sprintf("%s %s %s", what, a.Hash, b.Hash)
}

// replay finds the answer to a question that is asked for the nth time.
func (s *search) replay(key string) (Answer, bool) {
	n := s.known[key]
	for _, e := range s.Events {
		if e.Key != key {
			continue
		}
		if n == 0 {
			s.known[key]++
			return e.Answer, true
		}
		n--
	}
	return Answer{}, false
}

func (s *search) record(e Event) error {
	s.known[e.Key]++
	s.Events = append(s.Events, e)
	if s.Record == nil {
		return nil
	}
	return s.Record(s.Events)
}
