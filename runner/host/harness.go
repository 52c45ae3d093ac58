package host

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/wire"
)

// Harness is how a program is asked for a sample of one of its benchmarks.
type Harness struct {
	// Run returns what makes it run an amount: arguments after those of the suite file, variables of the environment,
	// and its standard input. Its results belong at the path results, if it has a file or folder for them.
	Run func(a Amount, results string) (args, env []string, input string)
	// Time finds the seconds of one iteration in what it has printed for an amount, or at the path results. own is set
	// if the error is what the benchmark itself reports, and not that something is missing.
	Time func(out []byte, results string, a Amount) (perIteration float64, own bool, err error)
	// Answered counts the answers of the benchmark in what was printed, and reports whether its list is there; nil: a
	// process has one request.
	Answered func(out []byte) (times int, isListed bool)
	// Count is like Run if the program tells valgrind what to count, which is the last amount; nil: its whole process
	// is counted.
	Count func(a Amount) (args, env []string, input string)
	List  string // the request for the list
	Slow  bool   // its start takes long, and its first answer comes when it comes
}

// Amount is so many iterations or, for a harness that cannot be told their number, so many seconds,
// after so many warm-ups in the same process.
type Amount struct {
	Iterations int
	Seconds    float64
	Warmups    int
}

// harnessed is a prepared benchmark of another harness: each sample is a process, unless one stays.
type harnessed struct {
	stays   *responder // the process that takes samples, nil: none does
	command *command
	spec    wire.Harness
	harness Harness
	amount  Amount // of the last run
	input   string // of the file that the program reads
	folder  string // in which each sample has its results
	tried   int64  // ns that the search for a drift may take
	wrong   error  // why the last output has no time
	own     bool   // the benchmark itself has reported that
}

func prepareHarnessed(spec wire.Harness, k *kit) (*harnessed, *wire.Prepared, *wire.Failure) {
	var found Harness
	ok := false
	if k.machine.Harness != nil {
		found, ok = k.machine.Harness(spec.Harness, spec.Benchmark, spec.Stays)
	}
	if !ok {
		return nil, nil, newFailure(wire.PhaseSetup, wire.FailedProtocol,
			fmt.Sprintf("this host has no harness %q", spec.Harness), "")
	}
	c, p, failure := prepareCommand(spec.Command, k)
	if failure != nil {
		return nil, nil, failure
	}
	b := &harnessed{command: c, spec: spec, harness: found, tried: int64(driftTime)}
	if spec.Files {
		var err error
		b.folder, err = os.MkdirTemp("", "suite-results-*")
		if err != nil {
			c.close()
			return nil, nil, newFailure(wire.PhaseSetup, wire.FailedError, err.Error(), "")
		}
	}
	c.spec.Metrics = append([]wire.Metric{{Name: "time", From: wire.Stdout, Scale: 1}}, c.spec.Metrics...)
	c.finds = append([]func([]byte) (float64, error){b.time}, c.finds...)
	return b, p, nil
}

// time reads the time of an iteration, and keeps the reason if there is none.
func (b *harnessed) time(out []byte) (seconds float64, err error) {
	seconds, b.own, b.wrong = b.harness.Time(out, b.results(), b.amount)
	return seconds, b.wrong
}

// results is the path of the program's results, empty if they are on standard output. Nothing is there before a sample.
func (b *harnessed) results() string {
	if b.folder == "" {
		return ""
	}
	return filepath.Join(b.folder, "results")
}

// sample takes one sample and returns the ns of an iteration. A harness that cannot be told n
// iterations is told the time that a sample has to last.
func (b *harnessed) sample(phase wire.Phase, n int) (r run, nsPerIteration float64, failure *wire.Failure) {
	if b.spec.Stays && b.harness.Answered != nil {
		return b.ask(phase, n)
	}
	c := b.command
	b.amount = Amount{Iterations: n, Seconds: float64(b.spec.Goal) / 1e9, Warmups: b.warmups()}
	args, env, input := b.harness.Run(b.amount, b.results())
	c.spec.Argv = append(b.spec.Argv[:len(b.spec.Argv):len(b.spec.Argv)], args...)
	if failure := b.give(phase, input); failure != nil {
		return r, 0, failure
	}
	if b.folder != "" {
		if err := os.RemoveAll(b.results()); err != nil {
			return r, 0, newFailure(phase, wire.FailedError, err.Error(), "")
		}
	}
	b.wrong = nil
	defer c.with(env...)()
	r, failure = c.attempt(phase)
	switch {
	case b.wrong != nil:
		return r, 0, b.explain(phase)
	case failure != nil:
		return r, 0, failure
	case r.TimedOut:
		return r, 0, newFailure(phase, wire.FailedTimeout,
			fmt.Sprintf("killed after the timeout of %v", time.Duration(c.spec.Timeout)), c.said)
	}
	return r, r.values[0] * 1e9, b.noTime(phase, r.values[0], n)
}

