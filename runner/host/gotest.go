package host

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/wire"
)

// goTest is a prepared benchmark of a test binary.
type goTest struct {
	command *command
	spec    wire.GoTest
	finds   []func([]byte) (float64, error)
	verbose bool          // else its line is torn
	home    *residence    // of the process that takes its samples; nil: each is a process
	in      *resident     // that took the last one
	paired  bool          // its base takes turns with it
	begins  bool          // each of its samples begins with work that later iterations do not have
	printed []byte        // by such a process, for a failure
	values  []float64     // of the last sample, in the order of spec.Values; NaN for none
	tried   int64         // ns that the search for a drift may take
	taken   *tracedSample // nil: none
}

// perOp is the unit of the number that becomes the time of a sample.
const perOp = "ns/op"

func prepareGoTest(spec wire.GoTest, k *kit) (*goTest, *wire.Prepared, *wire.Failure) {
	spec.Metrics = []wire.Metric{{Name: "time", From: wire.Stdout, Bench: perOp, Of: spec.Printed, Scale: 1}}
	spec.ExitCodes = []int{0, 1, 2} // 1 and 2 are failures and panics, which explain tells from each other
	for i := range spec.Values {
		spec.Values[i].Of = spec.Printed
	}
	c, p, failure := prepareCommand(spec.Command, k)
	if failure != nil {
		return nil, nil, failure
	}
	g := &goTest{command: c, spec: spec, tried: int64(driftTime)}
	g.finds, failure = finders(k.machine.Extract, spec.Values)
	if failure != nil {
		c.close()
		return nil, nil, failure
	}
	if spec.Stays {
		g.move(k.residences)
	}
	return g, p, nil
}

// sample takes one sample of n iterations, and returns ns per iteration.
func (g *goTest) sample(phase wire.Phase, n int) (r run, nsPerOp float64, failure *wire.Failure) {
	if g.spec.Stays && phase != wire.PhasePegs { // whose runs write a file each
		return g.again(phase, n)
	}
	r, nsPerOp, failure = g.start(phase, n)
	if k := g.command.kit; failure != nil && !k.stop.Load() && k.endResidents() { // one may have the port that it needs
		r, nsPerOp, failure = g.start(phase, n)
	}
	g.values = g.values[:0]
	for i, find := range g.finds {
		x, err := find(g.stdout())
		x = scaled(x, g.spec.Values[i].Scale)
		if err != nil { // a benchmark need not print what it printed once
			x = math.NaN()
		}
		g.values = append(g.values, x)
	}
	return r, nsPerOp, failure
}

// start starts the binary once for n iterations, and returns ns per iteration. A
// body that prints tears its result line apart: if there is no such line, the
// binary is started once more with -test.v, which keeps lines whole. That is not
// done from the beginning, because programs print more then.
func (g *goTest) start(phase wire.Phase, n int) (r run, nsPerOp float64, failure *wire.Failure) {
	for {
		g.command.spec.Argv = append(g.spec.Argv[:len(g.spec.Argv):len(g.spec.Argv)], "-test.bench="+g.spec.Match,
			"-test.benchtime="+g.benchtime(n))
		if g.verbose {
			g.command.spec.Argv = append(g.command.spec.Argv, "-test.v=true")
		}
		r, failure = g.command.attempt(phase)
		torn := failure != nil && failure.Cause == wire.FailedMissing &&
			failure.Phase == wire.PhaseMetrics && r.Exit == 0
		if failure == nil && r.Exit == 0 && !r.TimedOut && r.values[0] >= 0 {
			return r, r.values[0], nil
		}
		if !torn || g.verbose {
			return r, 0, g.explain(phase, &r, failure)
		}
		g.verbose = true
	}
}

// benchtime is what the binary gets for n iterations. Under a tracer only what they look at counts:
// package testing itself finds out how many a sample has, in one process.
func (g *goTest) benchtime(n int) string {
	if g.command.spec.Traced && g.spec.N == 0 {
		return fmt.Sprintf("%dns", g.spec.Goal)
	}
	return fmt.Sprintf("%dx", n)
}

func (g *goTest) stdout() []byte {
	if g.spec.Stays {
		return g.printed
	}
	if t := g.command.texts[wire.Stdout]; t != nil {
		return t.buf
	}
	return nil
}

var (
	failLine  = regexp.MustCompile(`--- FAIL: .*\n\s*(.*)`)
	skipLine  = regexp.MustCompile(`(?m)^\s*--- SKIP: `)
	panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)
)

