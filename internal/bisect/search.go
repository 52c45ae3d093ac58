package bisect

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/prepare"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// Search is a search that measures: what is asked for, and how revisions are built and run.
type Search struct {
	Plan       *spec.Plan // with one case
	Span       *Span
	Tolerance  float64 // the smallest change that is looked for; 0: the case's own
	Confidence float64
	MaxTime    time.Duration // 0: any
	Settings   []string      // of the command line, KEY=VALUE
	Flags      []string      // of the command that goes on with this search
	Shared     []string      // of them, those that another search of the same case would have too

	With    prepare.Comparison // its Hosts has built the plan
	Run     runner.Options     // of each run; what depends on the trees is set by Search
	During  func(o *runner.Options) (end func())
	Observe func(Step) // nil: nobody watches
	Now     func() time.Time

	path   string // file in which the search is kept; empty: none
	events []Event
}

// Identity is what the search is about.
func (s *Search) Identity() Identity {
	return Identity{File: paths.Real(s.Plan.File), Hash: s.Plan.Hash, Case: s.Plan.Cases[0].Name,
		Good: s.Span.Good.Commit.Hash, Bad: s.Span.Bad.Commit.Hash,
		Tolerance: s.tolerance(), Confidence: s.Confidence,
		Settings: strings.Join(s.Settings, " "), Host: s.Run.HostHash}
}

// metric is what is compared: the time of launches, or instructions that valgrind counts.
func (s *Search) metric() string {
	if s.Plan.Cases[0].Settings.Judge == result.JudgeInstructions {
		return result.Instructions
	}
	return "time"
}

func (s *Search) tolerance() float64 { return cmp.Or(s.Tolerance, s.Plan.Cases[0].Settings.Tolerance) }

// Keep keeps the search in a file until it is over. It returns how many comparisons an earlier
// part of the same search has left there; fresh forgets them.
func (s *Search) Keep(path string, fresh bool) (known int) {
	s.path = path
	if !fresh {
		s.events = loadState(path, s.Identity())
	}
	return countComparisons(s.events)
}

// Do makes the search. The Document is complete but for its Tool, its Interrupt and its Exit.
func (s *Search) Do(ctx context.Context) (*Document, error) {
	trees := &prepare.Trees{}
	defer trees.Close()
	meter := &Runs{Plan: s.Plan, Trees: trees, With: &s.With, Options: s.Run, During: s.During}
	hosts := s.With.Hosts
	meter.Options.HostOf, meter.Options.Link, meter.Options.Binaries = hosts.Argv, hosts.Link, hosts.Binaries
	meter.Options.Built = trees.Built
	options := Options{Line: s.Span.Line, Backwards: s.Span.Backwards, Metric: s.metric(), Tolerance: s.tolerance(),
		Confidence: s.Confidence,
		MaxTime:    s.MaxTime, Meter: meter, Now: s.Now, Branch: s.Span.branch, Observe: s.Observe, Events: s.events}
	if s.path != "" {
		options.Record = func(events []Event) error { return saveState(s.path, s.Identity(), events) }
	}
	d, err := Run(ctx, options)
	d.Suite = s.Plan.Suite
	d.File = s.Plan.File
	d.Case = s.Plan.Cases[0].Name
	d.Good.Asked, d.Bad.Asked = s.Span.Good.Asked, s.Span.Bad.Asked
	d.Flags = s.Shared
	if !d.isOver() && d.Outcome != Failed {
		d.Continue = d.Command(d.Good, d.Bad, s.Flags)
	}
	if d.isOver() && s.path != "" {
		err = errors.Join(err, removeState(s.path))
	}
	return d, err
}
