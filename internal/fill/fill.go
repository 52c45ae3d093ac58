// Package fill measures the past of a repository, so that a project without a history gets one. It
// decides which two commits are compared next; how they are compared is a Meter's business.
//
// The commits are a line, the oldest first. A case is compared in the two ends first, and then at
// every so many commits. Each comparison is one of pairs, so a chain of them tells the code from
// the machine and from the hour. Time is spent where the chain is least sure: between two
// commits that differ it looks for the commit that made the difference, as a bisection does, and
// compares that commit with its parent once more, with pairs of its own; between two commits that
// cannot differ it measures nothing.
//
// All that is known is in the runs of the history, so a fill that was interrupted goes on where it
// was, and comparisons that CI has saved count too.
package fill

import (
	"context"
	"maps"
	"slices"
	"time"

	"example.com/suite/internal/history"
	"example.com/suite/internal/tree"
	"example.com/suite/stats"
)

// Case is a case whose past is measured.
type Case struct {
	Suite, Name string
	Metric      string  // that is compared: time or instructions
	Tolerance   float64 // the smallest change that is looked for, 0.03 for 3 %
}

// Meter compares cases in two commits.
type Meter interface {
	// Compare returns what it has found out as a run of the candidate: cases that cannot differ
	// have Same, others their values and ratios. If the question is about the ends, a second run has
	// the values of the base. Cases that could not be compared are Unable. An error ends the fill.
	Compare(ctx context.Context, candidate, base tree.Commit, q Question) ([]*history.Run, []Unable, error)
}

// Question is what a comparison has to find out.
type Question struct {
	Cases   []int         // indexes in Options.Cases
	Measure bool          // false: only which of them cannot differ
	Ends    bool          // also measure cases that cannot differ: nothing else shows how long they take
	Alpha   float64       // chance that any of the changes which are shown is none; 0: as the suite file has it
	Limit   time.Duration // of measuring; 0: any
}

// Unable is why a case cannot be compared.
type Unable struct {
	Case   int    // index in Options.Cases
	Commit string // full hash of the commit that lacks it, or does not build
	Reason string // one line
}

// Options of a fill.
type Options struct {
	Line   []tree.Commit // the oldest first, at least two
	Every  int           // commits from one point to the next, counted from the newest; at least 1
	Cases  []Case
	Past   []history.Entry // what is known
	Budget time.Duration   // 0: any
	Meter  Meter
	Record func(*history.Run) error
	// Observe is called after each comparison, with what was found out; nil: nobody watches.
	Observe func(Step)
	Now     func() time.Time
}

// Step is a comparison.
type Step struct {
	Number    int // from 1
	Candidate tree.Commit
	Base      tree.Commit
	Run       *history.Run // what was measured; nil if nothing had to be
	Same      int          // cases that cannot differ
	Unable    []Unable
}

// Purpose is why two commits are compared.
type Purpose string

// The purposes of comparisons, in the order of their urgency.
const (
	Ends    Purpose = "ends"    // what became of the case in all?
	Confirm Purpose = "confirm" // is it a change, or was it chance?
	Middle  Purpose = "middle"  // on which side of the commit is the change?
	Older   Purpose = "older"   // is there a case in an older commit?
	Point   Purpose = "point"   // how was it in between?
	Again   Purpose = "again"   // what other pairs have not decided
)

// namedWrongly is the error of all confirmations together: that any change which a fill names is none.
const namedWrongly = 0.01

// usualChanges is the number of confirmations that share half of the error.
const usualChanges = 20

// fill is a fill that goes on.
type fill struct {
	Options
	all      []*series
	began    time.Time
	steps    int
	measured map[string]bool // commits
	spent    stats.Spending
	confirms int // so far, in earlier fills too
}

// Run fills. It returns when nothing is left to be found out, when the budget is over, or when ctx
// ends. The outcome is complete in any case; the error is why the fill could not go on.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	f := &fill{Options: o, began: o.Now(), measured: map[string]bool{},
		spent: stats.Spending{Error: namedWrongly, Usual: usualChanges}}
	at := map[string]int{}
	for i, c := range o.Line {
		at[c.Hash] = i
	}
	for _, c := range o.Cases {
		s := newSeries(c, o.Line, at, o.Every)
		s.read(o.Past)
		f.confirms += s.confirmations()
		f.all = append(f.all, s)
	}
	for {
		p := f.next()
		switch {
		case ctx.Err() != nil:
			return f.outcome(Interrupted), nil
		case p == nil:
			return f.outcome(Complete), nil
		case f.isOver():
			return f.outcome(OverBudget), nil
		}
		if err := f.step(ctx, *p); err != nil && ctx.Err() == nil {
			return f.outcome(Stopped), err
		}
	}
}