// explain describes in one line why a run has no time, with the end of what it printed.
// The output of a run that was killed has not been read.
func (g *goTest) explain(phase wire.Phase, r *run, failure *wire.Failure) *wire.Failure {
	out, errs := string(g.stdout()), g.lastWords()
	detail := cmp.Or(errs, scratch.TailOf([]byte(out)))
	say := func(cause wire.Cause, message string) *wire.Failure { return newFailure(phase, cause, message, detail) }
	both := out + "\n" + errs
	switch {
	case r.TimedOut:
		return newFailure(phase, wire.FailedTimeout,
			fmt.Sprintf("killed after the timeout of %v", time.Duration(g.command.spec.Timeout)), errs)
	case failure != nil && failure.Phase != wire.PhaseMetrics:
		return failure
	case panicLine.MatchString(both):
		m := panicLine.FindStringSubmatch(both)
		return say(map[string]wire.Cause{"panic": wire.FailedPanic, "fatal error": wire.FailedCrash}[m[1]],
			m[1]+": "+m[2])
	case failure != nil && failure.Cause != wire.FailedMissing: // nothing of it could be read
		return say(failure.Cause, strings.TrimPrefix(failure.Message, `metric "time": `))
	case failLine.MatchString(out):
		return say(wire.FailedError, fmt.Sprintf("%s failed: %s", g.spec.Printed, failLine.FindStringSubmatch(out)[1]))
	case r.Exit != 0:
		f := say(wire.FailedExit, fmt.Sprintf("exit status %d", r.Exit))
		f.Exit = &r.Exit
		return f
	case skipLine.MatchString(out):
		return say(wire.FailedMissing, g.spec.Printed+" is skipped")
	}
	if m := resultLine(g.spec.Printed).FindStringSubmatch(out); m != nil {
		return say(wire.FailedMissing, fmt.Sprintf("%s printed %s ns/op, which is no time", g.spec.Printed, m[1]))
	}
	if strings.Contains(out, g.spec.Printed) && strings.Contains(out, perOp) {
		return say(wire.FailedMissing, g.spec.Printed+" prints without a line break, which tears its result apart")
	}
	return say(wire.FailedMissing, g.spec.Printed+" printed no ns/op")
}

// resultLine finds the time on the line of a benchmark.
func resultLine(printed string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(printed) + `\s+\d+\s+(\S+) ` + perOp)
}

// lastWords is the end of standard error, or what follows a panic: stacks are longer
// than the end that is kept.
func (g *goTest) lastWords() string {
	text, _ := whole(nil, g.command.stderr) // what cannot be read is left out
	at := panicLine.FindIndex(text)
	if at == nil {
		return scratch.TailOf(text)
	}
	return clip(strings.ToValidUTF8(string(text[at[0]:]), "\uFFFD"), scratch.MostTail)
}

// steady reports a benchmark whose time drifts.
func (g *goTest) steady(s *programSizer) *wire.Failure {
	if g.command.spec.Warmup == 0 && g.command.spec.WarmupBatches == 0 {
		return nil
	}
	d := drifting{sample: g.sample, renew: g.home.end, sized: s.sized, isN: g.spec.N > 0,
		length: driftSample, overhead: s.overhead, left: min(s.limit-s.elapsed(), g.tried)}
	way, failure := d.way()
	if failure == nil {
		failure = drifted(way)
	}
	return failure
}

// size warms up and finds the iterations of a sample, as for a function.
func (g *goTest) size(k *kit, limit int64) (*wire.Sized, *wire.Failure) {
	c := &g.command.spec
	if c.Traced {
		n, failure := g.traced()
		return &wire.Sized{Thread: "free", N: n, Time: 1}, failure
	}
	s := newProgramSizer(k, g.sample, g.spec.Goal, c.Warmup, limit)
	if g.spec.N > 0 {
		s.state(g.spec.N)
	} else {
		s.search()
		if s.sized.N == 1 && !g.spec.Stays && s.failure == nil && s.isFirst(s.sized.Time) {
			s.least = 2
			s.search()
		}
	}
	if g.spec.Stays && s.failure == nil {
		if g.lengthen(s.sized, s.overhead); g.spec.N == 0 && !s.sized.Cut {
			g.begins = s.amortize(beginGoals * g.spec.MostGoal)
		}
		s.failure = g.steady(s)
	}
	return s.end(c.WarmupBatches)
}

// traced returns the iterations of a sample under a tracer, of which only what they look at counts. If the process
// stays, one iteration shows about how many a sample has, and the sample is taken at once: before other benchmarks of
// the function are asked for. Else package testing finds them out, see benchtime.
func (g *goTest) traced() (n int, failure *wire.Failure) {
	n = max(g.spec.N, 1)
	if !g.spec.Stays {
		return n, nil
	}
	var s tracedSample
	if g.spec.N == 0 {
		_, s.nsPerOp, failure = g.sample(wire.PhaseWarmup, 1)
		n = int(min(max(float64(g.spec.Goal)/max(s.nsPerOp, 1), 1), mostTraced))
	}
	if failure == nil {
		s.run, s.nsPerOp, failure = g.sample(wire.PhaseRun, n)
		g.taken = &s
	}
	return n, failure
}

// tracedSample is a sample that was taken before it was asked for.
type tracedSample struct {
	run     run
	nsPerOp float64
}

// mostTraced bounds the iterations of a sample whose first one was very short.
const mostTraced = 1 << 20

func (g *goTest) close() *wire.Failure {
	g.leave()
	return g.command.close()
}

// startBlock readies it for a block, in which its base takes turns with it if it is paired.
func (g *goTest) startBlock(n int, paired bool) ([]folder, *wire.Failure) {
	if paired {
		g.paired = true
		return nil, nil
	}
	return nil, g.renew(n)
}

func (g *goTest) single(_ *kit, b wire.Batch, pad int, out *wire.Readings) *wire.Failure {
	defer g.command.padded(pad)()
	if s := g.taken; s != nil {
		g.taken = nil
		addSample(out, b, &s.run, s.nsPerOp, g.spec.Values, g.values)
		return nil
	}
	r, nsPerOp, failure := g.sample(wire.PhaseRun, b.N)
	if failure == nil {
		addSample(out, b, &r, nsPerOp, g.spec.Values, g.values)
	}
	return failure
}
