package runner

import (
	"slices"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// track is one case on its way through a run.
type track struct {
	plan   *spec.Plan // whose host runs it
	spec   *spec.Case
	result *result.Case

	remote     *remote            // the host it is prepared in; another one means: prepare again
	id         int                // there
	sampledIn  *remote            // the last one that samples came from
	expects    *remote            // the one that knows what the command has to print
	n          int                // iterations of a batch, 0 before sizing
	thread     string             // locked or free, as the first sizing found
	sized      time.Duration      // that a batch took by the chosen clock when its size was found
	reading    map[string]float64 // cost of reading clocks and counter in the running block, by column
	batch      time.Duration      // that a batch is expected to take, with all that belongs to it
	used       time.Duration      // of max_time
	sampled    time.Duration      // wall time of all samples
	block      int
	waited     time.Duration // for a CPU, over requests where that is known
	watched    time.Duration // length of those requests
	open       int           // gates that more samples may decide
	setUp      bool          // its setup hook ran, so its cleanup hook has to
	done       bool
	mixed      bool // some samples hold a collection
	leaked     int
	remains    []host.Remains            // in the folders that its runs use
	looked     int                       // runs behind which these were looked for
	orphans    []string                  // command lines of the first few of those
	stops      int                       // samples during which the process was stopped
	stopped    time.Duration             // the longest of them
	again      int                       // passes made again because of that
	empty      map[string]timer.Estimate // cost of readings inside a batch, by column
	perTrial   float64                   // ns of the reading behind each iteration of a loop made by Try
	loopStart  float64                   // what a batch of the empty loop costs besides its iterations, ns
	loops      []float64                 // the empty loop beside each block of a tiny body, seconds per unit
	counts     []float64                 // the same in counts per unit
	unit       string                    // of the cycle counter: ticks, cycles, empty for none
	frequency  float64                   // counts per ns
	countStart float64                   // what a batch of the empty loop counts besides its iterations
	folds      *folds                    // where only a summary is kept
	passed     []result.Summary          // metrics from a pass of their own
	events     map[string]timer.Estimate // those of empty that are its own
	round      int                       // of its window, behind its last turn
	services   []*service
	asked      time.Duration // that hosts have said they took for its blocks
	runs       int           // of a command, warm-up and discarded ones included
	killed     int           // of them, by the timeout
	said       string        // last words of the last of them
	base       *track        // its side of the pairs, nil without a base
	of         *track        // the case whose base this is, nil of a case
	guard      bool          // it is the sentinel, and no case
	pacing     pacing
	drawn      bool            // each launch gets new files in new layouts
	file       string          // that an existing benchmark runs from, empty for its program
	tree       string          // of a base in another tree: what that is called
	collected  float64         // share of the warm-up batches that held a collection
	broken     *result.Failure // why what it needs could not be set up

	// What the journal has of it, and what it had before the run was interrupted.
	keeps       bool            // there is a journal
	fresh       *result.Samples // the last block, until the journal has it
	freshFirst  []int           // likewise, who went first in its pairs
	stale       bool            // pairs were taken with the set-ups that both sides have now
	keptRows    int             // rows of the samples that are no part of the next block
	keptLoops   int
	keptCounts  int
	keptFailure bool
	final       bool // it was finished before: nothing is left to do
	resumed     bool // it had blocks before, and has not been prepared again
}

func newTrack(plan *spec.Plan, c *spec.Case) *track {
	t := &track{plan: plan, spec: c, result: &result.Case{
		Suite: plan.Suite, Name: c.Name, Description: c.Description, Tags: c.Tags, Kind: c.Kind,
		Params: Params(c.Params), Unit: c.Unit, Work: c.Work, Settings: settings(c.Settings), Status: result.NotRun,
		Identity: result.Identity{Function: c.Function, Argv: c.Argv, Shell: c.Shell}, Place: c.Place, Counterpart: c.Counterpart,
		Samples: result.Samples{Launch: []int{}, Block: []int{}, At: []float64{}, Columns: map[string]result.Column{}, Disturbed: []result.Disturbed{}},
	}}
	if c.Other == nil && c.Counterpart.IsUnaffected() {
		t.result.Status = result.Unaffected
		t.final, t.done = true, true
	}
	t.result.Settings.Counters, t.result.Declared = c.Counters, Declared(c)
	if t.isCommand() {
		t.result.Settings.Pin = c.Settings.Pin
	}
	t.asGoTest()
	if c.Settings.Keep == "summary" {
		t.folds = newFolds()
	}
	return t
}

// Params turns the parameters of a plan into those of the document.
func Params(ps []spec.Param) (all []result.Param) {
	for _, p := range ps {
		r := result.Param{Name: p.Name, Text: p.Value.Text}
		if p.Value.Kind == lang.Number {
			r.Number = &p.Value.Number
		}
		all = append(all, r)
	}
	return all
}

func settings(s spec.Settings) result.Settings {
	seconds := func(d spec.Duration) float64 { return time.Duration(d).Seconds() }
	return result.Settings{Batch: s.Batch, Warmup: seconds(s.Warmup), SampleTime: seconds(s.SampleTime),
		TargetTime: seconds(s.TargetTime), MaxTime: seconds(s.MaxTime), Timeout: seconds(s.Timeout),
		SamplesMin: s.SamplesMin, SamplesMax: s.SamplesMax, Precision: s.Precision, Coalesce: s.Coalesce,
		GC: s.GC, Thread: s.Thread, Parallel: s.Parallel, Confidence: s.Confidence,
		Sampling: s.Sampling, Keep: s.Keep, Quorum: s.Quorum}
}

// fail ends a case that could not be measured; its samples are kept.
func (t *track) fail(f *result.Failure) {
	if t.result.Status != result.Failed { // the first reason is the one
		t.result.Status, t.result.Failure = result.Failed, f
	}
	t.done = true
}

func (t *track) warn(code result.WarningCode, message, hint string) {
	t.result.Warnings = append(t.result.Warnings, result.Warning{Code: code, Message: message, Hint: hint})
}

// doubt warns with a sentence that has numbers in it.
func (t *track) doubt(code result.WarningCode, s result.Sentence, hint string) {
	t.result.Warnings = append(t.result.Warnings, s.Warning(code, hint))
}

// lacks warns that metrics are missing, or are there in part.
func (t *track) lacks(code result.WarningCode, metrics []string, message, hint string) {
	t.result.Warnings = append(t.result.Warnings, result.Warning{Code: code, Message: message, Hint: hint, Metrics: metrics})
}

// isCommand tells cases that are processes from those that are functions.
func (t *track) isCommand() bool { return t.spec.Kind != result.KindGo }

func (t *track) hostKind() string {
	if t.isCommand() {
		return host.KindCommand
	}
	return host.KindGo
}

// maxTime is what the case may take, its share of a budget included.
func (t *track) maxTime(allowance time.Duration) time.Duration {
	limit := time.Duration(t.spec.Settings.MaxTime)
	if allowance > 0 {
		limit = min(limit, allowance)
	}
	return limit
}

// request prepares the case in a host.
func (t *track) request() *host.Request {
	if t.isGoTest() {
		return &host.Request{Op: "prepare", GoTest: t.goTest()}
	}
	if t.isCommand() {
		return &host.Request{Op: "prepare", Command: t.command()}
	}
	s := &t.spec.Settings
	thread := s.Thread
	if t.thread != "" {
		thread = t.thread // decided in the first launch and kept
	}
	return &host.Request{Op: "prepare", Function: &host.Function{
		Name: t.spec.Name, Function: t.spec.Function, Params: benchParams(t.spec.Params), Batch: int(s.Batch),
		Warmup: int64(s.Warmup), SampleTime: t.batchGoal(), Coalesce: s.Coalesce,
		GC: s.GC, Spread: t.whole().base != nil, Thread: thread, Parallel: max(s.Parallel, 1), Long: t.sized > host.LongBatch,
		Counters: t.spec.Counters, Quorum: s.Quorum,
	}}
}

// pairShare of sample_time is how long each batch of a pair lasts. Shorter batches bring
// the two sides closer in time: on a busy machine pairs of 0.2 ms were worth two to ten
// times as much in a second as pairs of 1 ms (docs/proof.md).
const pairShare = 5

// batchGoal is how long a batch has to last, ns.
func (t *track) batchGoal() int64 {
	if t.whole().base == nil {
		return int64(t.spec.Settings.SampleTime)
	}
	return int64(t.spec.Settings.SampleTime) / pairShare
}

func benchParams(ps []spec.Param) map[string]bench.Param {
	all := map[string]bench.Param{}
	for _, p := range ps {
		b := bench.Param{Text: p.Value.Text}
		switch p.Value.Kind {
		case lang.Number:
			b.Number = &p.Value.Number
		case lang.Bool:
			b.Bool = &p.Value.Bool
		}
		all[p.Name] = b
	}
	return all
}

func (t *track) command() *host.Command {
	c := t.spec
	return &host.Command{Name: c.Name, Argv: t.argv(), Env: c.Env, Dir: c.Cwd, Stdin: c.Stdin, Input: c.StdinText, Stdout: c.Stdout,
		ExitCodes: slices.Clone(c.ExitCodes), Warmup: int64(c.Settings.Warmup), Timeout: int64(c.Settings.Timeout),
		Prepare: hookArgv(c.Prepare), Conclude: hookArgv(c.Conclude), Told: t.told(), Runs: t.runs,
		Counters: c.Counters, Reject: c.Reject, Quorum: c.Settings.Quorum, Pin: c.Settings.Pin,
		Metrics: metrics(c.Metrics), SameOutput: c.SameOutput}
}

func (t *track) argv() []string {
	if t.spec.Kind == result.KindShell {
		return shell(t.spec.Shell)
	}
	return t.spec.Argv
}

func hookArgv(h *spec.Hook) []string {
	if h == nil {
		return nil
	}
	return h.Argv
}