// isOver reports whether the budget is spent.
func (f *fill) isOver() bool { return f.Budget > 0 && f.Now().Sub(f.began) >= f.Budget }

// next is the comparison that is worth most, nil if nothing is left to be found out.
func (f *fill) next() (best *proposal) {
	for _, s := range f.all {
		if p := s.best(); p != nil && (best == nil || p.isBefore(best)) {
			best = p
		}
	}
	return best
}

// step makes a comparison of all cases that need it.
func (f *fill) step(ctx context.Context, p proposal) error {
	var cases []int
	for i, s := range f.all {
		if s.wants(p) {
			cases = append(cases, i)
		}
	}
	f.steps++
	step := Step{Number: f.steps, Candidate: f.Line[p.candidate], Base: f.Line[p.base]}
	var err error
	step.Run, err = f.compare(ctx, p, cases, &step)
	if err != nil {
		return err
	}
	if (p.purpose == Middle || p.purpose == Point) && !f.isOver() {
		for _, i := range cases {
			f.all[i].giveUp(p.candidate)
		}
	}
	if f.Observe != nil {
		f.Observe(step)
	}
	return nil
}

// compare finds out what can be known without measuring, and measures the rest.
func (f *fill) compare(ctx context.Context, p proposal, cases []int, step *Step) (*history.Run, error) {
	if p.purpose == Middle || p.purpose == Point {
		left, err := f.same(ctx, p.candidate, p.base, cases, step)
		groups := f.byUpper(left, p.candidate)
		cases = nil
		for _, upper := range slices.Sorted(maps.Keys(groups)) {
			if err == nil {
				left, err = f.same(ctx, p.candidate, upper, groups[upper], step)
				cases = append(cases, left...)
			}
		}
		if err != nil || len(cases) == 0 {
			return nil, err
		}
		slices.Sort(cases)
	}
	q := Question{Cases: cases, Measure: true, Ends: p.purpose == Ends}
	if p.purpose == Confirm {
		for range cases {
			q.Alpha += f.spent.Share(f.confirms)
			f.confirms++
		}
	}
	if f.Budget > 0 {
		q.Limit = max(f.Budget-f.Now().Sub(f.began), time.Second)
	}
	return f.ask(ctx, p, q, step)
}

// same asks which cases cannot differ between two commits, and returns the others.
func (f *fill) same(ctx context.Context, candidate, base int, cases []int, step *Step) (others []int, err error) {
	if len(cases) == 0 {
		return nil, nil
	}
	p := proposal{candidate: candidate, base: base}
	run, err := f.ask(ctx, p, Question{Cases: cases}, step)
	if err != nil {
		return nil, err
	}
	for _, i := range cases {
		s := f.all[i]
		known := run != nil && s.caseIn(run) != nil
		if !known && s.failed[candidate] == "" && s.failed[base] == "" {
			others = append(others, i)
		}
	}
	return others, nil
}

// ask asks the Meter and records what it has found out.
func (f *fill) ask(ctx context.Context, p proposal, q Question, step *Step) (*history.Run, error) {
	runs, unable, err := f.Meter.Compare(ctx, f.Line[p.candidate], f.Line[p.base], q)
	if err != nil {
		return nil, err
	}
	var run *history.Run
	if len(runs) > 0 {
		run = runs[0]
	}
	step.Unable = append(step.Unable, unable...)
	for _, u := range unable {
		f.all[u.Case].fail(u)
	}
	for _, i := range q.Cases {
		s := f.all[i]
		var c *history.Case
		if run != nil {
			c = s.caseIn(run)
		}
		confirmed := s.again[ordered(p.candidate, p.base)]
		if c != nil {
			if c.Same != "" {
				step.Same++
			}
			s.add(run.Commit, c)
		}
		if q.Measure {
			s.tried(p, confirmed)
		}
	}
	for _, one := range runs {
		if q.Measure {
			f.measured[one.Commit] = true
		}
		if err := f.Record(one); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// byUpper groups cases by the commit that follows a commit among those that are known of the case.
func (f *fill) byUpper(cases []int, m int) map[int][]int {
	groups := map[int][]int{}
	for _, i := range cases {
		if _, upper := f.all[i].around(m); upper > 0 {
			groups[upper] = append(groups[upper], i)
		}
	}
	return groups
}
