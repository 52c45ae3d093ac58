package runner

import (
	"cmp"
	"context"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// track is a case on its way through a run: the case itself, which is a side, and the base
// of its pairs, which is another. What both sides have in common is here.
type track struct {
	result *result.Case // of its own side, with that of the pairs
	target *target
	own    *side
	base   *side // the other side of the pairs, nil without a base
	guard  bool  // it is the sentinel, and not a case
	drawn  bool  // each launch runs new files in new layouts

	files []string // of both sides, that are placed anew in memory for each block

	open   int // gates that more samples may decide
	pacing pacing
	done   bool
	final  bool            // it was finished before: nothing is left to do
	stale  bool            // pairs were taken with the setups that both sides have now
	broken *result.Failure // why what it needs could not be set up

	reported time.Duration // by hosts, for its blocks
	again    int           // passes made again because the process was stopped

	keptFailure bool // the journal has the failure of the case
}

// side is one of the two programs of a comparison, or the only one of a case without a
// base: what is asked of it, the host that it is prepared in, and its samples.
type side struct {
	of       *track // the case that it is a side of
	target   *target
	result   *result.Case
	services []*sharedService
	remote   *remote // the host that it is prepared in; another one means: prepare again
	expects  *remote // the host that knows what the command has to print
	file     string  // that an existing benchmark runs from, empty for its program
	resumed  bool    // it had blocks before the run was interrupted, and has not been prepared again

	series series
}

// series is the samples of a side, as they are taken. Its fields are grouped by how long
// they are valid: for the whole case, in one host, or until the journal has them.
type series struct {
	target target
	result *result.Case

	recorded
	loopTimes loopTimes
	folds     *summary.Folds   // if only a summary is kept
	passed    []result.Summary // metrics from a pass of their own
	collected float64          // share of the warm-up batches that contained a collection
	shared    bool             // the runs of a block share what was drawn for them

	id        int            // of the case in its host
	host      *client.Client // that readings come from
	sampledIn *client.Client // the last one that samples came from
	overhead  overhead

	unwritten unwritten
	stretches stretches
}

// recorded is what a run that was interrupted needs of a side, in addition to its result
// and its samples, to go on with it. The journal keeps it after each block as it is: a field
// that is added here is written and restored without further code.
type recorded struct {
	Round    int                       `json:"round"`              // of the window, after the last turn
	N        int                       `json:"n"`                  // iterations of a batch, 0 before sizing
	Thread   string                    `json:"thread,omitempty"`   // locked or free, as the first sizing found
	Sized    time.Duration             `json:"sized"`              // of a batch by the chosen clock when its size was found
	Batch    time.Duration             `json:"batch"`              // that a batch is expected to take, with all that belongs to it
	Used     time.Duration             `json:"used"`               // of max_time
	Sampled  time.Duration             `json:"sampled"`            // wall time of all samples
	Blocks   int                       `json:"blocks"`             // so far
	Waited   time.Duration             `json:"waited"`             // for a CPU, over requests for which that is known
	Watched  time.Duration             `json:"watched"`            // length of those requests
	Mixed    bool                      `json:"mixed,omitempty"`    // some samples contain a collection
	Leaked   int                       `json:"leaked,omitempty"`   // processes that its runs have left
	Left     []string                  `json:"left,omitempty"`     // command lines of the first few of them
	Remains  []wire.Remains            `json:"remains,omitempty"`  // in the folders that its runs use
	Looked   int                       `json:"looked,omitempty"`   // runs after which these folders were looked at
	Stops    int                       `json:"stops,omitempty"`    // samples during which the process was stopped
	Stopped  time.Duration             `json:"stopped,omitempty"`  // the longest of these stops
	SetUp    bool                      `json:"set_up,omitempty"`   // its setup hook ran, so its cleanup hook has to
	Runs     int                       `json:"runs,omitempty"`     // of a command, warm-up and discarded ones included
	Killed   int                       `json:"killed,omitempty"`   // of these runs, by the timeout
	Said     string                    `json:"said,omitempty"`     // last words of the last killed run
	Part     int                       `json:"part,omitempty"`     // iterations whose inputs are made together
	Waiting  int64                     `json:"waiting,omitempty"`  // iterations that are due and have not begun
	Unserved int64                     `json:"unserved,omitempty"` // iterations that were due and never begun, of earlier hosts
	Counter  string                    `json:"counter,omitempty"`  // unit of the cycle counter: ticks, cycles, empty for none
	Events   map[string]timer.Estimate `json:"events,omitempty"`   // costs of readings that are the case's own
}

// unwritten is what the journal does not have yet, and what came from it.
type unwritten struct {
	keeps        bool              // there is a journal
	fresh        *result.Samples   // the last block, until the journal has it
	freshLatency []*result.Latency // of the batches of that block
	freshFirst   []int             // of a base: who went first in the pairs of that block
	keptRows     int               // rows of the samples that are no part of the next block
}

func newTrack(plan *spec.Plan, c *spec.Case) *track {
	t := new(track)
	t.own = newSide(t, plan, c)
	t.result, t.target = t.own.result, t.own.target
	switch t.result.Status {
	case result.LeftOut:
		t.result.Warn(result.WarnNoProgram, "skipped: "+t.result.MissingText(), "install it; --skip NAME leaves a case out of a run")
		t.final, t.done = true, true
	case result.Unaffected:
		t.final, t.done = true, true
	}
	return t
}

// newSide makes a side of a case that runs c.
func newSide(of *track, plan *spec.Plan, c *spec.Case) *side {
	r := &result.Case{
		Suite: plan.Suite, Name: c.Name, Description: c.Description, Tags: c.Tags, Kind: c.Kind,
		Params: Params(c.Params), Unit: c.Unit, Work: c.Work, Settings: settings(&c.Settings), Status: result.NotRun,
		Identity: result.Identity{Function: c.Function, Argv: c.Argv, Shell: c.Shell}, Place: c.Place, Counterpart: c.Counterpart,
		Samples: noSamples(),
	}
	s := &side{of: of, result: r, series: series{target: target{plan: plan, spec: c}, result: r}}
	s.target = &s.series.target
	switch {
	case len(c.Missing) > 0:
		s.result.Status, s.result.Missing = result.LeftOut, c.Missing
	case c.Other == nil && c.Counterpart.IsUnaffected():
		s.result.Status = result.Unaffected
	}
	s.result.Settings.Counters, s.result.Declared = c.Counters, Declared(c)
	s.result.Settings.Callgrind = c.Callgrind
	if c.Callgrind {
		s.result.Settings.Counters = append(slices.Clone(c.Counters), instructionsMetric)
	}
	if !s.target.isCommand() {
		s.result.Settings.Pin = "" // functions run in a host with others
	}
	s.series.asGoTest()
	if c.Settings.Keep == "summary" {
		s.series.folds = summary.NewFolds()
	}
	return s
}

// enter notes the host that a side is prepared in, nil for none.
func (s *side) enter(r *remote) {
	s.remote, s.series.host = r, nil
	if r != nil {
		s.series.host = r.Client
	}
}

// pairUp sets the bases of the cases.
func pairUp(plan *spec.Plan, tracks []*track) {
	byName := make(map[string]*spec.Case, len(plan.Cases))
	for i := range plan.Cases {
		byName[plan.Cases[i].Name] = &plan.Cases[i]
	}
	for _, t := range tracks {
		if len(t.target.spec.Missing) > 0 {
			continue
		}
		if base := byName[t.target.spec.Base]; base != nil {
			t.pairWith(plan, base)
		} else if t.target.spec.Other != nil {
			t.pairWithOther(t.target.spec.Other)
		}
	}
}

// pairWith makes the base of a case: a side of its own, in addition to the track that
// the base has as a case. What is run (function, program, environment, threads) is the
// base's, and how it is measured the case's, so that both sides are alike. Its setup
// and cleanup hooks belong to the window's own track of the base.
func (t *track) pairWith(plan *spec.Plan, base *spec.Case) {
	b, own := *base, base.Settings
	b.Settings, b.Counters, b.Pegs, b.PegPoints = t.target.spec.Settings, t.target.spec.Counters, t.target.spec.Pegs, t.target.spec.PegPoints
	b.NoWitness, b.Callgrind = t.target.spec.NoWitness, t.target.spec.Callgrind
	b.Settings.Timeout, b.Settings.Thread, b.Settings.Parallel, b.Settings.Quorum = own.Timeout, own.Thread, own.Parallel, own.Quorum
	t.base = newSide(t, plan, &b)
	t.target.paired, t.base.target.paired, t.base.target.isBase = true, true, true
	t.result.Pairs = &result.Pairs{Base: base.Name, First: []int{}, Samples: noSamples()}
}

// sides are those that take the time of a case: its own, and its base's.
func (t *track) sides() []*side {
	if t.base == nil {
		return []*side{t.own}
	}
	return []*side{t.own, t.base}
}

// sideOf returns the side that has an id in its host.
func (t *track) sideOf(id int) *side {
	if id == t.base.series.id {
		return t.base
	}
	return t.own
}

// take takes the readings of a block, which began at a time of the run.
func (t *track) take(r *wire.Readings, discard int, at time.Duration) {
	t.answered(r)
	t.own.reports(r)
	t.own.series.shared = t.isRenewed()
	t.own.series.take(r, discard, at)
}

// takePairs takes the readings of a block of so many pairs.
func (t *track) takePairs(pairs int, r *wire.Readings, discard int, at time.Duration) {
	t.answered(r)
	for _, s := range t.sides() {
		s.reports(r)
		s.series.shared = t.isRenewed()
	}
	takePairs(&t.own.series, &t.base.series, r, pairs, discard, at)
}

// spent is what both sides have taken.
func (t *track) spent() (sum time.Duration) {
	for _, s := range t.sides() {
		sum += s.series.Used
	}
	return sum
}

// charged shares out time that belongs to no batch.
func (t *track) charged(d time.Duration) {
	sides := t.sides()
	for _, s := range sides {
		s.series.Used += d / time.Duration(len(sides))
	}
}

// pairWithOther sets the side of a case in another tree. That side is the case as the
// other plan has it, with its folder, its program and its hooks.
func (t *track) pairWithOther(other *spec.Other) {
	b := other.Case
	b.Timer = t.target.spec.Timer
	t.pairWith(other.Plan, &b)
	t.base.target.tree = other.Name
	t.result.Pairs.Base, t.result.Pairs.Tree = nameThere(t.target.spec), other.Name
	t.placeable()
}

// nameThere is what a case is called in the other tree.
func nameThere(c *spec.Case) string {
	if c.Counterpart != nil {
		return cmp.Or(c.Counterpart.Name, c.Other.Case.Name)
	}
	return c.Other.Case.Name
}

// isApart reports whether the sides of a case live in two hosts, which take turns batch by
// batch: Go functions of two trees. Commands of two trees are started by one.
func (t *track) isApart() bool {
	return t.base != nil && t.base.target.tree != "" && !t.target.isCommand()
}

// isRelaunched reports whether a case starts new hosts, or new files, in each round.
func (t *track) isRelaunched() bool { return t.isApart() || t.drawn }

// fail ends a case that could not be measured; its samples are kept.
func (t *track) fail(f *result.Failure) {
	if t.result.Status != result.Failed { // the first reason is the one
		t.result.Status, t.result.Failure = result.Failed, f
	}
	t.done = true
}

// failOrStop records a failure, unless it only comes from an interrupt.
func (t *track) failOrStop(ctx context.Context, failure *result.Failure) {
	if ctx.Err() != nil {
		t.stop(result.StopInterrupted)
		return
	}
	t.fail(failure)
}

// review returns the review of a case that has its samples.
func (t *track) review() review {
	v := review{result: t.result, own: &t.own.series}
	if t.base != nil {
		v.base = &t.base.series
	}
	return v
}

// summarise ends a case that has its samples.
func (t *track) summarise() {
	if failure := t.review().summarise(); failure != nil {
		t.fail(failure)
	}
}

func (t *track) stop(why result.Stop) {
	t.result.Stop, t.done = why, true
}
