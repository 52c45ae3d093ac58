package runner

import (
	"context"
	"io"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host/wire"
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
	Link  binary.Linker
	Seed  draw.Seed // of every draw
	Steer Steerer   // nil: no gate depends on the samples
	// Unsettled reports, after the last sample of a case, whether a gate that compares it with its base is open or
	// fails: then valgrind counts the instructions of both sides. nil: it does so only if the suite file asks for
	// it.
	Unsettled func(*result.Case) bool
	Observe   func(Progress) // nil: nobody watches
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
	Case        string
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

// countedWindow is the number if no times are taken: one process counts all cases of a program.
const countedWindow = 256

// filesInUse is how many files the launches of a window need at the same time: the files of
// both sides of each case.
const filesInUse = 2*windowSize + 2

// run is the state of one Run.
type run struct {
	options           Options
	started           time.Time
	before            time.Duration // that earlier parts of the run have taken
	cancel            context.CancelCauseFunc
	total, done       int           // cases; done ones of earlier windows
	current           []*track      // of the running window
	ahead             time.Duration // that cases take whose window has not begun
	spent             time.Duration // by cases so far
	calibrated        map[hostKind]*sample.Calibration
	broken            map[hostKind][]*result.Failure // why hosts could not be started
	calibrations      []result.Calibration
	otherCalibrations []result.Calibration // of hosts of other trees
	warnings          []result.Warning     // about the whole run
	outputs           outputs
	sentinels         map[*spec.Plan]*result.Sentinel
	images            *binary.Images
	rows              *result.Store // of finished cases
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

// interrupted is what was measured before the run was interrupted, nil for nothing.
func (r *run) interrupted() *record.Interrupted {
	if r.options.Journal == nil {
		return nil
	}
	return r.options.Journal.Interrupted
}

// begun is when the run began, in its first part.
func (r *run) begun() time.Time {
	if p := r.interrupted(); p != nil {
		return p.Header.Started
	}
	return r.started.UTC()
}

// elapsed is the time since the start of the run, without that between its
// parts; busy is the same without the time in which it was stopped.
func (r *run) elapsed() time.Duration { return r.before + r.options.Now().Sub(r.started) }

func (r *run) busy() time.Duration { return r.elapsed() - r.options.Processes.Lost() }

// killed reports whether everything that the run has started was killed.
func (r *run) killed() bool { return r.options.Processes.Killed() }

// costs are what timing costs in hosts of a kind, nil while nobody knows.
func (r *run) costs(k hostKind) *sample.Calibration { return r.calibrated[k.timing()] }

// program is the argv of a host. Programs are always started by suite itself.
func (r *run) program(kind hostKind) []string {
	if kind.kind == wire.KindGo && r.options.HostOf != nil {
		if argv := r.options.HostOf(kind.plan); argv != nil {
			return argv
		}
	}
	return r.options.Host
}

// record writes a line into the journal. If that fails, the run ends as if it
// had been interrupted: what it measured is still there to be reported, and what
// it would go on to measure could be lost.
func (r *run) record(line *record.Line, must bool) {
	if r.options.Journal == nil || r.options.Journal.Err() != nil {
		return
	}
	if err := r.options.Journal.Append(line, must); err != nil {
		r.warnings = append(r.warnings, result.Warning{Code: result.WarnJournal, Message: err.Error(),
			Hint: "the run ended there; with more room --resume goes on"})
		r.cancel(err)
	}
}

// addCalibration keeps a calibration for the document. The calibrations of another tree follow
// this tree's, which readers look for first.
func (r *run) addCalibration(c *record.Calibration) {
	if c.Other {
		r.otherCalibrations = append(r.otherCalibrations, c.Calibration)
		return
	}
	r.calibrations = append(r.calibrations, c.Calibration)
}

// doubt is a warning about the whole run.
func (r *run) doubt(code result.WarningCode, message, hint string) {
	r.warnings = append(r.warnings, result.Warning{Code: code, Message: message, Hint: hint})
	r.record(&record.Line{At: r.busy(), Warning: &r.warnings[len(r.warnings)-1]}, false)
}

// announce reports a finished case, one of so many that finish together.
func (r *run) announce(t *track, together int) {
	if r.options.Finished != nil && !t.guard && t.result.Status != result.NotRun {
		r.options.Finished(t.result, r.done+together >= r.total)
	}
}

// progress reports the progress of the run to the observer.
func (r *run) progress(t *track, phase string) {
	if r.options.Observe == nil {
		return
	}
	p := Progress{Phase: phase, Done: r.done, Total: r.total}
	for _, other := range r.current {
		if (other.done || other.counts.isOver) && !other.guard {
			p.Done++
		}
	}
	if t != nil {
		p.Case, p.Open = t.result.Name, t.open
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
