// Package runner turns plans into results. It starts and stops host processes,
// decides who is measured next and when a case has enough, and summarises the
// samples. It knows no expressions and no renderers: what the gates still need
// it asks a Steerer.
package runner

import (
	"context"
	"io"
	"runtime"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/forecast"
	"example.com/suite/runner/process"
	"example.com/suite/runner/record"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// Options of a run. Host and HostHash are required.
type Options struct {
	Host     []string // argv of the host program: suite itself
	HostHash string   // of the timing code that all hosts must have
	// HostOf is the argv of the host of a plan's Go functions, if that is another
	// program; nil, or a nil argv: Host.
	HostOf func(*spec.Plan) []string
	// Link makes the programs that launches of comparisons run from; nil: they run from
	// the programs themselves, all launches from one file.
	Link    binary.Linker
	Seed    draw.Seed      // of every draw
	Steer   Steerer        // nil: no gate depends on the samples
	Observe func(Progress) // nil: nobody watches
	// Finished is called for each case that was measured, or could not be; nil: it is not
	// called. isLast reports whether no other cases follow after this case and those that
	// were measured in turns with it. The case has no comparisons yet, and must not be
	// changed.
	Finished func(c *result.Case, isLast bool)
	Tool     result.Tool
	Machine  result.Machine
	Now      func() time.Time // clock of budgets and of Progress; nil: time.Now
	// Journal is where the run keeps what it has measured, and what it goes on
	// from; nil: nowhere. Its seed has to be Seed.
	Journal *record.Journal
	// Processes records all that the run starts, so that it can be killed or stopped at
	// any moment; nil: it is not recorded.
	Processes *process.Set
	// Built is called for each plan whose build command has succeeded, also the other
	// tree's; nil: it is not called.
	Built func(*spec.Plan)
	// Binaries are the hashes of programs that are known already; nil: none.
	Binaries *binary.Hashes
	Debug    io.Writer // what hosts write to standard error goes here too, at once; nil: nowhere
}

// Steerer decides whether more samples could still decide gates of a case: Open
// returns how many of its gates are open, and how many that depend on samples are
// decided. It is called after every block.
type Steerer interface {
	Open(c *result.Case) (open, decided int)
}

// Progress is how far a run has got.
type Progress struct {
	Suite, Case string
	Phase       string        // build, link, calibrate, prepare, measure
	Done, Total int           // cases
	Spent       time.Duration // by cases
	Share       float64       // of the expected time that is over, 0 to 1
	Left        time.Duration // expected
	Open        int           // gates of the case that are still open
	Pairs       int           // taken of the case, with its base
	Needed      int           // pairs that its verdicts may take in all, 0 if no gate is open
}

// windowSize is the number of cases that take turns. More would be further apart in
// time, and the setups of all of them are kept until the window ends.
const windowSize = 8

// Run measures the cases of all plans and returns the document without verdicts.
// When ctx ends, the running batch is finished, clean-ups run, and what was measured
// is returned with the rest marked as not run. The document is never nil; if nothing
// can be measured, each of its cases has a failure that explains why.
func Run(ctx context.Context, plans []*spec.Plan, o Options) *result.Document {
	r := newRun(o)
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	defer r.images.Remove()
	defer r.rows.Close()
	r.resume()
	for _, plan := range plans {
		r.total += len(plan.Cases)
		r.ahead += forecast.Usual(plan)
	}
	doc := &result.Document{Schema: result.Schema, Tool: o.Tool, Started: r.begun(), Seed: o.Seed.String(),
		Machine: o.Machine, Cases: []result.Case{}}
	doc.Machine.GOMAXPROCS = runtime.GOMAXPROCS(0)
	for _, plan := range plans {
		doc.Suites = append(doc.Suites, result.Suite{Name: plan.Suite, Description: plan.Description, File: plan.File,
			Hash: plan.Hash, OnInconclusive: plan.OnInconclusive, Report: plan.Report, Against: plan.Against, Floor: plan.Errors.Floor, Sources: plan.Sources})
		doc.Cases = append(doc.Cases, r.suite(ctx, plan)...)
		doc.Suites[len(doc.Suites)-1].Sentinel = r.sentinels[plan]
		doc.Cases = append(doc.Cases, vanished(plan)...)
	}
	doc.Calibrations, doc.Warnings = slices.Concat(r.calibrations, r.elsewhere), r.warnings
	doc.Seconds = r.elapsed().Seconds()
	return doc
}

// run is the state of one Run.
type run struct {
	options      Options
	started      time.Time
	before       time.Duration // that earlier parts of the run have taken
	cancel       context.CancelCauseFunc
	total, done  int           // cases; done ones of earlier windows
	current      []*track      // of the running window
	ahead        time.Duration // that cases take whose window has not begun
	spent        time.Duration // by cases so far
	calibrated   map[hostKind]*sample.Calibration
	broken       map[hostKind][]*result.Failure // why hosts could not be started
	calibrations []result.Calibration
	elsewhere    []result.Calibration // of hosts of other trees
	warnings     []result.Warning     // about the whole run
	outputs      outputs
	sentinels    map[*spec.Plan]*result.Sentinel
	images       *binary.Images
	rows         *result.Store // of finished cases
}

func newRun(o Options) *run {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Processes == nil {
		o.Processes = &process.Set{}
	}
	if o.Binaries == nil {
		o.Binaries = new(binary.Hashes)
	}
	return &run{options: o, started: o.Now(), calibrated: map[hostKind]*sample.Calibration{},
		broken: map[hostKind][]*result.Failure{}, outputs: outputs{}, rows: o.Journal.Store(),
		sentinels: map[*spec.Plan]*result.Sentinel{}, images: binary.NewImages(o.Link, o.Binaries, filesInUse)}
}

// suite measures the cases of one plan, window by window.
func (r *run) suite(ctx context.Context, plan *spec.Plan) []result.Case {
	if len(plan.Cases) == 0 {
		return nil // nothing to build for
	}
	tracks := make([]*track, len(plan.Cases))
	for i := range plan.Cases {
		tracks[i] = newTrack(plan, &plan.Cases[i])
	}
	pairUp(plan, tracks)
	guard := guards(plan)
	everyone := withGuard(tracks, guard)
	for _, t := range everyone {
		t.drawn = r.draws(t)
	}
	defer func() { r.sentinels[plan] = sentinel(plan, guard) }()
	if complete := r.takeOver(plan, everyone); complete {
		r.ahead -= forecast.Usual(plan)
		r.done += len(tracks)
		return cases(tracks)
	}
	if failure := r.buildAll(ctx, plan); failure != nil {
		for _, t := range everyone {
			if !t.final {
				t.failOrStop(ctx, failure)
				t.summarise()
				r.announce(t, len(tracks))
			}
		}
		r.ahead -= forecast.Usual(plan)
		r.done += len(tracks)
		return cases(tracks)
	}
	began := r.suiteBegan(plan)
	windows, left := groups(plan), sides(everyone)
	measured := make([]result.Case, len(tracks))
	for i, group := range windows {
		w := newWindow(newRig(r, plan, i))
		w.last = i == len(windows)-1
		for _, j := range group {
			w.rig.tracks = append(w.rig.tracks, tracks[j])
		}
		if guard.joins(w.rig.tracks) {
			w.rig.tracks = append(w.rig.tracks, guard)
		}
		w.allotted = allotted(plan, r.busy()-began, w.rig.tracks, left)
		w.shareOut()
		left -= sides(w.rig.tracks)
		r.current = w.rig.tracks
		for _, t := range w.rig.tracks {
			if t.guard && !t.isAsked() {
				continue
			}
			r.ahead -= forecast.UsualTime(t.target.Spec, t.alpha())
		}
		w.measure(ctx)
		r.current, r.done = nil, r.done+len(group)
		for _, j := range group { // a track is several times as large as the rest of its case
			measured[j] = *tracks[j].result
			tracks[j] = nil
		}
	}
	return measured
}

// announce reports a finished case, one of so many that finish together.
func (r *run) announce(t *track, together int) {
	if r.options.Finished != nil && !t.guard && t.result.Status != result.NotRun {
		r.options.Finished(t.result, r.done+together >= r.total)
	}
}

// sides is how many tracks cases have: one with a base has two.
func sides(tracks []*track) (n int) {
	for _, t := range tracks {
		if !t.final {
			n += len(t.sides())
		}
	}
	return n
}

func cases(tracks []*track) []result.Case {
	all := make([]result.Case, len(tracks))
	for i, t := range tracks {
		all[i] = *t.result
	}
	return all
}

// progress reports the progress of the run to the observer.
func (r *run) progress(t *track, phase string) {
	if r.options.Observe == nil {
		return
	}
	p := Progress{Phase: phase, Done: r.done, Total: r.total}
	for _, other := range r.current {
		if other.done && !other.guard {
			p.Done++
		}
	}
	if t != nil {
		p.Suite, p.Case, p.Open = t.result.Suite, t.result.Name, t.open
		if t.base != nil {
			p.Pairs, p.Needed = t.result.Samples.Len(), t.neededPairs()
		}
	}
	p.Left, p.Spent = max(r.ahead, 0), r.spent
	for _, other := range r.current {
		p.Left += other.expected()
	}
	if all := r.spent + p.Left; all > 0 {
		p.Share = float64(r.spent) / float64(all)
	}
	r.options.Observe(p)
}