// noTime is the failure of a sample that took no time. While n is sought, n is too small.
func (b *harnessed) noTime(phase wire.Phase, time float64, n int) *wire.Failure {
	if time > 0 || phase != wire.PhaseRun {
		return nil
	}
	return newFailure(phase, wire.FailedMissing, fmt.Sprintf("%q reported 0 s for %d iterations, which is no time",
		b.spec.Benchmark, n), "")
}

// mostWarmups bounds the warm-ups of a process.
const mostWarmups = 1000

// warmups is how many samples a process throws away before the one that counts: as many as last for the warm-up. It
// follows from the settings alone, so that the two sides of a pair are equally warm.
func (b *harnessed) warmups() int {
	switch {
	case b.spec.Traced:
		return 0
	case b.spec.WarmupBatches > 0:
		return min(b.spec.WarmupBatches, mostWarmups)
	case b.spec.Goal <= 0: // the length of a sample is not known
		return int(min(b.spec.Warmup, 1))
	}
	return int(min((b.spec.Warmup+b.spec.Goal-1)/b.spec.Goal, mostWarmups))
}

// explain describes why a run that succeeded has no time, with the end of what it printed.
func (b *harnessed) explain(phase wire.Phase) *wire.Failure {
	detail := scratch.Tail(b.command.stderr)
	if b.own {
		return newFailure(phase, wire.FailedError, b.wrong.Error(), detail)
	}
	if t := b.command.texts[wire.Stdout]; detail == "" && t != nil {
		detail = scratch.TailOf(t.buf)
	}
	return newFailure(phase, wire.FailedMissing, b.wrong.Error(), detail)
}

// give makes the program find a text on standard input.
func (b *harnessed) give(phase wire.Phase, text string) *wire.Failure {
	if text == b.input {
		return nil
	}
	b.command.dropInput()
	b.command.input, b.command.spec.Input, b.input = nil, text, text
	if err := b.command.keepInput(); err != nil {
		return newFailure(phase, wire.FailedError, err.Error(), "")
	}
	return nil
}

// size warms up and finds the iterations of a sample, as for a function. If the harness finds them
// itself, they are what the fastest sample shows.
func (b *harnessed) size(k *kit, limit int64) (*wire.Sized, *wire.Failure) {
	if b.command.spec.Traced {
		return &wire.Sized{Thread: "free", N: max(b.spec.N, 1), Time: 1}, nil
	}
	s := newProgramSizer(k, b.sample, b.spec.Goal, b.spec.Warmup, limit)
	if b.spec.Counts && b.spec.N == 0 {
		s.search()
	} else {
		s.state(max(b.spec.N, 1))
	}
	if s.failure == nil && b.stays != nil && b.spec.Warmup+int64(b.spec.WarmupBatches) > 0 {
		s.failure = b.steady(s)
	}
	sized, failure := s.end(b.spec.WarmupBatches)
	if !b.spec.Counts && s.perIteration > 0 {
		sized.N = int(min(max(float64(b.spec.Goal)/s.perIteration, 1), mostIterations))
		sized.Time = total(s.perIteration, sized.N)
	}
	return sized, failure
}

// steady reports a benchmark whose time grows while it is repeated, in a new process as in pairs: one that was sized
// has done so much that a sample more hardly shows. If the time falls, that is the warm-up of a compiler at run time,
// which a new process for each sample would have before every one.
func (b *harnessed) steady(s *programSizer) *wire.Failure {
	d := drifting{sample: b.sample, renew: b.end, sized: s.sized, isN: b.spec.N > 0,
		length: time.Duration(b.spec.Goal), overhead: s.overhead, left: min(s.limit-s.elapsed(), b.tried)}
	b.end()
	way, failure := d.way()
	if failure == nil {
		failure = drifted(max(way, 0))
	}
	return failure
}

func (b *harnessed) single(_ *kit, batch wire.Batch, pad int, out *wire.Readings) *wire.Failure {
	defer b.command.padded(pad)()
	r, ns, failure := b.sample(wire.PhaseRun, batch.N)
	if failure == nil {
		addSample(out, batch, &r, ns, b.command.spec.Metrics[1:], r.values[1:])
	}
	return failure
}

func (b *harnessed) close() *wire.Failure {
	b.end()
	if b.folder != "" {
		os.RemoveAll(b.folder)
	}
	return b.command.close()
}

func (b *harnessed) startBlock(int, bool) ([]folder, *wire.Failure) { return nil, nil }
